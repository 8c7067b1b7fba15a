//! Sides of a game, and pairs of values with one per side.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// Side of a game. Player 1 need not move first.
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

    /// Returns the opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }

    /// Number 1 or 2, as people and the wire protocol use it.
    pub const fn number(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }

    /// Returns the side with this number, or `None` if it is not 1 or 2.
    pub const fn from_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            _ => None,
        }
    }

    /// Index 0 or 1.
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

/// Value for each side, serialized as `[one, two]`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BySide<T> {
    /// Value of player 1.
    pub one: T,
    /// Value of player 2.
    pub two: T,
}

/// Seeds (or whatever the game counts) of each side.
pub type Score = BySide<u32>;

impl<T> BySide<T> {
    /// Makes a pair from player 1's and player 2's values.
    pub const fn new(one: T, two: T) -> Self {
        Self { one, two }
    }

    /// Computes a value for each side.
    pub fn from_fn(mut make: impl FnMut(Side) -> T) -> Self {
        Self { one: make(Side::One), two: make(Side::Two) }
    }

    /// Applies a function to both values.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> BySide<U> {
        BySide { one: f(self.one), two: f(self.two) }
    }

    /// Borrows both values.
    pub const fn as_ref(&self) -> BySide<&T> {
        BySide { one: &self.one, two: &self.two }
    }

    /// Swaps the two values.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { one: self.two, two: self.one }
    }

    /// Iterates over both values, player 1's first.
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
    /// Side with the larger value, or `None` if they are equal.
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
