//! Principal variation search of one position, with a transposition table, for any game. The module
//! does not know the order of passes.
//!
//! Values are from the view of the side to move. The sign changes with the side to move, which is
//! not at every ply, because some games grant extra turns.

use pitmaster_core::{Seed, Side};
use pitmaster_games::{MoveList, Rules, Turn};

use super::key::{key_of, key_of_plies};
use super::meter::Meter;
use super::ordering::{Ordering, Slot};
use super::table::{Bound, COMPLETE, Entry, NO_MOVE, Table};
use super::value::{INFINITE, WON, decided, estimate, from_here, from_root, settled};
use crate::candidates::candidates;
use crate::endgame::Endgame;
use crate::evaluate::{Evaluate, NO_LIMIT};

/// Maximum ply of a line.
pub(super) const MAX_PLY: u32 = 128;
/// Number of layouts considered for each move that needs one, below the root.
const LAYOUTS: usize = 2;

/// Search window: values above alpha (already guaranteed for the side to move) and below beta
/// (refuted by the opponent).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    pub(super) const ALL: Self = Self { alpha: -INFINITE, beta: INFINITE };

    /// Null window, which only tests whether a value exceeds alpha.
    pub(super) fn null(alpha: i32) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// Window from the other side's view.
    fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// Result of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) value: i32,
    /// Whether the value rests only on ends of games, so that a deeper search would find the same.
    /// For a bound, this refers to the bound: a minimum margin of a win or loss can rest on ends
    /// alone.
    pub(super) complete: bool,
}

impl Found {
    /// Value for a side, given player 1's value.
    fn seen_by(self, side: Side) -> Self {
        if side == Side::One { self } else { Self { value: -self.value, ..self } }
    }
}

/// Position after a move.
pub(super) struct Child<R: Rules> {
    pub(super) position: R::Position,
    /// Side to move. `Err` if no side is to move, with the value for player 1.
    fate: Result<Side, Found>,
    /// Number of plies until the game is adjudicated.
    left: u32,
}

/// Depth and ply of a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stand {
    pub(super) side: Side,
    /// Remaining depth in plies.
    pub(super) depth: u32,
    /// Distance from the root in plies.
    pub(super) ply: u32,
}

/// Move in the ordered list of a position.
#[derive(Debug, Clone, Copy)]
struct Ranked {
    rank: i32,
    /// Index in the list of moves.
    at: u16,
    /// Index in the children, if made.
    child: u16,
}

/// Buffers of one ply, reused so that nothing is allocated.
pub(super) struct Frame<R: Rules> {
    list: MoveList<R::Move, R::Template>,
    children: Vec<Child<R>>,
    order: Vec<Ranked>,
}

impl<R: Rules> Default for Frame<R> {
    fn default() -> Self {
        Self { list: MoveList::default(), children: Vec::new(), order: Vec::new() }
    }
}

impl<R: Rules> Frame<R> {
    /// Moves the most promising of the remaining moves to this index.
    fn pick(&mut self, place: usize) -> Ranked {
        let rest = place..self.order.len();
        let best = rest.rev().max_by_key(|at| self.order[*at].rank).unwrap_or(place);
        self.order.swap(place, best);
        self.order[place]
    }
}

/// Search of one position for one move.
pub(super) struct Search<'s, R: Rules, E> {
    pub(super) rules: &'s R,
    pub(super) evaluation: &'s E,
    pub(super) table: &'s Table,
    pub(super) ordering: &'s mut Ordering,
    pub(super) frames: &'s mut [Frame<R>],
    pub(super) meter: Meter<'s>,
    /// Number of plies from the root until the game is adjudicated.
    pub(super) left: u32,
    /// Whether late moves are reduced: searched with less depth first.
    pub(super) reduces: bool,
    /// Endgame table, and the number of seeds below which it answers.
    pub(super) endgame: Option<(&'s dyn Endgame<R>, u32)>,
}

impl<R: Rules, E: Evaluate<R>> Search<'_, R, E> {
    /// Makes a move.
    pub(super) fn make(&mut self, position: &R::Position, mv: &R::Move, ply: u32) -> Child<R> {
        let mut position = position.clone();
        self.rules.play(&mut position, mv, &mut ());
        self.meter.count();
        let left = self.left_at(ply + 1);
        let over =
            |outcome| Err(Found { value: decided(&outcome, Side::One, ply + 1), complete: true });
        let fate = match self.rules.turn(&position) {
            Turn::Over(outcome) => over(outcome),
            Turn::Chance => Err(self.judge(&position, left)),
            Turn::Player(_) if left == 0 => over(self.rules.adjudicate(&position)),
            Turn::Player(side) => self.known(&position, ply + 1).map_or(Ok(side), Err),
        };
        Child { position, fate, left }
    }

    /// Number of plies until the game is adjudicated, at a ply.
    fn left_at(&self, ply: u32) -> u32 {
        if self.left == NO_LIMIT { NO_LIMIT } else { self.left.saturating_sub(ply) }
    }

    /// Key of a position in the table. Near the adjudication, it includes the remaining plies.
    fn key(&self, position: &R::Position, ply: u32) -> u64 {
        let left = self.left_at(ply);
        key_of(self.rules, position) ^ if left < MAX_PLY { key_of_plies(left) } else { 0 }
    }

    /// Value of a position for player 1 by the endgame table, if it is exact. Not near the
    /// adjudication, which the table ignores.
    fn known(&self, position: &R::Position, ply: u32) -> Option<Found> {
        let (endgame, seeds) = self.endgame?;
        if self.left_at(ply) < MAX_PLY || endgame.seeds(position) >= seeds {
            return None;
        }
        let lead = endgame.probe(position)?.exact()?;
        Some(Found { value: settled(lead, ply), complete: true })
    }

    /// Static value of a position for player 1.
    fn judge(&self, position: &R::Position, left: u32) -> Found {
        let value = estimate(self.evaluation.value(self.rules, position, left));
        Found { value, complete: false }
    }

    /// Static value of a child for the side that made the move.
    pub(super) fn glance(&self, child: &Child<R>, side: Side) -> Found {
        child.fate.err().unwrap_or_else(|| self.judge(&child.position, child.left)).seen_by(side)
    }

    /// Value of a child for the side that made the move.
    pub(super) fn child(&mut self, child: &Child<R>, from: Stand, window: Window) -> Found {
        let Ok(side) = child.fate else { return self.glance(child, from.side) };
        if from.depth <= 1 || from.ply + 1 >= MAX_PLY {
            return self.glance(child, from.side);
        }
        let stand = Stand { side, depth: from.depth - 1, ply: from.ply + 1 };
        if side == from.side {
            return self.node(&child.position, stand, window);
        }
        let found = self.node(&child.position, stand, window.flipped());
        Found { value: -found.value, ..found }
    }

    /// Value of a position for the side to move. Meaningless once the meter has stopped.
    fn node(&mut self, position: &R::Position, stand: Stand, window: Window) -> Found {
        let key = self.key(position, stand.ply);
        let known = self.table.find(key);
        let sampled = self.table.is_sampled();
        if let Some(found) = known.and_then(|entry| usable(&entry, stand, window, sampled)) {
            return found;
        }
        let mut frame = std::mem::take(&mut self.frames[stand.ply as usize]);
        self.list(position, key, &mut frame);
        let hint = known.map_or(NO_MOVE, |entry| entry.best);
        let (found, best) = self.moves(position, stand, window, hint, &mut frame);
        self.frames[stand.ply as usize] = frame;
        if !self.meter.is_stopped() {
            let depth = if found.complete { COMPLETE } else { stand.depth as u8 };
            let value = from_here(found.value, stand.ply);
            let bound = match found.value {
                value if value >= window.beta => Bound::Least,
                value if value > window.alpha => Bound::Exact,
                _ => Bound::Most,
            };
            self.table.keep(key, depth, best, value, bound);
        }
        found
    }

    /// Lists the moves. Layouts are drawn with the position as seed, so that a position always has
    /// the same ones.
    fn list(&mut self, position: &R::Position, key: u64, frame: &mut Frame<R>) {
        self.rules.moves(position, &mut frame.list);
        if !frame.list.templates.is_empty() {
            self.table.set_sampled();
            let mut rng = Seed(key).stream("layouts");
            candidates(self.rules, position, LAYOUTS, &mut rng, &mut frame.list);
        }
    }

    /// Searches the moves of a position, most promising first.
    fn moves(
        &mut self,
        position: &R::Position,
        stand: Stand,
        window: Window,
        hint: u16,
        frame: &mut Frame<R>,
    ) -> (Found, u16) {
        let mut best = Found { value: -INFINITE, complete: true };
        // Only some layouts are examined.
        let (mut best_at, mut all_complete) = (NO_MOVE, frame.list.templates.is_empty());
        self.rank(stand, hint, frame);
        let hinted = usize::from(hint) < frame.order.len();
        for place in 0..frame.order.len() {
            if stand.depth > 1 && place == usize::from(hinted) {
                self.make_rest(position, stand, place, frame);
                if self.meter.is_stopped() {
                    return (best, NO_MOVE);
                }
            }
            let Ranked { at, child, .. } = frame.pick(place);
            let alpha = window.alpha.max(best.value);
            let open = Window { alpha, beta: window.beta };
            let found = if stand.depth > 1 && (!hinted || place > 0) {
                self.try_move(&frame.children[usize::from(child)], stand, open, place)
            } else {
                let child = self.make(position, &frame.list.moves[usize::from(at)], stand.ply);
                self.try_move(&child, stand, open, 0)
            };
            if self.meter.is_stopped() {
                return (found, NO_MOVE);
            }
            all_complete &= found.complete;
            if found.value > best.value {
                best = found;
                if found.value > window.alpha {
                    best_at = at;
                }
            }
            if best.value >= window.beta {
                self.learn(stand, place, frame);
                best.complete |= best.value >= WON && !self.table.is_sampled();
                return (best, best_at);
            }
        }
        let lost = best.value <= window.alpha && best.value <= -WON;
        best.complete = all_complete || lost && !self.table.is_sampled();
        (best, best_at)
    }

    /// Orders the moves by their history in other positions, the hinted one first.
    fn rank(&self, stand: Stand, hint: u16, frame: &mut Frame<R>) {
        let Frame { list, order, .. } = frame;
        order.clear();
        order.extend(list.moves.iter().enumerate().map(|(at, mv)| {
            let promise = || self.ordering.promise(Slot::of(mv), stand.ply);
            let rank = if at == usize::from(hint) { i32::MAX } else { promise() };
            Ranked { rank, at: at as u16, child: 0 }
        }));
    }

    /// Makes the moves from this index on, and includes their static values in the order. Stops if
    /// the meter stops.
    fn make_rest(
        &mut self,
        position: &R::Position,
        stand: Stand,
        place: usize,
        frame: &mut Frame<R>,
    ) {
        let Frame { list, children, order } = frame;
        children.clear();
        for ranked in &mut order[place..] {
            let child = self.make(position, &list.moves[usize::from(ranked.at)], stand.ply);
            if self.meter.is_stopped() {
                return;
            }
            ranked.rank += self.glance(&child, stand.side).value;
            ranked.child = children.len() as u16;
            children.push(child);
        }
    }

    /// Searches a move. The first one gets the full window. Later ones get a null window, the least
    /// promising first at a reduced depth.
    pub(super) fn try_move(
        &mut self,
        child: &Child<R>,
        from: Stand,
        open: Window,
        place: usize,
    ) -> Found {
        if place == 0 || from.depth <= 1 {
            return self.child(child, from, open);
        }
        let less = if self.reduces { reduction(from.depth, place) } else { 0 };
        if less > 0 {
            let shallow = Stand { depth: from.depth - less, ..from };
            let found = self.child(child, shallow, Window::null(open.alpha));
            if found.value <= open.alpha || self.meter.is_stopped() {
                return found;
            }
        }
        let found = self.child(child, from, Window::null(open.alpha));
        if found.value <= open.alpha || found.value >= open.beta || self.meter.is_stopped() {
            return found;
        }
        self.child(child, from, open)
    }

    /// Updates the move ordering: the move at this index refuted the position, earlier ones did
    /// not.
    fn learn(&mut self, stand: Stand, place: usize, frame: &Frame<R>) {
        let slot = |ranked: &Ranked| Slot::of(&frame.list.moves[usize::from(ranked.at)]);
        self.ordering.praise(slot(&frame.order[place]), stand.depth, stand.ply);
        for ranked in &frame.order[..place] {
            self.ordering.blame(slot(ranked), stand.depth);
        }
    }
}

/// Depth reduction in plies of a move this late in the order.
fn reduction(depth: u32, place: usize) -> u32 {
    match place {
        0..3 => 0,
        _ if depth < 3 => 0,
        3..9 => 1,
        _ => 1 + u32::from(depth >= 5),
    }
}

/// Result of a table entry for the current search, if it suffices.
fn usable(entry: &Entry, stand: Stand, window: Window, sampled: bool) -> Option<Found> {
    let value = from_root(entry.value, stand.ply);
    let bound = entry.bound();
    let high = bound != Bound::Most && value >= window.beta;
    let low = bound != Bound::Least && value <= window.alpha;
    // A minimum margin of a win or loss is proven at any depth, unless layouts were left out.
    let proven = !sampled && (high && value >= WON || low && value <= -WON);
    let deep = u32::from(entry.depth) >= stand.depth;
    let enough = proven || deep && (high || low || bound == Bound::Exact);
    enough.then_some(Found { value, complete: proven || entry.depth == COMPLETE })
}
