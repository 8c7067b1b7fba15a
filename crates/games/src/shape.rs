//! Board shape and contents, for drawing. The module knows neither how boards are drawn nor how
//! moves are played.

use pitmaster_core::{BySide, Side};

/// Board shape: the positions and owners of the holes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// Number of rows, counted from the top.
    pub rows: u8,
    /// Number of holes per row.
    pub columns: u8,
    /// Names of the kinds of seeds, by number; a single kind has no name.
    pub kinds: &'static [&'static str],
    /// Whether players keep seeds next to the board.
    pub stores: bool,
    /// Holes in the game's order, as counted by [`super::Spot::Hole`].
    pub holes: Vec<HoleShape>,
}

/// Single kind of seeds, without a name.
pub(super) const ONE_KIND: &[&str] = &[""];

/// Hole on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoleShape {
    /// Name of the hole in moves.
    pub label: String,
    /// Side of the board it is on.
    pub owner: Side,
    /// Row from the top, from 0.
    pub row: u8,
    /// Column from the left, from 0.
    pub column: u8,
}

/// Contents of a board.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    /// Seeds of each kind for each hole, in the game's order.
    pub seeds: Vec<u16>,
    /// Seeds that the players have next to the board; zero if [`Shape::stores`] is false.
    pub stores: BySide<u16>,
    /// Special properties of holes.
    pub marks: Vec<(u8, HoleMark)>,
}

/// Special property of a hole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoleMark {
    /// Takes no more seeds.
    Closed,
    /// Child of that player, which keeps its seeds.
    Child(Side),
    /// Ram.
    Ram,
    /// Cannot be captured from or moved yet.
    Locked,
    /// Owned by that player, though it is on the other's side.
    Owned(Side),
}
