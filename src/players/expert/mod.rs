//! The strongest player: iterative deepening over a table of positions, for any game.
//!
//! It thinks in passes, each a ply deeper than the one before (`root`); a pass is a principal
//! variation search (`search`) that finds what it knows of a position in a table (`table`, by
//! `key`) and looks at promising moves first (`ordering`). It stops when its budget is spent
//! (`meter`), or when every line was followed to the end of the game.

mod key;
mod meter;
mod options;
mod ordering;
mod root;
mod search;
mod table;
mod value;

use rand_chacha::ChaCha8Rng;

pub use options::ExpertOptions;

use self::meter::Meter;
use self::ordering::Ordering;
use self::root::Root;
use self::search::{Found, Frame, MAX_PLY, Search};
use self::table::Table;
use super::evaluate::Evaluate;
use super::{Budget, Chosen, Mind, Thought};
use crate::games::{Rules, Turn};
use crate::record::Seed;

/// Searches as deep as its budget goes.
pub struct Expert<R: Rules, E> {
    evaluation: E,
    options: ExpertOptions,
    table: Table,
    ordering: Ordering,
    frames: Vec<Frame<R>>,
    rng: ChaCha8Rng,
}

impl<R: Rules, E> std::fmt::Debug for Expert<R, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Expert").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<R: Rules, E: Evaluate<R>> Expert<R, E> {
    /// One that judges positions so.
    pub fn new(evaluation: E, options: ExpertOptions) -> Self {
        Self {
            evaluation,
            options,
            table: Table::new(options.hash),
            ordering: Ordering::default(),
            frames: std::iter::repeat_with(Frame::default).take(MAX_PLY as usize).collect(),
            rng: Seed(0).stream("expert"),
        }
    }

    fn think(
        &mut self,
        rules: &R,
        position: &R::Position,
        budget: &mut dyn Budget,
    ) -> Thinking<R::Move> {
        let Turn::Player(side) = rules.turn(position) else {
            unreachable!("a player is asked on a player's turn only")
        };
        self.table.grow_older();
        self.ordering.grow_older();
        let mut search = Search {
            rules,
            evaluation: &self.evaluation,
            table: &mut self.table,
            ordering: &mut self.ordering,
            frames: &mut self.frames,
            meter: Meter::new(budget, self.options.nodes),
            reduces: self.options.reduces,
        };
        let mut root = Root::new(&mut search, position, side, &mut self.rng);
        root.deepen(&mut search, self.options.depth);
        let (mv, found, depth) = root.answer();
        Thinking { mv, found, depth, nodes: search.meter.close() }
    }
}

/// A move, and how it was found.
struct Thinking<M> {
    mv: M,
    /// What it is to the side to move; `None` if there was no time for a pass, or no choice.
    found: Option<Found>,
    /// Of the last pass that was finished.
    depth: u32,
    nodes: u64,
}

impl<R: Rules, E: Evaluate<R>> Mind<R> for Expert<R, E> {
    fn begin(&mut self, seed: Seed) {
        self.table.clear();
        self.ordering.clear();
        self.rng = seed.stream("expert");
    }

    fn choose(
        &mut self,
        rules: &R,
        position: &R::Position,
        budget: &mut dyn Budget,
    ) -> Chosen<R::Move> {
        let Thinking { mv, found, depth, nodes } = self.think(rules, position, budget);
        let seeds = found.map(|found| value::seeds(found.value));
        Chosen { mv, thought: Thought { nodes, depth: Some(depth), seeds } }
    }
}

#[cfg(test)]
mod tests;
