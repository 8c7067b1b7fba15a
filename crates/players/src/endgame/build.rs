//! Computation of a table, seed count by seed count.
//!
//! A capturing move leads to fewer seeds, whose positions are done. Other moves stay within the
//! seed count and may form cycles. So the bounds begin as wide as possible and are narrowed pass by
//! pass, until a pass changes nothing. Bounds only get closer, so the order of the positions and
//! the number of threads do not matter: the result is the least lower bound and the greatest upper
//! bound that agree with all moves.

use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use pitmaster_core::Side;
use pitmaster_games::two_row::{Move, Position, Template, TwoRow};
use pitmaster_games::{MoveList, Rules, Turn};
use rayon::prelude::*;

use super::numbering::{Board, Numbering};
use super::{Bounds, EndgameError, EndgameTable, NOWHERE, board_of, pack, rules, unpack};

/// Number of positions that a thread computes at a time.
const CHUNK: usize = 1 << 14;

/// Progress of a computation, after each pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Number of seeds whose positions are being computed.
    pub seeds: u32,
    /// Number of passes over these positions.
    pub pass: u32,
    /// Number of these positions whose bounds the pass has changed.
    pub changed: u64,
    /// Number of positions whose values are known: those with fewer seeds, and exact ones.
    pub done: u64,
    /// Number of positions of the whole table.
    pub total: u64,
}

/// Result of a pass over the positions of a seed count.
#[derive(Debug, Clone, Copy, Default)]
struct Pass {
    /// Number of positions whose bounds changed.
    changed: u64,
    /// Number of positions whose bounds differ.
    open: u64,
}

impl EndgameTable {
    /// Computes the table of all positions with up to `most` seeds, on the threads of the current
    /// pool. `on_progress` is called after each pass.
    ///
    /// # Errors
    /// Tables do not cover the game.
    pub fn build(
        rules: &TwoRow,
        most: u32,
        mut on_progress: impl FnMut(Progress),
    ) -> Result<Self, EndgameError> {
        let rules = rules::open_ended(rules.params())?;
        let numbering = Numbering::new(Self::holes(&rules), most as usize);
        let mut table = Self { rules, numbering, levels: Vec::new() };
        let total = Self::bytes(&table.rules, most) / size_of::<AtomicU16>() as u64;
        for seeds in 0..=most {
            table.begin_level(seeds as usize);
            for pass in 1.. {
                let Pass { changed, open } = table.pass(seeds as usize);
                let done = table.positions() - open;
                on_progress(Progress { seeds, pass, changed, done, total });
                if changed == 0 {
                    break;
                }
            }
        }
        Ok(table)
    }

    /// Adds the positions with one seed more, with bounds as wide as possible.
    fn begin_level(&mut self, seeds: usize) {
        let widest = pack([-(seeds as i8), seeds as i8]);
        let boards = self.numbering.boards(seeds) as usize;
        self.levels.push(std::iter::repeat_with(|| AtomicU16::new(widest)).take(boards).collect());
    }

    /// Narrows the bounds of all positions with this many seeds.
    fn pass(&self, seeds: usize) -> Pass {
        let chunks = self.levels[seeds].par_chunks(CHUNK).enumerate();
        let passes = chunks.map(|(chunk, entries)| self.pass_chunk(seeds, chunk, entries));
        passes.reduce(Pass::default, |a, b| Pass {
            changed: a.changed + b.changed,
            open: a.open + b.open,
        })
    }

    fn pass_chunk(&self, seeds: usize, chunk: usize, entries: &[AtomicU16]) -> Pass {
        let mut board = self.numbering.board((chunk * CHUNK) as u64, seeds);
        let mut expander = Expander::new(&self.rules);
        let mut pass = Pass::default();
        for entry in entries {
            let before = unpack(entry.load(Relaxed));
            if before[0] < before[1] || seeds == 0 && before != NOWHERE {
                let after = self.narrowed(&board, &mut expander);
                if after != before {
                    entry.store(pack(after), Relaxed);
                    pass.changed += 1;
                }
                pass.open += u64::from(after[0] < after[1]);
            }
            self.numbering.advance(&mut board);
        }
        pass
    }

    /// Bounds of a position from those of its successors.
    fn narrowed(&self, board: &Board, expander: &mut Expander<'_>) -> [i8; 2] {
        let mut best: Option<Bounds> = None;
        expander.each(board, |child, turn| {
            let bounds = self.bounds_of_child(child, turn);
            best = Some(match best {
                None => bounds,
                Some(best) => {
                    Bounds { low: best.low.max(bounds.low), high: best.high.max(bounds.high) }
                }
            });
        });
        best.map_or(NOWHERE, |Bounds { low, high }| [low as i8, high as i8])
    }

    /// Bounds of a position after a move by player 1, for player 1.
    pub(super) fn bounds_of_child(&self, child: &Position, turn: Turn) -> Bounds {
        let gain = i32::from(child.stores.one) - i32::from(child.stores.two);
        let side = match turn {
            Turn::Over(outcome) => {
                let lead = outcome.score.one.cast_signed() - outcome.score.two.cast_signed();
                return Bounds { low: lead, high: lead };
            }
            Turn::Player(side) => side,
            Turn::Chance => unreachable!("no game with a table has steps of chance"),
        };
        let board = board_of(child, self.numbering.holes());
        let seeds: usize = board.iter().map(|&seeds| usize::from(seeds)).sum();
        let bounds = self.bounds(&board, seeds);
        let Bounds { low, high } =
            bounds.unwrap_or_else(|| unreachable!("a player to move can move: {child:?}"));
        match side {
            Side::One => Bounds { low: gain + low, high: gain + high },
            Side::Two => Bounds { low: gain - high, high: gain - low },
        }
    }
}

/// Plays all moves of boards with player 1 to move.
pub(super) struct Expander<'r> {
    rules: &'r TwoRow,
    holes: usize,
    position: Position,
    list: MoveList<Move, Template>,
}

impl<'r> Expander<'r> {
    pub(super) fn new(rules: &'r TwoRow) -> Self {
        let position = Position { moves: 3, turns: 3, ..rules.start() };
        let holes = EndgameTable::holes(rules);
        Self { rules, holes, position, list: MoveList::default() }
    }

    /// Sets a board up with empty stores.
    pub(super) fn set(&mut self, board: &Board) -> &Position {
        for (there, seeds) in self.position.seeds[..self.holes].iter_mut().zip(board) {
            *there = (*seeds).into();
        }
        &self.position
    }

    /// Calls a function with the position after each move. A board of a finished game has no move.
    pub(super) fn each(&mut self, board: &Board, mut child: impl FnMut(&Position, Turn)) {
        self.set(board);
        self.rules.moves(&self.position, &mut self.list);
        for mv in &self.list.moves {
            let mut after = self.position.clone();
            self.rules.play(&mut after, mv, &mut ());
            let turn = self.rules.turn(&after);
            child(&after, turn);
        }
    }
}
