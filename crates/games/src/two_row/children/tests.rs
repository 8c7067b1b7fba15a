//! Tests of child ownership and of rams.

use pitmaster_core::Side;

use crate::two_row::sowing::Sowing;
use crate::two_row::testing::{after, game, scene};
use crate::two_row::{Position, Way};

/// The children after a move.
fn children(options: &str, position: &str, mv: &str) -> String {
    scene(options, position).play(mv).part("children")
}

#[test]
fn the_right_number_of_seeds_makes_a_child() {
    let normal = "child_type=NORMAL,child_cvt=3";
    assert_eq!(children(normal, "1 0 1 | 2 0 5", "3"), "000100");
    assert_eq!(children(normal, "1 0 1 | 1 0 5", "3"), "");
    assert_eq!(children(normal, "1 0 1 | 3 0 5", "3"), "");
    assert_eq!(children(normal, "1 0 5 | 2 0 1; 2", "6"), "");
    assert_eq!(children(normal, "2 0 5 | 2 0 1; 2", "6"), "200000");
    assert_eq!(children("", "1 0 1 | 2 0 5", "3"), "");
}

#[test]
fn a_child_is_not_made_twice() {
    let normal = "child_type=NORMAL,child_cvt=3";
    assert_eq!(children(normal, "1 0 1 | 2 0 5; 1; children=000200", "3"), "000200");
}

#[test]
fn a_player_may_have_one_child_only() {
    let one = "child_type=ONE_CHILD,child_cvt=3";
    let second = "1 1 1 | 2 0 5; 1; children=010000";
    assert_eq!(children(one, "1 0 1 | 2 0 5; 1; children=000002", "3"), "000102");
    assert_eq!(children(one, second, "3"), "010000");
    assert_eq!(children("child_type=NORMAL,child_cvt=3", second, "3"), "010100");
}

#[test]
fn a_seed_into_the_opponents_weg_takes_two() {
    let weg = "child_type=WEG,child_cvt=9";
    assert_eq!(after(weg, "1 0 1 | 2 0 5; 1; children=000200", "3"), "1 0 0 | 1 0 5 | 2:0");
    assert_eq!(after(weg, "1 0 1 | 0 0 5; 1; children=000200", "3"), "1 0 0 | 0 0 5 | 1:0");
    assert_eq!(after(weg, "1 0 1 | 2 0 5; 1; children=000100", "3"), "1 0 0 | 3 0 5 | 0:0");
    let normal = "child_type=NORMAL,child_cvt=9";
    assert_eq!(after(normal, "1 0 1 | 2 0 5; 1; children=000200", "3"), "1 0 0 | 3 0 5 | 0:0");
    assert_eq!(children("child_type=WEG,child_cvt=3", "1 0 1 | 2 0 5", "3"), "000100");
}

#[test]
fn a_pair_of_bulls_is_made_at_once() {
    let bull = "child_type=BULL,child_cvt=3";
    assert_eq!(children(bull, "1 2 1 | 2 0 5", "2"), "001100", "two and three");
    assert_eq!(children(bull, "1 2 2 | 1 0 5", "2"), "001100", "three and two");
    assert_eq!(children(bull, "1 2 0 | 2 0 5", "2"), "000100", "one and three");
    assert_eq!(children(bull, "1 2 1 | 1 0 5", "2"), "", "two and two");
}

#[test]
fn two_holes_that_face_each_other_are_made_children() {
    let qur = "child_type=QUR,child_cvt=3";
    assert_eq!(children(qur, "1 0 1 | 1 3 5", "1"), "010010");
    assert_eq!(children(qur, "1 1 1 | 1 3 5", "1"), "", "the last hole was not empty");
    assert_eq!(children(qur, "1 0 1 | 1 2 5", "1"), "", "another number across");
    let theirs = "1 0 1 | 1 3 5; 1; children=000020";
    assert_eq!(children(qur, theirs, "1"), "010010", "a child is taken over");
}

#[test]
fn holes_with_enough_seeds_are_rams() {
    // From the left, six, five and four seeds reach around to the owner's first hole.
    let ram = "child_type=RAM";
    assert_eq!(children(ram, "1 0 4 | 1 0 4", "1"), "00r00r");
    assert_eq!(children(ram, "4 4 3 | 5 4 1; 2", "6"), "");
    assert_eq!(children(ram, "5 5 0 | 1 5 1; 2", "6"), "rr00r0");
    let left = "child_type=RAM,sow_start=true,move_one=true";
    assert_eq!(children(left, "1 0 4 | 1 0 5", "1"), "00000r", "one more");
    let stores = "child_type=RAM,sow_stores=OWN";
    assert_eq!(children(stores, "1 0 4 | 1 0 5", "1"), "00000r", "half a seed more");
    let quiet = "child_type=RAM,sow_stores=OWN_NR";
    assert_eq!(children(quiet, "1 0 4 | 1 0 5", "1"), "00r00r");
}

#[test]
fn rams_can_be_captured_and_are_none_any_more() {
    let ram = "child_type=RAM,capt_on=5";
    let end = scene(ram, "1 3 1 | 1 4 1; 1; children=0000r0").play("2");
    assert_eq!(end.all(["board", "children"]), ["1 0 2 | 2 0 1 | 5:0", ""]);
}

#[test]
fn a_child_can_be_made_where_the_rule_says() {
    let made = |rule: &str, position: &str, mv: &str| {
        let options = format!("child_type=NORMAL,child_cvt=3,child_rule={rule}");
        !children(&options, position, mv).is_empty()
    };
    // The opponent's first hole with one seed, the second with two, the own side.
    let first = ("1 0 1 | 2 0 5", "3");
    let second = ("1 0 2 | 0 2 5", "3");
    let own = ("1 2 2 | 1 0 5", "1");
    let table = [
        ("NONE", [true, true, true]),
        ("OPP_SIDE_ONLY", [true, true, false]),
        ("OWN_SIDE_ONLY", [false, false, true]),
        ("OPPS_ONLY_NOT_1ST", [false, true, false]),
        ("NOT_1ST_OPP", [false, true, true]),
    ];
    for (rule, expected) in table {
        let seen = [first, second, own].map(|(position, mv)| made(rule, position, mv));
        assert_eq!(seen, expected, "{rule}");
    }
}

#[test]
fn a_single_seed_makes_no_child_of_the_first_hole_only() {
    let made = |rule: &str, position: &str, mv: &str| {
        let options = format!("child_type=NORMAL,child_cvt=3,child_rule={rule}");
        children(&options, position, mv)
    };
    // Player 2's first hole of the opponent is 1; clockwise, player 1's is 6.
    assert_eq!(made("NOT_1ST_OPP", "2 0 1 | 1 0 1; 2", "6"), "");
    assert_eq!(made("NONE", "2 0 1 | 1 0 1; 2", "6"), "200000");
    assert_eq!(made("NOT_1ST_OPP,sow_direct=CW", "1 0 1 | 1 0 2", "1"), "");
    assert_eq!(made("NONE,sow_direct=CW", "1 0 1 | 1 0 2", "1"), "000001");
}

#[test]
fn in_territory_games_children_go_by_owner() {
    let made = |rule: &str, owned: &str| {
        let options =
            format!("goal=TERRITORY,goal_param=5,child_type=NORMAL,child_cvt=3,child_rule={rule}");
        !children(&options, &format!("1 0 1 | 2 0 5; 1; owned={owned}"), "3").is_empty()
    };
    let [theirs, mine] = ["000111", "000011"];
    assert_eq!(["OPP_OWNER_ONLY", "OWN_OWNER_ONLY"].map(|rule| made(rule, theirs)), [true, false]);
    assert_eq!(["OPP_OWNER_ONLY", "OWN_OWNER_ONLY"].map(|rule| made(rule, mine)), [false, true]);
}

/// Places where each player may make a child: player 2's row above player 1's, from player 1's
/// point of view; 1, 2, `b` for both, `.` for none.
fn places(holes: i32, locs: &str, there: u64) -> [String; 2] {
    let plan = game(holes, &format!("child_type=NORMAL,child_cvt=3,child_locs={locs}")).plan;
    let mut scene = scene("child_type=NORMAL,child_cvt=3", "1 0 | 1 0");
    scene.pos.children.one = there;
    let letter =
        |hole: usize| match Side::BOTH.map(|mover| plan.place_allows(&scene.pos, mover, hole)) {
            [true, true] => 'b',
            [true, false] => '1',
            [false, true] => '2',
            [false, false] => '.',
        };
    [(plan.h..plan.n).rev().map(letter).collect(), (0..plan.h).map(letter).collect()]
}

#[test]
fn each_pattern_of_places_is_as_it_is_drawn() {
    let table = [
        ("ANYWHERE", ["bbbbb", "bbbbb"]),
        ("ENDS_ONLY", ["b...b", "b...b"]),
        ("NO_ENDS", [".bbb.", ".bbb."]),
        ("INV_ENDS_PLUS_MID", ["12221", "21112"]),
        ("ENDS_PLUS_ONE_OPP", ["b1.1b", "b2.2b"]),
        ("NO_OWN_RIGHT", ["1bbbb", "bbbb2"]),
        ("NO_OPP_RIGHT", ["bbbb2", "1bbbb"]),
        ("NO_OPP_LEFT", ["2bbbb", "bbbb1"]),
        ("NOT_SYM_OPP", ["2bbbb", "bbbb1"]),
        ("NOT_FACING", ["bbbb2", "1bbbb"]),
        ("ENDS_PLUS_ALL_OPP", ["b111b", "b222b"]),
    ];
    for (locs, rows) in table {
        assert_eq!(places(5, locs, 0), rows, "{locs}");
    }
}

#[test]
fn short_rows_leave_the_inner_letters_of_a_pattern_out() {
    assert_eq!(places(4, "ENDS_PLUS_ONE_OPP", 0), ["b11b", "b22b"]);
    assert_eq!(places(3, "ENDS_PLUS_ONE_OPP", 0), ["b.b", "b.b"]);
    assert_eq!(places(3, "INV_ENDS_PLUS_MID", 0), ["121", "212"]);
}

#[test]
fn no_child_has_a_counterpart() {
    // A child in player 1's second hole.
    assert_eq!(places(5, "NOT_SYM_OPP", 1 << 1), ["2bb.b", "bbbb1"]);
    assert_eq!(places(5, "NO_OPP_LEFT", 1 << 1), ["2bbbb", "bbbb1"]);
    assert_eq!(places(5, "NOT_FACING", 1 << 1), ["b.bb2", "1bbbb"]);
    assert_eq!(places(5, "NO_OPP_RIGHT", 1 << 1), ["bbbb2", "1bbbb"]);
}

#[test]
fn fixed_children_are_there_from_the_start_and_no_others_are_made() {
    use crate::Rules;
    let fixed = "child_type=NORMAL,child_cvt=3,child_locs=FIXED_ONE_RIGHT";
    let game = game(3, fixed);
    let start = game.start();
    assert_eq!((start.children.one, start.children.two), (1 << 2, 1 << 5));
    let end = scene(fixed, "1 2 2 | 1 0 5; 1; children=001002").play("1");
    assert_eq!(end.part("children"), "001002");
}

#[test]
fn no_child_is_made_while_that_is_forbidden() {
    let normal = "child_type=NORMAL,child_cvt=3";
    let made = |more: &str| children(normal, &format!("1 0 1 | 2 0 5; 1; {more}"), "3");
    assert_eq!(made("inhibited=0:0:1"), "");
    assert_eq!(made("inhibited=2:1:1"), "000100", "for the other player");
}

#[test]
fn the_first_hole_of_the_opponents_follows_the_direction() {
    let plan = game(3, "").plan;
    let first = |blocked, side, way| {
        let pos = Position { blocked, ..scene("", "1 0 0 | 1 0 0").pos };
        plan.first_opponent_hole(&pos, &Sowing::new(&pos, side, way, 0))
    };
    let both = |blocked, side| [Way::Ccw, Way::Cw].map(|way| first(blocked, side, way));
    assert_eq!(both(0, Side::One), [Some(3), Some(5)]);
    assert_eq!(both(0, Side::Two), [Some(0), Some(2)]);
    assert_eq!(both(0b10_1000, Side::One), [Some(4), Some(4)], "the first that is open");
    assert_eq!(both(0b11_1000, Side::One), [None, None]);
}
