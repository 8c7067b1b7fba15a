//! Steps of a two-row game and their notation.

use pitmaster_core::Side;

use super::position::{HoleSet, MAX_BOARD};

/// Seeds by hole, as written. A legal layout is in the order of the holes, without zeros. Boxed,
/// because nearly all moves have none and should be small.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Layout(Box<[(u8, u16)]>);

impl std::ops::Deref for Layout {
    type Target = [(u8, u16)];

    fn deref(&self) -> &[(u8, u16)] {
        &self.0
    }
}

/// Entries beyond the maximum number of holes are dropped.
impl FromIterator<(u8, u16)> for Layout {
    fn from_iter<I: IntoIterator<Item = (u8, u16)>>(all: I) -> Self {
        Self(all.into_iter().take(MAX_BOARD).collect())
    }
}

/// Sowing direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// Counter-clockwise: to the next higher hole number.
    Ccw,
    /// Clockwise.
    Cw,
}

impl Way {
    /// Opposite direction.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Ccw => Self::Cw,
            Self::Cw => Self::Ccw,
        }
    }
}

/// Step by a player or by chance.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Move {
    /// Sows a hole: `5`, `5+`, `5-`. Also drawn by chance for a random opening.
    Sow {
        /// Hole, from 0.
        hole: u8,
        /// Direction, if the mover chooses.
        way: Option<Way>,
    },
    /// Sows this many seeds from the mover's own store: `s3`.
    Store(u16),
    /// Puts the captured seeds into a hole of the opponent: `9`.
    Place(u8),
    /// `pass`: makes no move, or keeps the layout as it is.
    Pass,
    /// `swap`: applies the pie rule.
    Swap,
    /// `fill=1:4,2:4`: lays out the row that may be changed.
    Fill(Layout),
    /// `own=3,5`: chooses the holes that the player wants in a row of mixed owners.
    Own(HoleSet),
    /// Chance: `round`, or `round=1` with the side that got a drawn hole.
    Round(Option<Side>),
    /// Chance: `deal=1:3,2:5`: the board of a random start.
    Deal(Layout),
}

/// Move that needs a layout.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Template {
    /// `fill=*24`: at most this many seeds.
    Fill(u16),
    /// `own=*2`: exactly this many holes.
    Own(u8),
}
