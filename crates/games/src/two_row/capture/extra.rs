//! Extra seeds taken with a capture: `pickextra`.

use pitmaster_core::Side;

use crate::Observer;
use crate::two_row::params::PickExtra;
use crate::two_row::plan::Plan;
use crate::two_row::position::Position;
use crate::two_row::ring::{Cell, is_store, store};
use crate::two_row::sides::members;
use crate::two_row::sowing::Sowing;
use crate::two_row::trace;

impl Plan {
    /// Captures, then takes the seeds that go with a capture, or the last seeds.
    pub(super) fn capture_with_picks<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        watch: &mut O,
    ) {
        self.capture_or_claim(pos, s, watch);
        match self.params.pickextra {
            PickExtra::PickLastSeeds => self.pick_last(pos, s, 1, s.side, watch),
            PickExtra::Pick2xLastSeeds => self.pick_last(pos, s, 2, pos.starter, watch),
            PickExtra::None | PickExtra::PickCrossMult => {}
            _ if !s.captured => {}
            PickExtra::PickCross if !is_store(s.at) => {
                let across = self.across(s.at as usize) as Cell;
                self.pick(pos, s, across, watch);
            }
            PickExtra::PickCross => {}
            PickExtra::PickFinal => self.pick(pos, s, s.at, watch),
            PickExtra::PickOppBasic => {
                for hole in members(self.side(s.side.other())) {
                    if self.basic(pos, s, hole as Cell) {
                        trace::take(pos, s, hole as Cell, watch);
                    }
                }
            }
        }
    }

    /// Takes a hole that is neither a child nor locked.
    pub(super) fn pick<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        cell: Cell,
        watch: &mut O,
    ) {
        if self.plain(pos, s, cell) {
            trace::take(pos, s, cell, watch);
            s.changed = true;
        }
    }

    /// The last seeds go to one player. A bug that games rely on: only capturable holes are counted
    /// (depending on `capt_side`), but all that are neither children nor rams nor locked are taken.
    fn pick_last<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        times: i32,
        taker: Side,
        watch: &mut O,
    ) {
        let counted: u32 = members(self.board)
            .filter(|hole| self.plain(pos, s, *hole as Cell))
            .map(|hole| u32::from(pos.seeds[hole]))
            .sum();
        if counted == 0 || counted > (times * self.params.nbr_start) as u32 {
            return;
        }
        let locked = if self.params.moveunlock { !pos.unlocked } else { 0 };
        for hole in members(self.board & !pos.any_children() & !pos.rams & !locked) {
            trace::capture(pos, hole as Cell, store(taker), watch);
        }
        s.changed = true;
    }
}
