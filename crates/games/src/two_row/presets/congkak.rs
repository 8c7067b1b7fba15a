//! Congkak, with rows of six for short positions, and of seven as usually played.

use crate::two_row::testing::{Scene, known};

fn congkak(position: &str, moves: &str) -> Scene {
    known("congkak::6x4", position).play(moves)
}

#[test]
fn laps_go_on_from_occupied_holes_into_the_own_store() {
    let scene = congkak("0 0 0 1 1 0 | 4 4 4 4 4 4 | 11:11", "4");
    assert_eq!(scene.all(["board", "turn"]), ["0 0 0 0 0 1 | 4 4 4 4 4 4 | 12:11", "1"]);
}

#[test]
fn laps_end_in_an_empty_own_hole_and_capture_across() {
    let scene = congkak("1 2 0 0 0 1 | 4 3 4 4 4 4 | 10:11", "1");
    assert_eq!(scene.all(["board", "turn"]), ["0 0 1 1 0 1 | 4 0 4 4 4 4 | 14:11", "2"]);
    let nothing_across = congkak("1 2 0 0 0 1 | 4 0 4 4 4 7 | 10:11", "1");
    assert_eq!(nothing_across.board(), "0 0 1 1 1 1 | 4 0 4 4 4 7 | 10:11");
}

#[test]
fn laps_end_in_an_empty_hole_of_the_opponents_without_a_capture() {
    let scene = congkak("0 0 0 0 0 2 | 0 5 4 4 4 4 | 12:13", "6");
    assert_eq!(scene.all(["board", "turn"]), ["0 0 0 0 0 0 | 1 5 4 4 4 4 | 13:13", "2"]);
}

#[test]
fn the_opponents_store_is_passed_over() {
    // The eighth seed reaches around to hole 1 and captures the seeds across.
    let scene = congkak("0 1 0 0 0 8 | 1 1 1 1 1 2 | 16:16", "6");
    assert_eq!(scene.board(), "0 1 0 0 0 0 | 2 2 2 2 2 0 | 21:16");
}

#[test]
fn who_has_no_seeds_passes() {
    let scene = congkak("0 0 0 0 0 0 | 4 4 4 4 4 4 | 12:12", "");
    assert_eq!(scene.listed(), "pass");
    assert_eq!(scene.play("pass").turn(), "2");
}

#[test]
fn the_game_ends_when_nobody_has_seeds_or_somebody_more_than_half() {
    assert_eq!(congkak("0 0 0 0 0 0 | 0 0 0 0 0 1 | 24:23; 2", "12").turn(), "drawn 24:24");
    assert_eq!(congkak("0 0 0 0 0 0 | 0 0 0 0 2 1 | 21:24; 2", "12").turn(), "2 wins 21:25");
}

#[test]
fn on_seven_holes_all_is_the_same() {
    let across = known("congkak", "0 0 0 0 0 1 0 | 5 7 7 7 7 7 7 | 25:25").play("6");
    assert_eq!(across.all(["board", "turn"]), ["0 0 0 0 0 0 0 | 0 7 7 7 7 7 7 | 31:25", "2"]);
    let again = known("congkak", "0 0 0 0 0 0 1 | 7 7 7 7 7 7 7 | 24:24").play("7");
    assert_eq!(again.all(["turn", "listed"]), ["1", "pass"]);
}
