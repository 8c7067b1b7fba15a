//! Board of two rows of six holes, seen by the side to move.

use pitmaster_core::Side;
use pitmaster_games::two_row::Position;

/// Number of holes on the board.
pub(super) const HOLES: usize = 12;
/// Number of distinguished seed counts in a store or on the board.
const NUMBERS: usize = 49;
/// Number of rows for the stores and the board.
pub(super) const SCORE_ROWS: usize = 3 * NUMBERS;
/// Number of captured seeds per phase.
const PHASE: usize = 8;
/// Number of phases.
const PHASES: usize = 6;

/// Seeds, from the first hole of the side to move in the direction of sowing.
pub(super) struct View {
    pub(super) seeds: [usize; HOLES],
    /// Seeds in the own store and the opponent's.
    stores: [usize; 2],
}

impl View {
    #[inline]
    pub(super) fn new(position: &Position) -> Self {
        let seeds = &position.seeds;
        let other = position.side.other();
        let stores = [position.stores[position.side], position.stores[other]].map(usize::from);
        let seeds = if position.side == Side::One {
            std::array::from_fn(|hole| usize::from(seeds[hole]))
        } else {
            std::array::from_fn(|hole| usize::from(seeds[(hole + HOLES / 2) % HOLES]))
        };
        Self { seeds, stores }
    }

    /// Calls `row` with the rows for the stores and for the board.
    #[inline]
    pub(super) fn scores(&self, mut row: impl FnMut(usize)) {
        let [own, other] = self.stores.map(|seeds| seeds.min(NUMBERS - 1));
        row(own);
        row(NUMBERS + other);
        row(2 * NUMBERS + (NUMBERS - 1).saturating_sub(own + other));
    }

    /// Number of the set of output weights.
    #[inline]
    pub(super) fn phase(&self) -> usize {
        phase(self.stores[0] + self.stores[1])
    }
}

#[inline]
fn phase(captured: usize) -> usize {
    (captured / PHASE).min(PHASES - 1)
}

/// Number of the set of output weights of a network for Oware or Kalah.
pub fn two_row_phase(position: &Position) -> usize {
    phase(View::new(position).stores.iter().sum())
}
