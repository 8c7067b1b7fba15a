//! Evaluation of Coloured Awale.

mod features;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use pitmaster_core::{BySide, Side};
use pitmaster_games::coloured_awale::{ColouredAwale, Kind, Position};
use pitmaster_games::two_row::file;
use pitmaster_games::{GameSpec, Rules, SpecErrors};

use self::features::{ACTIVE, ROWS};
use super::network::Network;
use super::weights::weights;
use super::{Evaluate, Judged, Weights};

weights! {
    /// Weights of a position of Coloured Awale, in hundredths of a captured seed. All count the
    /// player's lead over the opponent. [`AwaleJudge`] has replaced them; they are kept to measure
    /// changes against.
    ///
    /// Found by `examples/tune.rs`, one weight after the other in steps of 32 from 30 for each
    /// hole, at 800 nodes a move, 200 games each: `climb red_hole=30,blue_hole=30,
    /// transparent_hole=30,red=40,blue=5,transparent=5`. At 4,000 nodes a move they score 95 %
    /// (± 5, 60 games) against the captured seeds alone, and 81 % (± 8, 80 games) against 20 for
    /// each hole and nothing else. Tried without gain: being on turn, and holes with one seed,
    /// with two, with none, with more than eleven.
    AwaleWeights {
        /// A red seed in one's own holes.
        red = 72,
        /// A blue one.
        blue = 37,
        /// A transparent one.
        transparent = 101,
        /// A hole with red seeds.
        red_hole = 30,
        /// With blue ones.
        blue_hole = 158,
        /// With transparent ones.
        transparent_hole = 30,
        /// A hole with three seeds of any kind.
        three = -32,
    }
}

/// Difference between player 1 and player 2.
fn lead(both: BySide<u8>) -> i32 {
    i32::from(both.one) - i32::from(both.two)
}

impl Evaluate<ColouredAwale> for AwaleWeights {
    fn value(&self, rules: &ColouredAwale, position: &Position, _: u32) -> i32 {
        let score = rules.score(position);
        let captured = score.one.cast_signed() - score.two.cast_signed();
        let seeds = |kind| lead(position.seeds_by_side(kind));
        let holes = |kind| lead(position.holes_by_side(kind));
        100 * captured
            + self.red * seeds(Kind::Red)
            + self.blue * seeds(Kind::Blue)
            + self.transparent * seeds(Kind::Transparent)
            + self.red_hole * holes(Kind::Red)
            + self.blue_hole * holes(Kind::Blue)
            + self.transparent_hole * holes(Kind::Transparent)
            + self.three * lead(position.holes_holding(3))
    }
}

/// Network that evaluates positions of Coloured Awale.
pub type AwaleNetwork = Network<ROWS, ACTIVE>;

static BUILT_IN: LazyLock<AwaleNetwork> =
    LazyLock::new(|| AwaleNetwork::from_bytes(include_bytes!("coloured_awale.net")));

impl AwaleNetwork {
    /// Network that comes with the crate.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Features of a position, as rows of the first layer.
    pub fn rows(rules: ColouredAwale, position: &Position, left: u32) -> Vec<usize> {
        let mut rows = Vec::with_capacity(ACTIVE);
        features::each(rules, position, left, |row| rows.push(row));
        rows
    }

    /// Number of the set of output weights for this many captured seeds of both players.
    #[inline]
    pub fn phase(captured: u32) -> usize {
        (captured as usize / 16).min(Self::PHASES - 1)
    }

    /// Value for the side to move beyond the captured seeds, in hundredths of a seed.
    #[inline]
    fn estimate(&self, rules: ColouredAwale, position: &Position, left: u32) -> i32 {
        let mut sums = self.sums();
        features::each(rules, position, left, |row| sums.add(row));
        let score = rules.score(position);
        sums.value(Self::phase(score.one + score.two))
    }
}

/// Evaluator by a network.
#[derive(Debug, Clone, Copy)]
pub struct AwaleJudge(&'static AwaleNetwork);

impl AwaleJudge {
    /// Evaluator by this network.
    pub fn new(network: &'static AwaleNetwork) -> Self {
        Self(network)
    }
}

impl Default for AwaleJudge {
    fn default() -> Self {
        Self(AwaleNetwork::built_in())
    }
}

impl Weights for AwaleJudge {
    const NAMES: &'static [&'static str] = &[];

    fn weight(&mut self, _: &str) -> Option<&mut i32> {
        None
    }
}

impl Evaluate<ColouredAwale> for AwaleJudge {
    fn value(&self, rules: &ColouredAwale, position: &Position, left: u32) -> i32 {
        let score = rules.score(position);
        let captured = 100 * (score.one.cast_signed() - score.two.cast_signed());
        let rest = self.0.estimate(*rules, position, left);
        captured + if position.side() == Side::One { rest } else { -rest }
    }
}

impl Judged for ColouredAwale {
    type Judge = AwaleJudge;

    fn judge(&self) -> AwaleJudge {
        AwaleJudge::default()
    }

    fn preset(&self, _: &GameSpec) -> Result<file::Player, SpecErrors> {
        let (mm_depth, random_moves) = ([1, 1, 3, 4], [0, 0, 11, 0]);
        let ai_params = file::AiParams { mm_depth, random_moves, ..file::AiParams::default() };
        let scorer = file::Scorer { mx_stores_m: 4, mx_easy_rand_a: 20, ..file::Scorer::default() };
        let algorithm = file::Algorithm::Negamax;
        Ok(file::Player { algorithm, ai_params, scorer, ..file::Player::default() })
    }
}
