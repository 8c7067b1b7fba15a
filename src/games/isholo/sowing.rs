//! Sowing lap after lap on a player's own sixteen holes. Must not know captures or turns.

use super::watch::Watch;
use crate::games::Observer;
use crate::games::holes::{HOLES, Holes};

/// All seeds of the game; no hole holds more.
pub(super) const SEEDS: usize = 64;

/// A sowing that needs more laps never ends.
pub(super) const MOST_LAPS: u32 = 1_000;

/// What sowing `n` seeds out of a hole changes, by the hole's place and `n`.
static MOVED: [[Holes; SEEDS + 1]; HOLES] = moved();

#[expect(clippy::large_stack_arrays, reason = "only the compiler runs it")]
const fn moved() -> [[Holes; SEEDS + 1]; HOLES] {
    let mut moved = [[Holes::NONE; SEEDS + 1]; HOLES];
    let mut start = 0;
    while start < HOLES {
        let mut seeds = 1;
        while seeds <= SEEDS {
            let to = (start + seeds) % HOLES;
            moved[start][seeds] = moved[start][seeds - 1].with_one_moved(start, to);
            seeds += 1;
        }
        start += 1;
    }
    moved
}

/// Sows so many of a hole's seeds, and goes on with all that lie where the last one falls
/// until that was an empty hole, whose place is returned. `None`: it never ends.
///
/// A lap can be undone: the last hole gives back a seed, then the one before it, up to the
/// first that has none, where the lap began. So two sowings never come to the same board and
/// place, and one that goes round for ever comes back to where its second lap began: nothing
/// else leads there.
#[inline]
pub(super) fn sow<O: Observer>(
    own: &mut Holes,
    start: usize,
    seeds: u8,
    watch: &mut Watch<'_, O>,
) -> Option<usize> {
    let mut last = lap(own, start, seeds, watch);
    let second = (*own, last);
    for _ in 1..MOST_LAPS {
        let seeds = own.get(last);
        if seeds <= 1 {
            return Some(last);
        }
        watch.lap(last, seeds);
        last = lap(own, last, seeds, watch);
        if (*own, last) == second {
            return None;
        }
    }
    (own.get(last) <= 1).then_some(last)
}

/// One lap; says where the last seed falls.
fn lap<O: Observer>(own: &mut Holes, start: usize, seeds: u8, watch: &mut Watch<'_, O>) -> usize {
    *own += MOVED[start % HOLES][usize::from(seeds).min(SEEDS)];
    watch.sown(start, seeds);
    (start + usize::from(seeds)) % HOLES
}
