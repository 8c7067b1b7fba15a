//! Search interface of a player, for one kind of game.

use std::fmt;

use pitmaster_core::{Seed, Side};
use pitmaster_games::Rules;

use super::Budget;

/// Search algorithm for games with these rules.
pub trait Searcher<R: Rules>: Send {
    /// Begins a game. All randomness derives from the seed and no state of other games is kept, so
    /// the same seed gives the same game.
    fn begin(&mut self, seed: Seed);

    /// Chooses a move in a position in which a player is to move.
    fn choose(
        &mut self,
        rules: &R,
        position: &R::Position,
        budget: &mut dyn Budget,
    ) -> Chosen<R::Move>;
}

/// Chosen move with details of the search.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen<M> {
    /// Move.
    pub mv: M,
    /// Details of the search.
    pub thought: Thought,
}

/// Details of the search for a move.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Thought {
    /// Number of moves made on a board while searching.
    pub nodes: u64,
    /// Depth in plies that was searched completely, for depth-limited searches.
    pub depth: Option<u32>,
    /// Estimated value of the position for the side to move, in seeds, if the player estimates it.
    pub seeds: Option<f64>,
    /// Result of the position, if the search has proven it.
    pub verdict: Option<Verdict>,
}

/// Proven result of a position: what happens if both sides play their best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Winner; `None` for a draw.
    pub winner: Option<Side>,
    /// Difference of the final scores, for the winner. `None` if only the winner is proven.
    pub margin: Option<i32>,
}

/// Text for people: `player 1 wins by 3`, `player 2 wins`, `a draw`.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.winner, self.margin) {
            (None, _) => f.write_str("a draw"),
            (Some(side), Some(margin)) if margin > 0 => write!(f, "player {side} wins by {margin}"),
            (Some(side), _) => write!(f, "player {side} wins"),
        }
    }
}

impl<M> Chosen<M> {
    /// Makes the result for a move that needed no search.
    pub fn unthought(mv: M) -> Self {
        Self { mv, thought: Thought::default() }
    }
}
