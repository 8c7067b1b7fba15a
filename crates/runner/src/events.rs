//! Events of a run, as every observer receives them.

use pitmaster_core::{BotName, GameId, Isolation, Record, RefereeFault};
use pitmaster_tournament::SequentialTest;

use super::queue::Place;

/// An event of a run. A game is reported only after its record is safe.
#[derive(Debug)]
pub enum Event<'a> {
    /// The run begins.
    Started {
        /// Number of games in the whole plan, as far as it is known; results can change it.
        games: u64,
        /// Number of games that are already stored.
        known: u64,
        /// Number of lanes, as far as it is known.
        lanes: usize,
        /// Isolation of the bots.
        isolation: &'a Isolation,
    },
    /// A bot of the tournament takes no part because it cannot play.
    LeftOut {
        /// Name of the bot.
        bot: &'a BotName,
        /// Reason in lines. Safe to print.
        why: &'a str,
    },
    /// A game has ended, or counts as a forfeit without being played.
    Game {
        /// Record of the game.
        record: &'a Record,
        /// Place of the game. `None` for an unplayed forfeit.
        place: Option<&'a Place>,
    },
    /// A game is void and will be played again.
    Void {
        /// The failure.
        fault: &'a RefereeFault,
        /// Place of the game.
        place: &'a Place,
    },
    /// A game is void because a bot was late without a free core, and will be replayed.
    Starved {
        /// Record of the game.
        record: &'a Record,
        /// Place of the game.
        place: &'a Place,
        /// Number of the next replay, from 1.
        replay: u32,
        /// Maximum number of replays.
        of: u32,
    },
    /// A bot has failed so often in a row that its remaining games count as forfeits.
    Suspended {
        /// Name of the bot.
        bot: &'a BotName,
        /// Number of failures.
        after: u32,
    },
    /// The referee has failed so often with a bot that its remaining games stay pending.
    SetAside {
        /// Name of the bot.
        bot: &'a BotName,
    },
    /// A game that was played ahead of a suspension does not count.
    Superseded {
        /// Id of the game.
        id: &'a GameId,
    },
    /// A sequential test has evaluated more pairs.
    Test {
        /// State of the test.
        test: &'a SequentialTest,
    },
    /// A remark about the claimants.
    Note {
        /// Text of the remark.
        text: &'a str,
    },
    /// No more games begin.
    Stopping {
        /// Reason, as text.
        why: &'a str,
    },
}

/// Outcome of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finish {
    /// Every game of the plan is valid.
    Complete,
    /// The run was interrupted. The remaining games can be played later.
    Interrupted,
    /// The allotted time ran out. The remaining games can be played later.
    TimeOver,
    /// Games stay pending because the referee failed with these bots.
    Incomplete(Vec<BotName>),
    /// The referee failed so often that the run was stopped.
    RefereeFailed(RefereeFault),
}
