//! The interface of formats: which pairing comes next.

use std::fmt::Debug;

use crate::record::{BotId, BySide, GameKey, Limits, Record};

/// A format at some point of a tournament.
///
/// It is asked for pairings as lanes become free, and told of results only in the order in
/// which it gave the pairings, both games of a pair together, without gaps, however the
/// games finish: so what it says never depends on the number of lanes.
pub trait Format: Debug + Send {
    /// What comes next. After [`Next::Wait`] it is asked again when it was told of a
    /// result; after [`Next::Done`] it is not asked again.
    fn next(&mut self) -> Next;

    /// Whether it wants to be told of results; those that do not need no records loaded.
    fn looks_at_results(&self) -> bool {
        false
    }

    /// Tells it of a valid record, in the format's own order.
    fn on_result(&mut self, _record: &Record) {}

    /// How many pairings there are in all, if that does not depend on results.
    fn total(&self) -> Option<u64>;
}

/// A format's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Play this.
    Pairing(Pairing),
    /// That depends on results that are still to come.
    Wait,
    /// Nothing: the format is finished.
    Done,
}

/// A pair of games: two bots, one opening, sides swapped.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pairing {
    /// The stage of the tournament, from 1.
    pub stage: u32,
    /// The round of the stage, from 1; 0 in formats without rounds.
    pub round: u32,
    /// Indexes into the tournament's bots. The first is player 1 in the first game.
    pub bots: [usize; 2],
    /// The number of the pair among the meetings of these two bots, from 1.
    pub pair: u32,
    /// Texts of the moves played before the bots are asked, joined by spaces; empty: none.
    pub opening: String,
}

impl Pairing {
    /// The keys of its two games.
    ///
    /// # Panics
    /// When `bots` is not the list that the pairing's indexes point into.
    pub fn games(&self, bots: &[BotId], rules: &str, limits: &Limits) -> [GameKey; 2] {
        let first = GameKey {
            rules: rules.to_owned(),
            limits: limits.clone(),
            stage: self.stage,
            round: self.round,
            bots: BySide::from_fn(|side| bots[self.bots[side.index()]].clone()),
            opening: self.opening.clone(),
            pair: self.pair,
        };
        let second = GameKey { bots: first.bots.clone().swapped(), ..first.clone() };
        [first, second]
    }
}
