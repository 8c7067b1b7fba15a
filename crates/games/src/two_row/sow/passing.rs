//! Sowing that skips holes, and sowing that takes seeds in passing.

use pitmaster_core::Side;

use crate::Observer;
use crate::two_row::params::SowRule;
use crate::two_row::plan::Plan;
use crate::two_row::position::Position;
use crate::two_row::ring::{CELLS, Cell, store};
use crate::two_row::sowing::Sowing;
use crate::two_row::trace;

impl Plan {
    /// `NO_SOW_OPP_NS`, `MAX_SOW` and the rules that skip children. If no cell accepts a seed
    /// (which the rules do not specify), the rest goes into the mover's store.
    pub(super) fn sow_past<O: Observer>(&self, pos: &mut Position, s: &mut Sowing, watch: &mut O) {
        let mut cell = s.start;
        for left in (0..s.hand).rev() {
            let Some(next) = self.next_that_takes(pos, s, cell, left == 0) else {
                pos.stores[s.side] += left + 1;
                trace::dropped(watch, store(s.side), left + 1);
                break;
            };
            cell = next;
            *pos.cell(cell) += 1;
            trace::sown(watch, cell);
        }
        s.end = cell;
    }

    fn next_that_takes(
        &self,
        pos: &Position,
        s: &Sowing,
        mut cell: Cell,
        last: bool,
    ) -> Option<Cell> {
        for _ in 0..2 * CELLS {
            cell = self.step(pos, s, cell);
            if !self.passes_over(pos, s, cell, last) {
                return Some(cell);
            }
        }
        None
    }

    fn passes_over(&self, pos: &Position, s: &Sowing, cell: Cell, last: bool) -> bool {
        let opponent = s.side.other();
        let limit = self.params.sow_param as u16;
        match self.params.sow_rule {
            SowRule::NoSowOppNs => self.on_side(opponent, cell) && pos.count(cell) == limit,
            SowRule::MaxSow => pos.seeds[self.hole_behind(cell)] >= limit,
            SowRule::NoChildren => {
                (pos.any_children() | pos.rams) >> self.hole_behind(cell) & 1 != 0
            }
            SowRule::OppChildOnly1 if last => false,
            _ => pos.children[opponent] >> self.hole_behind(cell) & 1 != 0,
        }
    }

    /// The hole examined for a cell. A bug that games rely on: for the stores these are the last
    /// two holes of the board.
    pub(in crate::two_row) fn hole_behind(&self, cell: Cell) -> usize {
        if cell == store(Side::One) {
            self.n - 1
        } else if cell == store(Side::Two) {
            self.n - 2
        } else {
            cell as usize
        }
    }

    /// `ENPAS_…`: holes that reach a capturing count are taken at once.
    pub(super) fn sow_capturing<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        watch: &mut O,
    ) {
        let spared = u16::from(self.params.sow_rule != SowRule::EnpasAllOwnerOwn);
        let inhibited = pos.captures_inhibited(s.side);
        s.end = judged_from(s);
        let mut cell = s.start;
        for left in (0..s.hand).rev() {
            cell = self.step(pos, s, cell);
            *pos.cell(cell) += 1;
            trace::sown(watch, cell);
            if left >= spared && !inhibited && self.basic(pos, s, cell) {
                self.take_in_passing(pos, s, cell, watch);
            }
        }
        s.end = cell;
    }

    fn take_in_passing<O: Observer>(
        &self,
        pos: &mut Position,
        s: &Sowing,
        cell: Cell,
        watch: &mut O,
    ) {
        let owner = if pos.owned >> cell & 1 != 0 { Side::Two } else { Side::One };
        let taker = match self.params.sow_rule {
            SowRule::EnpasAllOwnerSow | SowRule::EnpasAllOwnerOwn => owner,
            SowRule::EnpasSowSower if owner != s.side => return,
            SowRule::EnpasOppSower if owner == s.side => return,
            _ => s.side,
        };
        let taking = Sowing { side: taker, ..s.clone() };
        trace::take(pos, &taking, cell, watch);
    }

    /// `LAP_CAPT_OPP_GETS`: with few seeds left, seeds that fall on the opponent's side belong to
    /// the opponent, except a last seed that captures.
    pub(super) fn sow_opponent_gets<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        watch: &mut O,
    ) {
        if pos.sum(self.board) > self.params.sow_param as u32 {
            return self.sow_plain(pos, s, watch);
        }
        let opponent = s.side.other();
        s.end = judged_from(s);
        let mut cell = s.start;
        for left in (0..s.hand).rev() {
            cell = self.step(pos, s, cell);
            *pos.cell(cell) += 1;
            trace::sown(watch, cell);
            let stays = left == 0 && self.basic(pos, s, cell);
            if self.on_side(opponent, cell) && !stays {
                *pos.cell(cell) -= 1;
                pos.stores[opponent] += 1;
                trace::captured(watch, cell, 1, store(opponent));
                s.captured = true;
            }
        }
        s.end = cell;
    }
}

/// Hole that represents the end of the lap while it is being sown. A bug that games rely on: it is
/// the start of the lap, and hole 0 in the first lap, regardless of the moved hole.
const fn judged_from(s: &Sowing) -> Cell {
    if s.first_lap { 0 } else { s.start }
}
