//! Family of games: interface of a rules module for the catalogue.

use super::{GameSpec, Rules, SpecErrors};

/// Rules of a family of games. The families are the rows of `families!` in `catalogue.rs`.
pub trait Family: Rules {
    /// Version, incremented when a change of the code changes the results of games.
    const VERSION: u32;

    /// Names of its games, without variants.
    fn names() -> Vec<&'static str>;

    /// Looks a game up, and returns its rules and the canonical text of its name and options.
    /// `None` if no game of the family has this name.
    fn look_up(spec: &GameSpec) -> Option<Result<(Self, String), SpecErrors>>;

    /// Descriptions of its games; empty if their parameters describe them.
    fn descriptions() -> Vec<Description>;
}

/// Description of a game with rules of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// Name of the game.
    pub name: &'static str,
    /// Holes on each side and seeds in each: `8×6`.
    pub size: &'static str,
    /// One-line description.
    pub about: &'static str,
    /// Notes and options, one line each.
    pub notes: Vec<String>,
}
