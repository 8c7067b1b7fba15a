//! Moves and their notation: `3R`, `3B`, `3TR`, `3TB`. The module does not know positions.

use std::fmt;
use std::str::FromStr;

use crate::TextError;
use crate::holes::HOLES;

/// Kind of seed. Its number is the `kind` of [`Step::Sow`](crate::Step::Sow).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Sown in every hole.
    Red = 0,
    /// Sown in the opponent's holes only.
    Blue = 1,
    /// Sown as red or blue, as the mover chooses.
    Transparent = 2,
}

impl Kind {
    /// All kinds, in the order of a position's text.
    pub const ALL: [Self; 3] = [Self::Red, Self::Blue, Self::Transparent];
}

/// Move: a hole, a color, and whether the hole's transparent seeds are sown first as that color.
///
/// It is stored as the number of its bit in a set of moves: `8 * hole + TRANSPARENT + colour`.
/// Moves are ordered as they are listed: by hole, then `R`, `B`, `TR`, `TB`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u8);

const TRANSPARENT: u8 = 0b10;
const BLUE: u8 = 0b01;

impl Move {
    /// Makes a move from a hole, counted from 0.
    ///
    /// Returns `None` if there is no such hole, and if the color is [`Kind::Transparent`].
    pub fn new(hole: u8, transparent: bool, colour: Kind) -> Option<Self> {
        let there_is = usize::from(hole) < HOLES && colour != Kind::Transparent;
        there_is.then(|| Self(8 * hole + TRANSPARENT * u8::from(transparent) + colour as u8))
    }

    /// Hole, counted from 0.
    pub fn hole(self) -> u8 {
        // The modulus changes nothing, but tells the compiler that there are 16 holes.
        (self.0 / 8) % HOLES as u8
    }

    /// Whether the transparent seeds are sown first.
    pub fn transparent(self) -> bool {
        self.0 & TRANSPARENT != 0
    }

    /// Color as which the seeds are sown: red or blue.
    pub fn colour(self) -> Kind {
        if self.0 & BLUE == 0 { Kind::Red } else { Kind::Blue }
    }
}

/// Set of moves as bits, iterated in the order of [`Move`].
pub(super) struct Moves(pub(super) u128);

impl Moves {
    pub(super) fn contains(&self, mv: Move) -> bool {
        self.0 >> mv.0 & 1 == 1
    }
}

impl Iterator for Moves {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Move(lowest))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let transparent = if self.transparent() { "T" } else { "" };
        let colour = if self.colour() == Kind::Blue { "B" } else { "R" };
        write!(f, "{}{transparent}{colour}", self.hole() + 1)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        read(text.as_bytes()).ok_or_else(|| {
            TextError("a move is a hole from 1 to 16 and R, B, TR or TB, like 3R or 14TB".into())
        })
    }
}

fn read(text: &[u8]) -> Option<Move> {
    let (hole, sowing) = text.split_at(text.iter().take_while(|c| c.is_ascii_digit()).count());
    let hole = match *hole {
        [units @ b'1'..=b'9'] => units - b'0',
        [b'1', units @ b'0'..=b'6'] => 10 + units - b'0',
        _ => return None,
    };
    let (transparent, colour) = match *sowing {
        [colour] => (false, colour),
        [b'T' | b't', colour] => (true, colour),
        _ => return None,
    };
    let colour = match colour {
        b'R' | b'r' => Kind::Red,
        b'B' | b'b' => Kind::Blue,
        _ => return None,
    };
    Move::new(hole - 1, transparent, colour)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_has_one_text_and_is_read_in_either_case() {
        let all: Vec<Move> = Moves(u128::MAX / 0xff * 0xf).collect();
        assert_eq!(all.len(), 64);
        assert!(all.is_sorted());
        for mv in all {
            let text = mv.to_string();
            assert_eq!(text.parse(), Ok(mv));
            assert_eq!(text.to_lowercase().parse(), Ok(mv));
            assert_eq!(Move::new(mv.hole(), mv.transparent(), mv.colour()), Some(mv));
        }
    }

    #[test]
    fn other_texts_are_no_moves() {
        for text in [
            "",
            "3",
            "R",
            "TR",
            "0R",
            "03R",
            "17R",
            "3 R",
            " 3R",
            "3R ",
            "3R\n",
            "3RT",
            "3T",
            "3TT",
            "3TRR",
            "+3R",
            "-3R",
            "3G",
            "116R",
            "³R",
            "3Ｒ",
            "1٣R",
            "3R3R",
            "99999999999R",
        ] {
            assert!(text.parse::<Move>().is_err(), "{text:?}");
        }
        assert_eq!(Move::new(16, false, Kind::Red), None);
        assert_eq!(Move::new(0, true, Kind::Transparent), None);
    }
}
