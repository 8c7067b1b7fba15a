//! Board reconstructed by an observer from the steps alone.

use pitmaster_core::BySide;

use crate::two_row::position::{Position, SEEDS};
use crate::{Spot, Step, Steps};

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Observed {
    seeds: [u16; SEEDS],
    stores: BySide<u16>,
    hand: u16,
}

impl Observed {
    /// Board of a position, with nothing in hand.
    pub(super) fn board(position: &Position) -> Self {
        Self { seeds: position.seeds, stores: position.stores, hand: 0 }
    }

    /// Board after steps from a position.
    pub(super) fn follow(position: &Position, steps: &Steps) -> Self {
        let mut observed = Self::board(position);
        for step in &steps.0 {
            observed.apply(*step);
        }
        observed
    }

    fn apply(&mut self, step: Step) {
        match step {
            Step::Lift { from, seeds } => {
                self.change(from, |held| held - some(seeds));
                self.hand += seeds;
            }
            Step::Sow { to, .. } => {
                self.hand -= 1;
                self.change(to, |held| held + 1);
            }
            Step::Lap { .. } => assert_eq!(self.hand, 0, "a lap is sown to its end"),
            Step::Capture { from, seeds, to } | Step::Sweep { from, seeds, to } => {
                self.change(from, |held| held - some(seeds));
                self.change(to, |held| held + seeds);
            }
        }
    }

    fn change(&mut self, spot: Spot, by: impl Fn(u16) -> u16) {
        match spot {
            Spot::Hole(hole) => self.seeds[usize::from(hole)] = by(self.seeds[usize::from(hole)]),
            Spot::Store(side) => self.stores[side] = by(self.stores[side]),
            Spot::Away => {}
        }
    }
}

/// Checks that a step moves at least one seed.
fn some(seeds: u16) -> u16 {
    assert!(seeds > 0, "a step without seeds");
    seeds
}
