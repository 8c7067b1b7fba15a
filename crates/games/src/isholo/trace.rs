//! Observer notifications for the holes of both players.
//!
//! Player 1's holes `a1` to `b8` are the spots 0 to 15, player 2's 16 to 31. A lap is reported
//! where seeds are picked up in the mover's own hole. Captured seeds leave the board in game 1; in
//! the other games they are lifted, then sown on or laid out seed by seed.

use pitmaster_core::Side;

use super::hole::Hole;
use crate::holes::HOLES;
use crate::{Observer, Spot, Step};

/// An observer with the mover.
#[derive(Debug)]
pub(super) struct Watch<'o, O> {
    pub(super) observer: &'o mut O,
    pub(super) mover: Side,
}

/// The spot of a hole.
fn spot(owner: Side, place: usize) -> Spot {
    Spot::Hole((owner.index() * HOLES + Hole::at(place).number()) as u8)
}

impl<O: Observer> Watch<'_, O> {
    /// Records that a hole of the mover is emptied into the hand.
    pub(super) fn lifted(&mut self, place: usize, seeds: u8) {
        if O::ACTIVE {
            let from = spot(self.mover, place);
            self.observer.step(Step::Lift { from, seeds: seeds.into() });
        }
    }

    /// Records that a new lap begins with a hole of the mover.
    pub(super) fn lap(&mut self, place: usize, seeds: u8) {
        if O::ACTIVE {
            self.observer.step(Step::Lap { from: spot(self.mover, place) });
            self.lifted(place, seeds);
        }
    }

    /// Records seeds sown after a hole of the mover.
    pub(super) fn sown(&mut self, start: usize, seeds: u8) {
        if O::ACTIVE {
            for seed in 1..=usize::from(seeds) {
                let to = spot(self.mover, start + seed);
                self.observer.step(Step::Sow { to, kind: 0 });
            }
        }
    }

    /// Records that a hole of the opponent is captured, out of play or into the hand.
    pub(super) fn captured(&mut self, place: usize, seeds: u8, into_hand: bool) {
        if O::ACTIVE && seeds > 0 {
            let (from, seeds) = (spot(self.mover.other(), place), u16::from(seeds));
            self.observer.step(if into_hand {
                Step::Lift { from, seeds }
            } else {
                Step::Capture { from, seeds, to: Spot::Away }
            });
        }
    }

    /// Records seeds laid into a hole of the opponent.
    pub(super) fn laid(&mut self, place: usize, seeds: u8) {
        if O::ACTIVE {
            for _ in 0..seeds {
                let to = spot(self.mover.other(), place);
                self.observer.step(Step::Sow { to, kind: 0 });
            }
        }
    }
}
