//! Features of a position of Oware: the rows of the network's first layer that apply. The module does
//! not know weights.
//!
//! Holes are numbered from the first of the side to move, in the direction of sowing, so that a
//! position looks the same to both players.

use std::sync::LazyLock;

use pitmaster_games::two_row::Position;

use super::super::network::Network;
use super::view::{HOLES, SCORE_ROWS, View};

/// Largest distinguished number of seeds in a hole.
const LARGEST: usize = 19;
/// Numbers of seeds in a hole and in the one before, each up to 3.
const PAIRS: usize = 16;

/// First row of each group.
const CONTENTS: usize = 0;
const RUNS: usize = CONTENTS + HOLES * (LARGEST + 1);
const ENDS: usize = RUNS + HOLES * PAIRS;
const NO_MOVE: usize = ENDS + 2 * HOLES * PAIRS;
const SCORES: usize = NO_MOVE + 2;

/// Number of rows.
pub(super) const ROWS: usize = SCORES + SCORE_ROWS;
/// Number of rows of any position: three for each hole, three for the whole board.
pub(super) const ACTIVE: usize = 3 * HOLES + 3;

/// Network that evaluates positions of Oware.
pub type OwareNetwork = Network<ROWS, ACTIVE>;

static BUILT_IN: LazyLock<OwareNetwork> =
    LazyLock::new(|| OwareNetwork::from_bytes(include_bytes!("oware.net")));

impl OwareNetwork {
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
    let few = view.seeds.map(|seeds| seeds.min(3));
    let mut pairs = [0; HOLES];
    for hole in 0..HOLES {
        pairs[hole] = few[hole] * 4 + few[(hole + HOLES - 1) % HOLES];
    }
    for hole in 0..HOLES {
        let seeds = view.seeds[hole];
        row(CONTENTS + hole * (LARGEST + 1) + seeds.min(LARGEST));
        row(RUNS + hole * PAIRS + pairs[hole]);
        // The start hole is skipped.
        let side = hole / (HOLES / 2);
        let end = (hole + 1 + (seeds + HOLES - 2) % (HOLES - 1)) % HOLES;
        let there_is = ENDS + (side * HOLES + end) * PAIRS + pairs[end];
        row(if seeds > 0 { there_is } else { NO_MOVE + side });
    }
    view.scores(|at| row(SCORES + at));
}
