//! Captures before sowing, repeated with every lap.

use crate::Observer;
use crate::two_row::params::Presowcapt;
use crate::two_row::plan::Plan;
use crate::two_row::position::Position;
use crate::two_row::ring::{Cell, is_store, store};
use crate::two_row::sides::members;
use crate::two_row::sowing::Sowing;
use crate::two_row::trace;

impl Plan {
    /// `presowcapt`. It does not count as a capture for other rules.
    pub(super) fn capture_before<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        watch: &mut O,
    ) {
        match self.params.presowcapt {
            // A diffusion game has its own sowing only.
            _ if self.diffuses() => {}
            // A lap of `LAP_CAPT` may have no seeds.
            Presowcapt::CaptOne if s.hand == 0 => {}
            Presowcapt::CaptOne => {
                s.hand -= 1;
                pos.stores[s.side] += 1;
                trace::sown(watch, store(s.side));
                s.end = s.start;
            }
            Presowcapt::AllSingleXcapt => {
                for hole in members(self.side(s.side)) {
                    if s.before[hole] == 1 {
                        self.take_across(pos, s, hole, watch);
                    }
                }
            }
            Presowcapt::Draw1Xcapt if s.hand == 1 && !is_store(s.start) => {
                self.take_across(pos, s, s.start as usize, watch);
            }
            Presowcapt::None | Presowcapt::Draw1Xcapt => {}
        }
    }

    fn take_across<O: Observer>(&self, pos: &mut Position, s: &Sowing, hole: usize, watch: &mut O) {
        let across = self.across(hole);
        let spared = (pos.any_children() | pos.rams) >> across & 1 != 0;
        if pos.seeds[across] > 0 && !spared {
            trace::take(pos, s, across as Cell, watch);
        }
    }
}
