//! Position notation in one line of text, `2.2.2.2.2.2.2.2,2.2.2.2.2.2.2.2/…/1`: the rows `a` and
//! `b` of player 1, those of player 2, and the player to move.

use std::fmt::Write as _;

use pitmaster_core::{BySide, Side};

use super::Kind;
use super::hole::{COLUMNS, Hole};
use super::position::Position;
use super::sowing::SEEDS;
use crate::TextError;
use crate::holes::{HOLES, Holes};
use crate::text::{number, parts};

pub(super) fn write(position: &Position) -> String {
    let mut text = String::with_capacity(96);
    for side in Side::BOTH {
        for hole in Hole::ALL {
            let end = match hole.number() + 1 {
                HOLES => '/',
                COLUMNS => ',',
                _ => '.',
            };
            let _ = write!(text, "{}{end}", position.seeds(side, hole));
        }
    }
    let _ = write!(text, "{}", position.side);
    text
}

/// Parses the format of [`write()`], and nothing else.
pub(super) fn read(kind: Kind, text: &str) -> Result<Position, TextError> {
    let (one, two, side) = fields(text).ok_or_else(|| {
        TextError(
            "a position is the rows a and b of player 1, those of player 2 and the side to move, \
             like 2.2.2.2.2.2.2.2,2.2.2.2.2.2.2.2/2.2.2.2.2.2.2.2,2.2.2.2.2.2.2.2/1"
                .into(),
        )
    })?;
    check(kind, total(&one), total(&two)).map_err(TextError)?;
    Ok(Position::new(kind, BySide::new(holes(&one), holes(&two)), side))
}

/// Checks the numbers of seeds that can occur in play.
fn check(kind: Kind, one: usize, two: usize) -> Result<(), String> {
    let (all, half) = (one + two, SEEDS / 2);
    match kind {
        Kind::One if all == 0 => Err("there are no seeds; one hole needs some".into()),
        Kind::One if one.max(two) > half => {
            Err(format!("a player has at most {half} seeds, not {}", one.max(two)))
        }
        Kind::TwoA | Kind::TwoB if all != SEEDS => {
            Err(format!("the players have {SEEDS} seeds together, not {all}"))
        }
        Kind::Three if one != half || two != half => {
            Err(format!("each player has {half} seeds, not {one} and {two}"))
        }
        _ => Ok(()),
    }
}

fn total(row: &[u8; HOLES]) -> usize {
    row.iter().map(|&seeds| usize::from(seeds)).sum()
}

/// Converts from the game's order to that of the cycle.
fn holes(seeds: &[u8; HOLES]) -> Holes {
    let mut places = [0; HOLES];
    for hole in Hole::ALL {
        places[hole.place()] = seeds[hole.number()];
    }
    Holes::from_numbers(places)
}

fn fields(text: &str) -> Option<([u8; HOLES], [u8; HOLES], Side)> {
    let [one, two, side] = parts(text, '/')?;
    Some((rows(one)?, rows(two)?, Side::from_number(number(side)?)?))
}

fn rows(text: &str) -> Option<[u8; HOLES]> {
    let mut seeds = [0; HOLES];
    for (row, text) in seeds.chunks_exact_mut(COLUMNS).zip(parts::<2>(text, ',')?) {
        for (seeds, text) in row.iter_mut().zip(parts::<COLUMNS>(text, '.')?) {
            *seeds = number(text)?;
        }
    }
    Some(seeds)
}
