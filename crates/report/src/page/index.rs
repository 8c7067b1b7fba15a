//! Game index of a page: the data for listing, filtering and counting all games, by column.

use std::collections::HashSet;

use pitmaster_core::{BySide, Ending, GameId, Mark, Record, Score, Side};
use pitmaster_ratings::Roster;
use serde::Serialize;

/// Index of displayed games.
#[derive(Debug, Default)]
pub(super) struct Index {
    games: Vec<Listed>,
    endings: Vec<KindOfEnding>,
    seen: HashSet<(BySide<u32>, u64)>,
}

/// A game in the list.
#[derive(Debug)]
struct Listed {
    /// Id in the store.
    kept_as: GameId,
    /// Displayed id.
    id: GameId,
    /// Bots, by their numbers.
    bots: BySide<u32>,
    /// The number of the winner, 0 for a draw, 3 where both lost.
    winner: u8,
    ending: usize,
    score: Score,
    plies: usize,
    millis: u64,
    stage: u32,
    round: u32,
    pair: u32,
    /// Whether it repeats an earlier game.
    again: bool,
}

/// Kind of ending of a page's games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KindOfEnding {
    /// Name in files.
    pub(super) name: String,
    /// Whether it is a forfeit.
    pub(super) forfeit: bool,
}

/// Column-wise list for the page, with one entry per game in each column.
#[derive(Debug, Default, Serialize)]
pub(super) struct Columns<'i> {
    id: Vec<&'i str>,
    one: Vec<u32>,
    two: Vec<u32>,
    winner: Vec<u8>,
    ending: Vec<usize>,
    s1: Vec<u32>,
    s2: Vec<u32>,
    plies: Vec<usize>,
    ms: Vec<u64>,
    stage: Vec<u32>,
    round: Vec<u32>,
    pair: Vec<u32>,
    again: Vec<u8>,
}

impl Index {
    /// Adds a redacted game with its stored id, unless one of its bots no longer takes part.
    pub(super) fn add(&mut self, kept_as: &GameId, record: &Record, roster: &Roster) {
        let bots = record.key.bots.as_ref().map(|bot| roster.number(bot));
        let (Some(one), Some(two)) = (bots.one, bots.two) else { return };
        let bots = BySide::new(one, two);
        let again = !self.seen.insert((bots, record.fingerprint()));
        let ending = self.number(&record.ending);
        self.games.push(Listed {
            kept_as: kept_as.clone(),
            id: record.id(),
            bots,
            winner: winner(&record.ending),
            ending,
            score: record.ending.score(),
            plies: record.plies.len(),
            millis: u64::try_from(record.duration.as_millis()).unwrap_or(u64::MAX),
            stage: record.key.stage,
            round: record.key.round,
            pair: record.key.pair,
            again,
        });
    }

    /// Shuffles the games to hide the order of the plan.
    pub(super) fn shuffle(&mut self) {
        self.games.sort_by(|a, b| a.id.cmp(&b.id));
    }

    /// Number of games.
    pub(super) fn len(&self) -> usize {
        self.games.len()
    }

    /// Stored ids of the games, in index order.
    pub(super) fn kept_as(&self) -> impl Iterator<Item = &GameId> {
        self.games.iter().map(|game| &game.kept_as)
    }

    /// Kinds of endings, by their numbers in the column.
    pub(super) fn endings(&self) -> &[KindOfEnding] {
        &self.endings
    }

    /// Columns with the page's bot numbers.
    pub(super) fn columns(&self, bot: impl Fn(u32) -> u32) -> Columns<'_> {
        let mut columns = Columns::default();
        for game in &self.games {
            columns.id.push(game.id.as_str());
            columns.one.push(bot(game.bots.one));
            columns.two.push(bot(game.bots.two));
            columns.winner.push(game.winner);
            columns.ending.push(game.ending);
            columns.s1.push(game.score.one);
            columns.s2.push(game.score.two);
            columns.plies.push(game.plies);
            columns.ms.push(game.millis);
            columns.stage.push(game.stage);
            columns.round.push(game.round);
            columns.pair.push(game.pair);
            columns.again.push(game.again.into());
        }
        columns
    }

    fn number(&mut self, ending: &Ending) -> usize {
        let name = ending.name();
        let known = self.endings.iter().position(|known| known.name == name);
        known.unwrap_or_else(|| {
            let forfeit = matches!(ending, Ending::Forfeit { .. } | Ending::BothForfeited { .. });
            self.endings.push(KindOfEnding { name: name.into_owned(), forfeit });
            self.endings.len() - 1
        })
    }
}

/// The number of the winner, 0 for a draw, 3 where both lost.
pub(super) fn winner(ending: &Ending) -> u8 {
    match (ending.winner(), ending.mark(Side::One)) {
        (Some(side), _) => side.number(),
        (None, Some(Mark::Loss)) => 3,
        (None, _) => 0,
    }
}
