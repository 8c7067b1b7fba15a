//! Evaluation of two-row games: networks for Oware and Kalah, and for all other games weights that
//! depend on the goal and on the kind of capture.

mod kalah;
mod oware;
#[cfg(test)]
mod tests;
mod view;

pub use kalah::KalahNetwork;
pub use oware::OwareNetwork;
pub use view::two_row_phase;

use std::sync::{Arc, LazyLock};

use pitmaster_core::Side;
use pitmaster_games::Rules;
use pitmaster_games::two_row::params::{CrossCapt, Goal, Params, SowStores};
use pitmaster_games::two_row::{Position, TwoRow, catalogue, file, named};
use pitmaster_games::{GameSpec, SpecErrors};

use super::weights::weights;
use super::{Evaluate, Judged, Weights};
use crate::{Endgame, EndgameTable};

weights! {
    /// Weights for positions of a two-row game, in hundredths of a captured seed. Each weighs the
    /// difference between a player and the opponent.
    TwoRowWeights {
        /// A point of the score: a captured seed or, if rounds are counted, a round.
        score = 100,
        /// A seed captured in this round.
        captured = 0,
        /// Being on turn.
        turn = 0,
        /// A seed in one's own row.
        seed = 0,
        /// A hole of it that is not empty.
        hole = 0,
        /// A hole with one or two seeds.
        few = 0,
        /// A hole with more than twelve.
        heap = 0,
    }
}

impl TwoRowWeights {
    /// Default weights for a game.
    pub fn of(params: &Params) -> Self {
        let none = Self::default();
        match params.goal {
            Goal::Deprive => Self { seed: 100, hole: 20, ..none },
            Goal::Clear => Self { seed: -100, hole: -20, ..none },
            Goal::Immobilize => Self { hole: 100, seed: 10, ..none },
            Goal::RoundWinsDeprive => Self { score: 5000, seed: 100, hole: 20, ..none },
            Goal::RoundWinsClear => Self { score: 5000, seed: -100, hole: -20, ..none },
            Goal::RoundWinsImmobilize => Self { score: 5000, hole: 100, seed: 10, ..none },
            Goal::RoundWins | Goal::RoundPoints => Self { score: 5000, captured: 100, ..none },
            Goal::RoundSeeds | Goal::RoundExtraSeeds => Self { captured: 100, ..none },
            Goal::MaxSeeds | Goal::Territory => Self::by_capture(params),
        }
    }

    /// Weights if captured seeds count: games like Kalah, games like Oware, others.
    ///
    /// Found by `examples/tune.rs` (`climb`, 600 nodes a move, 160 games each) in Kalah and
    /// Oware. Against captured seeds alone, at 3,000 nodes a move, Kalah's score 60 % (± 10, 80
    /// games); Oware's 91 % (± 5, 80 games) without `few`, which adds 65 % (± 11, 80 games)
    /// against the same without it. The weights of the other goals are guesses.
    fn by_capture(params: &Params) -> Self {
        let (sows_store, across) =
            (params.sow_stores == SowStores::Own, params.crosscapt != CrossCapt::None);
        let few = |on: &i32| matches!(on, 1..=4);
        if sows_store && across {
            Self { turn: 100, seed: 26, hole: 20, few: 48, ..Self::default() }
        } else if !params.capt_on.is_empty() && params.capt_on.iter().all(few) {
            Self { seed: 10, hole: 40, few: 32, ..Self::default() }
        } else {
            Self::default()
        }
    }

    /// Value of a row.
    fn row(&self, row: &[u16]) -> i32 {
        let (mut seeds, mut holes, mut few, mut heaps) = (0, 0, 0, 0);
        for &hole in row {
            seeds += i32::from(hole);
            holes += i32::from(hole > 0);
            few += i32::from(hole.wrapping_sub(1) < 2);
            heaps += i32::from(hole > 12);
        }
        self.seed * seeds + self.hole * holes + self.few * few + self.heap * heaps
    }
}

impl Evaluate<TwoRow> for TwoRowWeights {
    fn value(&self, rules: &TwoRow, position: &Position, _: u32) -> i32 {
        let lead = |one: u32, two: u32| one.cast_signed() - two.cast_signed();
        let score = rules.score(position);
        let holes = rules.params().holes as usize;
        let (one, two) = position.seeds[..2 * holes].split_at(holes);
        let captured = || lead(position.seeds_won(Side::One), position.seeds_won(Side::Two));
        self.score * lead(score.one, score.two)
            + if self.captured == 0 { 0 } else { self.captured * captured() }
            + if position.side == Side::One { self.turn } else { -self.turn }
            + self.row(one)
            - self.row(two)
    }
}

/// Evaluator of positions of a two-row game.
#[derive(Debug, Clone, Copy)]
pub enum TwoRowJudge {
    /// By weights, for any game.
    Weights(TwoRowWeights),
    /// By a network, for Oware.
    Oware(&'static OwareNetwork),
    /// By a network, for Kalah.
    Kalah(&'static KalahNetwork),
}

/// Games with a network.
static OWARE: LazyLock<Vec<Params>> = LazyLock::new(|| params(&["oware"]));
static KALAH: LazyLock<Vec<Params>> = LazyLock::new(|| params(&["kalah", "kalah_empty"]));

/// Parameters of games of the catalogue.
fn params(games: &[&str]) -> Vec<Params> {
    games.iter().filter_map(|game| Some(catalogue::look_up(game).ok()?.params)).collect()
}

impl TwoRowJudge {
    /// Evaluator for a game.
    pub fn of(params: &Params) -> Self {
        if OWARE.contains(params) {
            Self::Oware(OwareNetwork::built_in())
        } else if KALAH.contains(params) {
            Self::Kalah(KalahNetwork::built_in())
        } else {
            Self::Weights(TwoRowWeights::of(params))
        }
    }
}

impl Default for TwoRowJudge {
    fn default() -> Self {
        Self::Weights(TwoRowWeights::default())
    }
}

impl Weights for TwoRowJudge {
    const NAMES: &'static [&'static str] = TwoRowWeights::NAMES;

    fn weight(&mut self, name: &str) -> Option<&mut i32> {
        match self {
            Self::Weights(weights) => weights.weight(name),
            Self::Oware(_) | Self::Kalah(_) => None,
        }
    }
}

impl Evaluate<TwoRow> for TwoRowJudge {
    fn value(&self, rules: &TwoRow, position: &Position, left: u32) -> i32 {
        let rest = match self {
            Self::Weights(weights) => return weights.value(rules, position, left),
            Self::Oware(network) => network.estimate(position),
            Self::Kalah(network) => network.estimate(position),
        };
        let [one, two] = Side::BOTH.map(|side| i32::from(position.stores[side]));
        100 * (one - two) + if position.side == Side::One { rest } else { -rest }
    }
}

impl Judged for TwoRow {
    type Judge = TwoRowJudge;

    fn judge(&self) -> TwoRowJudge {
        TwoRowJudge::of(self.params())
    }

    fn endgame(&self, table: &Arc<EndgameTable>) -> Option<Arc<dyn Endgame<Self>>> {
        table.is_of(self).then(|| Arc::clone(table) as _)
    }

    /// Taken from the game's file. A game without a file has the defaults.
    fn preset(&self, game: &GameSpec) -> Result<file::Player, SpecErrors> {
        let file = named::look_up(game)?.file;
        Ok(file.map(|file| file.player).unwrap_or_default())
    }
}
