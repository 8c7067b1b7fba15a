//! Features of a position of Kalah: the rows of the network's first layer that apply. The module does
//! not know weights.
//!
//! Holes are numbered from the first of the side to move, in the direction of sowing, so that a
//! position looks the same to both players.

use std::sync::LazyLock;

use pitmaster_games::two_row::Position;

use super::super::network::Network;
use super::view::{HOLES, SCORE_ROWS, View};

/// Number of holes on a side.
const SIDE: usize = HOLES / 2;
/// Number of cells that a sowing visits: all holes and the own store.
const CYCLE: usize = HOLES + 1;
/// Largest distinguished number of seeds in a hole.
const LARGEST: usize = 15;
/// Number of sets of holes on a side.
const SETS: usize = 1 << SIDE;
/// Class of a number of seeds across, as captured.
const ACROSS: [u8; LARGEST + 1] = [0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 5];
const CLASSES: usize = 6;

/// First row of each group.
const CONTENTS: usize = 0;
const CAPTURES: usize = CONTENTS + HOLES * (LARGEST + 1);
const NO_CAPTURE: usize = CAPTURES + HOLES * CLASSES;
const REPEATS: usize = NO_CAPTURE + 2;
const EMPTY: usize = REPEATS + 2 * SETS;
const SCORES: usize = EMPTY + 2 * SETS;

/// Number of rows.
pub(super) const ROWS: usize = SCORES + SCORE_ROWS;
/// Number of rows of any position: two for each hole, two for each side, three for the whole board.
pub(super) const ACTIVE: usize = 2 * HOLES + 4 + 3;

/// Network that evaluates positions of Kalah.
pub type KalahNetwork = Network<ROWS, ACTIVE>;

static BUILT_IN: LazyLock<KalahNetwork> =
    LazyLock::new(|| KalahNetwork::from_bytes(include_bytes!("kalah.net")));

impl KalahNetwork {
    /// Network that comes with the crate.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Features of a position, as rows of the first layer.
    pub fn rows(position: &Position) -> Vec<usize> {
        let mut rows = Vec::with_capacity(ACTIVE);
        each(&View::new(position), |row| rows.push(row));
        rows
    }

    /// Value for the side to move beyond the captured seeds, in hundredths of a seed.
    #[inline]
    pub(super) fn estimate(&self, position: &Position) -> i32 {
        let view = View::new(position);
        let mut sums = self.sums();
        each(&view, |row| sums.add(row));
        sums.value(view.phase())
    }
}

/// Calls `row` with each row that applies.
#[inline]
fn each(view: &View, mut row: impl FnMut(usize)) {
    for side in 0..2 {
        let first = side * SIDE;
        // Moves that end in the store, and empty holes.
        let (mut repeats, mut empty) = (0, 0);
        for hole in 0..SIDE {
            let seeds = view.seeds[first + hole];
            row(CONTENTS + (first + hole) * (LARGEST + 1) + seeds.min(LARGEST));
            let end = (hole + seeds) % CYCLE;
            repeats |= usize::from(end == SIDE) << hole;
            empty |= usize::from(seeds == 0) << hole;
            // Thirteen seeds end in their start hole.
            let inside = end.min(SIDE - 1);
            let there = view.seeds[first + inside];
            let captures =
                end < SIDE && seeds > 0 && if seeds < CYCLE { there == 0 } else { seeds == CYCLE };
            let across = view.seeds[HOLES - 1 - (first + inside)].min(LARGEST);
            let taken = usize::from(ACROSS[across]);
            let capture = CAPTURES + (first + inside) * CLASSES + taken;
            row(if captures { capture } else { NO_CAPTURE + side });
        }
        row(REPEATS + side * SETS + repeats);
        row(EMPTY + side * SETS + empty);
    }
    view.scores(|at| row(SCORES + at));
}
