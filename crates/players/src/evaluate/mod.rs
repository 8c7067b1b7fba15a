//! Static evaluation of undecided positions. The module does not know how they are searched.

mod coloured_awale;
mod isholo;
mod network;
mod two_row;
mod weights;

pub use coloured_awale::{AwaleJudge, AwaleNetwork, AwaleWeights};
pub use network::Network;
pub use two_row::{KalahNetwork, OwareNetwork, TwoRowJudge, TwoRowWeights, two_row_phase};

use std::sync::Arc;

use pitmaster_games::two_row::file;
use pitmaster_games::{Counting, GameSpec, Rules, SpecErrors};

use crate::{Endgame, EndgameTable};

/// Plies left in a game that is played to its end.
pub const NO_LIMIT: u32 = u32::MAX;

/// Evaluator of positions of games with these rules.
pub trait Evaluate<R: Rules>: Send + Sync {
    /// Value of a position for player 1 in hundredths of a seed: the expected final lead of
    /// player 1. The position may also wait for a chance step, as between two rounds. `left` is
    /// the number of plies until the game is adjudicated; [`NO_LIMIT`] if it is not.
    fn value(&self, rules: &R, position: &R::Position, left: u32) -> i32;
}

/// Current score difference: valid in any game, but not far-sighted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lead;

impl<R: Rules> Evaluate<R> for Lead {
    fn value(&self, rules: &R, position: &R::Position, _: u32) -> i32 {
        let score = rules.score(position);
        100 * (score.one.cast_signed() - score.two.cast_signed())
    }
}

impl Weights for Lead {
    const NAMES: &'static [&'static str] = &[];

    fn weight(&mut self, _: &str) -> Option<&mut i32> {
        None
    }
}

/// Weights of an evaluator's counts.
pub trait Weights: Default {
    /// Names of the weights.
    const NAMES: &'static [&'static str];

    /// Returns a weight to be read or set.
    fn weight(&mut self, name: &str) -> Option<&mut i32>;
}

/// Rules with their own evaluator and their own `preset` player.
pub trait Judged: Counting {
    /// Evaluator type.
    type Judge: Evaluate<Self> + Weights;

    /// Returns the evaluator for these rules.
    fn judge(&self) -> Self::Judge;

    /// Returns a table of two-row positions as one of this game. `None` if it belongs to another
    /// game.
    fn endgame(&self, table: &Arc<EndgameTable>) -> Option<Arc<dyn Endgame<Self>>> {
        let _ = table;
        None
    }

    /// Settings of the game's own player. `game` is the game's name with options.
    ///
    /// # Errors
    /// Fails if the game does not exist.
    fn preset(&self, game: &GameSpec) -> Result<file::Player, SpecErrors>;
}
