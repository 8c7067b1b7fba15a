//! Tests of sowing: every rule, store, opening and class.

use crate::two_row::testing::{after, listed, scene, turn};

/// Checks a move by its options: the board after it.
fn boards(position: &str, mv: &str, cases: &[(&str, &str)]) {
    for (options, board) in cases {
        assert_eq!(after(options, position, mv), *board, "{options}: {position}");
    }
}

/// Checks the side to move after a move.
fn turns(position: &str, mv: &str, cases: &[(&str, &str)]) {
    for (options, side) in cases {
        assert_eq!(turn(options, position, mv), *side, "{options}: {position}");
    }
}

#[test]
fn stores_are_sown_into() {
    boards(
        "1 0 5 | 1 0 0",
        "3",
        &[
            ("sow_stores=NEITHER", "2 1 0 | 2 1 1 | 0:0"),
            ("sow_stores=OWN", "2 0 0 | 2 1 1 | 1:0"),
            ("sow_stores=OWN_NR", "2 0 0 | 2 1 1 | 1:0"),
            ("sow_stores=BOTH", "1 0 0 | 2 1 1 | 1:1"),
            ("sow_stores=BOTH_NR", "1 0 0 | 2 1 1 | 1:1"),
            ("sow_stores=BOTH_NR_OWN", "1 0 0 | 2 1 1 | 1:1"),
            ("sow_stores=BOTH_NR_OPP", "1 0 0 | 2 1 1 | 1:1"),
        ],
    );
}

#[test]
fn a_last_seed_in_the_own_store_may_give_another_turn() {
    turns(
        "1 0 1 | 1 0 0",
        "3",
        &[
            ("sow_stores=OWN", "1"),
            ("sow_stores=OWN_NR", "2"),
            ("sow_stores=BOTH", "1"),
            ("sow_stores=BOTH_NR", "2"),
            ("sow_stores=BOTH_NR_OWN", "2"),
            ("sow_stores=BOTH_NR_OPP", "1"),
        ],
    );
}

#[test]
fn a_last_seed_in_the_opponents_store_may_give_another_turn() {
    turns(
        "1 0 5 | 1 0 0",
        "3",
        &[
            ("sow_stores=OWN", "2"),
            ("sow_stores=BOTH", "1"),
            ("sow_stores=BOTH_NR", "2"),
            ("sow_stores=BOTH_NR_OWN", "1"),
            ("sow_stores=BOTH_NR_OPP", "2"),
        ],
    );
}

#[test]
fn the_start_may_be_passed_over() {
    boards(
        "0 6 0 | 1 0 0",
        "2",
        &[("skip_start=false", "1 1 1 | 2 1 1 | 0:0"), ("skip_start=true", "1 0 2 | 2 1 1 | 0:0")],
    );
}

#[test]
fn blocked_holes_are_passed_over() {
    boards("0 2 0 | 1 0 0; 1; blocked=001000", "2", &[("", "0 0 0 | 2 1 0 | 0:0")]);
}

#[test]
fn holes_of_the_opponents_with_so_many_seeds_are_passed_over() {
    boards(
        "0 3 2 | 2 1 0",
        "2",
        &[
            ("sow_rule=NO_SOW_OPP_NS,sow_param=2", "0 0 3 | 2 2 1 | 0:0"),
            ("", "0 0 3 | 3 2 0 | 0:0"),
        ],
    );
}

#[test]
fn full_holes_are_passed_over() {
    boards(
        "0 2 3 | 3 0 0",
        "2",
        &[("sow_rule=MAX_SOW,sow_param=3", "0 0 3 | 3 1 1 | 0:0"), ("", "0 0 4 | 4 0 0 | 0:0")],
    );
}

#[test]
fn where_all_holes_are_full_the_rest_is_stored() {
    let full = "sow_rule=MAX_SOW,sow_param=3,skip_start=true";
    boards("3 2 3 | 3 3 3", "2", &[(full, "3 0 3 | 3 3 3 | 2:0")]);
}

#[test]
fn children_may_be_passed_over() {
    let rule = |rule: &str| format!("child_type=NORMAL,child_cvt=9,sow_rule={rule}");
    let theirs = "0 2 0 | 1 1 0; 1; children=000200";
    assert_eq!(after(&rule("NONE"), theirs, "2"), "0 0 1 | 2 1 0 | 0:0");
    assert_eq!(after(&rule("NO_OPP_CHILD"), theirs, "2"), "0 0 1 | 1 2 0 | 0:0");
    assert_eq!(after(&rule("OPP_CHILD_ONLY1"), theirs, "2"), "0 0 1 | 2 1 0 | 0:0");
    assert_eq!(after(&rule("NO_CHILDREN"), theirs, "2"), "0 0 1 | 1 2 0 | 0:0");
    let long = "0 3 0 | 1 1 0; 1; children=000200";
    assert_eq!(after(&rule("NONE"), long, "2"), "0 0 1 | 2 2 0 | 0:0");
    assert_eq!(after(&rule("OPP_CHILD_ONLY1"), long, "2"), "0 0 1 | 1 2 1 | 0:0");
    let own = "0 2 0 | 1 1 0; 1; children=001000";
    assert_eq!(after(&rule("NO_OPP_CHILD"), own, "2"), "0 0 1 | 2 1 0 | 0:0");
    assert_eq!(after(&rule("NO_CHILDREN"), own, "2"), "0 0 0 | 2 2 0 | 0:0");
}

#[test]
fn seeds_are_taken_while_sowing_passes() {
    let rule = |rule: &str| format!("capt_on=2,sow_rule={rule}");
    let passing = |name: &str| after(&rule(name), "0 3 1 | 1 1 3", "2");
    assert_eq!(passing("NONE"), "0 0 2 | 2 0 3 | 2:0");
    assert_eq!(passing("ENPAS_ALL_SOWER"), "0 0 0 | 0 0 3 | 6:0");
    assert_eq!(passing("ENPAS_SOW_SOWER"), "0 0 0 | 2 0 3 | 4:0");
    assert_eq!(passing("ENPAS_OPP_SOWER"), "0 0 2 | 0 0 3 | 4:0");
    assert_eq!(passing("ENPAS_ALL_OWNER_SOW"), "0 0 0 | 0 0 3 | 4:2");
    assert_eq!(passing("ENPAS_ALL_OWNER_OWN"), "0 0 0 | 0 0 3 | 2:4");
}

#[test]
fn what_is_taken_in_passing_is_no_capture() {
    let again = "capt_on=2,sow_rule=ENPAS_ALL_SOWER,capt_rturn=ALWAYS";
    assert_eq!(turn(again, "1 3 1 | 1 0 3", "2"), "2");
    assert_eq!(turn(again, "1 3 1 | 1 1 3", "2"), "1");
}

#[test]
fn nothing_is_taken_in_passing_while_captures_are_forbidden() {
    let wait = "capt_on=2,sow_rule=ENPAS_ALL_SOWER,nocaptmoves=2";
    assert_eq!(after(wait, "0 3 1 | 1 1 3", "2"), "0 0 2 | 2 2 3 | 0:0");
}

#[test]
fn a_hole_is_closed_by_the_number_of_its_seeds() {
    let closing = "goal=DEPRIVE,blocks=true,sow_param=3,sow_rule";
    let end = |rule: &str, position: &str| {
        let end = scene(&format!("{closing}={rule}"), position).play("3");
        (end.board(), end.part("blocked"))
    };
    let closed = ("1 0 0 | 0 1 0 | 3:0".to_owned(), "000100".to_owned());
    assert_eq!(end("SOW_BLKD_DIV", "1 0 1 | 2 1 0"), closed);
    assert_eq!(end("SOW_BLKD_DIV_NR", "1 0 1 | 2 1 0"), closed);
    assert_eq!(end("SOW_BLKD_DIV", "1 0 1 | 3 1 0").1, "", "four");
    assert_eq!(end("SOW_BLKD_DIV", "1 0 3 | 1 1 2").1, "000001");
    assert_eq!(end("SOW_BLKD_DIV_NR", "1 0 3 | 1 1 2").1, "", "the rightmost");
    assert_eq!(end("SOW_BLKD_DIV", "2 0 6 | 1 1 1").1, "", "the own side");
}

#[test]
fn what_falls_into_a_closed_hole_of_the_opponents_leaves_play() {
    let closing = "goal=DEPRIVE,blocks=true,sow_param=9,sow_rule=SOW_BLKD_DIV";
    let theirs = "0 3 0 | 0 1 1; 1; blocked=000100";
    assert_eq!(after(closing, theirs, "2"), "0 0 1 | 0 2 1 | 1:0");
    let own = "0 3 0 | 0 1 1; 1; blocked=001000";
    assert_eq!(after(closing, own, "2"), "0 0 0 | 1 2 2 | 0:0");
    assert_eq!(after(closing, "0 1 0 | 0 0 2; 2; blocked=100000", "6"), "0 2 0 | 0 0 0 | 1:0");
}

#[test]
fn with_few_seeds_left_the_opponent_gets_what_falls_on_that_side() {
    let few = |most| {
        format!("sow_rule=LAP_CAPT_OPP_GETS,sow_param={most},mlaps=LAPPER,crosscapt=ONE_ZEROS")
    };
    // The last seed may stay where it could be captured, and both are sown on.
    assert_eq!(after(&few(3), "0 0 2 | 1 1 0", "3"), "1 0 0 | 1 0 0 | 0:2");
    assert_eq!(after(&few(1), "0 0 2 | 1 1 0", "3"), "0 1 0 | 2 0 0 | 1:0");
}

#[test]
fn the_first_move_of_a_round_may_be_a_plain_sowing() {
    let plain = "prescribed=BASIC_SOWER,mlaps=LAPPER";
    assert_eq!(after(plain, "2 0 1 | 1 1 0", "1"), "0 1 2 | 1 1 0 | 0:0");
    assert_eq!(after(plain, "2 0 1 | 1 1 0; 1; moves=2", "1"), "1 1 0 | 2 0 1 | 0:0");
}

#[test]
fn the_first_move_of_a_round_may_be_sown_in_laps() {
    let laps = "prescribed=MLAPS_SOWER";
    assert_eq!(after(laps, "2 0 1 | 1 1 0", "1"), "1 1 0 | 2 0 1 | 0:0");
    assert_eq!(after(laps, "2 0 1 | 1 1 0; 1; moves=2", "1"), "0 1 2 | 1 1 0 | 0:0");
}

#[test]
fn the_first_turns_may_have_to_reach_the_opponent() {
    let reach = "prescribed=SOW1OPP";
    assert_eq!(after(reach, "2 0 0 | 1 0 0", "1"), "0 1 0 | 2 0 0 | 0:0");
    assert_eq!(after(reach, "1 0 0 | 2 0 0; 2; moves=2; turns=1", "4"), "2 0 0 | 0 1 0 | 0:0");
    assert_eq!(after(reach, "2 0 0 | 1 0 0; 1; moves=3; turns=2", "1"), "0 1 1 | 1 0 0 | 0:0");
    assert_eq!(after(reach, "5 0 0 | 1 0 0", "1"), "0 1 1 | 2 1 1 | 0:0", "it does anyway");
}

#[test]
fn the_first_move_of_a_round_may_go_round_the_board() {
    let round = "prescribed=PLUS1MINUS1";
    assert_eq!(after(round, "2 2 2 | 2 2 2", "1"), "2 1 3 | 1 3 2 | 0:0");
    assert_eq!(after(round, "2 2 2 | 2 2 2", "2"), "1 2 1 | 3 2 3 | 0:0");
    assert_eq!(after(round, "2 2 2 | 2 2 2; 1; moves=2", "1"), "0 3 3 | 2 2 2 | 0:0");
}

#[test]
fn one_seed_of_every_lap_is_taken() {
    let one = "presowcapt=CAPT_ONE";
    assert_eq!(after(one, "3 0 1 | 1 0 0", "1"), "0 1 2 | 1 0 0 | 1:0");
    assert_eq!(after(one, "3 0 1 | 1 0 0", "3"), "3 0 0 | 1 0 0 | 1:0");
    let laps = "presowcapt=CAPT_ONE,mlaps=LAPPER";
    // Laps of three seeds, of two and of two.
    assert_eq!(after(laps, "3 0 1 | 1 0 0", "1"), "0 1 0 | 0 1 0 | 3:0");
}

#[test]
fn holes_across_from_single_seeds_are_taken_before_sowing() {
    let across = "presowcapt=ALL_SINGLE_XCAPT";
    assert_eq!(after(across, "1 2 1 | 3 4 2", "2"), "1 0 2 | 1 4 0 | 5:0");
    assert_eq!(after(across, "1 2 0 | 3 4 2", "1"), "0 3 0 | 3 4 0 | 2:0", "the start too");
    let children = "presowcapt=ALL_SINGLE_XCAPT,child_type=NORMAL,child_cvt=9";
    let child = "1 2 1 | 3 4 2; 1; children=000002";
    assert_eq!(after(children, child, "2"), "1 0 2 | 1 4 2 | 3:0");
    let wait = "presowcapt=ALL_SINGLE_XCAPT,nocaptmoves=4,evens=true";
    assert_eq!(after(wait, "1 2 1 | 3 4 2", "2"), "1 0 2 | 1 4 0 | 5:0", "not forbidden");
}

#[test]
fn the_hole_across_from_a_single_seed_is_taken_when_it_is_drawn() {
    let drawn = "presowcapt=DRAW_1_XCAPT";
    assert_eq!(after(drawn, "1 2 1 | 3 4 2", "1"), "0 3 1 | 3 4 0 | 2:0");
    assert_eq!(after(drawn, "1 2 1 | 3 4 2", "2"), "1 0 2 | 4 4 2 | 0:0");
}

#[test]
fn what_would_reach_the_opponent_is_borne_off() {
    let bear = "game_class=BearOff";
    assert_eq!(after(bear, "1 0 1 | 1 0 0; 1; bearing_off=1", "3"), "1 0 0 | 1 0 0 | 1:0");
    assert_eq!(after(bear, "1 0 1 | 0 0 1; 1; bearing_off=1", "1"), "0 1 1 | 0 0 1 | 0:0");
    assert_eq!(after(bear, "1 3 0 | 1 0 0; 1; bearing_off=1", "2"), "1 0 1 | 1 0 0 | 2:0");
    assert_eq!(after(bear, "1 0 1 | 1 0 0", "3"), "1 0 0 | 2 0 0 | 0:0");
}

#[test]
fn bearing_off_begins_once_no_hole_holds_two() {
    let bear = |position: &str, mv| scene("game_class=BearOff", position).play(mv);
    assert_eq!(bear("1 0 1 | 1 0 0", "1").part("bearing_off"), "1");
    assert_eq!(bear("1 0 1 | 1 0 0", "3").part("bearing_off"), "");
}

#[test]
fn bearing_off_is_a_capture_unless_no_seed_leaves() {
    let again = "game_class=BearOff,capt_rturn=ALWAYS,evens=true";
    assert_eq!(turn(again, "1 0 1 | 1 0 0; 1; bearing_off=1", "3"), "1");
    assert_eq!(turn(again, "1 0 1 | 1 0 0; 1; bearing_off=1", "1"), "2");
}

#[test]
fn who_has_nothing_is_given_one_seed_and_the_giver_moves_again() {
    let share = "game_class=ShareOne,capt_on=1";
    let given = scene(share, "3 1 0 | 0 0 0").play("1");
    assert_eq!(given.all(["board", "turn"]), ["2 1 0 | 1 0 0 | 0:0", "1"]);
    let given = scene(share, "0 0 0 | 0 2 1; 2").play("5");
    assert_eq!(given.all(["board", "turn"]), ["1 0 0 | 0 1 1 | 0:0", "2"]);
}

#[test]
fn seeds_spread_around_their_hole() {
    for class in ["Diffusion", "DiffusionV2"] {
        let diffuse = format!("game_class={class},goal=CLEAR,no_sides=true");
        let cases = [
            ("0 5 0 0 | 0 0 0 0", "2", "1 0 1 0 | 0 1 1 1 | 0:0"),
            ("1 3 0 0 | 0 0 0 0", "2", "1 0 1 0 | 0 1 1 0 | 0:0"),
            ("5 0 0 1 | 0 0 0 0", "1", "0 1 0 1 | 0 0 1 1 | 2:0"),
            ("1 0 0 5 | 0 0 0 0", "4", "1 0 1 0 | 1 1 0 0 | 2:0"),
            ("1 0 0 0 | 5 0 0 1", "5", "1 0 1 1 | 0 1 0 1 | 2:0"),
            ("0 0 0 1 | 0 0 0 5", "8", "1 1 0 1 | 0 0 1 0 | 2:0"),
            // The corners that lose their first seeds lose nothing else of three.
            ("1 0 0 3 | 0 0 0 1", "4", "1 0 0 0 | 1 0 0 1 | 2:0"),
            ("3 0 0 1 | 0 0 0 0", "1", "0 1 0 1 | 0 0 1 1 | 0:0"),
            // A full hole passes its seed out of play.
            ("1 3 5 0 | 0 0 0 0", "2", "1 0 5 0 | 0 1 1 0 | 1:0"),
        ];
        for (position, mv, board) in cases {
            assert_eq!(after(&diffuse, position, mv), board, "{class} {position}");
        }
    }
}

#[test]
fn captures_of_the_gratuitous_classes_are_put_into_a_hole_of_the_opponents() {
    let away = "game_class=NSGratuitous,goal=CLEAR,capt_side=OWN_SIDE,evens=true";
    let captured = scene(away, "1 1 3 | 1 0 1").play("1");
    assert_eq!(captured.all(["board", "turn"]), ["0 0 3 | 1 0 1 | 2:0", "1"]);
    assert_eq!(captured.listed(), "4 5 6");
    assert_eq!(captured.all(["moves", "turns"]), ["2", ""]);
    let placed = captured.play("5");
    assert_eq!(placed.all(["board", "turn"]), ["0 0 3 | 1 2 1 | 0:0", "2"]);
    assert_eq!(placed.all(["moves", "turns"]), ["2", ""]);
    assert_eq!(turn(away, "1 0 3 | 1 0 1", "1"), "2", "without a capture nothing is placed");
}

#[test]
fn in_the_eastern_and_western_halves_captures_go_to_the_other_half() {
    let away = "game_class=EWGratuitous,goal=CLEAR,capt_side=OWN_SIDE,evens=true";
    let captured = scene(away, "1 0 1 1 | 3 0 1 0").play("3");
    assert_eq!(captured.board(), "1 0 0 0 | 3 0 1 0 | 2:0");
    assert_eq!(captured.listed(), "1 2 7 8");
    assert_eq!(captured.play("8").board(), "1 0 0 0 | 3 0 1 2 | 0:0");
}

#[test]
fn a_capture_that_clears_the_own_side_wins_at_once() {
    let away = "game_class=NSGratuitous,goal=CLEAR,capt_side=OWN_SIDE,evens=true";
    assert_eq!(turn(away, "1 1 0 | 1 0 1", "1"), "1 wins 2:0");
}

#[test]
fn in_rows_that_are_rings_a_store_is_sown_into_its_row() {
    let rows = "game_class=NorthSouthCycle,play_locs=BRD_OWN_STR_ALL";
    assert_eq!(listed(rows, "1 0 0 | 1 0 0 | 2:0"), "1 s2");
    assert_eq!(after(rows, "1 0 0 | 1 0 0 | 2:0", "s2"), "2 1 0 | 1 0 0 | 0:0");
}
