//! Tournament section of a page, collected game by game.

use std::io;
use std::sync::Arc;

use pitmaster_core::i18n::Lang;
use pitmaster_core::{GameId, Record};
use pitmaster_games::{DynGame, Shape};
use pitmaster_ratings::Roster;
use pitmaster_store::Attempt;
use rayon::prelude::*;

use super::chunks::Packs;
use super::data::{ShapeData, TournamentData};
use super::index::Index;
use super::packed::pack;
use super::redaction::Audience;
use super::replay::{Replay, Showing, Shown};
use super::view::{TournamentView, labelled};
use crate::{Chart, Charts, GameAnalysis, GameFile};

/// Number of games packed together, which a page unpacks to show one.
const CHUNK: usize = 100;

/// Number of chunks in memory at once: enough for all cores, regardless of the number of games.
const AT_ONCE: usize = 8;

/// The games of a tournament, for a page.
#[derive(Debug)]
pub struct Chapter {
    /// Prefix of its element ids: `t1`.
    key: String,
    game: Arc<dyn DynGame>,
    shape: Shape,
    index: Index,
    charts: Charts,
}

impl Chapter {
    /// Creates the section with that number, from 1, for a tournament of that game.
    pub fn new(number: usize, game: Arc<dyn DynGame>) -> Self {
        let (key, shape) = (format!("t{number}"), game.shape());
        Self { key, game, shape, index: Index::default(), charts: Charts::default() }
    }

    /// Adds a redacted game with its stored id.
    pub fn add(&mut self, kept_as: &GameId, record: &Record, roster: &Roster, for_whom: &Audience) {
        self.charts.add(record, roster);
        if for_whom.sees(record) {
            self.index.add(kept_as, record, roster);
        }
    }

    /// Key of the section in links.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Number of games that can be shown.
    pub fn games(&self) -> usize {
        self.index.len()
    }

    /// Script data of the section.
    pub(super) fn data(
        &self,
        told: &TournamentView<'_>,
        lang: Lang,
        downloads: bool,
    ) -> TournamentData {
        TournamentData {
            key: self.key.clone(),
            title: told.title.to_owned(),
            game: told.rules.to_owned(),
            shape: ShapeData::of(self.shape.clone()),
            move_limit_ms: told.limits.per_move.map(|limit| limit.as_secs_f64() * 1000.0),
            bots: told.bot_data(),
            endings: labelled(self.index.endings(), lang),
            games: self.index.len(),
            chunk: CHUNK,
            beside: None,
            downloads,
        }
    }

    /// The list of all games, packed.
    pub(super) fn packed_index(&self, told: &TournamentView<'_>) -> io::Result<String> {
        let places = told.places();
        pack(&self.index.columns(|bot| places[bot as usize]))
    }

    /// All charts.
    pub fn charts(&self, told: &TournamentView<'_>, lang: Lang) -> Vec<Chart> {
        self.charts.draw(&told.drawn, lang)
    }

    /// Packs all added games. `load` fetches a stored game, and `analysis` its analysis.
    ///
    /// # Errors
    /// Errors of `load`, or a chunk cannot be written.
    pub(super) fn pack<'a, E: From<io::Error>>(
        &mut self,
        for_whom: &Audience,
        lang: Lang,
        packs: &mut Packs,
        mut load: impl FnMut(&GameId) -> Result<Option<Attempt>, E>,
        analysis: impl Fn(&GameId) -> Option<&'a GameAnalysis>,
    ) -> Result<(), E> {
        if for_whom.hides_order() {
            self.index.shuffle();
        }
        let (game, shape, with_file) = (&*self.game, &self.shape, for_whom.may_download());
        let showing = Showing { game, shape, lang, with_file };
        let ids: Vec<_> = self.index.kept_as().cloned().collect();
        let (mut number, mut games) = (0, Vec::new());
        for some in ids.chunks(CHUNK * AT_ONCE) {
            let (mut chunks, mut next) = (Ok(Vec::new()), Vec::with_capacity(some.len()));
            // Fetches the next games while others are packed.
            rayon::in_place_scope(|scope| {
                scope.spawn(|_| chunks = packed(&games, &showing));
                some.iter().try_for_each(|id| {
                    let gone =
                        || io::Error::other(format!("game {id} is no longer there; try again"));
                    let kept = redacted(load(id)?.ok_or_else(gone)?, for_whom);
                    next.push(Shown { kept, analysis: analysis(id) });
                    Ok::<_, E>(())
                })
            })?;
            packs.add_numbered(&self.key, &mut number, chunks?)?;
            games = next;
        }
        packs.add_numbered(&self.key, &mut number, packed(&games, &showing)?)?;
        Ok(())
    }
}

/// Chunks of games, packed.
fn packed(games: &[Shown<'_>], showing: &Showing<'_>) -> io::Result<Vec<String>> {
    games.par_chunks(CHUNK).map(|games| pack_chunk(games, showing)).collect()
}

fn pack_chunk(games: &[Shown<'_>], showing: &Showing<'_>) -> io::Result<String> {
    let replays: Vec<_> = games.iter().map(|game| Replay::of(game, showing)).collect();
    pack(&replays)
}

/// An attempt as a game file, redacted for the page's readers.
fn redacted(attempt: Attempt, for_whom: &Audience) -> GameFile {
    GameFile::new(for_whom.disguised(attempt.record), attempt.dialects, attempt.started_at)
}
