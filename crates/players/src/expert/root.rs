//! Root search: iterative deepening passes and the resulting move. The module does not know how a
//! position below the root is searched.

use pitmaster_core::{Side, shuffle};
use pitmaster_games::{MoveList, Rules, Turn};
use rand::Rng;

use super::search::{Child, Found, MAX_PLY, Search, Stand, Window};
use super::{value, winner};
use crate::candidates::candidates;
use crate::endgame::Bounds;
use crate::evaluate::Evaluate;

/// Number of layouts searched for each template.
const LAYOUTS: usize = 32;
/// Initial half width of the window around the previous value, in hundredths of a seed.
const ASPIRATION: i32 = 60;

/// A move at the root.
struct Candidate<R: Rules> {
    mv: R::Move,
    child: Child<R>,
}

/// Root position.
pub(super) struct Root<R: Rules> {
    side: Side,
    /// Moves, the best first.
    moves: Vec<Candidate<R>>,
    /// Value of the best move, once a pass has found it.
    found: Option<Found>,
    /// Depth of the last pass that was finished.
    depth: u32,
    /// Whether no layouts were left out.
    all: bool,
}

impl<R: Rules> Root<R> {
    /// Lists the moves by their static values. Ties are broken at random, so that games vary.
    pub(super) fn new<E: Evaluate<R>>(
        search: &mut Search<'_, R, E>,
        position: &R::Position,
        side: Side,
        rng: &mut dyn Rng,
    ) -> Self {
        let mut list = MoveList::default();
        candidates(search.rules, position, LAYOUTS, rng, &mut list);
        shuffle(&mut list.moves, rng);
        let make = |mv: R::Move| Candidate { child: search.make(position, &mv, 0), mv };
        let mut moves: Vec<_> = list.moves.into_iter().map(make).collect();
        keep_known(search, position, &mut moves);
        moves.sort_by_cached_key(|one| -search.glance(&one.child, side).value);
        Self { side, moves, found: None, depth: 0, all: list.templates.is_empty() }
    }

    /// Searches pass by pass until the budget is spent, the depth is reached or the result is
    /// proven.
    pub(super) fn deepen<E: Evaluate<R>>(&mut self, search: &mut Search<'_, R, E>, limit: u32) {
        let only_one = self.moves.len() == 1;
        for depth in 1..=limit.min(MAX_PLY - 1) {
            if only_one || search.meter.is_nearly_spent() || self.is_complete() {
                return;
            }
            self.pass(search, depth);
            if search.meter.is_stopped() {
                return;
            }
            self.depth = depth;
        }
    }

    /// Best move, its value for the side to move, and the search depth.
    pub(super) fn answer(mut self) -> (R::Move, Option<Found>, u32) {
        (self.moves.swap_remove(0).mv, self.found, self.depth)
    }

    fn is_complete(&self) -> bool {
        self.found.is_some_and(|found| found.complete)
    }

    /// Makes a pass with a window around the previous value, and repeats it with a wider window if
    /// that fails.
    fn pass<E: Evaluate<R>>(&mut self, search: &mut Search<'_, R, E>, depth: u32) {
        let mut width = ASPIRATION;
        let mut window = match self.found {
            Some(found) if !value::is_decided(found.value) => {
                Window { alpha: found.value - width, beta: found.value + width }
            }
            _ => Window::ALL,
        };
        loop {
            let Some(found) = self.look(search, depth, window) else { return };
            width *= 4;
            if found.value <= window.alpha {
                window.alpha = widened(found.value, -width);
            } else if found.value >= window.beta {
                window.beta = widened(found.value, width);
            } else {
                self.found = Some(found);
                return;
            }
        }
    }

    /// Searches every move in a window. A better move goes to the front at once. `None` if the
    /// search was stopped.
    fn look<E: Evaluate<R>>(
        &mut self,
        search: &mut Search<'_, R, E>,
        depth: u32,
        window: Window,
    ) -> Option<Found> {
        let stand = Stand { side: self.side, depth, ply: 0 };
        let mut best = Found { value: window.alpha, complete: true };
        let mut all_complete = self.all;
        for place in 0..self.moves.len() {
            let open = Window { alpha: best.value, beta: window.beta };
            let found = search.try_move(&self.moves[place].child, stand, open, place);
            if search.meter.is_stopped() {
                return None;
            }
            all_complete &= found.complete;
            if found.value > best.value {
                best = found;
                self.moves[..=place].rotate_right(1);
            }
            if best.value >= window.beta {
                break;
            }
        }
        best.complete = all_complete;
        Some(best)
    }
}

/// In a position of the endgame table, keeps the moves that keep its value. The search must find
/// which of them makes progress, because the table has no distances. Near the adjudication, other
/// moves may be better.
fn keep_known<R: Rules, E>(
    search: &Search<'_, R, E>,
    position: &R::Position,
    moves: &mut Vec<Candidate<R>>,
) {
    let Some((endgame, _)) = search.endgame.filter(|_| search.left >= MAX_PLY) else { return };
    let exact = |position: &R::Position| endgame.probe(position).and_then(Bounds::exact);
    let Some(value) = exact(position) else { return };
    let keeps = |one: &Candidate<R>| match search.rules.turn(&one.child.position) {
        // The rules may end a game early, with another margin than the table's.
        Turn::Over(outcome) => outcome.winner == winner(value),
        _ => exact(&one.child.position) == Some(value),
    };
    if moves.iter().any(keeps) {
        moves.retain(keeps);
    }
}

/// Next bound of a window that was too narrow. Unbounded after a seed or two.
fn widened(value: i32, by: i32) -> i32 {
    if by.abs() > 1000 { by.signum() * value::INFINITE } else { value + by }
}
