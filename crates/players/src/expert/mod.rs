//! Expert player, the strongest: iterative deepening with a transposition table, for any game.
//!
//! Each pass is one ply deeper than the one before (`root`). A pass is a principal variation search
//! (`search`) that looks positions up in a transposition table (`table`, with keys from `key`) and
//! tries promising moves first (`ordering`). The search stops when its budget is spent (`meter`) or
//! when every line has been followed to the end of the game. With several threads, the others run
//! the same search in parallel and share the table.

mod key;
mod meter;
mod options;
mod ordering;
mod root;
mod search;
mod table;
mod value;

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rayon::{ThreadPool, ThreadPoolBuilder};

pub use options::ExpertOptions;
pub(crate) use options::TABLES;

use pitmaster_core::{Seed, Side};
use pitmaster_games::{Rules, Turn};

use self::meter::{Meter, Team};
use self::ordering::Ordering;
use self::root::Root;
use self::search::{Found, Frame, MAX_PLY, Search};
use self::table::Table;
use super::endgame::Endgame;
use super::evaluate::Evaluate;
use super::{Budget, Chosen, Searcher, Thought, Verdict};

/// Search player that uses its whole budget.
pub struct Expert<R: Rules, E> {
    evaluation: E,
    options: ExpertOptions,
    /// Endgame table; `None` if there is none.
    endgame: Option<Arc<dyn Endgame<R>>>,
    table: Table,
    /// State of the thread that answers.
    desk: Desk<R>,
    /// States of the helper threads, which only fill the table.
    helpers: Vec<Desk<R>>,
    /// Thread pool of the helpers; `None` if there are none.
    pool: Option<ThreadPool>,
}

impl<R: Rules, E> std::fmt::Debug for Expert<R, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Expert").field("options", &self.options).finish_non_exhaustive()
    }
}

/// State of one thread.
struct Desk<R: Rules> {
    ordering: Ordering,
    frames: Vec<Frame<R>>,
    rng: ChaCha8Rng,
}

impl<R: Rules> Desk<R> {
    fn new() -> Self {
        Self {
            ordering: Ordering::default(),
            frames: std::iter::repeat_with(Frame::default).take(MAX_PLY as usize).collect(),
            rng: Seed(0).stream("expert"),
        }
    }

    fn begin(&mut self, seed: Seed) {
        self.ordering.clear();
        self.rng = seed.stream("expert");
    }
}

impl<R: Rules, E: Evaluate<R>> Expert<R, E> {
    /// Makes an expert with this evaluation. Helper threads are started at once. If the system has
    /// no threads left, the expert uses one.
    pub fn new(evaluation: E, options: ExpertOptions) -> Self {
        let helpers = options.threads - 1;
        let pool = (helpers > 0).then(|| ThreadPoolBuilder::new().num_threads(helpers).build());
        let pool = pool.and_then(Result::ok);
        let helpers = if pool.is_some() { helpers } else { 0 };
        Self {
            evaluation,
            options,
            endgame: None,
            table: Table::new(options.hash),
            desk: Desk::new(),
            helpers: std::iter::repeat_with(Desk::new).take(helpers).collect(),
            pool,
        }
    }

    /// The same expert with an endgame table.
    #[must_use]
    pub fn with_endgame(self, endgame: Option<Arc<dyn Endgame<R>>>) -> Self {
        Self { endgame, ..self }
    }

    fn think(
        &mut self,
        rules: &R,
        position: &R::Position,
        budget: &mut dyn Budget,
    ) -> Thinking<R::Move> {
        self.table.grow_older();
        let (evaluation, table) = (&self.evaluation, &self.table);
        let ExpertOptions { depth, nodes, reduces, .. } = self.options;
        let left = budget.plies_left();
        let endgame = self.endgame.as_deref();
        let task = Task { rules, position, evaluation, table, endgame, depth, reduces, left };
        let team = Team::default();
        let Some(pool) = &self.pool else {
            return task.search(&mut self.desk, Meter::new(budget, nodes, &team));
        };
        let mut found = pool.in_place_scope(|scope| {
            for helper in &mut self.helpers {
                scope.spawn(|_| task.help(helper, &team));
            }
            let found = task.search(&mut self.desk, Meter::new(budget, nodes, &team));
            team.end();
            found
        });
        let last = team.take_unreported();
        budget.spent(last);
        found.nodes += last;
        found
    }
}

/// Search task shared by all threads.
struct Task<'t, R: Rules, E> {
    rules: &'t R,
    position: &'t R::Position,
    evaluation: &'t E,
    table: &'t Table,
    endgame: Option<&'t dyn Endgame<R>>,
    depth: u32,
    reduces: bool,
    /// Number of plies until the game is adjudicated.
    left: u32,
}

impl<R: Rules, E: Evaluate<R>> Task<'_, R, E> {
    /// Finds a move.
    fn search<'a>(&'a self, desk: &'a mut Desk<R>, meter: Meter<'a>) -> Thinking<R::Move> {
        let Turn::Player(side) = self.rules.turn(self.position) else {
            unreachable!("a player is asked on a player's turn only")
        };
        desk.ordering.grow_older();
        let mut search = Search {
            rules: self.rules,
            evaluation: self.evaluation,
            table: self.table,
            ordering: &mut desk.ordering,
            frames: &mut desk.frames,
            meter,
            reduces: self.reduces,
            left: self.left,
            endgame: self.endgame.map(|endgame| (endgame, endgame.seeds(self.position))),
        };
        let mut root = Root::new(&mut search, self.position, side, &mut desk.rng);
        root.deepen(&mut search, self.depth);
        let (mv, found, depth) = root.answer();
        Thinking { mv, found, depth, nodes: search.meter.close() }
    }

    /// Searches the same position in a different move order, so that the table gets entries that
    /// the other threads have not reached yet (lazy SMP).
    fn help(&self, desk: &mut Desk<R>, mut team: &Team) {
        self.search(desk, Meter::new(&mut team, u64::MAX, &Team::default()));
    }
}

/// Chosen move with details of the search.
struct Thinking<M> {
    mv: M,
    /// Value for the side to move; `None` without a finished pass or without a choice.
    found: Option<Found>,
    /// Depth of the last finished pass.
    depth: u32,
    nodes: u64,
}

impl<R: Rules, E: Evaluate<R>> Searcher<R> for Expert<R, E> {
    fn begin(&mut self, seed: Seed) {
        self.table.clear();
        self.desk.begin(seed);
        for (number, helper) in self.helpers.iter_mut().enumerate() {
            helper.begin(seed.derive(&format!("helper {number}")));
        }
    }

    fn choose(
        &mut self,
        rules: &R,
        position: &R::Position,
        budget: &mut dyn Budget,
    ) -> Chosen<R::Move> {
        let Thinking { mv, found, depth, nodes } = self.think(rules, position, budget);
        let thought = Thought { nodes, depth: Some(depth), ..Thought::default() };
        let turn = rules.turn(position);
        let known = self.known(position, budget.plies_left());
        let (seeds, verdict) = match (known, found) {
            (Some(lead), _) => (Some(for_mover(lead, turn)), Some(Verdict::of(lead))),
            (None, Some(found)) => (Some(value::seeds(found.value)), self.verdict(turn, found)),
            (None, None) => (None, None),
        };
        Chosen { mv, thought: Thought { seeds, verdict, ..thought } }
    }
}

/// Winner by a final score difference.
fn winner(lead: i32) -> Option<Side> {
    match lead.signum() {
        1 => Some(Side::One),
        -1 => Some(Side::Two),
        _ => None,
    }
}

/// Converts a score difference for player 1 to the side to move.
fn for_mover(lead: i32, turn: Turn) -> f64 {
    if turn == Turn::Player(Side::Two) { (-lead).into() } else { lead.into() }
}

impl Verdict {
    /// Verdict of a final score difference.
    fn of(lead: i32) -> Self {
        Self { winner: winner(lead), margin: Some(lead.abs()) }
    }
}

impl<R: Rules, E> Expert<R, E> {
    /// Final score difference by the endgame table, if it is exact and no adjudication is near.
    fn known(&self, position: &R::Position, plies_left: u32) -> Option<i32> {
        if plies_left < MAX_PLY {
            return None;
        }
        self.endgame.as_ref()?.probe(position)?.exact()
    }

    /// Result that a search has proven. If layouts were left out, a value of a decided game proves
    /// nothing.
    fn verdict(&self, turn: Turn, found: Found) -> Option<Verdict> {
        let Turn::Player(side) = turn else { return None };
        let Some(margin) = value::margin(found.value) else {
            return found.complete.then_some(Verdict { winner: None, margin: Some(0) });
        };
        let winner = if found.value > 0 { side } else { side.other() };
        let margin = found.complete.then_some(margin);
        let is_proven = found.complete || !self.table.is_sampled();
        is_proven.then_some(Verdict { winner: Some(winner), margin })
    }
}

#[cfg(test)]
mod long_games_tests;
#[cfg(test)]
mod tests;
