//! Verification of a table by plain search, independent of the table and its numbering.

use std::sync::atomic::Ordering::Relaxed;

use pitmaster_core::{Seed, Side, below};
use pitmaster_games::two_row::{Position, TwoRow};
use pitmaster_games::{MoveList, Rules, Turn};

use super::build::Expander;
use super::{Bounds, Endgame as _, EndgameTable, NOWHERE, unpack};

/// Number of moves that the search of one position may make.
const NODES: u64 = 50_000;

/// Largest depth of a search, for positions with few moves whose lines never end.
const DEEPEST: u32 = 30;

/// Result of a verification.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verified {
    /// Number of positions that were searched.
    pub positions: u64,
    /// Number of positions whose table value the search has proven.
    pub proven: u64,
    /// Positions with wrong table values, as text, with the expected values.
    pub wrong: Vec<String>,
}

impl EndgameTable {
    /// Searches this many random positions without the table and compares. A search that cannot
    /// follow all lines to the end finds bounds, which must enclose those of the table.
    /// `on_progress` is called after each position. Searches nothing if the table has no reachable
    /// positions.
    pub fn verify(&self, count: u64, seed: Seed, mut on_progress: impl FnMut()) -> Verified {
        let mut rng = seed.stream("endgame table");
        let mut expander = Expander::new(&self.rules);
        let mut verified = Verified::default();
        let count = if self.has_positions() { count } else { 0 };
        while verified.positions < count {
            let seeds = 1 + below(&mut rng, self.most().into()) as usize;
            let number = below(&mut rng, self.numbering.boards(seeds));
            let board = self.numbering.board(number, seeds);
            let position = expander.set(&board);
            let Some(known) = self.probe(position) else { continue };
            let found = search(&self.rules, position, seeds as u32);
            verified.positions += 1;
            if known.low < found.low || known.high > found.high {
                let text = self.rules.position_text(position);
                verified.wrong.push(format!("{text}: {known:?} in the table, {found:?} found"));
            } else {
                verified.proven += u64::from(found.exact().is_some());
            }
            on_progress();
        }
        verified
    }

    /// Whether any position with seeds on the board is reachable.
    fn has_positions(&self) -> bool {
        let mut entries = self.levels.iter().skip(1).flatten();
        entries.any(|entry| unpack(entry.load(Relaxed)) != NOWHERE)
    }
}

/// Deepens the search until the value is exact or the nodes are spent.
fn search(rules: &TwoRow, position: &Position, seeds: u32) -> Bounds {
    let mut best = Bounds { low: -seeds.cast_signed(), high: seeds.cast_signed() };
    for depth in 1..=DEEPEST {
        let mut plain = Plain { rules, left: NODES };
        let found = plain.bounds(position, depth);
        if plain.left == 0 {
            break;
        }
        best = found;
        if best.exact().is_some() {
            break;
        }
    }
    best
}

/// Plain search, without a table of any kind.
struct Plain<'r> {
    rules: &'r TwoRow,
    left: u64,
}

impl Plain<'_> {
    /// Bounds of the final score difference for player 1. Beyond the depth, either side may get all
    /// remaining seeds.
    fn bounds(&mut self, position: &Position, depth: u32) -> Bounds {
        let Turn::Player(side) = self.rules.turn(position) else {
            return settled(self.rules, position);
        };
        if depth == 0 || self.left == 0 {
            return unknown(self.rules, position);
        }
        let mut list = MoveList::default();
        self.rules.moves(position, &mut list);
        let mut best: Option<Bounds> = None;
        for mv in &list.moves {
            self.left = self.left.saturating_sub(1);
            let mut child = position.clone();
            self.rules.play(&mut child, mv, &mut ());
            let found = self.bounds(&child, depth - 1);
            best = Some(best.map_or(found, |best| better(side, best, found)));
        }
        best.unwrap_or_else(|| unknown(self.rules, position))
    }
}

/// The better bounds of two moves for a side.
fn better(side: Side, a: Bounds, b: Bounds) -> Bounds {
    match side {
        Side::One => Bounds { low: a.low.max(b.low), high: a.high.max(b.high) },
        Side::Two => Bounds { low: a.low.min(b.low), high: a.high.min(b.high) },
    }
}

fn settled(rules: &TwoRow, position: &Position) -> Bounds {
    let lead = lead(rules, position);
    Bounds { low: lead, high: lead }
}

fn unknown(rules: &TwoRow, position: &Position) -> Bounds {
    let lead = lead(rules, position);
    let left: u32 = position.seeds.iter().map(|&seeds| u32::from(seeds)).sum();
    Bounds { low: lead - left.cast_signed(), high: lead + left.cast_signed() }
}

fn lead(rules: &TwoRow, position: &Position) -> i32 {
    let score = rules.score(position);
    score.one.cast_signed() - score.two.cast_signed()
}
