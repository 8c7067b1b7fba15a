//! Interface of formats, which choose the next pairing.

use std::fmt::Debug;

use pitmaster_core::{BotId, BotName, BySide, Dialect, GameKey, Limits};
use pitmaster_ratings::{Game, Places};
use serde::{Deserialize, Serialize};

use super::{Openings, SequentialTest};

/// A format at some point of a tournament.
///
/// It is asked for pairings as lanes become free, and told of results only in the order in
/// which it gave the pairings, both games of a pair together, without gaps, however the
/// games finish: so what it says never depends on the number of lanes.
pub trait Format: Debug + Send {
    /// What comes next. After [`Next::Wait`] it is asked again when it was told of a
    /// result; after [`Next::Done`] it is not asked again.
    fn next(&mut self) -> Next;

    /// How many pairings there will be in all.
    fn expected(&self) -> Expected;

    /// Whether it wants to be told of results: what it says next may depend on them.
    fn looks_at_results(&self) -> bool {
        false
    }

    /// Tells it of a game that counts, in the format's own order. Bots are numbered as in the
    /// tournament's list.
    fn on_result(&mut self, _game: &Game) {}

    /// After a stop by results: how many of the pairings that it gave count. Those beyond were
    /// given ahead of the results and are surplus.
    fn counted(&self) -> Option<u64> {
        None
    }

    /// What it has decided by results since it was last asked. Whoever keeps it hands it in when
    /// the tournament goes on, so that nobody is paired anew when an earlier game is void.
    fn decided(&mut self) -> Vec<Decision> {
        Vec::new()
    }

    /// Where bots stand, beyond what the games say.
    fn places(&self) -> Places {
        Places::default()
    }

    /// Of a sequential test: how it stands.
    fn test(&self) -> Option<&SequentialTest> {
        None
    }
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

/// How many pairings there will be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected {
    /// So many, two games each.
    pub pairs: u64,
    /// What results can do to that.
    pub bound: Bound,
}

impl Expected {
    /// So many, whatever the results.
    pub const fn exactly(pairs: u64) -> Self {
        Self { pairs, bound: Bound::Exact }
    }
}

/// How sure a number of pairings is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// Results change nothing.
    Exact,
    /// There may be fewer.
    AtMost,
    /// There may be more.
    AtLeast,
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
    /// The number of the pair: among the meetings of these two bots from 1, or through all
    /// rounds, so that every round has other openings.
    pub pair: u32,
}

/// What a format has decided by results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Who takes part in a stage, the strongest first.
    Field {
        /// From 2: everybody takes part in the first.
        stage: u32,
        /// Indexes into the tournament's bots.
        bots: Vec<usize>,
    },
    /// Who meets whom next.
    Batch {
        /// From 1.
        stage: u32,
        /// What it holds.
        batch: Batch,
    },
}

/// Meetings that were decided together, by the same results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The round that they belong to; 0 in formats without rounds.
    pub round: u32,
    /// They, in the order in which they are played.
    pub meetings: Vec<Meeting>,
}

/// A meeting of two bots: some pairs in a row. Or a bye.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    /// Who begins as player 1.
    pub one: usize,
    /// Whom it meets; `None`: a bye, which is won.
    pub other: Option<usize>,
    /// The number of the first pair.
    pub first_pair: u32,
    /// How many pairs.
    pub pairs: u32,
}

impl Meeting {
    /// The two bots, if it is no bye.
    pub fn bots(&self) -> Option<[usize; 2]> {
        self.other.map(|other| [self.one, other])
    }
}

/// A decision as it is kept: bots by name, so that one that is handed in anew takes over the seat.
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

/// `{"bots": ["a", "b"], "pair": 1, "pairs": 2}`; one bot alone has a bye.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct KeptMeeting {
    bots: Vec<BotName>,
    pair: u32,
    pairs: u32,
}

impl KeptDecision {
    /// A decision about these bots.
    ///
    /// # Panics
    /// When the decision is about other bots.
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

    /// What it means for these bots. Those who are gone are left out; who would have met one of
    /// them has a bye.
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

/// A bot of the plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedBot {
    /// Who it is.
    pub id: BotId,
    /// How it is spoken to.
    pub dialect: Dialect,
    /// Its Elo, where that is known beforehand: formats that seed by rating do it by this.
    pub anchor: Option<f64>,
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
    use pitmaster_core::BotHash;

    use super::*;

    /// Three bots, the last of which cannot be told of openings.
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
