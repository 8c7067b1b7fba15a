//! Two-row games.

use super::weights::weights;
use super::{Evaluate, Judged};
use crate::games::Rules;
use crate::games::two_row::{Position, TwoRow};

weights! {
    /// What counts in a position of a two-row game, in hundredths of a captured seed.
    TwoRowWeights {
        /// A seed in one's own holes.
        seed = 0,
    }
}

impl Evaluate<TwoRow> for TwoRowWeights {
    fn value(&self, rules: &TwoRow, position: &Position) -> i32 {
        let score = rules.score(position);
        100 * (score.one.cast_signed() - score.two.cast_signed())
    }
}

impl Judged for TwoRow {
    type Judge = TwoRowWeights;

    fn judge(&self) -> TwoRowWeights {
        TwoRowWeights::default()
    }
}
