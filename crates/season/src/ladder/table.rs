//! Rows of a ladder's table.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use pitmaster_ratings::{Elo, Rating, Tally};

use super::{Entrant, Ladder, Player};
use crate::course::{EntryId, Utc};

/// Row of the table: an active version, or a house bot as a reference.
#[derive(Debug, Clone, PartialEq)]
pub struct LadderRow {
    /// The player.
    pub player: Player,
    /// Identity of the player.
    pub entrant: Entrant,
    /// Rank among the ranked versions, from 1; `None` for others, and without a rating.
    pub rank: Option<u32>,
    /// Results of all rated games, repeated ones included.
    pub tally: Tally,
    /// Number of rated games that it forfeited.
    pub forfeits: u32,
    /// Rating as of the last fit; `None` without a game that compares it.
    pub rating: Option<Rating>,
    /// Change of its bot's rating in about seven days; `None` if it had no rating then.
    pub trend: Option<Elo>,
    /// Whether it has few rated pairs yet.
    pub is_newcomer: bool,
    /// Whether it sleeps: its rating is precise, or it only repeats its games.
    pub is_asleep: bool,
}

/// Period of the trend, and interval between two ratings stored for it.
const TREND: Duration = Duration::from_hours(7 * 24);
const SAMPLE: Duration = Duration::from_hours(24);

/// Earlier ratings of bots, one a day.
#[derive(Debug, Clone, Default)]
pub(super) struct History(BTreeMap<EntryId, VecDeque<(Utc, Elo)>>);

impl History {
    /// Stores a rating, unless there is one from less than a day before.
    pub(super) fn keep(&mut self, entry: EntryId, at: Utc, elo: Elo) {
        let samples = self.0.entry(entry).or_default();
        if samples.back().is_none_or(|(last, _)| at.since(*last) >= SAMPLE) {
            samples.push_back((at, elo));
        }
        while samples.get(1).is_some_and(|(second, _)| at.since(*second) >= TREND) {
            samples.pop_front();
        }
    }

    /// Latest rating that is at least seven days old.
    fn before(&self, entry: EntryId, now: Utc) -> Option<Elo> {
        let mut old = self.0.get(&entry)?.iter().rev().filter(|(at, _)| now.since(*at) >= TREND);
        old.next().map(|&(_, elo)| elo)
    }
}

impl Ladder {
    /// Rows of all active players, by rating; those without one come last.
    pub fn table(&self, now: Utc) -> Vec<LadderRow> {
        let active = self.players().filter(|&player| self.slots[player.index()].is_active);
        let mut rows: Vec<_> = active.map(|player| self.row(player, now)).collect();
        let elo = |row: &LadderRow| row.rating.map_or(f64::NEG_INFINITY, |rating| rating.elo);
        rows.sort_by(|a, b| elo(b).total_cmp(&elo(a)).then(a.player.cmp(&b.player)));
        let is_ranked = |row: &&mut LadderRow| {
            let is_ranked = row.entrant.version().is_some_and(|version| version.is_ranked);
            is_ranked && row.rating.is_some()
        };
        for (row, rank) in rows.iter_mut().filter(is_ranked).zip(1..) {
            row.rank = Some(rank);
        }
        rows
    }

    fn row(&self, player: Player, now: Utc) -> LadderRow {
        let slot = &self.slots[player.index()];
        let rating = self.rating(player);
        let before = slot.entrant.version().and_then(|own| self.history.before(own.entry, now));
        LadderRow {
            player,
            entrant: slot.entrant.clone(),
            rank: None,
            tally: slot.tally,
            forfeits: slot.forfeits,
            rating,
            trend: rating.zip(before).map(|(rating, before)| rating.elo - before),
            is_newcomer: slot.is_newcomer(&self.settings),
            is_asleep: slot.group.is_some() && self.is_asleep(player, now),
        }
    }
}
