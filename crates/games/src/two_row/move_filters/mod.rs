//! Move filters: each removes holes that a player may not move.

mod rule;
mod share;
#[cfg(test)]
mod tests;
mod undo;

use pitmaster_core::Side;

use super::Way;
use super::params::{AllowRule, Class, GrandSlam};
use super::plan::Plan;
use super::position::{HoleSet, Position};
use super::sides::members;
use super::sowing::Sowing;

/// Holes that may be moved, by direction. If the mover cannot choose the direction, a hole is in
/// both sets or in none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Allowed {
    /// Counter-clockwise.
    pub(super) ccw: HoleSet,
    /// Clockwise.
    pub(super) cw: HoleSet,
}

impl Allowed {
    pub(super) const fn both(holes: HoleSet) -> Self {
        Self { ccw: holes, cw: holes }
    }

    /// Holes that may be moved at all.
    pub(super) const fn holes(self) -> HoleSet {
        self.ccw | self.cw
    }
}

/// Contents of the holes that are neither children nor rams, counted once for several questions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Survey {
    /// Holes with at least `min_move` seeds.
    pub(super) enough: HoleSet,
    /// Holes with at least one seed.
    pub(super) seeds: HoleSet,
}

impl Plan {
    #[inline]
    pub(super) fn survey(&self, pos: &Position) -> Survey {
        let holes = self.board & !pos.any_children() & !pos.rams;
        let enough = pos.holding(holes, self.params.min_move as u16);
        let seeds = if self.params.min_move == 1 { enough } else { pos.occupied(holes) };
        Survey { enough, seeds }
    }

    /// The holes that a player may move.
    #[inline]
    pub(super) fn allowable(&self, pos: &Position, side: Side, seen: Survey) -> Allowed {
        let holes = self.reachable(pos, side) & seen.enough & !pos.blocked;
        let hungry =
            self.params.mustshare && seen.seeds & pos.owned_by(side.other(), self.board) == 0;
        if self.unfiltered && !hungry {
            return Allowed::both(holes);
        }
        self.filter(pos, side, seen, holes, hungry)
    }

    /// The same with all that is only asked in some games.
    #[inline(never)]
    fn filter(
        &self,
        pos: &Position,
        side: Side,
        seen: Survey,
        mut holes: HoleSet,
        hungry: bool,
    ) -> Allowed {
        if self.params.game_class == Class::ShareOne && self.must_share_one(pos, side) {
            let open = self.side(side) & !pos.any_children() & !pos.rams;
            return Allowed::both(pos.holding(open, 2));
        }
        if self.params.allow_rule != AllowRule::None {
            holes = self.by_rule(pos, side, holes);
        }
        if self.params.game_class == Class::NsGratuitous {
            holes &= self.side(side);
        }
        let mut allowed = Allowed::both(holes);
        if hungry {
            allowed = self.that_share(pos, side, allowed);
        }
        if self.params.grandslam == GrandSlam::NotLegal {
            allowed = self.that_spare(pos, side, seen, allowed);
        }
        match self.undoes(pos, side) {
            Some(hole) => {
                Allowed { ccw: allowed.ccw & !(1 << hole), cw: allowed.cw & !(1 << hole) }
            }
            None => allowed,
        }
    }

    /// Whether a player may move any hole.
    pub(super) fn has_allowable(&self, pos: &Position, side: Side) -> bool {
        self.allowable(pos, side, self.survey(pos)).holes() != 0
    }

    /// Holes that a player could move with enough seeds, by the class and the goal. With halves as
    /// rings no player moves the other half, even with `no_sides`. A bug that games rely on: in the
    /// class `NSGratuitous` the opponent's holes count for `allow_rule`, and are left out after it.
    #[inline]
    fn reachable(&self, pos: &Position, side: Side) -> HoleSet {
        if self.moves_own_side {
            self.side(side)
        } else if self.territory {
            pos.owned_by(side, self.board)
        } else {
            self.board
        }
    }

    /// Keeps the moves of a set that pass a test, each direction of a hole for itself where the
    /// mover chooses it.
    fn keep(
        &self,
        pos: &Position,
        side: Side,
        allowed: Allowed,
        passes: impl Fn(&Position) -> bool,
    ) -> Allowed {
        let mut kept = Allowed::both(0);
        for hole in members(allowed.holes()) {
            let bit = 1 << hole;
            if self.names_direction(pos, hole) {
                if allowed.ccw & bit != 0 && passes(&self.tried(pos, side, hole, Some(Way::Ccw))) {
                    kept.ccw |= bit;
                }
                if allowed.cw & bit != 0 && passes(&self.tried(pos, side, hole, Some(Way::Cw))) {
                    kept.cw |= bit;
                }
            } else if passes(&self.tried(pos, side, hole, None)) {
                kept.ccw |= bit;
                kept.cw |= bit;
            }
        }
        kept
    }

    /// Position after the sowing and captures of a move.
    fn tried(&self, pos: &Position, side: Side, hole: usize, way: Option<Way>) -> Position {
        let mut tried = pos.clone();
        let mut s = Sowing::new(pos, side, Way::Ccw, hole as u8);
        self.sow_and_capture(&mut tried, &mut s, None, way, &mut ());
        tried
    }
}
