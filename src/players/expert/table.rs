//! What earlier parts of a search found out, by position. Must not know games.

/// How the value of an entry stands to the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Bound {
    /// There is nothing in the entry.
    #[default]
    Nothing = 0,
    /// It is the value.
    Exact = 1,
    /// The true one is as high or higher.
    Least = 2,
    /// The true one is as low or lower.
    Most = 3,
}

/// What was found out about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Entry {
    key: u64,
    /// For the side to move, ends counted from this position.
    pub(super) value: i32,
    /// The place of the best move in the list of moves; [`NO_MOVE`] if none is known.
    pub(super) best: u16,
    /// Plies that were searched; [`COMPLETE`] if every line was followed to the game's end.
    pub(super) depth: u8,
    age_and_bound: u8,
}

/// No move is known.
pub(super) const NO_MOVE: u16 = u16::MAX;
/// Deeper than any search: the value rests on no estimate.
pub(super) const COMPLETE: u8 = u8::MAX;

/// Entries that one position may stand in: as many as a line of the processor's cache holds.
const BUCKET: usize = 4;
/// Ages are told apart up to this.
const AGES: u8 = 64;

impl Entry {
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

/// A table of a fixed size.
#[derive(Debug, Default)]
pub(super) struct Table {
    buckets: Vec<[Entry; BUCKET]>,
    age: u8,
}

impl Table {
    /// A table that takes no more than so many bytes; none at all if that is too little for
    /// one bucket.
    pub(super) fn new(bytes: u64) -> Self {
        let room = bytes / size_of::<[Entry; BUCKET]>() as u64;
        let buckets = if room == 0 { 0 } else { 1 << room.ilog2() };
        Self { buckets: vec![[Entry::default(); BUCKET]; buckets], age: 0 }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.buckets.fill([Entry::default(); BUCKET]);
        self.age = 0;
    }

    /// Another move is thought about: what is in the table may go first.
    pub(super) fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    pub(super) fn find(&self, key: u64) -> Option<&Entry> {
        let bucket = self.buckets.get(self.place(key))?;
        bucket.iter().find(|entry| entry.key == key && entry.bound() != Bound::Nothing)
    }

    /// Keeps what was found out, in place of what is known of the same position, or else of
    /// what is worth least: the older first, then the shallower.
    pub(super) fn keep(&mut self, key: u64, depth: u8, best: u16, value: i32, bound: Bound) {
        let (place, age) = (self.place(key), self.age);
        let Some(bucket) = self.buckets.get_mut(place) else { return };
        let worth = |entry: &Entry| match entry.bound() {
            Bound::Nothing => i32::MIN,
            _ => i32::from(entry.depth) - 8 * i32::from((age + AGES - entry.age()) % AGES),
        };
        let same = bucket.iter().position(|entry| entry.key == key);
        let least = || (0..BUCKET).min_by_key(|at| worth(&bucket[*at])).unwrap_or_default();
        let at = same.unwrap_or_else(least);
        let known = if bucket[at].key == key { bucket[at].best } else { NO_MOVE };
        let best = if best == NO_MOVE { known } else { best };
        let age_and_bound = age * 4 + bound as u8;
        bucket[at] = Entry { key, value, best, depth, age_and_bound };
    }

    fn place(&self, key: u64) -> usize {
        (key >> 32) as usize & self.buckets.len().wrapping_sub(1)
    }
}
