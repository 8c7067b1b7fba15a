//! Tests of grand slams and of extra seeds taken with captures.

use super::captured;
use crate::two_row::testing::{after, turn};

/// The board after player 1 has captured both of the two holes that player 2 has.
fn slam(rule: &str) -> String {
    let options =
        format!("evens=true,capt_side=OPP_SIDE,multicapt=-1,mustpass=true,grandslam={rule}");
    after(&options, "2 0 2 | 1 1 0", "3")
}

#[test]
fn a_grand_slam_does_what_the_rule_says() {
    assert_eq!(slam("LEGAL"), "2 0 0 | 0 0 0 | 4:0");
    assert_eq!(slam("NO_CAPT"), "2 0 0 | 2 2 0 | 0:0");
    assert_eq!(slam("OPP_GETS_REMAIN"), "0 0 0 | 0 0 0 | 4:2");
    assert_eq!(slam("LEAVE_LEFT"), "2 0 0 | 0 2 0 | 2:0", "hole 5 is to the left of hole 4");
    assert_eq!(slam("LEAVE_RIGHT"), "2 0 0 | 2 0 0 | 2:0");
    assert_eq!(slam("LEGAL_SHARE"), "2 0 0 | 0 0 0 | 4:0");
}

#[test]
fn who_makes_a_grand_slam_may_have_to_move_again() {
    let again = |rule: &str, position: &str| {
        let options = format!("evens=true,capt_side=OPP_SIDE,mustpass=true,grandslam={rule}");
        turn(&options, position, "3")
    };
    assert_eq!(again("LEGAL_SHARE", "2 0 1 | 1 0 0"), "1");
    assert_eq!(again("LEGAL_SHARE", "2 0 1 | 1 0 1"), "2");
    assert_eq!(again("LEGAL", "2 0 1 | 1 0 0"), "2");
}

#[test]
fn of_a_grand_slam_of_player_2_the_hole_at_the_mover_s_left_stays_too() {
    let end = |rule: &str| {
        let options =
            format!("evens=true,capt_side=OPP_SIDE,multicapt=-1,mustpass=true,grandslam={rule}");
        after(&options, "1 1 0 | 1 0 2; 2", "6")
    };
    assert_eq!(end("LEAVE_LEFT"), "0 2 0 | 1 0 0 | 0:2");
    assert_eq!(end("LEAVE_RIGHT"), "2 0 0 | 1 0 0 | 0:2");
}

#[test]
fn a_grand_slam_of_one_hole_leaves_none() {
    for rule in ["LEAVE_LEFT", "LEAVE_RIGHT"] {
        let options = format!("evens=true,mustpass=true,grandslam={rule}");
        assert_eq!(after(&options, "2 0 1 | 1 0 0", "3"), "2 0 0 | 0 0 0 | 2:0");
    }
}

#[test]
fn it_is_no_grand_slam_where_the_opponent_had_nothing() {
    let options = "capt_on=1,mustpass=true,grandslam=NO_CAPT";
    assert_eq!(after(options, "1 0 1 | 0 0 0", "3"), "1 0 0 | 0 0 0 | 1:0");
}

#[test]
fn the_hole_across_may_be_taken_with_a_capture() {
    let cross =
        |pick: &str, position: &str| after(&format!("evens=true,pickextra={pick}"), position, "2");
    assert_eq!(cross("NONE", "1 2 2 | 1 0 5"), "1 0 3 | 0 0 5 | 2:0");
    assert_eq!(cross("PICKCROSS", "1 2 2 | 1 0 5"), "1 0 0 | 0 0 5 | 5:0");
    assert_eq!(cross("PICKCROSS", "1 2 2 | 2 0 5"), "1 0 3 | 3 0 5 | 0:0");
}

#[test]
fn the_opponents_holes_with_numbers_to_capture_may_be_taken_with_a_capture() {
    let pick = "evens=true,pickextra=PICKOPPBASIC";
    assert_eq!(after(pick, "1 2 1 | 1 4 5", "3"), "1 2 0 | 0 0 5 | 6:0");
    assert_eq!(captured(pick, "1 2 1 | 2 4 5", "3"), 0);
}

#[test]
fn the_last_hole_may_be_taken_with_a_capture() {
    let end =
        |pick: &str| after(&format!("crosscapt=ONE_ZEROS,pickextra={pick}"), "1 0 1 | 1 3 5", "1");
    assert_eq!(end("NONE"), "0 1 1 | 1 0 5 | 3:0");
    assert_eq!(end("PICKFINAL"), "0 0 1 | 1 0 5 | 4:0");
}

#[test]
fn the_holes_across_from_a_chain_may_be_taken() {
    let chain = |pick: &str| {
        let options = format!("evens=true,multicapt=-1,pickextra={pick}");
        after(&options, "1 3 2 | 1 1 5", "2")
    };
    assert_eq!(chain("PICKCROSSMULT"), "1 0 0 | 0 0 5 | 7:0");
    assert_eq!(chain("PICKCROSS"), "1 0 3 | 0 0 5 | 4:0");
}

#[test]
fn the_mover_may_take_the_last_seeds() {
    let last =
        |position: &str| after("evens=true,nbr_start=4,pickextra=PICKLASTSEEDS", position, "1");
    assert_eq!(last("1 0 1 | 1 0 1"), "0 0 0 | 0 0 0 | 4:0");
    assert_eq!(last("1 0 1 | 1 0 2"), "0 1 1 | 1 0 2 | 0:0");
    let side = "evens=true,nbr_start=4,pickextra=PICKLASTSEEDS,capt_side=OPP_SIDE";
    assert_eq!(after(side, "1 3 3 | 1 0 1", "1"), "0 0 0 | 0 0 0 | 9:0", "only one side counts");
}

#[test]
fn the_starter_of_the_round_may_take_the_last_seeds() {
    let last = |position: &str, mv| {
        after("evens=true,nbr_start=4,pickextra=PICK2XLASTSEEDS", position, mv)
    };
    assert_eq!(last("2 0 1 | 1 0 1; 2", "6"), "0 0 0 | 0 0 0 | 5:0");
    assert_eq!(last("2 0 1 | 1 0 1; 1; starter=2", "3"), "0 0 0 | 0 0 0 | 2:3");
    assert_eq!(last("4 0 1 | 3 0 1; 2", "6"), "5 0 1 | 3 0 0 | 0:0");
}
