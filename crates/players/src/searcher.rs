//! Search interface of a player, for one kind of game.

use pitmaster_core::Seed;
use pitmaster_games::Rules;

use super::Budget;

/// Finds moves in games with these rules.
pub trait Searcher<R: Rules>: Send {
    /// A game begins: what chance there is follows from the seed, and nothing is known of any
    /// other game, so that the same seed plays the same game again.
    fn begin(&mut self, seed: Seed);

    /// A move in a position in which a player is to move.
    fn choose(
        &mut self,
        rules: &R,
        position: &R::Position,
        budget: &mut dyn Budget,
    ) -> Chosen<R::Move>;
}

/// A move, and what was thought of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen<M> {
    /// It.
    pub mv: M,
    /// How it was found.
    pub thought: Thought,
}

/// How a move was found.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Thought {
    /// Moves made on a board while searching.
    pub nodes: u64,
    /// Plies that were searched in full, where the search goes by depth.
    pub depth: Option<u32>,
    /// What it makes of the position for the side to move, in seeds, where it judges that.
    pub seeds: Option<f64>,
}

impl<M> Chosen<M> {
    /// A move that took no search.
    pub fn unthought(mv: M) -> Self {
        Self { mv, thought: Thought::default() }
    }
}
