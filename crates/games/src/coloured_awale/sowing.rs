//! Sowing tables: the path of every sowing, computed at compile time. The module knows neither the
//! side to move nor captures.

use super::moves::Kind;
use crate::holes::{HOLES, Holes};

/// Number of seeds of the game.
pub(super) const SEEDS: u8 = 96;

/// Path of the seeds sown from one hole as one color.
pub(super) struct Way {
    /// Change of the holes when the first `n` seeds move: one less in the start for each of them,
    /// one more where it falls.
    moved: [Holes; SEEDS as usize + 1],
    /// Hole of the `n`th seed; before the first, the start.
    hole: [u8; SEEDS as usize + 1],
}

/// Sowings by color and start. Longer than one lap because a hole may hold all seeds.
static WAYS: [[Way; HOLES]; 2] = [ways(Kind::Red), ways(Kind::Blue)];

impl Way {
    pub(super) fn of(colour: Kind, start: usize) -> &'static Self {
        &WAYS[colour as usize][start]
    }

    /// Change of the holes when the first `seeds` seeds move.
    pub(super) fn moved(&self, seeds: u8) -> Holes {
        self.moved[usize::from(seeds)]
    }

    /// Hole of the last of this many seeds.
    pub(super) fn hole(&self, seeds: u8) -> usize {
        usize::from(self.hole[usize::from(seeds)])
    }

    const fn new(colour: Kind, start: usize) -> Self {
        let mut way = Self { moved: [Holes::NONE; _], hole: [start as u8; _] };
        let mut seed = 1;
        while seed < way.hole.len() {
            let hole = next(colour, start, way.hole[seed - 1] as usize);
            way.hole[seed] = hole as u8;
            way.moved[seed] = way.moved[seed - 1].with_one_moved(start, hole);
            seed += 1;
        }
        way
    }
}

#[expect(clippy::large_stack_arrays, reason = "only the compiler runs it")]
const fn ways(colour: Kind) -> [Way; HOLES] {
    let mut ways = [const { Way::new(Kind::Red, 0) }; HOLES];
    let mut start = 0;
    while start < HOLES {
        ways[start] = Way::new(colour, start);
        start += 1;
    }
    ways
}

/// The hole of the next seed: red goes to every hole but the start, blue to the holes of
/// the opponent of the start's owner.
const fn next(colour: Kind, start: usize, hole: usize) -> usize {
    let mut next = (hole + 1) % HOLES;
    let skipped = match colour {
        Kind::Blue => next % 2 == start % 2,
        Kind::Red | Kind::Transparent => next == start,
    };
    if skipped {
        next = (next + 1) % HOLES;
    }
    next
}
