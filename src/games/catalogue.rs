//! The table of all games.

use std::sync::Arc;

use super::coloured_awale::ColouredAwale;
use super::{Game, GameSpec, SpecFault, game_of};

/// A game that can be named.
#[derive(Debug)]
pub struct GameEntry {
    /// Its name.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Its options, one line each: name, values, meaning. Empty: none.
    pub options: &'static [&'static str],
    build: fn(&GameSpec) -> Result<Arc<dyn Game>, SpecFault>,
}

/// All games, by name.
pub const GAMES: &[GameEntry] = &[GameEntry {
    name: ColouredAwale::NAME,
    about: "sixteen holes and seeds of three colours; who captures 49 wins",
    options: ColouredAwale::OPTIONS,
    build: |spec| Ok(game_of(ColouredAwale::from_spec(spec)?)),
}];

/// Looks a game up and sets its options.
pub fn find(spec: &GameSpec) -> Result<Arc<dyn Game>, SpecFault> {
    let entry = GAMES.iter().find(|entry| entry.name == spec.name).ok_or_else(|| {
        let known: Vec<_> = GAMES.iter().map(|entry| entry.name).collect();
        SpecFault::UnknownGame { name: spec.name.clone(), known: known.join(", ") }
    })?;
    (entry.build)(spec)
}
