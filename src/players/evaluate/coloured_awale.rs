//! Coloured Awale.

use super::weights::weights;
use super::{Evaluate, Judged};
use crate::games::Rules;
use crate::games::coloured_awale::{ColouredAwale, Kind, Position};
use crate::record::{BySide, Side};

weights! {
    /// What counts in a position of Coloured Awale, in hundredths of a captured seed.
    AwaleWeights {
        /// To be on turn.
        turn = 0,
        /// A red seed in one's own holes.
        red = 0,
        /// A blue one.
        blue = 0,
        /// A transparent one.
        transparent = 0,
        /// A hole with red seeds.
        red_hole = 0,
        /// With blue ones.
        blue_hole = 0,
        /// With transparent ones.
        transparent_hole = 0,
        /// A hole with one seed.
        one = 0,
        /// With two.
        two = 0,
        /// With three.
        three = 0,
        /// With none.
        empty = 0,
        /// With more than eleven.
        heap = 0,
    }
}

/// What player 1 has more than player 2.
fn lead(both: BySide<u8>) -> i32 {
    i32::from(both.one) - i32::from(both.two)
}

impl Evaluate<ColouredAwale> for AwaleWeights {
    fn value(&self, rules: &ColouredAwale, position: &Position) -> i32 {
        let score = rules.score(position);
        let captured = score.one.cast_signed() - score.two.cast_signed();
        let turn = if position.side() == Side::One { self.turn } else { -self.turn };
        let seeds = |kind| lead(position.seeds_by_side(kind));
        let holes = |kind| lead(position.holes_by_side(kind));
        let holding = |seeds| lead(position.holes_holding(seeds));
        100 * captured
            + turn
            + self.red * seeds(Kind::Red)
            + self.blue * seeds(Kind::Blue)
            + self.transparent * seeds(Kind::Transparent)
            + self.red_hole * holes(Kind::Red)
            + self.blue_hole * holes(Kind::Blue)
            + self.transparent_hole * holes(Kind::Transparent)
            + self.one * holding(1)
            + self.two * holding(2)
            + self.three * holding(3)
            + self.empty * holding(0)
            + self.heap * lead(position.holes_above(11))
    }
}

impl Judged for ColouredAwale {
    type Judge = AwaleWeights;

    fn judge(&self) -> AwaleWeights {
        AwaleWeights::default()
    }
}
