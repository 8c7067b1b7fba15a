//! Monte Carlo tree search with UCT and random playouts to the end of the game.
//!
//! The value of a node is from the view of the player who moved into it. A draw is half a win. The
//! end of a round ends a playout. A playout that takes too long is settled as if by a limit. A
//! repeated position is a new node, so cycles are harmless. All state that the rules need is in the
//! position, so every game is supported.
//!
//! Won ends are exact: a winning move decides the position before it, and a position with only
//! decided moves is decided. The tree is rebuilt for each move.

use pitmaster_core::{Seed, Side, below};
use pitmaster_games::{Counting, MoveList, Rules, Turn};
use rand_chacha::ChaCha8Rng;

use super::candidates::candidates;
use super::settings::TreeSettings;
use super::tree::{ROOT, Tree};
use super::{Budget, Chosen, Searcher, Thought};

/// Number of layouts tried for each template.
const LAYOUTS: usize = 6;
/// Maximum number of plies of a playout.
const MAX_PLIES: u32 = 500;

/// Monte Carlo tree search player.
#[derive(Debug)]
pub(super) struct MonteCarlo<R: Rules> {
    settings: TreeSettings,
    rng: ChaCha8Rng,
    /// Always cloned, never advanced, so that a position always gets the same layouts.
    layouts: ChaCha8Rng,
    tree: Tree,
    list: MoveList<R::Move, R::Template>,
    /// Number of moves made on a board for the current search.
    made: u64,
}

impl<R: Counting> MonteCarlo<R> {
    pub(super) fn new(settings: TreeSettings) -> Self {
        Self {
            settings,
            rng: Seed(0).stream("montecarlo_ts"),
            layouts: Seed(0).stream("layouts"),
            tree: Tree::default(),
            list: MoveList::default(),
            made: 0,
        }
    }
}

impl<R: Counting> Searcher<R> for MonteCarlo<R> {
    fn begin(&mut self, seed: Seed) {
        self.rng = seed.stream("montecarlo_ts");
        self.layouts = seed.stream("layouts");
    }

    fn choose(
        &mut self,
        rules: &R,
        position: &R::Position,
        budget: &mut dyn Budget,
    ) -> Chosen<R::Move> {
        self.tree.clear();
        self.made = 0;
        self.open(rules, position, ROOT);
        let single = self.tree.children(ROOT).len() == 1;
        for _ in 0..if single { 0 } else { self.settings.nodes } {
            if self.tree.won(ROOT).is_some() || self.grow(rules, position, budget) {
                break;
            }
        }
        self.moves(rules, position);
        let mv = self.list.moves.swap_remove(self.tree.best());
        Chosen { mv, thought: Thought { nodes: self.made, ..Thought::default() } }
    }
}

impl<R: Counting> MonteCarlo<R> {
    /// Adds a node, tries it, and updates all nodes above it. Returns whether the budget is spent,
    /// which is checked after each playout.
    fn grow(&mut self, rules: &R, position: &R::Position, budget: &mut dyn Budget) -> bool {
        let mut reported = self.made;
        let mut position = position.clone();
        let mut path = vec![ROOT];
        let mut node = ROOT;
        while let Turn::Player(_) = rules.turn(&position)
            && self.tree.is_open(node)
        {
            let untried = self.tree.untried(node, &mut self.rng);
            let next =
                untried.unwrap_or_else(|| self.tree.most_promising(node, self.settings.bias));
            self.moves(rules, &position);
            let at = next - self.tree.children(node).start;
            self.play(rules, &mut position, at);
            node = next;
            path.push(node);
            if untried.is_some() {
                self.open(rules, &position, node);
                break;
            }
        }
        for _ in 0..self.settings.playouts {
            let won = match self.tree.won(node) {
                Some(side) => Some(side),
                None => self.play_out(rules, position.clone()),
            };
            self.tree.count(&path, won);
            if budget.spent(self.made - std::mem::replace(&mut reported, self.made)) {
                break;
            }
        }
        self.tree.decide(&path);
        budget.spent(0)
    }

    /// Gives a node its children; those that end the game are decided at once.
    fn open(&mut self, rules: &R, position: &R::Position, node: usize) {
        let Turn::Player(side) = rules.turn(position) else {
            return;
        };
        self.moves(rules, position);
        let children = self.tree.open(node, side, self.list.moves.len());
        for (child, mv) in children.zip(&self.list.moves) {
            let mut after = position.clone();
            rules.play(&mut after, mv, &mut ());
            if let Some(Some(won)) = ended(rules, &after) {
                self.tree.end(child, won);
            }
        }
        self.made += self.list.moves.len() as u64;
        self.tree.decide(&[node]);
    }

    /// Winner of a random playout from a position.
    fn play_out(&mut self, rules: &R, mut position: R::Position) -> Option<Side> {
        for _ in 0..MAX_PLIES {
            if let Some(won) = ended(rules, &position) {
                return won;
            }
            candidates(rules, &position, 1, &mut self.rng, &mut self.list);
            let at = below(&mut self.rng, self.list.moves.len() as u64) as usize;
            self.play(rules, &mut position, at);
        }
        rules.adjudicate(&position).winner
    }

    fn moves(&mut self, rules: &R, position: &R::Position) {
        candidates(rules, position, LAYOUTS, &mut self.layouts.clone(), &mut self.list);
    }

    fn play(&mut self, rules: &R, position: &mut R::Position, at: usize) {
        rules.play(position, &self.list.moves[at], &mut ());
        self.made += 1;
    }
}

/// Whether the game or the round has ended, and its winner.
#[expect(clippy::option_option, reason = "not over, or over with a winner, or without")]
fn ended<R: Counting>(rules: &R, position: &R::Position) -> Option<Option<Side>> {
    match rules.turn(position) {
        Turn::Player(_) => None,
        Turn::Over(outcome) => Some(outcome.winner),
        Turn::Chance => Some(rules.round_won(position).flatten()),
    }
}
