//! Filter against moving a single seed straight back across the middle line (`SPLIT`, `ZigZag`).

use pitmaster_core::Side;

use crate::two_row::params::{Class, SowDirect};
use crate::two_row::plan::Plan;
use crate::two_row::position::Position;

impl Plan {
    /// The hole that may not be moved because that would undo the last move. A bug that games rely
    /// on: this is the last move that was not a pass, even by the same player, who then may not
    /// move the hole in the same column.
    pub(super) fn undoes(&self, pos: &Position, side: Side) -> Option<u8> {
        if self.params.sow_direct != SowDirect::Split && self.params.game_class != Class::ZigZag {
            return None;
        }
        let last = pos.last.filter(|last| last.hand == 1 && last.start >= 0 && last.end >= 0)?;
        let (start, end) = (last.start as usize, last.end as usize);
        let back = pos.seeds[end] == 1
            && self.params.min_move == 1
            && self.facing_pairs(last.captured).contains(&Some((start.min(end), start.max(end))));
        let by_hole = self.params.no_sides || self.territory;
        let own = by_hole || self.on_side(side, end as u8);
        let barred = if own { end } else { self.across(end) };
        back.then_some(barred as u8)
    }

    /// The pairs of holes between which a seed could move back and forth.
    fn facing_pairs(&self, captured: bool) -> [Option<(usize, usize)>; 2] {
        let (h, n) = (self.h, self.n);
        if self.params.game_class == Class::ZigZag {
            let middle = h / 2;
            let guarded = self.udir == 0 && !captured;
            return [(middle - 1, h + middle - 1), (middle, h + middle)]
                .map(|pair| guarded.then_some(pair));
        }
        let guarded = (self.udir & 1) == 0 && (self.udir >> (h - 1) & 1) == 0;
        [(0, n - 1), (h - 1, h)].map(|pair| guarded.then_some(pair))
    }
}
