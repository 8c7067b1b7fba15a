//! The sixteen holes of a player and their names. The module knows neither seeds nor moves.
//!
//! Internally, a hole is its index in the cycle along which both players sow: `a8` to `a1` are 0 to
//! 7, `b1` to `b8` are 8 to 15. Texts and lists for people use the order `a1` to `a8`, `b1` to
//! `b8`.

use std::fmt;

use crate::holes::HOLES;

/// Number of columns in a player's rows.
pub(super) const COLUMNS: usize = HOLES / 2;

/// Hole of a player, as that player names it: `a1` to `b8`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hole(u8);

impl Hole {
    /// All holes, in the game's order.
    pub const ALL: [Self; HOLES] = {
        let mut all = [Self(0); HOLES];
        let mut number = 0;
        while number < HOLES {
            all[number] = Self::numbered(number as u8);
            number += 1;
        }
        all
    };

    /// Hole by its number in the game's order, from 0; wraps around.
    const fn numbered(number: u8) -> Self {
        let number = number % HOLES as u8;
        // The inner row is sown from its end.
        Self(if number < COLUMNS as u8 { COLUMNS as u8 - 1 - number } else { number })
    }

    /// Number in the game's order, from 0.
    pub const fn number(self) -> usize {
        Self::numbered(self.0).0 as usize
    }

    /// Hole by its index in the cycle; wraps around.
    pub(super) const fn at(place: usize) -> Self {
        Self((place % HOLES) as u8)
    }

    /// Index in the cycle, from 0.
    pub(super) const fn place(self) -> usize {
        self.0 as usize % HOLES
    }

    /// Parses a name in lower case.
    pub(super) fn read(text: &str) -> Option<Self> {
        match *text.as_bytes() {
            [b'a', column @ b'1'..=b'8'] => Some(Self::numbered(column - b'1')),
            [b'b', column @ b'1'..=b'8'] => Some(Self::numbered(column - b'1' + COLUMNS as u8)),
            _ => None,
        }
    }
}

impl fmt::Display for Hole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, row) = (self.number(), if self.place() < COLUMNS { 'a' } else { 'b' });
        write!(f, "{row}{}", number % COLUMNS + 1)
    }
}

impl fmt::Debug for Hole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cycle_goes_along_the_inner_row_and_back_along_the_outer_one() {
        let cycle: Vec<_> = (0..HOLES).map(|place| Hole::at(place).to_string()).collect();
        assert_eq!(cycle.join(" "), "a8 a7 a6 a5 a4 a3 a2 a1 b1 b2 b3 b4 b5 b6 b7 b8");
        assert_eq!(Hole::at(HOLES), Hole::at(0));
    }

    #[test]
    fn every_hole_has_one_name_and_one_number() {
        let names: Vec<_> = Hole::ALL.iter().map(Hole::to_string).collect();
        assert_eq!(names.join(" "), "a1 a2 a3 a4 a5 a6 a7 a8 b1 b2 b3 b4 b5 b6 b7 b8");
        for (number, hole) in Hole::ALL.into_iter().enumerate() {
            assert_eq!(hole.number(), number);
            assert_eq!(Hole::read(&names[number]), Some(hole));
            assert_eq!(Hole::at(hole.place()), hole);
        }
        for text in ["", "a", "a0", "a9", "c1", "1", "a11", "a1 ", "A1", "á1"] {
            assert_eq!(Hole::read(text), None, "{text:?}");
        }
    }
}
