//! Multiple captures: `multicapt` and `capt_dir`.

use crate::Observer;
use crate::two_row::Way;
use crate::two_row::params::{CaptDir, CaptType, SowDirect};
use crate::two_row::plan::Plan;
use crate::two_row::position::Position;
use crate::two_row::ring::{CELLS, Cell, NOWHERE};
use crate::two_row::sowing::Sowing;

/// Maximum length of an unlimited chain.
const UNLIMITED: u32 = 4 * CELLS as u32;

/// Capture of a chain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    /// Start of the capture.
    pub(super) cell: Cell,
    /// Direction of the chain.
    pub(super) way: Way,
    /// The first one of the chain.
    pub(super) first: bool,
}

impl Plan {
    /// Captures from the last hole on, in one direction or both.
    pub(in crate::two_row) fn capture_chains<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        watch: &mut O,
    ) {
        let chained = self.params.multicapt != 0;
        let limit = u32::try_from(self.params.multicapt).unwrap_or(UNLIMITED);
        if !chained && self.params.capt_type != CaptType::Next {
            return self.capture_one(pos, s, Link { cell: s.end, way: s.way, first: true }, watch);
        }
        let limit = if chained { limit } else { 1 };
        match self.params.capt_dir {
            CaptDir::Both => self.capture_both_ways(pos, s, limit, watch),
            CaptDir::Sow => self.capture_chain(pos, s, s.end, s.way, limit, watch),
            CaptDir::OppSow => {
                let way = self.against_sow(s);
                self.capture_chain(pos, s, s.end, way, limit, watch);
            }
        }
    }

    /// The opposite direction. A bug that games rely on: if the game has one direction, its
    /// opposite, even if this move was sown the other way.
    fn against_sow(&self, s: &Sowing) -> Way {
        match self.params.sow_direct {
            SowDirect::Cw => Way::Ccw,
            SowDirect::Ccw => Way::Cw,
            _ => s.way.opposite(),
        }
    }

    fn capture_both_ways<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        limit: u32,
        watch: &mut O,
    ) {
        self.capture_chain(pos, s, s.end, s.way, limit, watch);
        let back = s.way.opposite();
        if self.params.capt_type == CaptType::Next {
            let forward = std::mem::take(&mut s.captured);
            let at = s.at;
            self.capture_chain(pos, s, s.end, back, limit, watch);
            if forward {
                s.at = at;
            }
            s.captured |= forward;
        } else if s.captured && limit > 1 {
            let at = s.at;
            let behind = self.step_plain(pos, s.side, back, s.end);
            // A bug that games rely on: the first backward capture counts even if it takes nothing,
            // because the flag of the forward chain is still set, and the chain then continues
            // where the forward chain ended.
            self.capture_chain(pos, s, behind, back, limit - 1, watch);
            (s.at, s.captured) = (at, true);
        }
    }

    /// Makes at most `limit` captures, each where the previous one ended. Bugs that games rely on:
    /// a capture of an earlier lap counts for the first one, which then continues where that ended;
    /// and the only capture of a chain of one does not count as a capture.
    fn capture_chain<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        from: Cell,
        way: Way,
        limit: u32,
        watch: &mut O,
    ) {
        let mut cell = from;
        let mut captured = false;
        let mut at = s.at;
        for _ in 0..limit {
            let first = !captured;
            self.capture_one(pos, s, Link { cell, way, first }, watch);
            if !std::mem::take(&mut s.captured) {
                break;
            }
            if first {
                at = s.at;
            }
            captured = true;
            cell = s.next;
            if cell == NOWHERE {
                break;
            }
        }
        s.at = at;
        s.captured = captured && (limit > 1 || self.params.multicapt == 0);
    }
}
