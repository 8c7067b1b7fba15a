//! Sowing in laps on a player's own sixteen holes. The module knows neither captures nor turns.

use super::trace::Watch;
use crate::Observer;
use crate::holes::{HOLES, Holes};

/// Number of seeds of the game.
pub(super) const SEEDS: usize = 64;

/// Number of laps above which a sowing counts as endless.
pub(super) const MOST_LAPS: u32 = 1_000;

/// Change of the holes when `n` seeds are sown out of a hole, by `n` and the hole's index.
static MOVED: [[Holes; HOLES]; SEEDS + 1] = moved();

#[expect(clippy::large_stack_arrays, reason = "only the compiler runs it")]
const fn moved() -> [[Holes; HOLES]; SEEDS + 1] {
    let mut moved = [[Holes::NONE; HOLES]; SEEDS + 1];
    let mut start = 0;
    while start < HOLES {
        let mut seeds = 1;
        while seeds <= SEEDS {
            let to = (start + seeds) % HOLES;
            moved[seeds][start] = moved[seeds - 1][start].with_one_moved(start, to);
            seeds += 1;
        }
        start += 1;
    }
    moved
}

/// Sows this many of a hole's seeds, and continues with all seeds of the last hole until that was
/// an empty one, whose index is returned. `None` if it never ends.
///
/// Laps are counted instead of detecting repeated boards: of 100,000 sowings in random play only
/// three to fifteen are endless, too few for a comparison at every lap.
pub(super) fn sow<O: Observer>(
    own: &mut Holes,
    mut place: usize,
    mut seeds: u8,
    watch: &mut Watch<'_, O>,
) -> Option<usize> {
    for _ in 0..MOST_LAPS {
        let last = (place + usize::from(seeds)) % HOLES;
        let before = own.get(last);
        *own += MOVED[usize::from(seeds).min(SEEDS)][place % HOLES];
        watch.sown(place, seeds);
        let there = if seeds < HOLES as u8 {
            // Tests the old board, which is available earlier.
            if before == 0 {
                return Some(last);
            }
            before + 1
        } else if own.get(last) == 1 {
            return Some(last);
        } else {
            own.get(last)
        };
        watch.lap(last, there);
        (place, seeds) = (last, there);
    }
    None
}
