//! Tests of Oware.

use crate::two_row::testing::{Scene, known};

fn oware(position: &str, moves: &str) -> Scene {
    known("oware", position).play(moves)
}

#[test]
fn the_hole_that_was_moved_is_passed_over_on_every_lap() {
    let twelve = oware("12 0 0 0 0 0 | 4 4 4 4 4 4 | 6:6", "1");
    assert_eq!(twelve.board(), "0 2 1 1 1 1 | 5 5 5 5 5 5 | 6:6");
    let twenty_three = oware("23 0 0 0 0 0 | 1 1 1 1 1 1 | 10:9", "1");
    assert_eq!(twenty_three.board(), "0 3 2 2 2 2 | 3 3 3 3 3 3 | 10:9");
}

#[test]
fn twos_and_threes_are_captured_backward() {
    // Holes 9 and 8 then hold three and two; hole 7 with five ends the chain.
    let scene = oware("1 0 0 0 0 3 | 4 1 2 4 4 4 | 12:13", "6");
    assert_eq!(scene.all(["board", "turn"]), ["1 0 0 0 0 0 | 5 0 0 4 4 4 | 17:13", "2"]);
    // The own row ends the chain too, although hole 6 holds two.
    let scene = oware("1 0 0 0 2 1 | 1 4 4 4 4 4 | 11:12", "5");
    assert_eq!(scene.board(), "1 0 0 0 0 2 | 0 4 4 4 4 4 | 13:12");
    // Player 2 captures in the lower row.
    let scene = oware("1 2 4 4 4 4 | 1 0 0 0 0 2 | 13:13; 2", "12");
    assert_eq!(scene.board(), "0 0 4 4 4 4 | 1 0 0 0 0 0 | 13:18");
}

#[test]
fn four_are_not_captured_and_protect_what_lies_behind() {
    let scene = oware("1 0 0 0 0 1 | 3 4 4 4 4 4 | 11:12", "6");
    assert_eq!(scene.board(), "1 0 0 0 0 0 | 4 4 4 4 4 4 | 11:12");
    let scene = oware("1 0 0 0 0 2 | 1 3 4 4 4 4 | 12:13", "6");
    assert_eq!(scene.board(), "1 0 0 0 0 0 | 2 4 4 4 4 4 | 12:13");
}

#[test]
fn a_capture_of_all_seeds_is_none() {
    let position = "0 0 0 1 0 2 | 1 2 0 0 0 0 | 21:21";
    let scene = oware(position, "6");
    assert_eq!(scene.all(["board", "turn"]), ["0 0 0 1 0 0 | 2 3 0 0 0 0 | 21:21", "2"]);
    let legal = known("oware,grandslam=LEGAL", position).play("6");
    assert_eq!(legal.turn(), "1 wins 26:21");
}

#[test]
fn who_can_feed_a_starved_opponent_must() {
    assert_eq!(oware("0 1 0 2 0 2 | 0 0 0 0 0 0 | 21:22", "").listed(), "6");
    assert_eq!(oware("1 0 0 0 2 3 | 0 0 0 0 0 0 | 21:21", "").listed(), "5 6");
    assert_eq!(oware("1 0 0 0 2 3 | 0 0 0 0 0 1 | 21:20", "").listed(), "1 5 6");
    // Hole 4 would create six twos and capture them all, although the opponent had nothing before.
    assert_eq!(oware("4 1 4 19 1 3 | 0 0 0 0 0 0 | 8:8", "").listed(), "3 6");
}

#[test]
fn who_cannot_feed_takes_what_is_left() {
    let scene = oware("0 1 0 2 0 0 | 0 0 0 0 0 1 | 22:22; 2", "12");
    assert_eq!(scene.all(["board", "turn"]), ["0 0 0 0 0 0 | 0 0 0 0 0 0 | 26:22", "1 wins 26:22"]);
    assert_eq!(oware("0 1 0 1 0 0 | 0 0 0 0 0 1 | 21:24; 2", "12").turn(), "drawn 24:24");
}

#[test]
fn the_game_ends_when_somebody_has_more_than_half() {
    assert_eq!(oware("0 0 0 0 0 1 | 1 4 0 0 0 8 | 23:11", "6").turn(), "1 wins 25:11");
    assert_eq!(oware("0 0 0 0 0 1 | 1 4 0 0 0 8 | 22:12", "6").turn(), "2");
}

#[test]
fn a_limit_gives_what_is_left_to_the_owners_of_the_holes() {
    assert_eq!(oware("1 0 0 0 0 0 | 0 0 0 0 0 2 | 23:22", "").adjudicated(), "drawn 24:24");
}
