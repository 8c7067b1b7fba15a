//! Depth-limited alpha-beta search, shared by `minimaxer` and `negamaxer`. The module does not know
//! how the replies to a move are searched.
//!
//! A ply is a step of either player; an extra turn costs one ply like any move. The search uses
//! iterative deepening, so a budget that runs out still leaves a complete pass. The best move of
//! one pass is the first of the next. The [`Scorer`] evaluates positions in which the game or a
//! round is over, and those at the depth limit.
//!
//! Ties between equal moves are broken at random. A value that alpha-beta finds is exact only above
//! its lower bound, so that bound is kept one below the best value. Values that compare equal are
//! therefore truly equal.

use std::marker::PhantomData;

use pitmaster_core::{Seed, Side, below};
use pitmaster_games::{Counting, MoveList, Rules, Turn};
use rand_chacha::ChaCha8Rng;

use super::candidates::candidates;
use super::scorer::Scorer;
use super::{Budget, Chosen, Searcher, Thought};

/// Number of layouts tried for each move that needs one.
const LAYOUTS: usize = 6;
/// Random stream, the same for all walks, so that two walks with the same values choose the same
/// moves.
const STREAM: &str = "alpha-beta";
/// Larger than every value.
pub(super) const INFINITY: i64 = 1 << 60;

/// Search of the replies to a move.
pub(super) trait Walk: Send + 'static {
    /// Value of a position for the side that has just moved: exact if it exceeds `floor`, otherwise
    /// any number that does not.
    fn worth<R: Counting>(
        tree: &mut Tree<'_, R>,
        after: &R::Position,
        mover: Side,
        depth: u32,
        floor: i64,
    ) -> i64;
}

/// Depth-limited search algorithm.
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

impl<R: Counting, W: Walk> Searcher<R> for AlphaBeta<R, W> {
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
        let depth = (best.depth > 0).then_some(best.depth);
        let thought = Thought { nodes, depth, ..Thought::default() };
        Chosen { mv: moves.swap_remove(pick), thought }
    }
}

/// Best moves of a pass, which are first in the list.
struct Best {
    /// Number of equally good moves.
    equals: usize,
    /// Depth of the pass in plies; 0 if none was needed or none was finished.
    depth: u32,
}

/// Search in progress.
pub(super) struct Tree<'s, R: Rules> {
    rules: &'s R,
    scorer: &'s Scorer,
    rng: &'s mut ChaCha8Rng,
    budget: &'s mut dyn Budget,
    /// Unused lists.
    lists: &'s mut Vec<Moves<R>>,
    nodes: u64,
    stopped: bool,
}

impl<R: Counting> Tree<'_, R> {
    /// Iterative deepening: passes of one ply, two, and so on. Moves the best moves to the front.
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

    /// Indexes of the best moves; `None` if the budget ran out.
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

    /// Returns the side to move, or chance.
    pub(super) fn turn(&self, position: &R::Position) -> Turn {
        self.rules.turn(position)
    }

    /// Position after a move; `None` once the budget is spent.
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

    /// Static value of a position for player 1.
    pub(super) fn score(&mut self, position: &R::Position, turn: Turn) -> i64 {
        self.scorer.score(self.rules, position, turn, self.rng)
    }

    /// Moves of a position, in a list that must be returned with `hand_back`.
    pub(super) fn list(&mut self, position: &R::Position) -> Moves<R> {
        let mut list = self.lists.pop().unwrap_or_default();
        candidates(self.rules, position, LAYOUTS, self.rng, &mut list);
        list
    }

    /// Takes back a list.
    pub(super) fn hand_back(&mut self, list: Moves<R>) {
        self.lists.push(list);
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_games::two_row::file;
    use pitmaster_games::{look_up, with_rules};

    use super::*;
    use crate::Unlimited;
    use crate::minimax::Minimax;
    use crate::negamax::Negamax;

    fn scorer() -> Scorer {
        let file = file::Scorer {
            mx_stores_m: 3,
            mx_seeds_m: 1,
            mx_evens_m: -1,
            mx_rturn_a: 2,
            ..file::Scorer::default()
        };
        Scorer::new(&file, 1, false)
    }

    /// Without bounds: what a position is worth for player 1.
    fn plain<R: Counting>(rules: &R, position: &R::Position, depth: u32) -> i64 {
        let turn = rules.turn(position);
        let Turn::Player(side) = turn else {
            return scorer().score(rules, position, turn, &mut Seed(1).stream("none"));
        };
        if depth == 0 {
            return scorer().score(rules, position, turn, &mut Seed(1).stream("none"));
        }
        let worths = plain_replies(rules, position, depth).into_iter();
        if side == Side::One {
            worths.max().expect("a move")
        } else {
            worths.min().expect("a move")
        }
    }

    fn plain_replies<R: Counting>(rules: &R, position: &R::Position, depth: u32) -> Vec<i64> {
        let mut list = MoveList::default();
        rules.moves(position, &mut list);
        let reply = |mv| {
            let mut after = position.clone();
            rules.play(&mut after, mv, &mut ());
            plain(rules, &after, depth - 1)
        };
        list.moves.iter().map(reply).collect()
    }

    /// The places of the best moves, by bounds and without.
    fn best<R: Counting, W: Walk>(
        rules: &R,
        position: &R::Position,
        depth: u32,
    ) -> [Vec<usize>; 2] {
        let Turn::Player(mover) = rules.turn(position) else { return Default::default() };
        let sign = if mover == Side::One { 1 } else { -1 };
        let worths = plain_replies(rules, position, depth).into_iter().map(|worth| sign * worth);
        let worths: Vec<_> = worths.collect();
        let most = worths.iter().max().copied();
        let exact = (0..worths.len()).filter(|&at| Some(worths[at]) == most).collect();
        let mut rng = Seed(1).stream("none");
        let (scorer, mut lists, budget) = (scorer(), Vec::new(), &mut Unlimited);
        let (rng, lists) = (&mut rng, &mut lists);
        let mut tree =
            Tree { rules, scorer: &scorer, rng, budget, lists, nodes: 0, stopped: false };
        let moves = tree.list(position).moves;
        [tree.pass::<W>(position, mover, depth - 1, &moves).unwrap_or_default(), exact]
    }

    /// Compares along a game played at random.
    fn compare<R: Counting>(rules: &R, name: &str) {
        let (mut position, mut rng) = (rules.start(), Seed(5).stream(name));
        let mut list = MoveList::default();
        for ply in 0..40 {
            match rules.turn(&position) {
                Turn::Over(_) => return,
                Turn::Chance => {
                    let step = rules.draw(&position, &mut rng);
                    rules.play(&mut position, &step, &mut ());
                    continue;
                }
                Turn::Player(_) => {}
            }
            let depth = ply % 4 + 1;
            let [found, exact] = best::<R, Minimax>(rules, &position, depth);
            assert_eq!(found, exact, "{name}, {depth} plies: {}", rules.position_text(&position));
            if rules.breaks_alternation().is_none() {
                assert_eq!(best::<R, Negamax>(rules, &position, depth)[0], exact, "{name}");
            }
            candidates(rules, &position, 1, &mut rng, &mut list);
            let pick = below(&mut rng, list.moves.len() as u64) as usize;
            rules.play(&mut position, &list.moves[pick], &mut ());
        }
    }

    #[test]
    fn the_best_moves_are_those_of_a_search_without_bounds() {
        let games = "coloured-awale kalah,holes=4 oware,holes=4 toguz_kumalak,holes=5 andada deka \
                     weg depouiller waurie micro_wari enkeshui isholo-1 isholo-2b";
        for name in games.split_whitespace() {
            let known = look_up(&name.parse().expect(name)).expect(name);
            with_rules!(known.rules, rules => compare(&rules, name));
        }
    }
}
