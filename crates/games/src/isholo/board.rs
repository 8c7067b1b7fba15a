//! Board drawing for people: the four rows from player 1's view. The module does not know how a
//! move is played.

use std::fmt::Write as _;

use pitmaster_core::{BySide, Side};

use super::hole::{COLUMNS, Hole};
use super::position::Position;
use crate::{Contents, HoleShape, ONE_KIND, Shape, Turn};

/// The opponent's rows from right to left, then the own ones, labeled at the edges, then the seeds
/// of each player and the turn.
pub(super) fn draw(position: &Position, turn: Turn) -> String {
    let mut text = String::with_capacity(512);
    let (inner, outer) = Hole::ALL.split_at(COLUMNS);
    for (owner, rows) in [(Side::Two, [outer, inner]), (Side::One, [inner, outer])] {
        for row in rows {
            let mut row: Vec<_> = row.to_vec();
            if owner == Side::Two {
                row.reverse();
            }
            line(&mut text, position, owner, &row);
        }
        if owner == Side::Two {
            let _ = writeln!(text, "       {}", "-----".repeat(COLUMNS));
        }
    }
    text.push('\n');
    let _ = writeln!(text, "{}   {}", holding(position, Side::One), holding(position, Side::Two));
    let _ = writeln!(text, "{turn}");
    text
}

fn line(text: &mut String, position: &Position, owner: Side, row: &[Hole]) {
    let (first, last) = (row[0], row[COLUMNS - 1]);
    let _ = write!(text, "P{owner}  {first} ");
    for hole in row {
        let seeds = match position.seeds(owner, *hole) {
            0 => "·".into(),
            seeds => seeds.to_string(),
        };
        let _ = write!(text, "{seeds:>4} ");
    }
    let _ = writeln!(text, " {last}");
}

fn holding(position: &Position, side: Side) -> String {
    let (seeds, holes) = (position.total(side), position.filled(side));
    format!("player {side}: {seeds} seeds in {holes} holes")
}

/// Four rows, as [`draw`] has them.
pub(super) fn shape() -> Shape {
    let hole = |owner: Side, hole: Hole| {
        let (inner, place) = (hole.number() < COLUMNS, (hole.number() % COLUMNS) as u8);
        let (row, column) = match (owner, inner) {
            (Side::One, true) => (2, place),
            (Side::One, false) => (3, place),
            (Side::Two, true) => (1, COLUMNS as u8 - 1 - place),
            (Side::Two, false) => (0, COLUMNS as u8 - 1 - place),
        };
        HoleShape { label: hole.to_string(), owner, row, column }
    };
    let of = |owner| Hole::ALL.into_iter().map(move |each| hole(owner, each));
    Shape {
        rows: 4,
        columns: COLUMNS as u8,
        kinds: ONE_KIND,
        stores: false,
        holes: Side::BOTH.into_iter().flat_map(of).collect(),
    }
}

/// Player 1's holes, then player 2's, each from `a1` to `b8`.
pub(super) fn contents(position: &Position) -> Contents {
    let of = |owner| Hole::ALL.into_iter().map(move |hole| position.seeds(owner, hole).into());
    Contents {
        seeds: Side::BOTH.into_iter().flat_map(of).collect(),
        stores: BySide::default(),
        marks: Vec::new(),
    }
}
