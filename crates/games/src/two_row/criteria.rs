//! Capture criteria: tests that decide whether a hole may be captured.

use super::params::{CaptSide, CrossCapt, Params};
use super::plan::Plan;
use super::position::{HoleSet, Position};
use super::ring::{Cell, is_store};
use super::sowing::Sowing;

/// Seed counts that a basic capture requires: `evens`, `capt_min`, `capt_max`, `capt_on`, all that
/// are set.
#[derive(Debug)]
pub(super) struct Criteria {
    /// Whether any criterion is set.
    pub(super) any: bool,
    /// Results for counts below 256.
    small: [u64; 4],
    evens: bool,
    least: u16,
    most: u16,
    on: Vec<i32>,
}

impl Criteria {
    pub(super) fn new(params: &Params) -> Self {
        let limit = |number: i32, off: u16| match number {
            0 => off,
            number => u16::try_from(number).unwrap_or(u16::MAX),
        };
        let mut criteria = Self {
            any: params.evens
                || params.capt_min != 0
                || params.capt_max != 0
                || !params.capt_on.is_empty(),
            small: [0; 4],
            evens: params.evens,
            least: limit(params.capt_min, 0),
            most: limit(params.capt_max, u16::MAX),
            on: params.capt_on.clone(),
        };
        for count in 0..256 {
            criteria.small[count as usize / 64] |= u64::from(criteria.slow(count)) << (count % 64);
        }
        criteria
    }

    fn slow(&self, count: u16) -> bool {
        count > 0
            && (!self.evens || count.is_multiple_of(2))
            && (self.least..=self.most).contains(&count)
            && (self.on.is_empty() || self.on.contains(&i32::from(count)))
    }

    /// Whether this many seeds may be captured; never zero.
    #[inline]
    pub(super) fn allow(&self, count: u16) -> bool {
        match self.small.get(count as usize / 64) {
            Some(word) => word >> (count % 64) & 1 != 0,
            None => self.slow(count),
        }
    }
}

impl Plan {
    /// Whether a cell passes the basic test: children, locks, sides and counts.
    #[inline]
    pub(super) fn basic(&self, pos: &Position, s: &Sowing, cell: Cell) -> bool {
        self.criteria.allow(pos.count(cell)) && self.open_to(pos, cell, self.capture_side(pos, s))
    }

    /// Basic test without the counts, and without the side for cross captures; used for extra
    /// picks.
    pub(super) fn plain(&self, pos: &Position, s: &Sowing, cell: Cell) -> bool {
        let side = match self.params.crosscapt {
            CrossCapt::None => self.capture_side(pos, s),
            _ => HoleSet::MAX,
        };
        pos.count(cell) > 0 && self.open_to(pos, cell, side)
    }

    /// Whether a cell is neither a child nor locked nor out of reach. Stores have no owner here.
    #[inline]
    fn open_to(&self, pos: &Position, cell: Cell, side: HoleSet) -> bool {
        if is_store(cell) {
            return self.store_captures;
        }
        let locked = if self.params.moveunlock { !pos.unlocked } else { 0 };
        (side & !(pos.any_children() & self.kept_children) & !locked) >> cell & 1 != 0
    }

    /// Holes that the mover may capture from under `capt_side`.
    #[inline]
    fn capture_side(&self, pos: &Position, s: &Sowing) -> HoleSet {
        let ends_on =
            |holes: HoleSet| if holes >> (s.end & 63) & 1 != 0 { HoleSet::MAX } else { 0 };
        let (own, opponent) = (s.side, s.side.other());
        match self.params.capt_side {
            CaptSide::OppCont => ends_on(self.side(opponent)),
            CaptSide::OwnCont => ends_on(self.side(own)),
            CaptSide::OppTerr => pos.owned_by(opponent, self.board),
            CaptSide::OwnTerr => pos.owned_by(own, self.board),
            CaptSide::Both | CaptSide::OppSide | CaptSide::OwnSide => {
                self.capture_sides[own.index()]
            }
        }
    }

    /// Whether the mover may capture in a single hole under `capt_side`.
    pub(super) fn side_allows(&self, pos: &Position, s: &Sowing, cell: Cell) -> bool {
        !is_store(cell) && self.capture_side(pos, s) >> cell & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_judged_like_small_ones() {
        let evens = Criteria::new(&Params { evens: true, ..Params::default() });
        assert_eq!(
            [254, 255, 256, 257].map(|count| evens.allow(count)),
            [true, false, true, false]
        );
        let limits = Params { capt_min: 255, capt_max: 300, ..Params::default() };
        let limits = Criteria::new(&limits);
        let counts = [254, 255, 256, 300, 301];
        assert_eq!(counts.map(|count| limits.allow(count)), [false, true, true, true, false]);
        let on = Criteria::new(&Params { capt_on: vec![3, 260], ..Params::default() });
        assert_eq!([3, 4, 259, 260].map(|count| on.allow(count)), [true, false, false, true]);
    }

    #[test]
    fn an_empty_hole_is_never_captured() {
        let any = Criteria::new(&Params::default());
        assert!(!any.any);
        assert_eq!([0, 1, 300].map(|count| any.allow(count)), [false, true, true]);
    }
}
