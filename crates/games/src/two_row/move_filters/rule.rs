//! Filter for `allow_rule`.

use pitmaster_core::Side;

use crate::two_row::Way;
use crate::two_row::params::{AllowRule, Class};
use crate::two_row::plan::Plan;
use crate::two_row::position::{HoleSet, Position};
use crate::two_row::ring::is_store;
use crate::two_row::sides::{members, row};
use crate::two_row::sowing::Sowing;

impl Plan {
    /// Holes of a set that a player may move under the rule.
    pub(super) fn by_rule(&self, pos: &Position, side: Side, holes: HoleSet) -> HoleSet {
        let opening = pos.turns < 2;
        match self.params.allow_rule {
            AllowRule::OppOrEmpty => self.reaching(pos, side, holes),
            AllowRule::RightHalf1stOpe if !opening => self.reaching(pos, side, holes),
            AllowRule::RightHalf1stOpe | AllowRule::RightHalfFirsts if opening => {
                holes & self.right_halves()
            }
            AllowRule::SingleToZero => self.singles_to_empty(pos, side, holes),
            AllowRule::SingleOnlyAll => only_if_all(pos, holes, 1),
            AllowRule::SingleAllToZero => {
                self.singles_to_empty(pos, side, only_if_all(pos, holes, 1))
            }
            AllowRule::TwoOnlyAll => only_if_all(pos, holes, 2),
            AllowRule::TwoOnlyAllRight => two_or_rightmost(pos, holes),
            AllowRule::FirstTurnOnlyRightTwo if pos.turns == 0 => self.right_two(side, holes),
            AllowRule::None
            | AllowRule::FirstTurnOnlyRightTwo
            | AllowRule::RightHalf1stOpe
            | AllowRule::RightHalfFirsts => holes,
            AllowRule::Right2FirstThenAllTwo => {
                let holes = only_if_all(pos, holes, 2);
                if pos.turns == 0 { self.right_two(side, holes) } else { holes }
            }
            AllowRule::MoveAllHolesFirst => self.unmoved_first(pos, side, holes),
            AllowRule::NotXfrom1s => {
                holes
                    & !members(holes).fold(0, |set, hole| {
                        set | u64::from(pos.seeds[self.across(hole)] == 1) << hole
                    })
            }
            AllowRule::Occupied => self
                .keep_ends(pos, side, holes, |after, s| is_store(s.end) || after.count(s.end) != 1),
        }
    }

    /// `OPP_OR_EMPTY`: a hole with more seeds than a row has holes always reaches the opponent.
    fn reaching(&self, pos: &Position, side: Side, holes: HoleSet) -> HoleSet {
        let many = pos.holding(holes, self.h as u16 + 1);
        many | self.keep_ends(pos, side, holes & !many, |_, s| {
            is_store(s.end) || self.on_side(side.other(), s.end) || pos.seeds[s.end as usize] == 0
        })
    }

    /// Keeps the holes whose single lap ends in a way that passes a test.
    fn keep_ends(
        &self,
        pos: &Position,
        side: Side,
        holes: HoleSet,
        passes: impl Fn(&Position, &Sowing) -> bool,
    ) -> HoleSet {
        members(holes).fold(0, |set, hole| {
            let mut after = pos.clone();
            let mut s = Sowing::new(pos, side, Way::Ccw, hole as u8);
            self.draw(&mut after, &mut s, None, None);
            if self.params.game_class == Class::ShareOne {
                self.sow(&mut after, &mut s, &mut ());
            } else {
                self.sow_lap(&mut after, &mut s, &mut ());
            }
            set | u64::from(passes(&after, &s)) << hole
        })
    }

    /// Single seeds move into empty holes only; a hole before a store cannot be moved at all, a bug
    /// that games rely on.
    fn singles_to_empty(&self, pos: &Position, side: Side, holes: HoleSet) -> HoleSet {
        members(holes).fold(0, |set, hole| {
            let way = self.direction(pos, side, hole, pos.seeds[hole], None);
            let next = self.step_plain(pos, side, way, hole as u8);
            let passes = !is_store(next) && (pos.seeds[hole] != 1 || pos.count(next) == 0);
            set | u64::from(passes) << hole
        })
    }

    /// The right half of both rows; a middle column belongs to neither half.
    fn right_halves(&self) -> HoleSet {
        let row: HoleSet = (self.h.div_ceil(2)..self.h).fold(0, |set, hole| set | 1 << hole);
        row | row << self.h
    }

    /// The two rightmost holes. A bug that games rely on: in the gratuitous classes the rule
    /// applies to player 1's row only, for either mover, and player 2's right is its first hole.
    fn right_two(&self, side: Side, holes: HoleSet) -> HoleSet {
        let free = if self.is_gratuitous() { holes & row(&self.params, Side::Two) } else { 0 };
        let bound = holes & !free;
        let from_first = self.is_gratuitous() && side == Side::Two;
        let next = |holes| if from_first { lowest(holes) } else { rightmost(holes) };
        let first = next(bound);
        free | first | next(bound & !first)
    }

    /// Keeps the holes that were not moved yet. If a move names a row, all holes of the board must
    /// be moved first.
    fn unmoved_first(&self, pos: &Position, side: Side, holes: HoleSet) -> HoleSet {
        let names_row = self.territory
            || self.params.no_sides
            || self.is_gratuitous()
            || self.params.game_class == Class::EastWestCycle;
        let all = if names_row { self.board } else { self.side(side) };
        if all & !pos.unlocked == 0 { holes } else { holes & !pos.unlocked }
    }
}

/// Removes holes with that count, unless there are no others.
fn only_if_all(pos: &Position, holes: HoleSet, count: u16) -> HoleSet {
    let with = with_count(pos, holes, count);
    if with == holes { holes } else { holes & !with }
}

fn two_or_rightmost(pos: &Position, holes: HoleSet) -> HoleSet {
    let twos = with_count(pos, holes, 2);
    if twos == holes { rightmost(holes) } else { holes & !twos }
}

fn with_count(pos: &Position, holes: HoleSet, count: u16) -> HoleSet {
    members(holes).fold(0, |set, hole| set | u64::from(pos.seeds[hole] == count) << hole)
}

/// The first hole in counter-clockwise order.
const fn lowest(holes: HoleSet) -> HoleSet {
    holes & holes.wrapping_neg()
}

/// Last hole in counter-clockwise order, which is the rightmost for the owner of the row.
fn rightmost(holes: HoleSet) -> HoleSet {
    holes.checked_ilog2().map_or(0, |hole| 1 << hole)
}
