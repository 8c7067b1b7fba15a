//! Search to a depth with alpha and beta: what `minimaxer` and `negamaxer` share. Must not know
//! how the replies to a move are searched.
//!
//! A ply is a step of either player; another turn costs one like any move. The search deepens
//! ply by ply, so that a budget that ends early leaves a whole pass, and the best move of one
//! pass is the first of the next. A position in which the game or a round is over, and one at
//! the depth, is judged by the [`Scorer`].
//!
//! Among moves of the same value one is taken by chance. A value that alpha-beta finds is exact
//! above its lower bound only, so that bound is kept one below the best value: what comes out
//! equal is equal.

use std::marker::PhantomData;

use rand_chacha::ChaCha8Rng;

use super::candidates::candidates;
use super::scorer::Scorer;
use super::{Budget, Chosen, Mind, Thought};
use crate::games::{Counting, MoveList, Rules, Turn};
use crate::record::{Seed, Side, below};

/// Layouts that are tried of each move that wants one.
const LAYOUTS: usize = 6;
/// The same for all, so that two walks that come to the same values choose the same moves.
const STREAM: &str = "alpha-beta";
/// Beyond every value.
pub(super) const INFINITY: i64 = 1 << 60;

/// How the replies to a move are searched.
pub(super) trait Walk: Send + 'static {
    /// What a position is worth for the side that has just moved: exact if that is more than
    /// `floor`, otherwise any number that is not.
    fn worth<R: Counting>(
        tree: &mut Tree<'_, R>,
        after: &R::Position,
        mover: Side,
        depth: u32,
        floor: i64,
    ) -> i64;
}

/// Searches to a depth.
#[derive(Debug)]
pub(super) struct AlphaBeta<R: Rules, W> {
    depth: u32,
    scorer: Scorer,
    rng: ChaCha8Rng,
    lists: Vec<Moves<R>>,
    walk: PhantomData<W>,
}

type Moves<R> = MoveList<<R as Rules>::Move, <R as Rules>::Template>;

impl<R: Counting, W: Walk> AlphaBeta<R, W> {
    pub(super) fn new(depth: u32, scorer: Scorer) -> Self {
        Self { depth, scorer, rng: Seed(0).stream(STREAM), lists: Vec::new(), walk: PhantomData }
    }
}

impl<R: Counting, W: Walk> Mind<R> for AlphaBeta<R, W> {
    fn begin(&mut self, seed: Seed) {
        self.rng = seed.stream(STREAM);
    }

    fn choose(
        &mut self,
        rules: &R,
        position: &R::Position,
        budget: &mut dyn Budget,
    ) -> Chosen<R::Move> {
        let Turn::Player(mover) = rules.turn(position) else {
            unreachable!("a player is asked on a player's turn only")
        };
        let Self { depth, scorer, rng, lists, .. } = self;
        let mut tree = Tree { rules, scorer, rng, budget, lists, nodes: 0, stopped: false };
        let mut moves = tree.list(position).moves;
        let best = tree.deepen::<W>(position, mover, *depth, &mut moves);
        let nodes = tree.nodes;
        let pick = below(&mut self.rng, best.equals as u64) as usize;
        let thought = Thought { nodes, depth: (best.depth > 0).then_some(best.depth), seeds: None };
        Chosen { mv: moves.swap_remove(pick), thought }
    }
}

/// The best moves of a pass stand first.
struct Best {
    /// So many are equally good.
    equals: usize,
    /// Plies of the pass; 0 if none was needed or none was finished.
    depth: u32,
}

/// A search in progress.
pub(super) struct Tree<'s, R: Rules> {
    rules: &'s R,
    scorer: &'s Scorer,
    rng: &'s mut ChaCha8Rng,
    budget: &'s mut dyn Budget,
    /// Lists that are not in use.
    lists: &'s mut Vec<Moves<R>>,
    nodes: u64,
    stopped: bool,
}

impl<R: Counting> Tree<'_, R> {
    /// Passes of one ply, two, and so on; brings the best moves to the front.
    fn deepen<W: Walk>(
        &mut self,
        position: &R::Position,
        mover: Side,
        depth: u32,
        moves: &mut [R::Move],
    ) -> Best {
        let mut best = Best { equals: 1, depth: 0 };
        if moves.len() == 1 {
            return best;
        }
        for depth in 1..=depth {
            let Some(found) = self.pass::<W>(position, mover, depth - 1, moves) else { break };
            for (to, &at) in found.iter().enumerate() {
                moves.swap(to, at);
            }
            best = Best { equals: found.len(), depth };
            if self.budget.is_nearly_spent() {
                break;
            }
        }
        best
    }

    /// The places of the best moves; `None` if the budget has ended before.
    fn pass<W: Walk>(
        &mut self,
        position: &R::Position,
        mover: Side,
        depth: u32,
        moves: &[R::Move],
    ) -> Option<Vec<usize>> {
        let (mut best, mut most) = (Vec::new(), -INFINITY);
        for (at, mv) in moves.iter().enumerate() {
            let after = self.after(position, mv)?;
            let worth = W::worth(self, &after, mover, depth, most - 1);
            if self.stopped {
                return None;
            }
            if worth > most {
                (best, most) = (Vec::new(), worth);
            }
            if worth == most {
                best.push(at);
            }
        }
        Some(best)
    }

    /// Who makes the next step.
    pub(super) fn turn(&self, position: &R::Position) -> Turn {
        self.rules.turn(position)
    }

    /// The position after a move; `None` once the budget is spent.
    pub(super) fn after(&mut self, position: &R::Position, mv: &R::Move) -> Option<R::Position> {
        if self.stopped {
            return None;
        }
        let mut after = position.clone();
        self.rules.play(&mut after, mv, &mut ());
        self.nodes += 1;
        self.stopped = self.budget.spent(1);
        Some(after)
    }

    /// What a position is worth for player 1 without looking ahead.
    pub(super) fn score(&mut self, position: &R::Position, turn: Turn) -> i64 {
        self.scorer.score(self.rules, position, turn, self.rng)
    }

    /// The moves of a position, to be handed back.
    pub(super) fn list(&mut self, position: &R::Position) -> Moves<R> {
        let mut list = self.lists.pop().unwrap_or_default();
        candidates(self.rules, position, LAYOUTS, self.rng, &mut list);
        list
    }

    /// Takes a list back.
    pub(super) fn hand_back(&mut self, list: Moves<R>) {
        self.lists.push(list);
    }
}
