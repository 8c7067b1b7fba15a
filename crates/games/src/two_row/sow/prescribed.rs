//! Prescribed openings. They replace the laps and the capture before sowing.

use crate::Observer;
use crate::two_row::laps::MAX_LAPS;
use crate::two_row::plan::Plan;
use crate::two_row::position::Position;
use crate::two_row::ring::CELLS;
use crate::two_row::sowing::Sowing;
use crate::two_row::trace;

impl Plan {
    /// `BASIC_SOWER`. A bug that games rely on: seeds for a store fall into one of the last two
    /// holes.
    pub(super) fn sow_basic<O: Observer>(&self, pos: &mut Position, s: &mut Sowing, watch: &mut O) {
        let mut cell = s.start;
        for _ in 0..s.hand {
            cell = self.step(pos, s, cell);
            let hole = self.hole_behind(cell);
            pos.seeds[hole] += 1;
            trace::sown(watch, hole as u8);
        }
        s.end = cell;
    }

    /// `MLAPS_SOWER`: laps until the last seed falls into an empty hole.
    pub(super) fn sow_basic_laps<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        watch: &mut O,
    ) {
        for _ in 0..MAX_LAPS {
            self.sow_basic(pos, s, watch);
            let hole = self.hole_behind(s.end);
            if pos.seeds[hole] <= 1 {
                return;
            }
            s.hand = std::mem::take(&mut pos.seeds[hole]);
            s.start = s.end;
            s.first_lap = false;
            trace::lap(watch, hole as u8, s.hand);
        }
        s.endless = true;
    }

    /// `SOW1OPP`: the last seed falls on the opponent's side.
    pub(super) fn sow_one_over<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        watch: &mut O,
    ) {
        let mut cell = s.start;
        for left in (0..s.hand).rev() {
            cell = self.step_plain(pos, s.side, s.way, cell);
            for _ in 0..CELLS {
                if left > 0 || self.on_side(s.side.other(), cell) {
                    break;
                }
                cell = self.step_plain(pos, s.side, s.way, cell);
            }
            *pos.cell(cell) += 1;
            trace::sown(watch, cell);
        }
        s.end = cell;
    }

    /// `PLUS1MINUS1`: around the whole board, every second hole gives a seed to the next one, the
    /// last one to the hole across from the start, or to the start if that is blocked. Empty holes
    /// give none.
    pub(super) fn sow_plus_minus<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        watch: &mut O,
    ) {
        *pos.cell(s.start) += s.hand;
        trace::dropped(watch, s.start, s.hand);
        let mut cell = self.step_plain(pos, s.side, s.way, s.start);
        let (mut hand, mut takes) = (0, true);
        for _ in 0..CELLS {
            if cell == s.start {
                break;
            }
            if takes {
                let taken = pos.count(cell).min(1);
                *pos.cell(cell) -= taken;
                trace::lifted(watch, cell, taken);
                hand += taken;
            } else {
                *pos.cell(cell) += hand;
                trace::dropped(watch, cell, hand);
                hand = 0;
            }
            takes = !takes;
            cell = self.step_plain(pos, s.side, s.way, cell);
        }
        let across = self.across(s.start as usize) as u8;
        s.end = if pos.blocked >> across & 1 == 0 { across } else { s.start };
        *pos.cell(s.end) += hand;
        trace::dropped(watch, s.end, hand);
    }
}
