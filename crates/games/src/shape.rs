//! Board shape and contents, for drawing. The module knows neither how boards are drawn nor how
//! moves are played.

use pitmaster_core::{BySide, Side};

/// A game's board: where its holes are and whose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// How many rows there are, counted from the top.
    pub rows: u8,
    /// How many holes a row has.
    pub columns: u8,
    /// The kinds of seeds by their numbers; one kind has no name.
    pub kinds: &'static [&'static str],
    /// Whether seeds are kept for the players beside the board.
    pub stores: bool,
    /// The holes in the game's order, the one in which [`super::Spot::Hole`] counts them.
    pub holes: Vec<HoleShape>,
}

/// One kind of seeds, without a name.
pub(super) const ONE_KIND: &[&str] = &[""];

/// A hole on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoleShape {
    /// What moves call it.
    pub label: String,
    /// On whose side it is.
    pub owner: Side,
    /// From the top, from 0.
    pub row: u8,
    /// From the left, from 0.
    pub column: u8,
}

/// What lies on a board.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    /// Of each hole in the game's order, the seeds of each kind.
    pub seeds: Vec<u16>,
    /// What the players have beside the board; nothing where [`Shape::stores`] is false.
    pub stores: BySide<u16>,
    /// What is special of which holes.
    pub marks: Vec<(u8, HoleMark)>,
}

/// What is special of a hole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoleMark {
    /// It takes no more seeds.
    Closed,
    /// It keeps its seeds for that player.
    Child(Side),
    /// It is a ram.
    Ram,
    /// It cannot be captured from, or moved, yet.
    Locked,
    /// It belongs to that player, though it is on the other's side.
    Owned(Side),
}
