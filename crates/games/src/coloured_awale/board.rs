//! Board drawing for people. The module does not know how a move is played.

use std::fmt::Write as _;

use pitmaster_core::Side;

use super::moves::Kind;
use super::position::Position;
use crate::holes::HOLES;
use crate::{Contents, HoleShape, Shape, Turn};

/// Top row. The order is clockwise from its left.
const TOP: [u8; HOLES / 2] = [0, 1, 2, 3, 4, 5, 6, 7];
const BOTTOM: [u8; HOLES / 2] = [15, 14, 13, 12, 11, 10, 9, 8];

/// Holes 1 to 8 above, 16 to 9 below, each with its owner; then scores and turn.
pub(super) fn draw(position: &Position, turn: Turn) -> String {
    let mut text = String::with_capacity(1024);
    line(&mut text, "hole", TOP, number);
    line(&mut text, "owner", TOP, owner);
    seeds(&mut text, position, TOP);
    text.push('\n');
    seeds(&mut text, position, BOTTOM);
    line(&mut text, "owner", BOTTOM, owner);
    line(&mut text, "hole", BOTTOM, number);
    text.push('\n');
    let _ = writeln!(text, "player 1: {}   player 2: {}", position.score.one, position.score.two);
    let _ = writeln!(text, "{turn}");
    text
}

/// Writes a line for each kind.
fn seeds(text: &mut String, position: &Position, row: [u8; HOLES / 2]) {
    for (kind, label) in Kind::ALL.into_iter().zip(["R red", "B blue", "T transparent"]) {
        line(text, label, row, |hole| match position.seeds(hole, kind) {
            0 => "·".into(),
            seeds => seeds.to_string(),
        });
    }
}

fn line(text: &mut String, label: &str, row: [u8; HOLES / 2], cell: impl Fn(u8) -> String) {
    let _ = write!(text, "{label:<13}");
    for hole in row {
        let _ = write!(text, "{:>5}", cell(hole));
    }
    text.push('\n');
}

fn number(hole: u8) -> String {
    (hole + 1).to_string()
}

fn owner(hole: u8) -> String {
    format!("P{}", Side::BOTH[usize::from(hole % 2)])
}

/// Two rows in clockwise order with alternating owners.
pub(super) fn shape() -> Shape {
    let hole = |hole: u8| {
        let (row, column) = match TOP.iter().position(|top| *top == hole) {
            Some(column) => (0, column),
            None => (1, BOTTOM.iter().position(|bottom| *bottom == hole).unwrap_or(0)),
        };
        let owner = Side::BOTH[usize::from(hole % 2)];
        HoleShape { label: number(hole), owner, row, column: column as u8 }
    };
    Shape {
        rows: 2,
        columns: TOP.len() as u8,
        kinds: &["red", "blue", "transparent"],
        stores: true,
        holes: (0..HOLES as u8).map(hole).collect(),
    }
}

/// Contents of the board; captured seeds are in the stores.
pub(super) fn contents(position: &Position) -> Contents {
    let seeds = |hole| Kind::ALL.map(|kind| position.seeds(hole, kind).into());
    Contents {
        seeds: (0..HOLES as u8).flat_map(seeds).collect(),
        stores: position.score.map(u16::from),
        marks: Vec::new(),
    }
}
