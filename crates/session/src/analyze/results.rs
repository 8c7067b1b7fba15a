//! Analysis of all games of a tournament.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::mpsc;

use pitmaster_core::GameId;
use pitmaster_report::GameAnalysis;
use rayon::prelude::*;

use super::{Analyst, PlayedGame, analyze_each};
use crate::observer::Steps;
use crate::{Error, Observer, Results, Task};

/// Analyses of games, by the ids under which they are stored.
#[derive(Debug, Default)]
pub struct Analyses(HashMap<GameId, GameAnalysis>);

impl Analyses {
    /// Analysis of a game; `None` if it was not analyzed.
    pub fn of(&self, game: &GameId) -> Option<&GameAnalysis> {
        self.0.get(game)
    }
}

/// Analyzes all games that count, on all cores, with an endgame table from the folder. A game that
/// contradicts the rules of this version is skipped with a warning. Steps of the task are
/// positions.
///
/// # Errors
/// The results cannot be read.
pub fn analyze_results(
    results: &Results,
    analyst: &Analyst,
    tables: Option<&Path>,
    observer: &dyn Observer,
) -> Result<Analyses, Error> {
    let game = &*results.tournament().game;
    let analyst = &analyst.clone().with_table(game, tables, observer)?;
    let mut positions = 0;
    results.for_each(|attempt| {
        positions += attempt.record.plies.len() as u64 + 1;
        Ok(())
    })?;
    let steps = Steps::new(observer, Task::Analyze, positions);
    // The channel is short, so that only a few games are in memory.
    let (sender, receiver) = mpsc::sync_channel(2 * rayon::current_num_threads());
    let (read, games, skipped) = rayon::in_place_scope(|scope| {
        let (steps, (found, analyzed)) = (&steps, mpsc::channel());
        scope.spawn(move |_| {
            receiver.into_iter().par_bridge().for_each_with(found, |found, (id, record)| {
                let played = PlayedGame::of(record)
                    .and_then(|played| analyze_each(&played, analyst, || steps.step("")));
                // The receiver is alive until all have been sent.
                let _ = found.send((id, played));
            });
        });
        let read = results.for_each(|attempt| {
            let (id, record) = (attempt.record.id(), attempt.record);
            sender.send((id, record)).map_err(|_| Error::stopped("the analysis has ended"))
        });
        drop(sender);
        let (games, skipped) = sorted(analyzed.into_iter());
        (read, games, skipped)
    });
    read?;
    if let Some((id, why)) = skipped.first_key_value() {
        let count = skipped.len();
        observer.warn(&format!("{count} games could not be analyzed, first {id}: {why}"));
    }
    Ok(Analyses(games))
}

/// Separates games that were analyzed from those that could not be.
fn sorted(
    analyzed: impl Iterator<Item = (GameId, Result<GameAnalysis, Error>)>,
) -> (HashMap<GameId, GameAnalysis>, BTreeMap<GameId, Error>) {
    let (mut games, mut skipped) = (HashMap::new(), BTreeMap::new());
    for (id, game) in analyzed {
        match game {
            Ok(game) => drop(games.insert(id, game)),
            Err(error) => drop(skipped.insert(id, error)),
        }
    }
    (games, skipped)
}
