//! Tests of captures at the end of a sowing, and of their side effects.

mod kinds;
mod slam;

use crate::two_row::testing::{after, scene, turn};

/// The store of player 1 after a move of player 1.
fn captured(options: &str, position: &str, mv: &str) -> u16 {
    scene(options, position).play(mv).pos.stores.one
}

/// Numbers of seeds up to seven with which a last hole is captured.
fn captured_counts(options: &str) -> Vec<u16> {
    let captures =
        |count: &u16| captured(options, &format!("1 0 1 | {} 0 9", count - 1), "3") == *count;
    (1..=7).filter(captures).collect()
}

#[test]
fn numbers_are_captured_that_meet_all_that_is_set() {
    let table: [(&str, &[u16]); 8] = [
        ("", &[]),
        ("evens=true", &[2, 4, 6]),
        ("capt_min=3", &[3, 4, 5, 6, 7]),
        ("capt_max=3", &[1, 2, 3]),
        ("capt_on=2+5", &[2, 5]),
        ("evens=true,capt_min=3", &[4, 6]),
        ("capt_min=2,capt_max=4", &[2, 3, 4]),
        ("capt_on=2+3+4,evens=true,capt_max=3", &[2]),
    ];
    for (options, counts) in table {
        assert_eq!(captured_counts(options), counts, "{options}");
    }
}

#[test]
fn captures_are_made_on_a_side_or_begin_on_it() {
    // Chains back from the opponent's side, back on the own side, and forward to the opponent's
    // side.
    let chains = [
        ("multicapt=-1,evens=true", "0 2 1 | 1 0 5", "2"),
        ("multicapt=-1,evens=true", "2 1 1 | 1 0 5", "1"),
        ("multicapt=-1,evens=true,capt_dir=SOW", "1 1 1 | 2 0 5", "2"),
    ];
    let table = [
        ("BOTH", [4, 4, 4]),
        ("OPP_SIDE", [2, 0, 0]),
        ("OWN_SIDE", [0, 4, 2]),
        ("OPP_CONT", [4, 0, 0]),
        ("OWN_CONT", [0, 4, 4]),
    ];
    for (side, expected) in table {
        let seen = chains.map(|(options, position, mv)| {
            captured(&format!("{options},capt_side={side}"), position, mv)
        });
        assert_eq!(seen, expected, "{side}");
    }
}

#[test]
fn captures_are_made_in_holes_of_an_owner() {
    let end = |side: &str, owned: &str| {
        let options = format!("goal=TERRITORY,goal_param=5,evens=true,capt_side={side}");
        captured(&options, &format!("2 0 1 | 1 0 5; 1; owned={owned}"), "1")
    };
    let [own, theirs] = ["000111", "001111"];
    assert_eq!([end("OWN_TERR", own), end("OWN_TERR", theirs)], [2, 0]);
    assert_eq!([end("OPP_TERR", own), end("OPP_TERR", theirs)], [0, 2]);
    assert_eq!([end("OWN_SIDE", own), end("OWN_SIDE", theirs)], [2, 2]);
    assert_eq!([end("OPP_SIDE", own), end("OPP_SIDE", theirs)], [0, 0]);
}

#[test]
fn captures_across_want_a_single_seed_or_any() {
    let end = |cross: &str, position: &str| captured(&format!("crosscapt={cross}"), position, "1");
    let [single, two] = ["1 0 1 | 1 3 5", "1 1 1 | 1 3 5"];
    assert_eq!(
        ["NONE", "ONE_ZEROS", "ANY", "ONE_ANY"].map(|cross| end(cross, single)),
        [0, 3, 3, 3]
    );
    assert_eq!(["NONE", "ONE_ZEROS", "ANY", "ONE_ANY"].map(|cross| end(cross, two)), [0, 0, 3, 0]);
}

#[test]
fn chains_across_go_along_empty_holes_or_any() {
    let end = |cross: &str, position: &str| {
        let options =
            format!("crosscapt={cross},multicapt=-1,capt_dir=SOW,capt_side=OPP_SIDE,capt_min=1");
        captured(&options, position, "1")
    };
    let [full, empty] = ["1 0 1 | 2 3 5", "1 0 0 | 2 3 5"];
    assert_eq!(["ONE_ZEROS", "ANY", "ONE_ANY"].map(|cross| end(cross, full)), [3, 5, 5]);
    assert_eq!(["ONE_ZEROS", "ANY", "ONE_ANY"].map(|cross| end(cross, empty)), [5, 5, 5]);
}

#[test]
fn a_capture_across_may_want_a_number() {
    let two = "crosscapt=ONE_ZEROS,capt_on=2";
    assert_eq!(captured(two, "1 0 1 | 1 2 5", "1"), 2);
    assert_eq!(captured(two, "1 0 1 | 1 3 5", "1"), 0);
}

#[test]
fn the_seed_that_captures_across_may_be_taken_too() {
    let end = |own: &str, position: &str| {
        after(&format!("crosscapt=ONE_ZEROS,xcpickown={own}"), position, "1")
    };
    let [capture, none] = ["1 0 1 | 1 3 5", "1 0 1 | 1 0 5"];
    assert_eq!(end("LEAVE", capture), "0 1 1 | 1 0 5 | 3:0");
    assert_eq!(end("PICK_ON_CAPT", capture), "0 0 1 | 1 0 5 | 4:0");
    assert_eq!(end("ALWAYS_PICK", capture), "0 0 1 | 1 0 5 | 4:0");
    assert_eq!(end("LEAVE", none), "0 1 1 | 1 0 5 | 0:0");
    assert_eq!(end("PICK_ON_CAPT", none), "0 1 1 | 1 0 5 | 0:0");
    assert_eq!(end("ALWAYS_PICK", none), "0 0 1 | 1 0 5 | 1:0");
}

#[test]
fn the_seed_that_could_capture_across_lies_on_the_other_side_of_capt_side() {
    let end = |side: &str| {
        let options = format!("crosscapt=ONE_ZEROS,xcpickown=ALWAYS_PICK,capt_side={side}");
        captured(&options, "1 0 1 | 0 3 5", "3")
    };
    assert_eq!(["BOTH", "OPP_SIDE", "OWN_SIDE"].map(end), [1, 0, 1]);
}

#[test]
fn a_pick_of_the_own_seed_alone_is_no_capture() {
    let again = "crosscapt=ONE_ZEROS,xcpickown=ALWAYS_PICK,capt_rturn=ALWAYS";
    assert_eq!(turn(again, "1 0 1 | 1 0 5", "1"), "2");
    assert_eq!(turn(again, "1 0 1 | 1 3 5", "1"), "1");
}

#[test]
fn who_has_not_sown_the_opponents_side_moves_again_instead_of_capturing_across() {
    let sown = "crosscapt=ONE_ZEROS,xc_sown=true";
    assert_eq!(after(sown, "1 0 1 | 1 3 5", "1"), "0 1 1 | 1 3 5 | 0:0");
    assert_eq!(turn(sown, "1 0 1 | 1 3 5", "1"), "1");
    assert_eq!(turn(sown, "1 1 1 | 1 3 5", "1"), "2", "no single seed");
    assert_eq!(after(sown, "0 6 1 | 1 1 1", "2"), "1 1 2 | 2 0 2 | 2:0");
    assert_eq!(turn(sown, "0 6 1 | 1 1 1", "2"), "2");
}

#[test]
fn locked_holes_are_not_captured() {
    let lock = |unlocked: &str| {
        let position = format!("1 0 1 | 1 0 5; 1; unlocked={unlocked}");
        captured("moveunlock=true,evens=true", &position, "3")
    };
    assert_eq!([lock("000000"), lock("000100")], [0, 2]);
}

#[test]
fn children_are_not_captured() {
    let children = "child_type=NORMAL,child_cvt=9,evens=true";
    assert_eq!(captured(children, "1 0 1 | 1 0 5; 1; children=000200", "3"), 0);
    assert_eq!(captured(children, "1 0 1 | 1 0 5", "3"), 2);
}

#[test]
fn a_single_seed_captures_nothing_and_makes_no_child() {
    let single = "nosinglecapt=true,evens=true";
    assert_eq!(captured(single, "1 2 1 | 1 0 5", "3"), 0);
    assert_eq!(captured(single, "1 2 1 | 1 0 5", "2"), 2);
    let child = "nosinglecapt=true,child_type=NORMAL,child_cvt=2";
    assert_eq!(scene(child, "1 2 1 | 1 0 5").play("3").part("children"), "");
    assert_eq!(scene(child, "1 2 1 | 1 0 5").play("2").part("children"), "000100");
}

#[test]
fn nothing_is_captured_in_the_first_turns() {
    let wait = "nocaptmoves=2,evens=true";
    assert_eq!(captured(wait, "1 0 1 | 1 0 5; 1; turns=1", "3"), 0);
    let later = scene(wait, "1 0 1 | 1 0 5; 1; turns=1").play("3 6");
    assert_eq!(later.part("inhibited"), "0:0:0", "two turns were made");
    assert_eq!(captured(wait, "1 0 1 | 1 0 5; 1; inhibited=0:0:0", "3"), 2);
}

#[test]
fn chains_capture_as_many_holes_as_multicapt_says() {
    let chain =
        |limit: i32| captured(&format!("evens=true,multicapt={limit}"), "3 1 1 | 1 0 5", "1");
    assert_eq!([0, 1, 2, 3, -1].map(chain), [2, 2, 4, 6, 6]);
}

#[test]
fn a_chain_of_one_is_not_counted_as_a_capture() {
    let chain = |limit: i32| {
        let options = format!("evens=true,capt_rturn=ALWAYS,multicapt={limit}");
        turn(&options, "3 1 1 | 1 0 5", "1")
    };
    assert_eq!([0, 1, 2].map(chain), ["1", "2", "1"]);
}

#[test]
fn chains_go_back_on_or_both_ways() {
    let chain = |way: &str, limit: i32| {
        let options = format!("evens=true,multicapt={limit},capt_dir={way}");
        after(&options, "2 1 1 | 2 0 5", "1")
    };
    assert_eq!(chain("OPP_SOW", -1), "0 0 0 | 2 0 5 | 4:0");
    assert_eq!(chain("SOW", -1), "0 2 0 | 0 0 5 | 4:0");
    assert_eq!(chain("BOTH", -1), "0 0 0 | 0 0 5 | 6:0");
    assert_eq!(chain("BOTH", 2), "0 0 0 | 0 0 5 | 6:0");
    assert_eq!(chain("BOTH", 1), "0 2 0 | 2 0 5 | 2:0");
}

#[test]
fn nothing_is_captured_behind_a_last_hole_that_is_not() {
    let both = "evens=true,multicapt=-1,capt_dir=BOTH";
    assert_eq!(captured(both, "2 1 2 | 2 0 5", "1"), 0);
}

#[test]
fn back_is_against_the_games_direction_even_where_the_move_went_the_other_way() {
    let chosen = "evens=true,multicapt=-1,udir_holes=0+1+2";
    assert_eq!(after(chosen, "1 1 2 | 1 0 1", "3-"), "0 2 0 | 1 0 1 | 2:0");
    let even_odd = "evens=true,multicapt=-1,sow_direct=EVEN_ODD_DIR";
    assert_eq!(after(even_odd, "1 1 2 | 1 0 1", "3"), "0 0 0 | 1 0 1 | 4:0");
}

#[test]
fn a_capture_may_give_another_turn() {
    let again = |rule: &str, repeats: u32| {
        let options = format!("evens=true,capt_rturn={rule}");
        turn(&options, &format!("1 0 1 | 1 0 5; 1; repeats={repeats}"), "3")
    };
    assert_eq!(["NO_REPEAT", "ALWAYS", "ONCE"].map(|rule| again(rule, 0)), ["2", "1", "1"]);
    assert_eq!(["NO_REPEAT", "ALWAYS", "ONCE"].map(|rule| again(rule, 1)), ["2", "1", "2"]);
    assert_eq!(turn("evens=true,capt_rturn=ALWAYS", "1 0 1 | 2 0 5", "3"), "2");
}

#[test]
fn without_stores_captures_are_kept_in_the_first_child() {
    let kept = "child_type=NORMAL,child_cvt=9,evens=true,stores=false";
    assert_eq!(after(kept, "1 0 1 | 1 0 5", "3"), "1 0 0 | 2 0 5 | 0:0", "there is none");
    let position = "1 2 1 | 1 0 5; 1; children=110000";
    assert_eq!(after(kept, position, "3"), "3 2 0 | 0 0 5 | 0:0");
    assert_eq!(after(kept, "1 2 1 | 1 0 5; 1; children=220000", "3"), "1 2 0 | 2 0 5 | 0:0");
}

#[test]
fn a_sowing_that_ends_in_a_store_captures_nothing() {
    let singles = "capt_type=SINGLETONS,sow_stores=OWN_NR";
    assert_eq!(after(singles, "1 0 1 | 1 0 5", "3"), "1 0 0 | 1 0 5 | 1:0");
}

#[test]
fn a_child_that_is_made_takes_the_place_of_a_capture() {
    let child = "child_type=NORMAL,child_cvt=2,evens=true";
    let end = scene(child, "1 0 1 | 1 0 5").play("3");
    assert_eq!(end.all(["board", "children"]), ["1 0 0 | 2 0 5 | 0:0", "000100"]);
}
