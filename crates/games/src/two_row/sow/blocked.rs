//! Closed holes, which remove the seeds sown into them: `SOW_BLKD_DIV`.

use pitmaster_core::Side;

use crate::Observer;
use crate::two_row::Way;
use crate::two_row::params::{Mlaps, SowRule};
use crate::two_row::plan::Plan;
use crate::two_row::position::Position;
use crate::two_row::ring::{CELLS, Cell, is_store, store};
use crate::two_row::sowing::Sowing;
use crate::two_row::trace;

impl Plan {
    /// Skips blocked holes of the mover. Those of the opponent remove a seed.
    pub(super) fn sow_diverted<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        watch: &mut O,
    ) {
        let ring = &self.rings[s.side.index()][s.way as usize];
        let passed_over = pos.blocked & self.side(s.side);
        let mut cell = s.start;
        for _ in 0..s.hand {
            cell =
                if is_store(cell) { self.out_of_store(cell, s.way) } else { ring[cell as usize] };
            for _ in 0..CELLS {
                if passed_over >> cell & 1 == 0 {
                    break;
                }
                cell = ring[cell as usize];
            }
            if pos.blocked >> cell & 1 != 0 {
                pos.stores[Side::One] += 1;
                trace::sown(watch, store(Side::One));
            } else {
                *pos.cell(cell) += 1;
                trace::sown(watch, cell);
            }
        }
        s.end = cell;
        if self.params.mlaps == Mlaps::Off && self.closes(pos, s, cell) {
            trace::sweep(pos, 1 << cell, store(Side::One), watch);
            pos.blocked |= 1 << cell;
        }
    }

    /// The first hole after a store. A bug that games rely on: the stores count as the two holes
    /// before hole 0.
    fn out_of_store(&self, from: Cell, way: Way) -> Cell {
        let steps = if from == store(Side::One) { 1 } else { 2 };
        let next = match way {
            Way::Ccw => self.n + 1 - steps,
            Way::Cw => self.n - 1 - steps,
        };
        (next % self.n) as Cell
    }

    /// Whether the last seed closes a hole.
    pub(in crate::two_row) fn closes(&self, pos: &Position, s: &Sowing, cell: Cell) -> bool {
        let rule = self.params.sow_rule;
        let rightmost = [self.h - 1, self.n - 1].contains(&(cell as usize));
        matches!(rule, SowRule::SowBlkdDiv | SowRule::SowBlkdDivNr)
            && self.on_side(s.side.other(), cell)
            && pos.count(cell) == self.params.sow_param as u16
            && !(rule == SowRule::SowBlkdDivNr && rightmost)
            && !pos.captures_inhibited(s.side)
    }
}
