//! Sowing of one lap, for every `sow_rule`.

mod blocked;
mod classes;
mod passing;
mod prescribed;
mod presow;
#[cfg(test)]
mod tests;

use pitmaster_core::Side;

use super::params::{Class, Prescribed, SowRule};
use super::plan::{Plan, StoreTurns};
use super::position::{HoleSet, Position};
use super::ring::{CELLS, Cell, NOWHERE, Ring, is_store, store};
use super::sowing::Sowing;
use super::{Way, trace};
use crate::Observer;

impl Plan {
    /// Sows a move: the prescribed opening, all laps, or one.
    pub(super) fn sow<O: Observer>(&self, pos: &mut Position, s: &mut Sowing, watch: &mut O) {
        if self.sows_plainly {
            self.sow_plain(pos, s, watch);
            s.repeat |= is_store(s.end) && self.store_grants(s.side, s.end);
            return;
        }
        if self.params.game_class == Class::ShareOne && self.must_share_one(pos, s.side) {
            return self.share_one(pos, s, watch);
        }
        match self.params.prescribed {
            Prescribed::BasicSower if pos.moves == 1 => self.sow_basic(pos, s, watch),
            Prescribed::MlapsSower if pos.moves == 1 => self.sow_basic_laps(pos, s, watch),
            Prescribed::Plus1Minus1 if pos.moves == 1 && !is_store(s.start) => {
                self.sow_plus_minus(pos, s, watch);
            }
            Prescribed::Sow1Opp if pos.turns <= 1 => self.sow_one_over(pos, s, watch),
            _ => self.sow_laps(pos, s, watch),
        }
    }

    /// Sows a lap, after its capture before sowing.
    pub(super) fn sow_lap<O: Observer>(&self, pos: &mut Position, s: &mut Sowing, watch: &mut O) {
        if pos.bearing_off {
            return self.bear_off(pos, s, watch);
        }
        self.capture_before(pos, s, watch);
        self.sow_seeds(pos, s, watch);
        if is_store(s.end) && self.store_grants(s.side, s.end) {
            s.repeat = true;
        }
    }

    fn store_grants(&self, mover: Side, cell: Cell) -> bool {
        match self.store_turns {
            StoreTurns::Never => false,
            StoreTurns::Any => true,
            StoreTurns::Own => cell == store(mover),
            StoreTurns::Opponent => cell == store(mover.other()),
        }
    }

    fn sow_seeds<O: Observer>(&self, pos: &mut Position, s: &mut Sowing, watch: &mut O) {
        match self.params.sow_rule {
            _ if self.diffuses() => self.diffuse(pos, s, watch),
            SowRule::SowBlkdDiv | SowRule::SowBlkdDivNr => self.sow_diverted(pos, s, watch),
            SowRule::EnpasAllOwnerSow
            | SowRule::EnpasAllOwnerOwn
            | SowRule::EnpasAllSower
            | SowRule::EnpasSowSower
            | SowRule::EnpasOppSower => self.sow_capturing(pos, s, watch),
            SowRule::LapCaptOppGets => self.sow_opponent_gets(pos, s, watch),
            SowRule::NoSowOppNs
            | SowRule::MaxSow
            | SowRule::NoOppChild
            | SowRule::OppChildOnly1
            | SowRule::NoChildren => self.sow_past(pos, s, watch),
            _ => self.sow_plain(pos, s, watch),
        }
    }

    /// Sows one seed into every cell. The direction is decided once, because this is the hottest
    /// loop of a game.
    fn sow_plain<O: Observer>(&self, pos: &mut Position, s: &mut Sowing, watch: &mut O) {
        let ring = &self.rings[s.side.index()][s.way as usize];
        let skip = if self.params.skip_start { s.start } else { NOWHERE };
        let blocked = pos.blocked;
        let mut cell = s.start;
        for _ in 0..s.hand {
            cell = step_on(ring, blocked, cell, skip);
            *pos.cell(cell) += 1;
            trace::sown(watch, cell);
        }
        s.end = cell;
    }

    /// The next cell for the lap in progress.
    #[inline]
    pub(super) fn step(&self, pos: &Position, s: &Sowing, cell: Cell) -> Cell {
        let skip = if self.params.skip_start { s.start } else { NOWHERE };
        step_on(&self.rings[s.side.index()][s.way as usize], pos.blocked, cell, skip)
    }

    /// The next cell for captures, and for looking ahead. A bug that games rely on: with
    /// `skip_start` and stores on the way, player 1's store represents "no start" and is skipped by
    /// both.
    pub(super) fn step_plain(&self, pos: &Position, side: Side, way: Way, cell: Cell) -> Cell {
        let stores = self.params.sow_stores != super::params::SowStores::Neither;
        let skip = if self.params.skip_start && stores { store(Side::One) } else { NOWHERE };
        step_on(&self.rings[side.index()][way as usize], pos.blocked, cell, skip)
    }
}

/// The next cell on a ring that is neither `skip` nor blocked.
#[inline]
fn step_on(ring: &Ring, blocked: HoleSet, cell: Cell, skip: Cell) -> Cell {
    let mut next = ring[cell as usize];
    if next == skip {
        next = ring[next as usize];
    }
    if blocked >> next & 1 != 0 {
        next = step_unblocked(ring, blocked, next, skip);
    }
    next
}

/// Advances to the first cell that is not blocked. Stays if all are blocked.
#[cold]
fn step_unblocked(ring: &Ring, blocked: HoleSet, from: Cell, skip: Cell) -> Cell {
    let mut next = from;
    for _ in 0..CELLS {
        next = ring[next as usize];
        if next == skip {
            next = ring[next as usize];
        }
        if blocked >> next & 1 == 0 {
            return next;
        }
    }
    from
}
