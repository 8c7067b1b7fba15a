//! Events of a run, as every observer receives them.

use pitmaster_core::{BotName, GameId, Isolation, Record, RefereeFault};
use pitmaster_tournament::SequentialTest;

use super::queue::Place;

/// Something that has happened. A game is told of only when its record is safe.
#[derive(Debug)]
pub enum Event<'a> {
    /// The run begins.
    Started {
        /// Games of the whole plan, as far as that is known: results can change it.
        games: u64,
        /// Games that are in the store already.
        known: u64,
        /// How many lanes play, as far as that is known.
        lanes: usize,
        /// What contains the bots.
        isolation: &'a Isolation,
    },
    /// A bot that was named takes no part because it cannot play.
    LeftOut {
        /// Which.
        bot: &'a BotName,
        /// Why, in lines. Safe to print.
        why: &'a str,
    },
    /// A game has ended, or stands as a forfeit unplayed.
    Game {
        /// Its record.
        record: &'a Record,
        /// Where; `None` when it was not played.
        place: Option<&'a Place>,
    },
    /// A game is void and will be played again.
    Void {
        /// What failed.
        fault: &'a RefereeFault,
        /// Where.
        place: &'a Place,
    },
    /// A game is void because a bot was late for lack of a core, and will be played again.
    Starved {
        /// Its record.
        record: &'a Record,
        /// Where.
        place: &'a Place,
        /// Which replay comes next, from 1.
        replay: u32,
        /// How many there are at most.
        of: u32,
    },
    /// A bot has failed so often in a row that its remaining games stand as forfeits.
    Suspended {
        /// Which.
        bot: &'a BotName,
        /// After how many failures.
        after: u32,
    },
    /// The referee has failed so often with a bot that its remaining games are left open.
    SetAside {
        /// Which.
        bot: &'a BotName,
    },
    /// A game that was played ahead of a suspension does not count.
    Superseded {
        /// Its record's game.
        id: &'a GameId,
    },
    /// A sequential test has looked at more pairs.
    Test {
        /// How it stands.
        test: &'a SequentialTest,
    },
    /// Something about those who play.
    Note {
        /// In words.
        text: &'a str,
    },
    /// No more games are begun.
    Stopping {
        /// Why, in words.
        why: &'a str,
    },
}

/// How a run came to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finish {
    /// Every game of the plan is valid.
    Complete,
    /// It was interrupted; the rest can be played later.
    Interrupted,
    /// The time given was over; the rest can be played later.
    TimeOver,
    /// Games are left open because the referee failed with these bots.
    Incomplete(Vec<BotName>),
    /// The referee failed so often that the run was stopped.
    RefereeFailed(RefereeFault),
}
