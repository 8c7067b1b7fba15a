//! The thinking: which move to play. This is the file to change.
//!
//! It knows no rules yet, and plays the first of the moves that the referee lists.

use std::process;
use std::time::Duration;

/// One player in one game; every game gets a new one.
#[allow(dead_code)] // until the fields are of use
pub struct Player {
    game: String,       // as the referee names it, with options; "" if it does not
    side: usize,        // 1 or 2
    moves: Vec<String>, // all that were played so far
}

impl Player {
    pub fn new(game: &str, side: usize) -> Self {
        Self {
            game: game.to_owned(),
            side,
            moves: Vec::new(),
        }
    }

    /// A move was played, by this player or by the other.
    pub fn played(&mut self, text: &str) {
        self.moves.push(text.to_owned());
    }

    /// The move to play; none if the game is over, or it is the other's turn.
    ///
    /// `listed` are the legal moves, if the referee lists them: in arena it does not.
    pub fn choose(&mut self, listed: &[String], _time: Duration) -> Option<String> {
        let Some(first) = listed.first() else {
            eprintln!("arena lists no legal moves: write the rules before you play it");
            process::exit(1);
        };
        Some(first.replace('*', "a1:")) // a layout: all seeds on one hole
    }
}
