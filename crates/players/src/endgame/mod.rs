//! Endgame tables: the values of all positions with few seeds, for two-row games whose score is the
//! seeds in the stores, such as Oware and Kalah.
//!
//! The value of a position is the final lead in captured seeds of the side to move, under best play
//! until no move is left. Positions are numbered by a combinatorial number system (`numbering`),
//! mover first, and computed seed count by seed count (`build`).
//!
//! A game of Oware can be endless. The rules do not define its value: a ply limit ends it, and the
//! seeds go to the owners of their holes. So a table contains two bounds. The lower one is what the
//! side to move can force if an endless game gives all remaining seeds to the opponent, the upper
//! one if it gives them to the side to move. If they are equal, because either side can force an
//! end, the value is exact regardless of the value of endless play. Kalah has no endless games, so
//! all values are exact. A ply limit is ignored.
//!
//! The module does not access files: the caller reads and writes bytes (`format`).

mod build;
mod format;
mod numbering;
mod rules;
#[cfg(test)]
mod tests;
mod verify;

use std::io;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use pitmaster_core::Side;
use pitmaster_games::Rules;
use pitmaster_games::two_row::{Phase, Position, TwoRow};

pub use self::build::Progress;
pub use self::format::EndgameHeader;
pub use self::verify::Verified;

use self::numbering::{Board, MAX_HOLES, Numbering};

/// Bounds of the final score difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Lower bound.
    pub low: i32,
    /// Upper bound.
    pub high: i32,
}

impl Bounds {
    /// The value, if it is exact.
    pub fn exact(self) -> Option<i32> {
        (self.low == self.high).then_some(self.low)
    }
}

/// Known values of positions near the end of a game.
pub trait Endgame<R: Rules>: Send + Sync {
    /// Number of seeds still in play, which never increases during a game.
    fn seeds(&self, position: &R::Position) -> u32;

    /// Bounds of the final score difference for player 1, stores included; `None` if the position
    /// is not in the table.
    fn probe(&self, position: &R::Position) -> Option<Bounds>;
}

/// Reason why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum EndgameError {
    /// Tables do not cover the game.
    #[error("there are no endgame tables for this game: {0}")]
    Unsuited(String),
    /// The memory is too small for any position.
    #[error("{0} bytes are too few for a table; allow more memory")]
    Memory(u64),
    /// The file is not an endgame table.
    #[error("not an endgame table; make one with `pitmaster tables`")]
    Foreign,
    /// The file has another version.
    #[error("endgame table of another version of Pitmaster; make it again with `pitmaster tables`")]
    Version,
    /// The table is for another game.
    #[error(
        "made for other rules (it differs in {}); make one for this game with `pitmaster tables`",
        .0.join(", ")
    )]
    OtherGame(
        /// Names of the parameters that differ.
        Vec<String>,
    ),
    /// The bytes are damaged.
    #[error("damaged or cut off; make it again with `pitmaster tables`")]
    Damaged,
    /// The bytes cannot be read or written.
    #[error("cannot be read or written: {0}")]
    Io(#[from] io::Error),
}

/// Table of the positions of a two-row game with few seeds.
#[derive(Debug)]
pub struct EndgameTable {
    rules: TwoRow,
    numbering: Numbering,
    /// Bounds of all boards with 0, 1, 2… seeds. Atomic, because several threads compute a seed
    /// count.
    levels: Vec<Vec<AtomicU16>>,
}

/// Bounds of an unreachable position, in which the side to move cannot move.
const NOWHERE: [i8; 2] = [1, 0];

impl EndgameTable {
    /// Rules by which the positions of a table are played: those of the game, but without a win
    /// before no move is left.
    ///
    /// # Errors
    /// Tables do not cover the game.
    pub fn open_ended(rules: &TwoRow) -> Result<TwoRow, EndgameError> {
        rules::open_ended(rules.params())
    }

    /// Largest number of seeds for which a table of a game fits into this many bytes.
    ///
    /// # Errors
    /// Tables do not cover the game, or the memory is too small.
    pub fn fits(rules: &TwoRow, memory: u64) -> Result<u32, EndgameError> {
        let holes = Self::holes(&rules::open_ended(rules.params())?);
        let fits = (1..=i8::MAX as u32).take_while(|&most| {
            let bytes = Self::bytes_of(holes, most);
            // Saturated sizes exceed any memory.
            bytes <= memory && bytes < u64::MAX
        });
        fits.last().ok_or(EndgameError::Memory(memory))
    }

    /// Size in bytes of a table of a game with up to this many seeds; saturated.
    pub fn bytes(rules: &TwoRow, most: u32) -> u64 {
        Self::bytes_of(Self::holes(rules), most)
    }

    fn bytes_of(holes: usize, most: u32) -> u64 {
        let numbering = Numbering::new(holes, most as usize);
        let boards = (0..=most as usize).map(|seeds| numbering.boards(seeds));
        boards.fold(0_u64, u64::saturating_add).saturating_mul(size_of::<AtomicU16>() as u64)
    }

    fn holes(rules: &TwoRow) -> usize {
        2 * rules.params().holes as usize
    }

    /// Whether the table is of a game with these rules.
    pub fn is_of(&self, rules: &TwoRow) -> bool {
        rules::open_ended(rules.params())
            .is_ok_and(|open| rules::key(&open) == rules::key(&self.rules))
    }

    /// Largest number of seeds of a position in the table.
    pub fn most(&self) -> u32 {
        self.numbering.most() as u32
    }

    /// Number of positions.
    pub fn positions(&self) -> u64 {
        self.levels.iter().map(|level| level.len() as u64).sum()
    }

    /// Numbers of positions with exact values and with bounds only. The rest is unreachable.
    pub fn counts(&self) -> [u64; 2] {
        let mut counts = [0; 2];
        for entry in self.levels.iter().flatten() {
            let [low, high] = unpack(entry.load(Relaxed));
            if low <= high {
                counts[usize::from(low < high)] += 1;
            }
        }
        counts
    }

    /// Bounds of a board for the side to move; `None` if it is unreachable.
    fn bounds(&self, board: &Board, seeds: usize) -> Option<Bounds> {
        let number = self.numbering.number(board, seeds);
        let [low, high] = unpack(self.levels[seeds][number as usize].load(Relaxed));
        (low <= high).then_some(Bounds { low: low.into(), high: high.into() })
    }
}

impl Endgame<TwoRow> for EndgameTable {
    fn seeds(&self, position: &Position) -> u32 {
        position.seeds[..self.numbering.holes()].iter().map(|&seeds| u32::from(seeds)).sum()
    }

    fn probe(&self, position: &Position) -> Option<Bounds> {
        let seeds = self.seeds(position);
        if position.phase != Phase::Move || seeds > self.most() {
            return None;
        }
        let board = board_of(position, self.numbering.holes());
        let Bounds { low, high } = self.bounds(&board, seeds as usize)?;
        let stores = i32::from(position.stores.one) - i32::from(position.stores.two);
        Some(match position.side {
            Side::One => Bounds { low: stores + low, high: stores + high },
            Side::Two => Bounds { low: stores - high, high: stores - low },
        })
    }
}

/// The board from the view of the side to move, its own row first. No hole exceeds the table's
/// number of seeds.
fn board_of(position: &Position, holes: usize) -> Board {
    let mut board = [0; MAX_HOLES];
    let row = holes / 2;
    let (one, two) = position.seeds[..holes].split_at(row);
    let [own, other] = if position.side == Side::One { [one, two] } else { [two, one] };
    for (there, seeds) in board.iter_mut().zip(own.iter().chain(other)) {
        *there = *seeds as u8;
    }
    board
}

fn pack([low, high]: [i8; 2]) -> u16 {
    u16::from_le_bytes([low.cast_unsigned(), high.cast_unsigned()])
}

fn unpack(entry: u16) -> [i8; 2] {
    entry.to_le_bytes().map(u8::cast_signed)
}
