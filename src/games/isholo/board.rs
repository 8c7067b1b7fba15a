//! The board as people see it: the four rows from player 1's seat. Must not know how a move is
//! played.

use std::fmt::Write as _;

use super::hole::{COLUMNS, Hole};
use super::position::Position;
use crate::games::Turn;
use crate::record::Side;

/// The opponent's rows from the right to the left, then the own ones, each named at the edges;
/// then how much each player has, and whose turn it is.
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
    let _ = writeln!(text, "{}   {}", told(position, Side::One), told(position, Side::Two));
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

fn told(position: &Position, side: Side) -> String {
    let (seeds, holes) = (position.total(side), position.filled(side));
    format!("player {side}: {seeds} seeds in {holes} holes")
}
