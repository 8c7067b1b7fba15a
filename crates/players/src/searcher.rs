//! Search interface of a player, for one kind of game.

use pitmaster_core::Seed;
use pitmaster_games::Rules;

use super::Budget;

/// Search algorithm for games with these rules.
pub trait Searcher<R: Rules>: Send {
    /// Begins a game. All randomness follows from the seed and nothing is kept of other games, so
    /// the same seed plays the same game again.
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
}

impl<M> Chosen<M> {
    /// Makes the result for a move that needed no search.
    pub fn unthought(mv: M) -> Self {
        Self { mv, thought: Thought::default() }
    }
}
