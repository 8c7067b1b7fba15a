//! Move ordering: the better the first move is, the fewer of the others need to be searched. The
//! module does not know search values.

use std::hash::{Hash, Hasher};

use super::key::Fold;
use super::search::MAX_PLY;

/// Number of slots that distinguish moves.
const SLOTS: usize = 1024;
/// Maximum of a counter.
const FULL: i32 = 1 << 12;
/// Bonus for the best move of a sibling position (killer move), in hundredths of a seed.
const KILLER: i32 = 250;
/// Divisor from counters to hundredths of a seed.
const SCALE: i32 = 16;

/// Slot of a move in the counters. Two moves can share one, which makes the order slightly worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot(u16);

impl Slot {
    /// Slot of no move.
    const NONE: Self = Self(u16::MAX);

    pub(super) fn of<M: Hash>(mv: &M) -> Self {
        let mut fold = Fold::default();
        mv.hash(&mut fold);
        Self((fold.finish() % SLOTS as u64) as u16)
    }
}

/// Move history: the success of moves in other positions.
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
    /// Resets all counters.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Begins the search for another move: the history counts half.
    pub(super) fn grow_older(&mut self) {
        self.history.iter_mut().for_each(|count| *count /= 2);
        self.killers.fill([Slot::NONE; 2]);
    }

    /// Score of a move by its history.
    pub(super) fn promise(&self, slot: Slot, ply: u32) -> i32 {
        let killer = self.killers[ply as usize].contains(&slot);
        self.history[usize::from(slot.0)] / SCALE + if killer { KILLER } else { 0 }
    }

    /// Rewards a move that refuted a position.
    pub(super) fn praise(&mut self, slot: Slot, depth: u32, ply: u32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != slot {
            *killers = [slot, killers[0]];
        }
        let count = &mut self.history[usize::from(slot.0)];
        let gain = (depth * depth).min(256).cast_signed();
        *count += gain - *count * gain / FULL;
    }

    /// Penalizes a move that was tried before it and did not.
    pub(super) fn blame(&mut self, slot: Slot, depth: u32) {
        let count = &mut self.history[usize::from(slot.0)];
        let loss = (depth * depth).min(256).cast_signed();
        *count -= loss + *count * loss / FULL;
    }
}
