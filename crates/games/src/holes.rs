//! Packed array of sixteen small numbers, one per hole, for games with sixteen holes. The module
//! does not know moves.
//!
//! Byte `h` of a `u128` belongs to hole `h`. No number exceeds 96, the most seeds of a game, so
//! the top bit of every byte is free: sums of seeds never carry into the next hole, and one
//! addition tests all holes at once.

use std::fmt;
use std::ops::{Add, AddAssign, BitAnd, Mul, Not, Sub};

use pitmaster_core::{BySide, Side};

/// Number of holes.
pub(super) const HOLES: usize = 16;

/// The lowest bit of every byte, and the highest.
const LOW: u128 = u128::MAX / 0xff;
const HIGH: u128 = LOW << 7;

/// A number from 0 to 96 for each hole, or a mask with all bits of some holes set.
///
/// Also represents the change by a sowing, which is negative in some holes. Sums and differences
/// wrap around and are correct once added to the original.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Holes(u128);

impl Holes {
    pub(super) const NONE: Self = Self(0);

    /// The same number in every hole.
    pub(super) const fn all(number: u8) -> Self {
        Self(LOW * number as u128)
    }

    /// A number in one hole, none in the others.
    pub(super) const fn only(hole: usize, number: u8) -> Self {
        Self((number as u128) << (8 * hole))
    }

    /// Mask of a side's holes if owners alternate: hole 0, displayed as 1, belongs to player 1.
    pub(super) const fn of(side: Side) -> Self {
        Self((u128::MAX / 0xffff * 0xff) << (8 * side.index()))
    }

    pub(super) fn from_numbers(numbers: [u8; HOLES]) -> Self {
        Self(u128::from_le_bytes(numbers))
    }

    pub(super) fn numbers(self) -> [u8; HOLES] {
        self.0.to_le_bytes()
    }

    pub(super) fn get(self, hole: usize) -> u8 {
        // A variable shift of a `u128` is slower.
        let half = if hole < HOLES / 2 { self.0 as u64 } else { (self.0 >> 64) as u64 };
        (half >> (8 * (hole % 8))) as u8
    }

    /// One less in a hole, one more in another.
    pub(super) const fn with_one_moved(self, from: usize, to: usize) -> Self {
        Self(self.0.wrapping_sub(1 << (8 * from)).wrapping_add(1 << (8 * to)))
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The sum over all holes, which must be below 256.
    pub(super) fn total(self) -> u8 {
        let pairs = (self.0 >> 64) as u64 + self.0 as u64;
        // The top byte of this product is the sum of the eight bytes.
        (pairs.wrapping_mul(LOW as u64) >> 56) as u8
    }

    /// The sums over the holes of each side.
    #[inline]
    pub(super) fn by_side(self) -> BySide<u8> {
        BySide::from_fn(|side| (self & Self::of(side)).total())
    }

    /// 1 where the number is this one.
    pub(super) fn equal(self, number: u8) -> Self {
        let zero_there = Self(self.0 ^ Self::all(number).0);
        Self((!zero_there.tops_if_not_zero() >> 7) & LOW)
    }

    /// 1 where the number is not 0.
    pub(super) fn occupied(self) -> Self {
        Self((self.tops_if_not_zero() >> 7) & LOW)
    }

    /// Mask of the unbroken run of twos and threes backward from `last`, at most once around.
    pub(super) fn twos_and_threes_back_from(self, last: usize) -> Self {
        let zero_for_them = Self((self.0 & !LOW) ^ (LOW << 1));
        let to_top = 8 * (HOLES - 1 - last) as u32;
        // With the last hole on top, the length of the run is the position of the first other hole.
        let others = zero_for_them.tops_if_not_zero().rotate_left(to_top);
        let below = u128::MAX.checked_shr(others.leading_zeros()).unwrap_or(0);
        Self((!below).rotate_right(to_top))
    }

    /// All bits of the numbers: bit `b` of hole `h` is bit `8 h + b`.
    pub(super) fn bits(self) -> u128 {
        self.0
    }

    /// The top bit of every hole whose number is not 0; exact for numbers below 128.
    fn tops_if_not_zero(self) -> u128 {
        (self.0 + (HIGH - LOW)) & HIGH
    }
}

impl Add for Holes {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl AddAssign for Holes {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Holes {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

/// Multiplies every number by the same factor.
impl Mul<u8> for Holes {
    type Output = Self;

    fn mul(self, by: u8) -> Self {
        Self(self.0 * u128::from(by))
    }
}

impl BitAnd for Holes {
    type Output = Self;

    fn bitand(self, mask: Self) -> Self {
        Self(self.0 & mask.0)
    }
}

impl Not for Holes {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl fmt::Debug for Holes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.numbers().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_belong_to_the_sides_by_turns() {
        let one = [0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0];
        assert_eq!(Holes::of(Side::One).numbers(), one);
        assert_eq!(Holes::of(Side::Two), !Holes::of(Side::One));
    }

    #[test]
    fn every_number_up_to_all_seeds_is_told_from_zero() {
        for number in 0..=96 {
            assert_eq!(Holes::all(number).occupied(), Holes::all(u8::from(number > 0)));
        }
    }

    #[test]
    fn numbers_are_compared_in_every_hole() {
        for number in 0..=96 {
            for other in 0..=96 {
                let equal = Holes::all(number).equal(other);
                assert_eq!(equal, Holes::all(u8::from(number == other)), "{number} {other}");
            }
        }
        let first_eight = Holes::from_numbers([1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(first_eight.by_side(), BySide::new(16, 20));
    }

    #[test]
    fn only_twos_and_threes_are_captured() {
        for number in 0..=96 {
            let run = Holes::all(number).twos_and_threes_back_from(5);
            let expected = if matches!(number, 2 | 3) { Holes(u128::MAX) } else { Holes::NONE };
            assert_eq!(run, expected, "{number}");
        }
    }

    #[test]
    fn a_run_goes_back_around_the_first_hole_and_stops_at_another_number() {
        let numbers = [3, 2, 2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 4, 2, 3];
        let run = Holes::from_numbers(numbers).twos_and_threes_back_from(1).numbers();
        assert_eq!(run, [255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]);
    }
}
