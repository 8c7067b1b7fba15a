//! Coloured Awale.

use super::weights::weights;
use super::{Evaluate, Judged};
use crate::games::Rules;
use crate::games::coloured_awale::{ColouredAwale, Position};

weights! {
    /// What counts in a position of Coloured Awale, in hundredths of a captured seed.
    AwaleWeights {
        /// A seed in one's own holes.
        seed = 0,
    }
}

impl Evaluate<ColouredAwale> for AwaleWeights {
    fn value(&self, rules: &ColouredAwale, position: &Position) -> i32 {
        let score = rules.score(position);
        100 * (score.one.cast_signed() - score.two.cast_signed())
    }
}

impl Judged for ColouredAwale {
    type Judge = AwaleWeights;

    fn judge(&self) -> AwaleWeights {
        AwaleWeights::default()
    }
}
