//! Children: their creation and kind, and rams.

#[cfg(test)]
mod tests;

use pitmaster_core::Side;

use super::params::{ChildLocs, ChildRule, ChildType, SowDirect, SowStores};
use super::plan::Plan;
use super::position::{HoleSet, Position};
use super::ring::{Cell, is_store, store};
use super::sides::row;
use super::sowing::Sowing;
use super::trace;
use crate::Observer;
use crate::two_row::Way;

impl Plan {
    /// Makes a child or hits one; otherwise captures.
    pub(super) fn capture_or_claim<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        watch: &mut O,
    ) {
        if self.hits_weg(pos, s) {
            let seeds = pos.count(s.end).min(2);
            trace::captured(watch, s.end, seeds, store(s.side));
            *pos.cell(s.end) -= seeds;
            pos.stores[s.side] += seeds;
            (s.captured, s.at) = (true, s.end);
            return;
        }
        if self.real_children && self.makes_child(pos, s) {
            return self.make_children(pos, s);
        }
        self.capture_chains(pos, s, watch);
        if self.params.child_type == ChildType::Ram {
            self.renew_rams(pos, s);
            s.at = s.end;
        }
    }

    fn hits_weg(&self, pos: &Position, s: &Sowing) -> bool {
        self.params.child_type == ChildType::Weg
            && !is_store(s.end)
            && pos.children[s.side.other()] >> s.end & 1 != 0
    }

    fn make_children(&self, pos: &mut Position, s: &mut Sowing) {
        let mut made: HoleSet = 1 << s.end;
        match self.params.child_type {
            ChildType::Qur => made |= 1 << self.across(s.end as usize),
            ChildType::Bull => made |= self.second_bull(pos, s),
            _ => {}
        }
        pos.children[s.side] |= made;
        pos.children[s.side.other()] &= !made;
        s.changed = true;
    }

    /// The hole before the last one, if the two have the numbers of a pair of bulls and it is not a
    /// child yet.
    fn second_bull(&self, pos: &Position, s: &Sowing) -> HoleSet {
        let behind = self.step_plain(pos, s.side, s.way.opposite(), s.end);
        let cvt = self.params.child_cvt;
        let counts = [pos.count(s.end), pos.count(behind)].map(i32::from);
        let pair = counts == [cvt, cvt - 1] || counts == [cvt - 1, cvt];
        let free = !is_store(behind) && pos.any_children() >> behind & 1 == 0;
        if pair && free { 1 << behind } else { 0 }
    }

    /// Whether the last seed makes a child.
    pub(super) fn makes_child(&self, pos: &Position, s: &Sowing) -> bool {
        !is_store(s.end)
            && !pos.children_inhibited(s.side)
            && self.place_allows(pos, s.side, s.end as usize)
            && self.rule_allows(pos, s, s.end)
            && self.count_makes_child(pos, s)
    }

    fn count_makes_child(&self, pos: &Position, s: &Sowing) -> bool {
        let count = |cell: Cell| i32::from(pos.count(cell));
        let cvt = self.params.child_cvt;
        let free = (pos.any_children() | pos.rams) >> s.end & 1 == 0;
        match self.params.child_type {
            ChildType::None | ChildType::Ram => false,
            ChildType::Normal | ChildType::Weg => free && count(s.end) == cvt,
            ChildType::OneChild => free && count(s.end) == cvt && pos.children[s.side] == 0,
            ChildType::Bull => free && (count(s.end) == cvt || self.second_bull(pos, s) != 0),
            ChildType::Qur => {
                free && count(s.end) == 1 && count(self.across(s.end as usize) as Cell) == cvt
            }
        }
    }

    fn rule_allows(&self, pos: &Position, s: &Sowing, hole: Cell) -> bool {
        let (own, opp) = (self.on_side(s.side, hole), self.on_side(s.side.other(), hole));
        let owned = pos.owned_by(s.side, self.board) >> hole & 1 != 0;
        match self.params.child_rule {
            ChildRule::None => true,
            ChildRule::OppSideOnly => opp,
            ChildRule::OwnSideOnly => own,
            ChildRule::OppsOnlyNot1st => opp && s.hand > 1,
            ChildRule::OppOwnerOnly => !owned,
            ChildRule::OwnOwnerOnly => owned,
            ChildRule::Not1stOpp => s.hand != 1 || Some(hole) != self.first_opponent_hole(pos, s),
        }
    }

    /// The first open hole of the opponent's row in the direction of the sowing.
    fn first_opponent_hole(&self, pos: &Position, s: &Sowing) -> Option<Cell> {
        let open = row(&self.params, s.side.other()) & !pos.blocked;
        let first = match s.way {
            Way::Ccw => (open != 0).then(|| open.trailing_zeros()),
            Way::Cw => open.checked_ilog2(),
        };
        first.map(|hole| hole as Cell)
    }

    fn place_allows(&self, pos: &Position, mover: Side, end: usize) -> bool {
        let h = self.h;
        // Counted from the left of the row's owner, and reversed from the opponent's view.
        let column = end % h;
        let (left, right) = (column == 0, column == h - 1);
        let row = if end < h { Side::One } else { Side::Two };
        let opposite = row != mover;
        let ends = left || right;
        let inner = h > 3 && (column == 1 || column + 2 == h);
        let taken = |hole: usize| (pos.any_children() | pos.rams) >> hole & 1 != 0;
        match self.params.child_locs {
            ChildLocs::Anywhere => true,
            ChildLocs::EndsOnly => ends,
            ChildLocs::NoEnds => !ends,
            ChildLocs::InvEndsPlusMid => ends == opposite,
            ChildLocs::EndsPlusOneOpp => ends || inner && opposite,
            ChildLocs::NoOwnRight => !right || opposite,
            ChildLocs::NoOppRight => !(left && opposite),
            ChildLocs::NoOppLeft => !(right && opposite),
            ChildLocs::NotSymOpp => !(right && opposite || taken((end + h) % self.n)),
            ChildLocs::NotFacing => !(left && opposite || taken(self.across(end))),
            ChildLocs::EndsPlusAllOpp => ends || opposite,
            ChildLocs::FixedOneRight => false,
        }
    }

    /// Renews the rams: holes with enough seeds for a sowing to reach around to the player's own
    /// side, where the mover may make a child. They are updated in order, so a rule about another
    /// hole uses the updated state of lower ones.
    fn renew_rams(&self, pos: &mut Position, s: &Sowing) {
        let clockwise = self.params.sow_direct == SowDirect::Cw;
        let more = usize::from(self.params.sow_start)
            + match self.params.sow_stores {
                SowStores::Own => 1,
                SowStores::Both => 2,
                _ => 0,
            };
        for hole in 0..self.n {
            let column = hole % self.h;
            let from_start = if clockwise { self.h - 1 - column } else { column };
            let full = usize::from(pos.seeds[hole]) >= self.n - from_start + more;
            let is_ram = full
                && self.place_allows(pos, s.side, hole)
                && self.rule_allows(pos, s, hole as Cell);
            pos.rams = pos.rams & !(1 << hole) | u64::from(is_ram) << hole;
        }
    }
}
