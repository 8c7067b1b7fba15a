//! Steps of a two-row game and their notation.

use std::fmt;
use std::hash::{Hash, Hasher};

use pitmaster_core::Side;

use super::position::{HoleSet, MAX_BOARD};

/// Seeds by hole, as they were written: a layout that may be played is in the order of the
/// holes, without zeros. Plain data in itself, so that a list of moves is emptied at once.
#[derive(Clone, Copy)]
pub struct Layout {
    holes: [(u8, u16); MAX_BOARD],
    len: u8,
}

impl std::ops::Deref for Layout {
    type Target = [(u8, u16)];

    fn deref(&self) -> &[(u8, u16)] {
        &self.holes[..usize::from(self.len)]
    }
}

/// Beyond as many as a board has holes, the rest is left out.
impl FromIterator<(u8, u16)> for Layout {
    fn from_iter<I: IntoIterator<Item = (u8, u16)>>(all: I) -> Self {
        let mut layout = Self { holes: [(0, 0); MAX_BOARD], len: 0 };
        for (place, hole) in layout.holes.iter_mut().zip(all) {
            *place = hole;
            layout.len += 1;
        }
        layout
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl PartialEq for Layout {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Layout {}

impl Hash for Layout {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

/// A direction of sowing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// Counter-clockwise: to the next higher number.
    Ccw,
    /// Clockwise.
    Cw,
}

impl Way {
    /// The other one.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Ccw => Self::Cw,
            Self::Cw => Self::Ccw,
        }
    }
}

/// One step, by a player or by chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// Sows a hole: `5`, `5+`, `5-`. Also what chance draws as a random opening.
    Sow {
        /// From 0.
        hole: u8,
        /// Where the mover chooses.
        way: Option<Way>,
    },
    /// Sows so many seeds from the mover's own store: `s3`.
    Store(u16),
    /// Puts the captured seeds into a hole of the opponent's: `9`.
    Place(u8),
    /// `pass`: no move; or the layout stays as it is.
    Pass,
    /// `swap`: the pie rule.
    Swap,
    /// `fill=1:4,2:4`: a new layout of the row that may be changed.
    Fill(Layout),
    /// `own=3,5`: of a row of mixed owners, the holes that the player wants.
    Own(HoleSet),
    /// Chance: `round`; `round=1` where a hole was drawn for, and the side that got it.
    Round(Option<Side>),
    /// Chance: `deal=1:3,2:5`: the board of a random start.
    Deal(Layout),
}

/// A move that wants a layout.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Template {
    /// `fill=*24`: so many seeds at most.
    Fill(u16),
    /// `own=*2`: so many holes.
    Own(u8),
}
