//! Position notation in one line of text. The module does not know when a game is over.

use std::fmt::Write as _;

use pitmaster_core::{BySide, Side};

use super::moves::Kind;
use super::position::Position;
use super::sowing::SEEDS;
use crate::TextError;
use crate::holes::{HOLES, Holes};
use crate::text::{number, parts};

/// `2.2.2,…/0-0/1`.
pub(super) fn write(position: &Position) -> String {
    let mut text = String::with_capacity(128);
    for hole in 0..HOLES as u8 {
        let [red, blue, transparent] = Kind::ALL.map(|kind| position.seeds(hole, kind));
        let end = if usize::from(hole) + 1 < HOLES { ',' } else { '/' };
        let _ = write!(text, "{red}.{blue}.{transparent}{end}");
    }
    let _ = write!(text, "{}-{}/{}", position.score.one, position.score.two, position.side);
    text
}

/// Parses the format of [`write()`], and nothing else.
pub(super) fn read(text: &str) -> Result<Position, TextError> {
    let (numbers, score, side) = fields(text).ok_or_else(|| {
        TextError(
            "a position is 16 holes (red.blue.transparent) with commas between, the scores and \
             the side to move, like 2.2.2,…,2.2.2/0-0/1"
                .into(),
        )
    })?;
    let total: u32 = numbers.as_flattened().iter().chain(&score).map(|&n| u32::from(n)).sum();
    if total != u32::from(SEEDS) {
        let fault = format!("board and scores hold {SEEDS} seeds together, not {total}");
        return Err(TextError(fault));
    }
    let seeds = numbers.map(Holes::from_numbers);
    Ok(Position { seeds, score: BySide::new(score[0], score[1]), side })
}

/// The numbers of seeds by kind and hole, the scores, the side to move.
type Fields = ([[u8; HOLES]; 3], [u8; 2], Side);

fn fields(text: &str) -> Option<Fields> {
    let [board, scores, side] = parts(text, '/')?;
    let mut seeds = [[0; HOLES]; 3];
    for (hole, text) in parts::<HOLES>(board, ',')?.into_iter().enumerate() {
        for (kind, text) in parts::<3>(text, '.')?.into_iter().enumerate() {
            seeds[kind][hole] = number(text)?;
        }
    }
    let [one, two] = parts(scores, '-')?;
    Some((seeds, [number(one)?, number(two)?], Side::from_number(number(side)?)?))
}
