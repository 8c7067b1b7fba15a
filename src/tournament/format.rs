//! The interface of formats: which pairing comes next.

use std::fmt::Debug;

use super::Openings;
use crate::record::{BotId, BySide, Dialect, GameKey, Limits, Record};

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

/// A pair of games: two bots, one opening, sides swapped. The opening follows from the number of
/// the pair.
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
}

/// A bot of the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedBot {
    /// Who it is.
    pub id: BotId,
    /// How it is spoken to.
    pub dialect: Dialect,
}

/// What all games of a tournament have in common, to make keys of pairings.
#[derive(Debug, Clone)]
pub struct GameKeys {
    /// The list that the pairings' indexes point into.
    pub bots: Vec<PlannedBot>,
    /// The rules' id.
    pub rules: String,
    /// The limits.
    pub limits: Limits,
    /// How games begin.
    pub openings: Openings,
}

impl GameKeys {
    /// The keys of a pairing's two games.
    ///
    /// # Panics
    /// When the pairing is one of other bots.
    pub fn of(&self, pairing: &Pairing) -> [GameKey; 2] {
        let bots = pairing.bots.map(|bot| &self.bots[bot]);
        let first = GameKey {
            rules: self.rules.clone(),
            limits: self.limits.clone(),
            stage: pairing.stage,
            round: pairing.round,
            bots: BySide::from_fn(|side| bots[side.index()].id.clone()),
            opening: self.openings.between(bots.map(|bot| bot.dialect), pairing.pair).to_owned(),
            pair: pairing.pair,
        };
        let second = GameKey { bots: first.bots.clone().swapped(), ..first.clone() };
        [first, second]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::BotHash;

    /// Three bots, the last of which cannot be told of openings.
    fn keys() -> GameKeys {
        let bot = |(name, dialect): (&str, Dialect)| {
            let (name, hash) = (name.parse().expect("a name"), BotHash::of(name.as_bytes()));
            PlannedBot { id: BotId { name, hash }, dialect }
        };
        let list = ["1", "2"].map(str::to_owned).into();
        GameKeys {
            bots: [("a", Dialect::Pitmaster), ("b", Dialect::Pitmaster), ("c", Dialect::Course)]
                .map(bot)
                .to_vec(),
            rules: "kalah@1".into(),
            limits: Limits::default(),
            openings: Openings { list, ..Openings::default() },
        }
    }

    #[test]
    fn a_pair_is_two_games_with_one_opening_and_sides_swapped() {
        let pairing = Pairing { stage: 1, round: 0, bots: [1, 0], pair: 2 };
        let [first, second] = keys().of(&pairing);
        assert_eq!(first.bots, second.bots.clone().swapped());
        assert_eq!(first.bots.one.name.as_str(), "b");
        assert_eq!((first.stage, first.round, first.pair), (1, 0, 2));
        assert_eq!([&*first.opening, &*second.opening], ["2", "2"]);
        assert_ne!(first.id(), second.id());
    }

    #[test]
    fn who_cannot_be_told_of_an_opening_begins_at_the_plain_start() {
        for (bots, opening) in [([0, 1], "1"), ([2, 0], ""), ([1, 2], "")] {
            let games = keys().of(&Pairing { stage: 1, round: 0, bots, pair: 1 });
            assert!(games.iter().all(|key| key.opening == opening), "{bots:?}");
        }
    }
}
