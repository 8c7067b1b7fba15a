//! Interface of formats, which choose the next pairing.

use std::fmt::Debug;

use pitmaster_core::{BotId, BotName, BySide, Dialect, GameKey, Limits};
use pitmaster_ratings::{Game, Places};
use serde::{Deserialize, Serialize};

use super::{Openings, SequentialTest};

/// Format at some point of a tournament.
///
/// It is asked for pairings as lanes become free. It receives results only in the order in which it
/// gave the pairings, both games of a pair together and without gaps, regardless of the order in
/// which games finish. So its pairings never depend on the number of lanes.
pub trait Format: Debug + Send {
    /// Returns the next pairing. After [`Next::Wait`] it is called again once a result has been
    /// reported; after [`Next::Done`] it is not called again.
    fn next(&mut self) -> Next;

    /// Expected total number of pairings.
    fn expected(&self) -> Expected;

    /// Whether the format needs results, because its pairings may depend on them.
    fn looks_at_results(&self) -> bool {
        false
    }

    /// Whether it accepts results while earlier ones are missing.
    fn accepts_gaps(&self) -> bool {
        false
    }

    /// Reports a game that counts, in the format's own order. Bots are numbered as in the
    /// tournament's list.
    fn on_result(&mut self, _game: &Game) {}

    /// After a stop by results: number of pairings that count. Later pairings were scheduled ahead
    /// of the results and are surplus.
    fn counted(&self) -> Option<u64> {
        None
    }

    /// Decisions by results since the last call. The caller stores them and passes them in when the
    /// tournament is resumed, so that no bot is paired differently when an earlier game is void.
    fn decided(&mut self) -> Vec<Decision> {
        Vec::new()
    }

    /// Placement of bots, beyond their games.
    fn places(&self) -> Places {
        Places::default()
    }

    /// State of a sequential test, if the format is one.
    fn test(&self) -> Option<&SequentialTest> {
        None
    }
}

/// Answer of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Play this pairing.
    Pairing(Pairing),
    /// The next pairing depends on results that are still missing.
    Wait,
    /// The format is finished.
    Done,
}

/// Expected number of pairings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected {
    /// Number of pairs, two games each.
    pub pairs: u64,
    /// Effect of results on the number.
    pub bound: Bound,
}

impl Expected {
    /// Makes a number that does not depend on results.
    pub const fn exactly(pairs: u64) -> Self {
        Self { pairs, bound: Bound::Exact }
    }
}

/// Certainty of a number of pairings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// Exact for any results.
    Exact,
    /// Upper bound.
    AtMost,
    /// Lower bound.
    AtLeast,
}

/// Pair of games: two bots, one opening, sides swapped. The number of the pair determines the
/// opening.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pairing {
    /// Stage of the tournament, from 1.
    pub stage: u32,
    /// Round of the stage, from 1; 0 in formats without rounds.
    pub round: u32,
    /// Indexes into the tournament's bots. The first is player 1 in the first game.
    pub bots: [usize; 2],
    /// Number of the pair: among the meetings of these two bots from 1, or continuing through all
    /// rounds, so that every round has other openings.
    pub pair: u32,
}

/// Decision of a format by results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Participants of a stage, the strongest first.
    Field {
        /// Stage, from 2: all bots take part in the first.
        stage: u32,
        /// Indexes into the tournament's bots.
        bots: Vec<usize>,
    },
    /// Next meetings.
    Batch {
        /// Stage, from 1.
        stage: u32,
        /// Meetings of the batch.
        batch: Batch,
    },
}

/// Meetings decided together, by the same results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// Round of the meetings; 0 in formats without rounds.
    pub round: u32,
    /// Meetings in playing order.
    pub meetings: Vec<Meeting>,
}

/// Meeting of two bots, with one or more consecutive pairs, or a bye.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    /// Bot that begins as player 1.
    pub one: usize,
    /// Opponent; `None`: a bye, which is won.
    pub other: Option<usize>,
    /// Number of the first pair.
    pub first_pair: u32,
    /// Number of pairs.
    pub pairs: u32,
}

impl Meeting {
    /// The two bots, unless it is a bye.
    pub fn bots(&self) -> Option<[usize; 2]> {
        self.other.map(|other| [self.one, other])
    }
}

/// Stored form of a decision, with bots by name, so that a resubmitted bot keeps its position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptDecision {
    stage: u32,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    field: Option<Vec<BotName>>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    round: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    meetings: Vec<KeptMeeting>,
}

/// `{"bots": ["a", "b"], "pair": 1, "pairs": 2}`; a single bot has a bye.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct KeptMeeting {
    bots: Vec<BotName>,
    pair: u32,
    pairs: u32,
}

impl KeptDecision {
    /// Makes the stored form of a decision about these bots.
    ///
    /// # Panics
    /// Panics if the decision is about other bots.
    pub fn new(decision: &Decision, bots: &[PlannedBot]) -> Self {
        let name = |bot: usize| bots[bot].id.name.clone();
        match decision {
            Decision::Field { stage, bots: field } => Self {
                stage: *stage,
                field: Some(field.iter().map(|&bot| name(bot)).collect()),
                round: None,
                meetings: Vec::new(),
            },
            Decision::Batch { stage, batch } => {
                let meeting = |meeting: &Meeting| KeptMeeting {
                    bots: std::iter::once(meeting.one).chain(meeting.other).map(name).collect(),
                    pair: meeting.first_pair,
                    pairs: meeting.pairs,
                };
                let meetings = batch.meetings.iter().map(meeting).collect();
                Self { stage: *stage, field: None, round: Some(batch.round), meetings }
            }
        }
    }

    /// Applies the decision to these bots. Bots that are gone are left out, and their opponents get
    /// a bye.
    pub fn among(&self, bots: &[PlannedBot]) -> Decision {
        let find = |name: &BotName| bots.iter().position(|bot| bot.id.name == *name);
        let stage = self.stage;
        if let Some(field) = &self.field {
            return Decision::Field { stage, bots: field.iter().filter_map(find).collect() };
        }
        let meeting = |kept: &KeptMeeting| {
            let mut here = kept.bots.iter().filter_map(find);
            let (first_pair, pairs) = (kept.pair, kept.pairs);
            Some(Meeting { one: here.next()?, other: here.next(), first_pair, pairs })
        };
        let meetings = self.meetings.iter().filter_map(meeting).collect();
        Decision::Batch { stage, batch: Batch { round: self.round.unwrap_or(0), meetings } }
    }
}

/// Bot of the plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedBot {
    /// Identity of the bot.
    pub id: BotId,
    /// Dialect of the bot.
    pub dialect: Dialect,
    /// Elo known in advance, if any; formats seed by it.
    pub anchor: Option<f64>,
}
/// Common parts of the game keys of a tournament.
#[derive(Debug, Clone)]
pub struct GameKeys {
    /// Bots, indexed by the pairings.
    pub bots: Vec<PlannedBot>,
    /// Id of the rules.
    pub rules: String,
    /// Limits of the games.
    pub limits: Limits,
    /// Openings of the games.
    pub openings: Openings,
}

impl GameKeys {
    /// Keys of the two games of a pairing.
    ///
    /// # Panics
    /// Panics if the pairing is between other bots.
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
    use pitmaster_core::BotHash;

    use super::*;

    /// Three bots, the last of which does not support openings.
    fn keys() -> GameKeys {
        let bot = |(name, dialect): (&str, Dialect)| {
            let (name, hash) = (name.parse().expect("a name"), BotHash::of(name.as_bytes()));
            PlannedBot { id: BotId { name, hash }, dialect, anchor: None }
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
