//! Tasks of a ladder for lanes, and their results.

use std::time::Duration;

use pitmaster_core::{BySide, Ending, Mark, Side};
use pitmaster_ratings::{Game, PairId};

use super::Player;
use crate::course::{AskId, VersionId};

/// Work for a free lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// The validation games of a version.
    Validation {
        /// Number of the task.
        number: u64,
        /// The version.
        version: VersionId,
    },
    /// A pair of games.
    Pair(Pair),
    /// A pair of a request, which is not rated.
    Asked {
        /// Number of the task.
        number: u64,
        /// The request.
        id: AskId,
    },
}

impl Task {
    /// Number of the task, by which its outcome is recorded.
    pub const fn number(&self) -> u64 {
        match self {
            Self::Validation { number, .. }
            | Self::Pair(Pair { number, .. })
            | Self::Asked { number, .. } => *number,
        }
    }
}

/// Two games of the same two players from the same opening, with sides swapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// Number of the task.
    pub number: u64,
    /// Player 1 of the first game.
    pub a: Player,
    /// Player 1 of the second game.
    pub b: Player,
    /// Number of this pair among those of the same two players, from 1. It determines the opening,
    /// so that two players use every opening before one is repeated.
    pub meeting: u32,
    /// Class of the pair.
    pub class: Class,
}

/// Class of a pair. Like validations and requested pairs, each has a share of the lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// A pair of a newcomer.
    Newcomer,
    /// Any other pair.
    Everybody,
}

/// Result of one game of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedGame {
    /// Result for each side.
    pub marks: BySide<Mark>,
    /// Forfeit kind of each side, if it forfeited, as in [`Game::faults`].
    pub faults: BySide<Option<u8>>,
    /// Fingerprint that is equal for two games with the same moves.
    pub fingerprint: u64,
    /// Sides that forfeited without a move of their own, and not because they were starved.
    pub failed: BySide<bool>,
}

impl PlayedGame {
    /// Result of a game with this ending, in which these sides made moves of their own; `None` if
    /// the game is void and must be replayed.
    pub fn new(ending: &Ending, fingerprint: u64, moved: BySide<bool>) -> Option<Self> {
        let marks = BySide::new(ending.mark(Side::One)?, ending.mark(Side::Two)?);
        let is_failure = |side| ending.fault_of(side).is_some_and(|fault| !fault.is_starvation());
        Some(Self {
            marks,
            faults: BySide::from_fn(|side| ending.fault_of(side).map(Game::forfeit_kind)),
            fingerprint,
            failed: BySide::from_fn(|side| is_failure(side) && !moved[side]),
        })
    }

    /// Converts the game for the ratings.
    pub(super) fn between(&self, bots: BySide<Player>, number: u64) -> Game {
        let pair = PairId { stage: 1, round: 0, number: number as u32 };
        let Self { marks, faults, fingerprint, .. } = *self;
        Game { fingerprint, bots: bots.map(|player| player.0), pair, marks, faults }
    }
}

/// Result of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The pair was played.
    Pair {
        /// Its games; in the first one, [`Pair::a`] is player 1.
        games: [PlayedGame; 2],
        /// Time for which it kept a lane busy.
        lane_time: Duration,
    },
    /// The validation games or the requested pair were played, with any result.
    Unrated {
        /// Time for which they kept a lane busy.
        lane_time: Duration,
    },
    /// The task was not completed: a worker was lost, or a game was void. A lost pair does not
    /// count unless its version has lost too many in a row, and a lost validation or requested pair
    /// is given out again.
    Lost,
}

/// Consequences of a recorded outcome.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recorded {
    /// Versions to be suspended, because they forfeited too many consecutive games without a move.
    /// The ladder has already removed them.
    pub suspended: Vec<VersionId>,
    /// Whether the pair repeats an earlier one of the same players and adds no evidence.
    pub is_repeat: bool,
    /// The request that this pair completes.
    pub answered: Option<AskId>,
    /// The request that ends here because too many of its pairs were lost.
    pub given_up: Option<AskId>,
}

/// Outcome that cannot be recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The task was never given out, or is settled.
    #[error("task {0} of the ladder is not being played")]
    Unknown(u64),
    /// The outcome is that of another kind of task.
    #[error("the outcome of task {0} of the ladder is that of another kind of task")]
    OtherKind(u64),
}
