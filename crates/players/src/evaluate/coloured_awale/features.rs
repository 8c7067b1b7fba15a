//! Features of a position of Coloured Awale: the rows of the network's first layer that apply. The
//! module does not know weights.
//!
//! The rules do not change if the board is turned by two holes, nor if it is turned by one and the
//! players swap names. So features are patterns that count equally in every hole, from the view of
//! the side to move.

use pitmaster_core::Side;
use pitmaster_games::Rules;
use pitmaster_games::coloured_awale::{ColouredAwale, Position};

/// Number of holes.
const HOLES: usize = 16;
/// Largest distinguished number of seeds in a hole of a run.
const MANY: u8 = 4;
/// Number of classes of two neighboring holes.
const CLASSES: usize = 25;

/// First row of each group.
const CONTENTS: usize = 0;
const RUNS: usize = CONTENTS + 2 * 150;
const ENDS: usize = RUNS + 2 * 125;
const NO_MOVE: usize = ENDS + 8 * CLASSES;
const OWN_SCORE: usize = NO_MOVE + 2;
const OTHER_SCORE: usize = OWN_SCORE + SCORES;
const ON_BOARD: usize = OTHER_SCORE + SCORES;
const PLIES_LEFT: usize = ON_BOARD + 49;
/// Number of distinguished scores.
const SCORES: usize = 50;
/// Number of remaining plies per step.
const STEP: u32 = 16;
/// Number of distinguished steps of remaining plies: up to the usual limit of 400 plies.
const STEPS: usize = 26;

/// Number of rows.
pub(super) const ROWS: usize = PLIES_LEFT + STEPS;
/// Number of rows of any position: two for each hole, four moves from each hole, four for the whole
/// board.
pub(super) const ACTIVE: usize = 2 * HOLES + 4 * HOLES + 4;

/// Distance from the start to the hole of the last seed, by color and number of seeds.
static DISTANCE: [[u8; 128]; 2] = distances();

const fn distances() -> [[u8; 128]; 2] {
    let mut distances = [[0; 128]; 2];
    let mut seeds = 1;
    while seeds < 128 {
        distances[0][seeds] = ((seeds - 1) % 15 + 1) as u8;
        distances[1][seeds] = (2 * ((seeds - 1) % 8) + 1) as u8;
        seeds += 1;
    }
    distances
}

/// Seeds from the view of the side to move, whose holes have even numbers.
struct Board {
    red: [u8; HOLES],
    blue: [u8; HOLES],
    transparent: [u8; HOLES],
}

impl Board {
    fn new(position: &Position) -> Self {
        let turn = 8 * position.side().index() as u32;
        let seen = |seeds| u128::from_le_bytes(seeds).rotate_right(turn).to_le_bytes();
        let [red, blue, transparent] = position.board().map(seen);
        Self { red, blue, transparent }
    }
}

/// Calls `row` with each row that applies. `left` is the number of plies until the game is
/// adjudicated.
#[inline]
pub(super) fn each(
    rules: ColouredAwale,
    position: &Position,
    left: u32,
    mut row: impl FnMut(usize),
) {
    let board = Board::new(position);
    let classes = holes(&board, &mut row);
    ends(&board, &classes, &mut row);
    let score = rules.score(position);
    let (own, other) = match position.side() {
        Side::One => (score.one, score.two),
        Side::Two => (score.two, score.one),
    };
    let score = |seeds: u32| (seeds as usize).min(SCORES - 1);
    row(OWN_SCORE + score(own));
    row(OTHER_SCORE + score(other));
    row(ON_BOARD + (96 - (own + other).min(96)) as usize / 2);
    row(PLIES_LEFT + ((left / STEP) as usize).min(STEPS - 1));
}

/// Contents of each hole, and the numbers of seeds in the run of three that ends there. Returns the
/// class of each hole and the one before.
#[inline]
fn holes(board: &Board, row: &mut impl FnMut(usize)) -> [u8; HOLES] {
    let (mut contents, mut few) = ([0; HOLES], [0; HOLES]);
    for hole in 0..HOLES {
        let (red, blue, transparent) = (board.red[hole], board.blue[hole], board.transparent[hole]);
        contents[hole] = red.min(5) * 25 + blue.min(4) * 5 + transparent.min(4);
        few[hole] = (red + blue + transparent).min(MANY);
    }
    let back = |numbers: [u8; HOLES]| u128::from_le_bytes(numbers).rotate_left(8).to_le_bytes();
    let (before, before_that) = (back(few), back(back(few)));
    let (mut classes, mut runs) = ([0; HOLES], [0; HOLES]);
    for hole in 0..HOLES {
        classes[hole] = few[hole] * 5 + before[hole];
        runs[hole] = classes[hole] * 5 + before_that[hole];
    }
    for hole in 0..HOLES {
        row(CONTENTS + hole % 2 * 150 + usize::from(contents[hole]));
        row(RUNS + hole % 2 * 125 + usize::from(runs[hole]));
    }
    classes
}

/// Ends of the moves of both sides. A missing move has its own row, because a branch is slower than
/// a row.
#[inline]
fn ends(board: &Board, classes: &[u8; HOLES], row: &mut impl FnMut(usize)) {
    let end = |hole: usize, colour: usize, named: u8, seeds: u8| {
        let distance = usize::from(DISTANCE[colour][usize::from(seeds) % DISTANCE[0].len()]);
        let end = (hole + distance) % HOLES;
        let kind = (hole % 2 * 2 + colour) * 2 + (hole + end) % 2;
        let there_is = ENDS + kind * CLASSES + usize::from(classes[end]);
        if named > 0 { there_is } else { NO_MOVE + hole % 2 }
    };
    for hole in 0..HOLES {
        let (red, blue, transparent) = (board.red[hole], board.blue[hole], board.transparent[hole]);
        row(end(hole, 0, red, red));
        row(end(hole, 0, transparent, transparent + red));
        row(end(hole, 1, blue, blue));
        row(end(hole, 1, transparent, transparent + blue));
    }
}
