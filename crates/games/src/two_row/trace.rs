//! Seed movements, each reported to an observer. Observing with `()` has no cost.
//!
//! The reports are complete: an observer that follows the steps of a move knows every hole and both
//! stores after it. No step has zero seeds.

use pitmaster_core::Side;

use super::position::{HoleSet, MAX_BOARD, Position};
use super::ring::{Cell, NOWHERE, store};
use super::sides::members;
use super::sowing::Sowing;
use crate::{Observer, Spot, Step};

/// Spot of a cell. [`NOWHERE`] is out of play.
fn spot(cell: Cell) -> Spot {
    match usize::from(cell).checked_sub(MAX_BOARD) {
        None => Spot::Hole(cell),
        Some(0) => Spot::Store(Side::One),
        Some(1) => Spot::Store(Side::Two),
        Some(_) => Spot::Away,
    }
}

/// Reports that the seeds of a cell were lifted.
pub(super) fn lifted<O: Observer>(watch: &mut O, cell: Cell, seeds: u16) {
    if O::ACTIVE && seeds > 0 {
        watch.step(Step::Lift { from: spot(cell), seeds });
    }
}

/// Reports that a seed was sown into a cell.
#[inline]
pub(super) fn sown<O: Observer>(watch: &mut O, cell: Cell) {
    if O::ACTIVE {
        watch.step(Step::Sow { to: spot(cell), kind: 0 });
    }
}

/// Reports that this many seeds of the hand fell into one cell.
pub(super) fn dropped<O: Observer>(watch: &mut O, cell: Cell, seeds: u16) {
    if O::ACTIVE {
        (0..seeds).for_each(|_| sown(watch, cell));
    }
}

/// Reports a new lap with this many seeds of a cell in hand.
pub(super) fn lap<O: Observer>(watch: &mut O, cell: Cell, seeds: u16) {
    if O::ACTIVE {
        watch.step(Step::Lap { from: spot(cell) });
        lifted(watch, cell, seeds);
    }
}

/// Reports that seeds of one cell were captured into another.
pub(super) fn captured<O: Observer>(watch: &mut O, from: Cell, seeds: u16, to: Cell) {
    if O::ACTIVE && seeds > 0 {
        watch.step(Step::Capture { from: spot(from), seeds, to: spot(to) });
    }
}

/// Reports that seeds of one cell were moved into another or out of play, without a capture.
pub(super) fn swept<O: Observer>(watch: &mut O, from: Cell, seeds: u16, to: Cell) {
    if O::ACTIVE && seeds > 0 {
        watch.step(Step::Sweep { from: spot(from), seeds, to: spot(to) });
    }
}

/// Lifts a side's store and drops all of it into one cell.
pub(super) fn sow_store<O: Observer>(pos: &mut Position, side: Side, to: Cell, watch: &mut O) {
    let seeds = std::mem::take(&mut pos.stores[side]);
    *pos.cell(to) += seeds;
    lifted(watch, store(side), seeds);
    dropped(watch, to, seeds);
}

/// Captures all seeds of a cell into another.
pub(super) fn capture<O: Observer>(pos: &mut Position, from: Cell, to: Cell, watch: &mut O) {
    let seeds = pos.lift(from);
    *pos.cell(to) += seeds;
    captured(watch, from, seeds, to);
}

/// Captures the seeds of a cell into the mover's store.
pub(super) fn take<O: Observer>(pos: &mut Position, s: &Sowing, cell: Cell, watch: &mut O) {
    let seeds = pos.lift(cell);
    pos.stores[s.side] += seeds;
    captured(watch, cell, seeds, store(s.side));
}

/// Moves all seeds of some holes into a cell, or out of play if that is [`NOWHERE`].
pub(super) fn sweep<O: Observer>(pos: &mut Position, holes: HoleSet, to: Cell, watch: &mut O) {
    for hole in members(holes) {
        let seeds = pos.lift(hole as Cell);
        if to != NOWHERE {
            *pos.cell(to) += seeds;
        }
        swept(watch, hole as Cell, seeds, to);
    }
}

/// Divides the seeds of some holes between two cells; the first one gets an odd seed.
pub(super) fn halve<O: Observer>(
    pos: &mut Position,
    holes: HoleSet,
    [first, second]: [Cell; 2],
    watch: &mut O,
) {
    let mut half = pos.sum(holes).div_ceil(2) as u16;
    for hole in members(holes) {
        let seeds = pos.lift(hole as Cell);
        let given = seeds.min(half);
        half -= given;
        for (part, to) in [(given, first), (seeds - given, second)] {
            *pos.cell(to) += part;
            swept(watch, hole as Cell, part, to);
        }
    }
}

/// Without stores, a child serves as the store: moves the seeds that a store gained since `before`
/// into the first of these children, if there is one.
pub(super) fn keep_in_child<O: Observer>(
    pos: &mut Position,
    children: HoleSet,
    side: Side,
    before: u16,
    watch: &mut O,
) {
    if children != 0 {
        let child = children.trailing_zeros() as Cell;
        let gained = pos.stores[side].saturating_sub(before);
        pos.stores[side] -= gained;
        *pos.cell(child) += gained;
        swept(watch, store(side), gained, child);
    }
}
