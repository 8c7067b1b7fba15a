//! Kalah, and Kalah in which a last seed in an empty own hole is always captured.

use crate::two_row::testing::{Scene, known};

fn kalah(position: &str, moves: &str) -> Scene {
    known("kalah", position).play(moves)
}

fn kalah_empty(position: &str, moves: &str) -> Scene {
    known("kalah_empty", position).play(moves)
}

#[test]
fn the_own_store_is_sown_into_and_the_opponents_passed_over() {
    let [board, turn] = kalah("1 0 0 0 0 8 | 1 1 1 1 1 1 | 16:17", "6").all(["board", "turn"]);
    assert_eq!((&*board, &*turn), ("2 0 0 0 0 0 | 2 2 2 2 2 2 | 17:17", "2"));
    let [board, turn] = kalah("1 1 1 1 1 1 | 1 0 0 0 0 8 | 17:16; 2", "12").all(["board", "turn"]);
    assert_eq!((&*board, &*turn), ("2 2 2 2 2 2 | 2 0 0 0 0 0 | 17:17", "1"));
}

#[test]
fn a_last_seed_in_the_own_store_gives_another_turn_any_number_of_times() {
    let position = "1 0 1 0 2 1 | 4 4 4 4 4 4 | 8:11";
    for moves in ["6", "6 5", "6 5 6"] {
        assert_eq!(kalah(position, moves).turn(), "1", "{moves}");
    }
    let [board, turn] = kalah(position, "6 5 6 1").all(["board", "turn"]);
    // The last move ends in an empty hole with four seeds across.
    assert_eq!((&*board, &*turn), ("0 0 1 0 0 0 | 4 4 4 4 0 4 | 16:11", "2"));
}

#[test]
fn a_last_seed_in_an_empty_own_hole_captures_across() {
    let [board, turn] = kalah("2 0 0 4 0 1 | 7 0 0 5 0 0 | 14:15", "1").all(["board", "turn"]);
    assert_eq!((&*board, &*turn), ("0 1 0 4 0 1 | 7 0 0 0 0 0 | 20:15", "2"));
}

#[test]
fn with_nothing_across_the_seed_stays_or_in_kalah_empty_is_taken_alone() {
    let position = "2 0 0 4 0 1 | 7 5 0 0 0 0 | 14:15";
    assert_eq!(kalah(position, "1").board(), "0 1 1 4 0 1 | 7 5 0 0 0 0 | 14:15");
    assert_eq!(kalah_empty(position, "1").board(), "0 1 0 4 0 1 | 7 5 0 0 0 0 | 15:15");
}

#[test]
fn a_last_seed_in_an_empty_hole_of_the_opponents_captures_nothing() {
    for game in [kalah, kalah_empty] {
        let scene = game("0 4 0 0 0 2 | 0 5 4 4 4 4 | 10:11", "6");
        assert_eq!(scene.board(), "0 4 0 0 0 0 | 1 5 4 4 4 4 | 11:11");
    }
}

#[test]
fn thirteen_seeds_end_where_they_began_and_capture_there() {
    let scene = kalah("0 0 13 0 0 0 | 1 1 1 2 1 1 | 14:14", "3");
    assert_eq!(scene.board(), "1 1 0 1 1 1 | 2 2 2 0 2 2 | 19:14");
}

#[test]
fn the_game_ends_when_the_mover_has_emptied_the_own_row() {
    // The same with the last seed in the store, which would give another turn.
    let into_store = kalah("0 0 0 0 0 1 | 2 0 3 0 0 0 | 20:22", "6");
    assert_eq!(into_store.turn(), "2 wins 21:27");
    assert_eq!(into_store.board(), "0 0 0 0 0 0 | 0 0 0 0 0 0 | 21:27");
    let beyond = "0 0 0 0 0 2 | 2 0 3 0 0 0 | 19:22";
    assert_eq!(kalah(beyond, "6").turn(), "2 wins 20:28");
    // The other Kalah of the catalogue continues as long as the next player can move.
    let late = known("kalah_late", beyond).play("6");
    assert_eq!(late.all(["board", "turn"]), ["0 0 0 0 0 0 | 3 0 3 0 0 0 | 20:22", "2"]);
}

#[test]
fn the_game_ends_when_a_capture_has_emptied_the_opponents_row() {
    let scene = kalah("1 0 0 0 0 3 | 0 0 0 0 4 0 | 17:23", "1");
    assert_eq!(scene.all(["board", "turn"]), ["0 0 0 0 0 0 | 0 0 0 0 0 0 | 25:23", "1 wins 25:23"]);
}

#[test]
fn a_seed_taken_alone_can_empty_the_row_and_end_the_game() {
    let position = "0 1 0 0 0 0 | 2 0 3 0 0 0 | 20:22";
    assert_eq!(kalah(position, "2").turn(), "2");
    assert_eq!(kalah_empty(position, "2").turn(), "2 wins 21:27");
}

#[test]
fn the_game_ends_when_somebody_has_more_than_half() {
    let scene = kalah("2 0 0 0 0 1 | 1 0 0 5 0 0 | 20:19", "1");
    assert_eq!(scene.all(["board", "turn"]), ["0 1 0 0 0 1 | 1 0 0 0 0 0 | 26:19", "1 wins 26:19"]);
}

#[test]
fn equal_numbers_are_a_draw() {
    assert_eq!(kalah("0 0 0 0 0 1 | 0 0 0 0 0 2 | 23:22", "6").turn(), "drawn 24:24");
}
