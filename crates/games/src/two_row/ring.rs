//! Sowing rings: the order of the cells along which seeds are sown.
//!
//! A cell is a hole, or one of the two stores, whose indices follow the last possible hole.

use pitmaster_core::Side;

use super::Way;
use super::params::{Class, Params, SowStores};
use super::position::MAX_BOARD;

/// Hole or store.
pub(super) type Cell = u8;

/// Number of cells on the largest board.
pub(super) const CELLS: usize = MAX_BOARD + 2;

/// Marker for no cell.
pub(super) const NOWHERE: Cell = u8::MAX;

/// A side's store.
pub(super) const fn store(side: Side) -> Cell {
    MAX_BOARD as Cell + side as Cell
}

/// Whether a cell is a store.
pub(super) const fn is_store(cell: Cell) -> bool {
    cell as usize >= MAX_BOARD
}

/// Next cell for each cell, for one mover in one direction.
pub(super) type Ring = [Cell; CELLS];

/// Rings of both movers in both directions: `[side][way]`.
pub(super) type Rings = [[Ring; 2]; 2];

/// Builds the rings of a game.
pub(super) fn rings(params: &Params) -> Rings {
    let mut rings = [[[NOWHERE; CELLS]; 2]; 2];
    for side in Side::BOTH {
        for circle in circles(params, side) {
            link(&mut rings[side.index()], &circle);
        }
        enter_from_store(params, side, &mut rings[side.index()]);
    }
    rings
}

/// Links the cells of a circle, given counter-clockwise, in both directions.
fn link(ways: &mut [Ring; 2], circle: &[Cell]) {
    for (place, &cell) in circle.iter().enumerate() {
        let next = circle[(place + 1) % circle.len()];
        ways[Way::Ccw as usize][cell as usize] = next;
        ways[Way::Cw as usize][next as usize] = cell;
    }
}

/// Circles along which a mover's seeds can run, each counter-clockwise.
fn circles(params: &Params, mover: Side) -> Vec<Vec<Cell>> {
    let h = params.holes as Cell;
    match params.game_class {
        Class::NorthSouthCycle | Class::NsGratuitous => {
            vec![row(params, Side::One, mover), row(params, Side::Two, mover)]
        }
        Class::EastWestCycle | Class::EwGratuitous => {
            vec![half(params, Side::One, mover), half(params, Side::Two, mover)]
        }
        Class::ZigZag => vec![zigzag(h)],
        _ => vec![around(params, mover)],
    }
}

/// Stores on a mover's way: player 1's, player 2's.
fn stores_on_way(params: &Params, mover: Side) -> [bool; 2] {
    match params.sow_stores {
        SowStores::Neither => [false, false],
        SowStores::Own | SowStores::OwnNr => [mover == Side::One, mover == Side::Two],
        SowStores::Both | SowStores::BothNr | SowStores::BothNrOwn | SowStores::BothNrOpp => {
            [true, true]
        }
    }
}

/// The whole board: player 1's store follows player 1's row, and player 2's the other row.
fn around(params: &Params, mover: Side) -> Vec<Cell> {
    let h = params.holes as Cell;
    let [one, two] = stores_on_way(params, mover);
    let mut circle: Vec<_> = (0..h).collect();
    circle.extend(one.then_some(store(Side::One)));
    circle.extend(h..2 * h);
    circle.extend(two.then_some(store(Side::Two)));
    circle
}

/// A row as a separate circle. The stores follow the mover's row, the mover's own one first.
fn row(params: &Params, row: Side, mover: Side) -> Vec<Cell> {
    let h = params.holes as Cell;
    let first = if row == Side::One { 0 } else { h };
    let mut circle: Vec<_> = (first..first + h).collect();
    if row == mover {
        let on_way = stores_on_way(params, mover);
        for side in [mover, mover.other()] {
            circle.extend(on_way[side.index()].then_some(store(side)));
        }
    }
    circle
}

/// The east (player 1's) or the west half of the board as a separate circle. Each store is at its
/// end of the board, so that a circle with both stores passes one at either end of its inner edge.
fn half(params: &Params, half: Side, mover: Side) -> Vec<Cell> {
    let h = params.holes as Cell;
    let [one, two] = if half == mover { stores_on_way(params, mover) } else { [false; 2] };
    let mut circle = Vec::new();
    match half {
        Side::One => {
            circle.extend(h / 2..h);
            circle.extend(one.then_some(store(Side::One)));
            circle.extend(h..h + h / 2);
            circle.extend(two.then_some(store(Side::Two)));
        }
        Side::Two => {
            circle.extend(0..h / 2);
            circle.extend(one.then_some(store(Side::One)));
            circle.extend(h + h / 2..2 * h);
            circle.extend(two.then_some(store(Side::Two)));
        }
    }
    circle
}

/// The ring that crosses the middle line with every step, from one end of the board to the other
/// and back through the skipped holes.
fn zigzag(h: Cell) -> Vec<Cell> {
    let station = |place: Cell| {
        let back = 2 * h - 2;
        match place {
            _ if place == 2 * h - 1 => 0,
            _ if place == h - 1 => h - 1 + h % 2,
            _ if (place < h - 1) == (place.is_multiple_of(2)) => back - place,
            _ => place + 1,
        }
    };
    (0..2 * h).map(station).collect()
}

/// Lets seeds from a store outside of the ring enter at its position.
fn enter_from_store(params: &Params, side: Side, ways: &mut [Ring; 2]) {
    let cell = store(side) as usize;
    if ways[0][cell] != NOWHERE {
        return;
    }
    let h = params.holes as Cell;
    let (ccw, cw) = match (params.game_class, side) {
        (Class::NorthSouthCycle | Class::NsGratuitous, Side::One) => (0, h - 1),
        (Class::NorthSouthCycle | Class::NsGratuitous, Side::Two) => (h, 2 * h - 1),
        (_, Side::One) => (h, h - 1),
        (_, Side::Two) => (0, 2 * h - 1),
    };
    ways[Way::Ccw as usize][cell] = ccw;
    ways[Way::Cw as usize][cell] = cw;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::two_row::testing::game;

    /// Circle of cells starting at one: holes from 1, stores as `S` and `N`.
    fn circle(holes: i32, options: &str, mover: Side, way: Way, from: Cell) -> String {
        let rings = rings(&game(holes, options).plan.params);
        let ring = rings[mover.index()][way as usize];
        let name = |cell: Cell| match cell {
            cell if cell == store(Side::One) => "S".into(),
            cell if cell == store(Side::Two) => "N".into(),
            hole => (hole + 1).to_string(),
        };
        let mut cells = vec![name(from)];
        let mut cell = ring[from as usize];
        while cell != from && cells.len() < CELLS {
            cells.push(name(cell));
            cell = ring[cell as usize];
        }
        cells.join(" ")
    }

    fn from_first(holes: i32, options: &str, mover: Side) -> String {
        circle(holes, options, mover, Way::Ccw, 0)
    }

    #[test]
    fn each_store_lies_behind_its_row() {
        let [one, two] = Side::BOTH;
        assert_eq!(from_first(3, "", one), "1 2 3 4 5 6");
        for own in ["OWN", "OWN_NR"] {
            let own = format!("sow_stores={own}");
            assert_eq!(from_first(3, &own, one), "1 2 3 S 4 5 6");
            assert_eq!(from_first(3, &own, two), "1 2 3 4 5 6 N");
        }
        for both in ["BOTH", "BOTH_NR", "BOTH_NR_OWN", "BOTH_NR_OPP"] {
            let both = format!("sow_stores={both}");
            assert_eq!(from_first(3, &both, one), "1 2 3 S 4 5 6 N");
            assert_eq!(from_first(3, &both, two), "1 2 3 S 4 5 6 N");
        }
    }

    #[test]
    fn clockwise_is_the_way_back() {
        let back = circle(3, "sow_stores=OWN,sow_direct=CW", Side::One, Way::Cw, 0);
        assert_eq!(back, "1 6 5 4 S 3 2");
    }

    #[test]
    fn rows_can_be_rings_of_their_own() {
        let rows = |more: &str, mover, from| {
            circle(3, &format!("game_class=NorthSouthCycle{more}"), mover, Way::Ccw, from)
        };
        let [one, two] = Side::BOTH;
        assert_eq!(rows("", one, 0), "1 2 3");
        assert_eq!(rows("", two, 3), "4 5 6");
        assert_eq!(rows(",sow_stores=OWN", one, 0), "1 2 3 S");
        assert_eq!(rows(",sow_stores=OWN", two, 3), "4 5 6 N");
        assert_eq!(rows(",sow_stores=BOTH_NR", one, 0), "1 2 3 S N");
        assert_eq!(rows(",sow_stores=BOTH_NR", two, 3), "4 5 6 N S");
    }

    #[test]
    fn halves_can_be_rings_of_their_own() {
        let halves = |more: &str, mover, from| {
            circle(4, &format!("game_class=EastWestCycle{more}"), mover, Way::Ccw, from)
        };
        let [one, two] = Side::BOTH;
        assert_eq!(halves("", one, 2), "3 4 5 6");
        assert_eq!(halves("", two, 6), "7 8 1 2");
        assert_eq!(halves(",sow_stores=OWN", one, 2), "3 4 S 5 6");
        assert_eq!(halves(",sow_stores=OWN", two, 6), "7 8 N 1 2");
        assert_eq!(halves(",sow_stores=BOTH", one, 2), "3 4 S 5 6 N");
        assert_eq!(halves(",sow_stores=BOTH", two, 0), "1 2 S 7 8 N");
    }

    #[test]
    fn a_zigzag_is_one_ring_through_all_holes() {
        let zigzag = |holes, more: &str, from| {
            let options = format!("game_class=ZigZag,sow_direct=TOCENTER{more}");
            circle(holes, &options, Side::One, Way::Ccw, from)
        };
        assert_eq!(zigzag(4, "", 6), "7 3 5 4 6 2 8 1");
        assert_eq!(zigzag(5, ",udir_holes=2", 8), "9 3 7 5 6 4 8 2 10 1");
    }

    #[test]
    fn a_store_that_is_not_sown_into_is_entered_from() {
        let entry = |class: &str, side| {
            let options = format!("game_class={class},play_locs=BRD_OWN_STR_ALL");
            let rings = rings(&game(4, &options).plan.params)[Side::index(side)];
            rings.map(|ring| ring[store(side) as usize] + 1)
        };
        assert_eq!(entry("Mancala", Side::One), [5, 4]);
        assert_eq!(entry("Mancala", Side::Two), [1, 8]);
        assert_eq!(entry("NorthSouthCycle", Side::One), [1, 4]);
        assert_eq!(entry("NorthSouthCycle", Side::Two), [5, 8]);
    }
}
