//! Static evaluation of undecided positions. The module does not know how they are searched.

mod coloured_awale;
mod two_row;
mod weights;

pub use coloured_awale::AwaleWeights;
pub use two_row::TwoRowWeights;

use pitmaster_games::Rules;
use pitmaster_games::isholo::Isholo;

/// Judges positions of games with these rules.
pub trait Evaluate<R: Rules>: Send + Sync {
    /// What a position is worth to player 1, in hundredths of a seed: the seeds that player 1
    /// can be expected to have more than player 2 at the end. The position may also wait for
    /// chance, as it does between two rounds.
    fn value(&self, rules: &R, position: &R::Position) -> i32;
}

/// The score as it stands: right in any game, and far-sighted in none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lead;

impl<R: Rules> Evaluate<R> for Lead {
    fn value(&self, rules: &R, position: &R::Position) -> i32 {
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

impl Judged for Isholo {
    type Judge = Lead;

    fn judge(&self) -> Lead {
        Lead
    }
}

/// Numbers that a judge multiplies by what it sees.
pub trait Weights: Default {
    /// Their names.
    const NAMES: &'static [&'static str];

    /// One of them, to be read or set.
    fn weight(&mut self, name: &str) -> Option<&mut i32>;
}

/// Games whose positions have a judge of their own.
pub trait Judged: Rules {
    /// It.
    type Judge: Evaluate<Self> + Weights;

    /// The judge for these rules.
    fn judge(&self) -> Self::Judge;
}
