//! Lock-free transposition table. The module does not know games.
//!
//! All threads of a search read and write the table concurrently, without locks. An entry is two
//! words, the first of which is the key mixed with the second. If two threads write at the same
//! time, the mixed entry matches no key (Hyatt and Mann, A lock-less transposition-table
//! implementation, 2002).

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Relation of an entry's value to the true value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Bound {
    /// The entry is empty.
    #[default]
    Nothing = 0,
    /// The value is exact.
    Exact = 1,
    /// Lower bound: the true value is at least as high.
    Least = 2,
    /// Upper bound: the true value is at most as high.
    Most = 3,
}

/// Search result of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    key: u64,
    /// Value for the side to move, with ends counted from this position.
    pub(super) value: i32,
    /// Index of the best move in the list of moves; [`NO_MOVE`] if none is known.
    pub(super) best: u16,
    /// Search depth in plies; [`COMPLETE`] if every line was followed to the game's end.
    pub(super) depth: u8,
    age_and_bound: u8,
}

/// Marker for an unknown move.
pub(super) const NO_MOVE: u16 = u16::MAX;
/// Depth above any search: the value contains no estimate.
pub(super) const COMPLETE: u8 = u8::MAX;

/// Number of entries per bucket: as many as a cache line holds.
const BUCKET: usize = 4;
/// Number of distinct ages.
const AGES: u8 = 64;

/// Packed entry: the key mixed with the second word, and value, best move, depth, age and bound. An
/// empty entry is 0, so that zeroed memory from the system is an empty table.
type Packed = [AtomicU64; 2];

impl Entry {
    fn pack(self) -> [u64; 2] {
        let facts = u64::from(self.value.cast_unsigned()) << 32
            | u64::from(self.best) << 16
            | u64::from(self.depth) << 8
            | u64::from(self.age_and_bound);
        [self.key ^ facts, facts]
    }

    fn unpack([mixed, facts]: [u64; 2]) -> Self {
        Self {
            key: mixed ^ facts,
            value: ((facts >> 32) as u32).cast_signed(),
            best: (facts >> 16) as u16,
            depth: (facts >> 8) as u8,
            age_and_bound: facts as u8,
        }
    }

    fn read([mixed, facts]: &Packed) -> Self {
        Self::unpack([mixed.load(Relaxed), facts.load(Relaxed)])
    }

    fn write(self, [mixed, facts]: &Packed) {
        let words = self.pack();
        mixed.store(words[0], Relaxed);
        facts.store(words[1], Relaxed);
    }

    pub(super) fn bound(&self) -> Bound {
        match self.age_and_bound % 4 {
            0 => Bound::Nothing,
            1 => Bound::Exact,
            2 => Bound::Least,
            _ => Bound::Most,
        }
    }

    fn age(&self) -> u8 {
        self.age_and_bound / 4
    }
}

/// Table of a fixed size. Memory is allocated on first use, and only written pages use physical
/// memory, so an empty table is free.
#[derive(Debug)]
pub(super) struct Table {
    bytes: u64,
    buckets: Vec<[Packed; BUCKET]>,
    age: u8,
    is_sampled: AtomicBool,
}

impl Table {
    /// Makes a table of at most this many bytes; without buckets if that is too little for one.
    pub(super) fn new(bytes: u64) -> Self {
        Self { bytes, buckets: Vec::new(), age: 0, is_sampled: AtomicBool::new(false) }
    }

    /// Removes all entries.
    pub(super) fn clear(&mut self) {
        *self = Self::new(self.bytes);
    }

    /// Begins the search for another move: existing entries may now be replaced first.
    pub(super) fn grow_older(&mut self) {
        if self.buckets.is_empty() {
            self.buckets = empty(self.bytes);
        }
        self.age = (self.age + 1) % AGES;
    }

    /// Whether some values rest on a sample of the layouts, so that a loss by these values may not
    /// be one.
    pub(super) fn is_sampled(&self) -> bool {
        self.is_sampled.load(Relaxed)
    }

    /// Marks the table as containing such values.
    pub(super) fn set_sampled(&self) {
        self.is_sampled.store(true, Relaxed);
    }

    pub(super) fn find(&self, key: u64) -> Option<Entry> {
        let bucket = self.buckets.get(self.place(key))?;
        let mut entries = bucket.iter().map(Entry::read);
        entries.find(|entry| entry.key == key && entry.bound() != Bound::Nothing)
    }

    /// Stores a result. It replaces the entry of the same position, or else the least valuable one:
    /// the oldest first, then the shallowest.
    pub(super) fn keep(&self, key: u64, depth: u8, best: u16, value: i32, bound: Bound) {
        let (place, age) = (self.place(key), self.age);
        let Some(bucket) = self.buckets.get(place) else { return };
        let entries = bucket.each_ref().map(Entry::read);
        let worth = |entry: &Entry| match entry.bound() {
            Bound::Nothing => i32::MIN,
            _ => i32::from(entry.depth) - 8 * i32::from((age + AGES - entry.age()) % AGES),
        };
        let same = entries.iter().position(|entry| entry.key == key);
        let least = || (0..BUCKET).min_by_key(|at| worth(&entries[*at])).unwrap_or_default();
        let at = same.unwrap_or_else(least);
        let known = if entries[at].key == key { entries[at].best } else { NO_MOVE };
        let best = if best == NO_MOVE { known } else { best };
        let age_and_bound = age * 4 + bound as u8;
        Entry { key, value, best, depth, age_and_bound }.write(&bucket[at]);
    }

    fn place(&self, key: u64) -> usize {
        (key >> 32) as usize & self.buckets.len().wrapping_sub(1)
    }
}

/// Allocates this many bytes of empty buckets, rounded to a power of two. Fewer if memory is short.
fn empty(bytes: u64) -> Vec<[Packed; BUCKET]> {
    let room = bytes / size_of::<[Packed; BUCKET]>() as u64;
    let mut buckets = if room == 0 { 0 } else { 1 << room.ilog2() };
    loop {
        match bytemuck::try_zeroed_vec(buckets) {
            Ok(empty) => return empty,
            Err(()) => buckets /= 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_entry() -> impl Strategy<Value = Entry> {
        (any::<u64>(), any::<i32>(), any::<u16>(), any::<u8>(), any::<u8>()).prop_map(
            |(key, value, best, depth, age_and_bound)| Entry {
                key,
                value,
                best,
                depth,
                age_and_bound,
            },
        )
    }

    proptest! {
        #[test]
        fn entries_are_unpacked_as_they_were_packed(entry in any_entry()) {
            prop_assert_eq!(Entry::unpack(entry.pack()), entry);
        }
    }

    fn table(bytes: u64) -> Table {
        let mut table = Table::new(bytes);
        table.grow_older();
        table
    }

    #[test]
    fn what_is_kept_is_found_until_the_table_is_cleared() {
        let mut table = table(1 << 10);
        assert!(table.find(7).is_none());
        table.keep(7, 3, 2, -5, Bound::Most);
        let entry = table.find(7).expect("it was kept");
        assert_eq!((entry.value, entry.best, entry.depth), (-5, 2, 3));
        assert_eq!(entry.bound(), Bound::Most);
        table.keep(7, 4, NO_MOVE, 6, Bound::Exact);
        assert_eq!(table.find(7).map(|entry| (entry.best, entry.value)), Some((2, 6)));
        table.clear();
        table.grow_older();
        assert!(table.find(7).is_none());
    }

    /// All keys below 2^32 are in the first bucket.
    #[test]
    fn the_old_and_the_shallow_go_first() {
        let mut table = table(1 << 10);
        table.keep(1, 9, 0, 0, Bound::Exact);
        table.grow_older();
        for (key, depth) in [(2, 5), (3, 2), (4, 7), (5, 4)] {
            table.keep(key, depth, 0, 0, Bound::Exact);
        }
        let kept = [1, 2, 3, 4, 5].map(|key| table.find(key).is_some());
        assert_eq!(kept, [false, true, true, true, true]);
        table.keep(6, 3, 0, 0, Bound::Exact);
        assert!(table.find(3).is_none() && table.find(6).is_some());
    }

    #[test]
    fn a_table_without_room_keeps_nothing() {
        let table = table(63);
        table.keep(1, 1, 1, 1, Bound::Exact);
        assert!(table.find(1).is_none());
    }
}
