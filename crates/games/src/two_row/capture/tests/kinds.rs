//! Tests of every `capt_type`.

use super::captured;
use crate::two_row::testing::{after, turn};

#[test]
fn the_next_hole_is_captured() {
    let next = |more: &str, position: &str, mv: &str| {
        after(&format!("capt_type=NEXT,{more}"), position, mv)
    };
    assert_eq!(next("capt_dir=SOW", "1 0 1 | 1 3 5", "3"), "1 0 0 | 2 0 5 | 3:0");
    assert_eq!(next("capt_dir=OPP_SOW", "1 2 1 | 1 3 5", "2"), "1 0 0 | 2 3 5 | 2:0");
    assert_eq!(next("capt_dir=SOW", "1 0 1 | 1 0 5", "3"), "1 0 0 | 2 0 5 | 0:0");
    let chain = "capt_dir=SOW,multicapt=-1,capt_side=OPP_SIDE";
    assert_eq!(next(chain, "1 0 1 | 1 3 5", "3"), "1 0 0 | 2 0 0 | 8:0");
    let both = "capt_dir=BOTH,multicapt=-1,capt_side=OPP_SIDE";
    assert_eq!(next(both, "1 0 2 | 1 0 5", "3"), "1 0 0 | 0 1 0 | 7:0");
}

#[test]
fn with_laps_the_last_hole_is_tested_instead_of_the_next() {
    let next = "capt_type=NEXT,capt_dir=SOW,capt_max=1";
    let position = "1 0 1 | 0 3 5";
    assert_eq!(captured(next, position, "3"), 0);
    assert_eq!(captured(&format!("{next},mlaps=LAPPER"), position, "3"), 3);
}

#[test]
fn over_an_empty_hole_the_one_behind_is_captured() {
    let two_out = "capt_type=TWO_OUT,capt_dir=SOW";
    assert_eq!(after(two_out, "1 0 1 | 1 0 5", "3"), "1 0 0 | 2 0 0 | 5:0");
    assert_eq!(captured(two_out, "1 0 1 | 1 1 5", "3"), 0, "the gap is full");
    assert_eq!(captured(two_out, "1 0 1 | 0 0 5", "3"), 0, "a single last seed");
    assert_eq!(captured(&format!("{two_out},mlaps=LAPPER"), "1 0 1 | 0 0 5", "3"), 5);
}

#[test]
fn holes_that_face_each_other_with_as_many_seeds_are_captured() {
    let matching = "capt_type=MATCH_OPP";
    assert_eq!(after(matching, "1 1 1 | 1 2 5", "1"), "0 0 1 | 1 0 5 | 4:0");
    assert_eq!(captured(matching, "1 1 1 | 1 3 5", "1"), 0);
    assert_eq!(captured("capt_type=MATCH_OPP,capt_side=OPP_SIDE", "1 1 1 | 1 2 5", "1"), 0);
}

#[test]
fn all_single_seeds_are_captured() {
    let singles = "capt_type=SINGLETONS";
    assert_eq!(after(singles, "2 0 1 | 1 2 5", "1"), "0 0 2 | 0 2 5 | 2:0");
    assert_eq!(
        after("capt_type=SINGLETONS,capt_side=OPP_SIDE", "2 0 1 | 1 2 5", "1"),
        "0 1 2 | 0 2 5 | 1:0"
    );
}

#[test]
fn reaching_the_opponent_counts_as_a_capture() {
    let reach = |mv| turn("capt_type=CAPT_OPP_1CCW,capt_rturn=ALWAYS", "1 1 1 | 1 2 5", mv);
    assert_eq!(["1", "2", "3"].map(reach), ["2", "1", "1"]);
    assert_eq!(captured("capt_type=CAPT_OPP_1CCW", "1 1 1 | 1 2 5", "3"), 0);
    let north = |mv| turn("capt_type=CAPT_OPP_1CCW,capt_rturn=ALWAYS", "1 2 5 | 1 1 1; 2", mv);
    assert_eq!(["4", "5", "6"].map(north), ["1", "2", "2"]);
}

#[test]
fn a_single_last_seed_hands_the_store_over() {
    let pass = "capt_type=PASS_STORE_CAPT";
    assert_eq!(after(pass, "1 0 1 | 1 3 5 | 4:1", "1"), "0 1 1 | 1 3 5 | 0:5");
    assert_eq!(after(pass, "1 1 1 | 1 3 5 | 4:1", "1"), "0 2 1 | 1 3 5 | 4:1");
    let else_across = "capt_type=PASS_STORE_CAPT,crosscapt=ONE_ZEROS";
    assert_eq!(after(else_across, "1 0 1 | 1 3 5 | 0:1", "1"), "0 1 1 | 1 0 5 | 3:1");
}

#[test]
fn what_lies_across_is_pulled_to_a_single_last_seed() {
    let pull = "capt_type=PULL_ACROSS";
    assert_eq!(after(pull, "1 0 1 | 1 3 5", "1"), "0 4 1 | 1 0 5 | 0:0");
    assert_eq!(after(pull, "1 1 1 | 1 3 5", "1"), "0 2 1 | 1 3 5 | 0:0");
    let chain = "capt_type=PULL_ACROSS,multicapt=-1,capt_dir=SOW,capt_side=OPP_SIDE";
    assert_eq!(after(chain, "1 0 0 | 2 3 5", "1"), "0 4 2 | 0 0 5 | 0:0");
}

#[test]
fn a_last_seed_in_the_opponents_store_takes_it() {
    let end = "capt_type=END_OPP_STORE_CAPT,sow_stores=BOTH_NR";
    assert_eq!(after(end, "1 0 5 | 1 1 1 | 0:4", "3"), "1 0 0 | 2 2 2 | 6:0");
    assert_eq!(after(end, "1 0 1 | 1 1 1 | 0:4", "3"), "1 0 0 | 1 1 1 | 1:4");
    let basic = "capt_type=END_OPP_STORE_CAPT,sow_stores=BOTH_NR,evens=true";
    assert_eq!(after(basic, "1 0 2 | 1 1 1 | 0:4", "3"), "1 0 0 | 0 1 1 | 3:4");
}

#[test]
fn a_single_last_seed_between_equals_takes_all_three() {
    let sandwich = "capt_type=SANDWICH_CAPT";
    assert_eq!(after(sandwich, "2 3 0 | 4 0 5", "1"), "0 0 0 | 0 0 5 | 9:0");
    assert_eq!(captured(sandwich, "2 3 0 | 3 0 5", "1"), 0);
    assert_eq!(captured(sandwich, "2 3 1 | 4 0 5", "1"), 0);
    let else_basic = "capt_type=SANDWICH_CAPT,crosscapt=ONE_ZEROS";
    assert_eq!(captured(else_basic, "2 3 0 | 3 0 5", "1"), 3);
}
