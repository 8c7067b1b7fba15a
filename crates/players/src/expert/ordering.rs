//! Move ordering: the better the first move is, the fewer of the others need to be searched. The
//! module does not know search values.

use std::hash::{Hash, Hasher};

use super::key::Fold;
use super::search::MAX_PLY;

/// Moves are told apart by so many slots.
const SLOTS: usize = 1024;
/// No counter exceeds it.
const FULL: i32 = 1 << 12;
/// What a move gets that was the best of a position beside this one, in hundredths of a seed.
const KILLER: i32 = 250;
/// A full counter is worth as many hundredths of a seed as it is divided by this.
const SCALE: i32 = 16;

/// A move's place in the counters; two moves can share one, which costs a little order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot(u16);

impl Slot {
    /// No move's.
    const NONE: Self = Self(u16::MAX);

    pub(super) fn of<M: Hash>(mv: &M) -> Self {
        let mut fold = Fold::default();
        mv.hash(&mut fold);
        Self((fold.finish() % SLOTS as u64) as u16)
    }
}

/// What moves were good for elsewhere.
#[derive(Debug)]
pub(super) struct Ordering {
    history: Vec<i32>,
    killers: Vec<[Slot; 2]>,
}

impl Default for Ordering {
    fn default() -> Self {
        Self { history: vec![0; SLOTS], killers: vec![[Slot::NONE; 2]; MAX_PLY as usize] }
    }
}

impl Ordering {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Another move is thought about: what was learned counts half.
    pub(super) fn grow_older(&mut self) {
        self.history.iter_mut().for_each(|count| *count /= 2);
        self.killers.fill([Slot::NONE; 2]);
    }

    /// How promising a move is by what it did elsewhere.
    pub(super) fn promise(&self, slot: Slot, ply: u32) -> i32 {
        let killer = self.killers[ply as usize].contains(&slot);
        self.history[usize::from(slot.0)] / SCALE + if killer { KILLER } else { 0 }
    }

    /// A move was enough to refute a position.
    pub(super) fn praise(&mut self, slot: Slot, depth: u32, ply: u32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != slot {
            *killers = [slot, killers[0]];
        }
        let count = &mut self.history[usize::from(slot.0)];
        let gain = (depth * depth).min(256).cast_signed();
        *count += gain - *count * gain / FULL;
    }

    /// A move was looked at before it and was not enough.
    pub(super) fn blame(&mut self, slot: Slot, depth: u32) {
        let count = &mut self.history[usize::from(slot.0)];
        let loss = (depth * depth).min(256).cast_signed();
        *count -= loss + *count * loss / FULL;
    }
}
