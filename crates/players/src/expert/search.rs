//! Principal variation search of one position, with a transposition table, for any game. The module
//! does not know the order of passes.
//!
//! Values are from the view of the side to move. The sign changes where the side does, which is not
//! at every ply: some games grant extra turns.

use pitmaster_core::{Seed, Side};
use pitmaster_games::{MoveList, Rules, Turn};

use super::key::key_of;
use super::meter::Meter;
use super::ordering::{Ordering, Slot};
use super::table::{Bound, COMPLETE, Entry, NO_MOVE, Table};
use super::value::{INFINITE, WON, decided, estimate, from_here, from_root};
use crate::candidates::candidates;
use crate::evaluate::Evaluate;

/// Deeper than this no line is followed.
pub(super) const MAX_PLY: u32 = 128;
/// Layouts that are looked at of each move that wants one, below the root.
const LAYOUTS: usize = 2;

/// The values that still matter: above what the side to move has already, below what the
/// opponent would not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    pub(super) const ALL: Self = Self { alpha: -INFINITE, beta: INFINITE };

    /// Asks only whether a value is above alpha.
    pub(super) fn null(alpha: i32) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// As the other side sees it.
    fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// What a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) value: i32,
    /// It rests on ends of games alone, on no estimate: a deeper search would find the same.
    /// Where it is a bound only, that is said of the bound: that a game is won by so much at
    /// least, or lost, rests on ends alone by itself.
    pub(super) complete: bool,
}

impl Found {
    /// What it is to a side, if it is player 1's.
    fn seen_by(self, side: Side) -> Self {
        if side == Side::One { self } else { Self { value: -self.value, ..self } }
    }
}

/// A position after a move.
pub(super) struct Child<R: Rules> {
    pub(super) position: R::Position,
    /// Who moves there; `Err`: nobody, and what it is to player 1.
    fate: Result<Side, Found>,
}

/// Where a search stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stand {
    pub(super) side: Side,
    /// Plies to search.
    pub(super) depth: u32,
    /// Plies from the root.
    pub(super) ply: u32,
}

/// A move among those of a position.
#[derive(Debug, Clone, Copy)]
struct Ranked {
    rank: i32,
    /// In the list of moves.
    at: u16,
    /// In the children, if they are made.
    child: u16,
}

/// What is kept for each ply, so that nothing is allocated.
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
    /// Brings the most promising of the moves from a place on to that place.
    fn pick(&mut self, place: usize) -> Ranked {
        let rest = place..self.order.len();
        let best = rest.rev().max_by_key(|at| self.order[*at].rank).unwrap_or(place);
        self.order.swap(place, best);
        self.order[place]
    }
}

/// A search of one position for one move.
pub(super) struct Search<'s, R: Rules, E> {
    pub(super) rules: &'s R,
    pub(super) evaluation: &'s E,
    pub(super) table: &'s Table,
    pub(super) ordering: &'s mut Ordering,
    pub(super) frames: &'s mut [Frame<R>],
    pub(super) meter: Meter<'s>,
    /// Late moves are looked at with less depth first.
    pub(super) reduces: bool,
}

impl<R: Rules, E: Evaluate<R>> Search<'_, R, E> {
    /// Makes a move.
    pub(super) fn make(&mut self, position: &R::Position, mv: &R::Move, ply: u32) -> Child<R> {
        let mut position = position.clone();
        self.rules.play(&mut position, mv, &mut ());
        self.meter.count();
        let fate = match self.rules.turn(&position) {
            Turn::Player(side) => Ok(side),
            Turn::Chance => Err(self.judge(&position)),
            Turn::Over(outcome) => {
                Err(Found { value: decided(&outcome, Side::One, ply + 1), complete: true })
            }
        };
        Child { position, fate }
    }

    /// What a position is to player 1 without a search.
    fn judge(&self, position: &R::Position) -> Found {
        let value = estimate(self.evaluation.value(self.rules, position));
        Found { value, complete: false }
    }

    /// What a child is to the side that made the move, without a search.
    pub(super) fn glance(&self, child: &Child<R>, side: Side) -> Found {
        child.fate.err().unwrap_or_else(|| self.judge(&child.position)).seen_by(side)
    }

    /// What a child is to the side that made the move.
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

    /// What a position is to the side to move. Means nothing once the meter has stopped.
    fn node(&mut self, position: &R::Position, stand: Stand, window: Window) -> Found {
        let key = key_of(self.rules, position);
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

    /// Lists the moves. Layouts are drawn by the position, so that it has the same ones
    /// whenever it is met.
    fn list(&mut self, position: &R::Position, key: u64, frame: &mut Frame<R>) {
        self.rules.moves(position, &mut frame.list);
        if !frame.list.templates.is_empty() {
            self.table.set_sampled();
            let mut rng = Seed(key).stream("layouts");
            candidates(self.rules, position, LAYOUTS, &mut rng, &mut frame.list);
        }
    }

    /// Searches the moves of a position, the promising ones first.
    fn moves(
        &mut self,
        position: &R::Position,
        stand: Stand,
        window: Window,
        hint: u16,
        frame: &mut Frame<R>,
    ) -> (Found, u16) {
        let mut best = Found { value: -INFINITE, complete: true };
        // Of layouts only some are looked at.
        let (mut best_at, mut all_complete) = (NO_MOVE, frame.list.templates.is_empty());
        self.rank(stand, hint, frame);
        let hinted = usize::from(hint) < frame.order.len();
        for place in 0..frame.order.len() {
            if stand.depth > 1 && place == usize::from(hinted) {
                self.make_rest(position, stand, place, frame);
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

    /// Orders the moves by what they did elsewhere, the hinted one first.
    fn rank(&self, stand: Stand, hint: u16, frame: &mut Frame<R>) {
        let Frame { list, order, .. } = frame;
        order.clear();
        order.extend(list.moves.iter().enumerate().map(|(at, mv)| {
            let promise = || self.ordering.promise(Slot::of(mv), stand.ply);
            let rank = if at == usize::from(hint) { i32::MAX } else { promise() };
            Ranked { rank, at: at as u16, child: 0 }
        }));
    }

    /// Makes the moves from a place on, and orders them by what they came to as well.
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
            ranked.rank += self.glance(&child, stand.side).value;
            ranked.child = children.len() as u16;
            children.push(child);
        }
    }

    /// The first move is searched in full. Of a later one it is asked whether it is better at
    /// all, of the least promising ones with less depth at first.
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

    /// The move at a place has refuted the position, those before it have not.
    fn learn(&mut self, stand: Stand, place: usize, frame: &Frame<R>) {
        let slot = |ranked: &Ranked| Slot::of(&frame.list.moves[usize::from(ranked.at)]);
        self.ordering.praise(slot(&frame.order[place]), stand.depth, stand.ply);
        for ranked in &frame.order[..place] {
            self.ordering.blame(slot(ranked), stand.depth);
        }
    }
}

/// By how many plies less a move is looked at first that stands so late in the order.
fn reduction(depth: u32, place: usize) -> u32 {
    match place {
        0..3 => 0,
        _ if depth < 3 => 0,
        3..9 => 1,
        _ => 1 + u32::from(depth >= 5),
    }
}

/// What an entry says about a position that is searched now, if it says enough.
fn usable(entry: &Entry, stand: Stand, window: Window, sampled: bool) -> Option<Found> {
    let value = from_root(entry.value, stand.ply);
    let bound = entry.bound();
    let high = bound != Bound::Most && value >= window.beta;
    let low = bound != Bound::Least && value <= window.alpha;
    // That somebody wins, or loses, by so much at least is proven at any depth, unless layouts
    // were left out.
    let proven = !sampled && (high && value >= WON || low && value <= -WON);
    let deep = u32::from(entry.depth) >= stand.depth;
    let enough = proven || deep && (high || low || bound == Bound::Exact);
    enough.then_some(Found { value, complete: proven || entry.depth == COMPLETE })
}
