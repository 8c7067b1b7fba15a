//! The two sides of a game, and pairs of things that belong to them.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// One of the two sides. Player 1 need not be the one who moves first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Side {
    /// Player 1.
    One,
    /// Player 2.
    Two,
}

impl Side {
    /// Both sides, player 1 first.
    pub const BOTH: [Self; 2] = [Self::One, Self::Two];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }

    /// 1 or 2, as people and the wire say it.
    pub const fn number(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }

    /// The side of that number, if it is 1 or 2.
    pub const fn from_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            _ => None,
        }
    }

    /// 0 or 1, for indexing.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

impl From<Side> for u8 {
    fn from(side: Side) -> Self {
        side.number()
    }
}

impl TryFrom<u8> for Side {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        Self::from_number(number).ok_or_else(|| format!("a side is 1 or 2, not {number}"))
    }
}

/// Something that each side has one of. Written as `[one, two]`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BySide<T> {
    /// What belongs to player 1.
    pub one: T,
    /// What belongs to player 2.
    pub two: T,
}

/// The seeds (or whatever the game counts) that each side has.
pub type Score = BySide<u32>;

impl<T> BySide<T> {
    /// Player 1's, then player 2's.
    pub const fn new(one: T, two: T) -> Self {
        Self { one, two }
    }

    /// Makes one for each side.
    pub fn from_fn(mut make: impl FnMut(Side) -> T) -> Self {
        Self { one: make(Side::One), two: make(Side::Two) }
    }

    /// Applies a function to both.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> BySide<U> {
        BySide { one: f(self.one), two: f(self.two) }
    }

    /// Borrows both.
    pub const fn as_ref(&self) -> BySide<&T> {
        BySide { one: &self.one, two: &self.two }
    }

    /// The same two things seen from the other end.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { one: self.two, two: self.one }
    }

    /// Both, player 1's first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        [&self.one, &self.two].into_iter()
    }
}

impl<T> From<BySide<T>> for [T; 2] {
    fn from(pair: BySide<T>) -> Self {
        [pair.one, pair.two]
    }
}

impl Score {
    /// The side with more, or `None` when they are equal.
    pub fn leader(self) -> Option<Side> {
        match self.one.cmp(&self.two) {
            std::cmp::Ordering::Greater => Some(Side::One),
            std::cmp::Ordering::Less => Some(Side::Two),
            std::cmp::Ordering::Equal => None,
        }
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        match side {
            Side::One => &self.one,
            Side::Two => &self.two,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::One => &mut self.one,
            Side::Two => &mut self.two,
        }
    }
}

impl<T: Serialize> Serialize for BySide<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.one, &self.two).serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for BySide<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (one, two) = Deserialize::deserialize(deserializer)?;
        Ok(Self { one, two })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_written_as_their_numbers() {
        let pair = BySide::new(Side::Two, Side::One);
        let text = serde_json::to_string(&pair).expect("serialises");
        assert_eq!(text, "[2,1]");
        assert_eq!(serde_json::from_str::<BySide<Side>>(&text).expect("parses"), pair);
        assert!(serde_json::from_str::<Side>("3").is_err());
    }

    #[test]
    fn the_leader_is_whoever_has_more() {
        assert_eq!(Score::new(49, 12).leader(), Some(Side::One));
        assert_eq!(Score::new(4, 12).leader(), Some(Side::Two));
        assert_eq!(Score::new(48, 48).leader(), None);
    }
}
