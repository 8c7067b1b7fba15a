//! Moves as traces write them.

use pitmaster::core::Side;
use pitmaster::games::two_row::{Move, Way};
use serde_json::Value;

use super::state::side_of;

/// Reads a move: `3`; `[3, 1]` with a direction; `[row, 3, direction]`, row 0 player 2's;
/// `"P"`; `"S2"`. Columns count from the west, which is player 2's right.
pub(crate) fn read(value: &Value, mover: Side, holes: u8, placing: bool) -> Option<Move> {
    if let Some(text) = value.as_str() {
        return match text.strip_prefix('S') {
            Some(seeds) => seeds.parse().ok().map(Move::Store),
            None => (text == "P").then_some(Move::Pass),
        };
    }
    let (row, column, way) = match value.as_array().map(Vec::as_slice) {
        None => (mover, value, None),
        Some([column, way]) => (mover, column, Some(way)),
        Some([row, column, way]) => (side_of(1 - row.as_u64()? as u8), column, Some(way)),
        Some(_) => return None,
    };
    let column = column.as_u64()? as u8;
    let hole = if row == Side::One { column } else { 2 * holes - 1 - column };
    Some(if placing { Move::Place(hole) } else { Move::Sow { hole, way: read_way(way) } })
}

fn read_way(value: Option<&Value>) -> Option<Way> {
    match value?.as_i64()? {
        1 => Some(Way::Ccw),
        -1 => Some(Way::Cw),
        _ => None,
    }
}

/// A move as a number, so that lists can be sorted and compared.
pub(crate) fn key(mv: &Move) -> u32 {
    let (kind, number, way) = match mv {
        Move::Sow { hole, way } => (0, u32::from(*hole), way.map_or(0, |way| 1 + way as u32)),
        Move::Store(seeds) => (1, u32::from(*seeds), 0),
        Move::Place(hole) => (2, u32::from(*hole), 0),
        Move::Pass => (3, 0, 0),
        Move::Swap => (4, 0, 0),
        Move::Fill(_) | Move::Own(_) | Move::Round(_) | Move::Deal(_) => (5, 0, 0),
    };
    kind << 24 | number << 4 | way
}

/// A move as people read it: holes by location, from 0.
pub(crate) fn text(mv: &Move) -> String {
    match mv {
        Move::Sow { hole, way: None } => hole.to_string(),
        Move::Sow { hole, way: Some(Way::Ccw) } => format!("{hole}+"),
        Move::Sow { hole, way: Some(Way::Cw) } => format!("{hole}-"),
        Move::Store(seeds) => format!("s{seeds}"),
        Move::Place(hole) => format!("place {hole}"),
        Move::Pass => "pass".into(),
        Move::Swap => "swap".into(),
        layout => format!("{layout:?}"),
    }
}

/// Several moves.
pub(crate) fn texts(moves: &[Move]) -> String {
    moves.iter().map(text).collect::<Vec<_>>().join(" ")
}
