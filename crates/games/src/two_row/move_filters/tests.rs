//! Tests of movable holes, filter by filter.

use crate::two_row::testing::{listed, turn};

/// Checks the list of moves of positions of a game.
fn lists(options: &str, cases: &[(&str, &str)]) {
    for (position, moves) in cases {
        assert_eq!(listed(options, position), *moves, "{options}: {position}");
    }
}

#[test]
fn a_player_moves_holes_of_the_own_side_with_seeds() {
    lists("", &[("1 0 2 | 0 3 0", "1 3"), ("1 0 2 | 0 3 0; 2", "5")]);
    lists("game_class=EastWestCycle", &[("1 1 1 1 | 1 1 1 1", "3 4 5 6")]);
}

#[test]
fn a_move_needs_min_move_seeds() {
    lists("min_move=3", &[("1 2 3 | 0 4 0", "3")]);
}

#[test]
fn children_and_rams_stay() {
    let children = "child_type=NORMAL,child_cvt=9";
    lists(children, &[("1 2 3 | 0 4 0; 1; children=120000", "3")]);
    lists("child_type=RAM", &[("1 2 3 | 0 4 0; 1; children=00r000", "1 2")]);
}

#[test]
fn without_sides_all_holes_are_both_players() {
    lists("no_sides=true", &[("1 0 2 | 0 3 0", "1 3 5"), ("1 0 2 | 0 3 0; 2", "1 3 5")]);
}

#[test]
fn in_territory_games_a_player_moves_what_the_player_owns() {
    let territory = "goal=TERRITORY,goal_param=5";
    lists(territory, &[("1 1 1 | 1 1 1; 1; owned=001110", "1 2 6")]);
}

#[test]
fn who_has_to_share_moves_what_reaches_the_opponent() {
    lists("mustshare=true", &[("2 0 1 | 0 0 0", "3"), ("2 0 1 | 0 1 0", "1 3")]);
    lists("mustshare=false", &[("2 0 1 | 0 0 0; 1; phase=move", "1 3")]);
    // A seed that the opponent cannot move counts too.
    lists("mustshare=true,min_move=2", &[("2 0 2 | 0 0 1", "1 3")]);
    let children = "mustshare=true,child_type=NORMAL,child_cvt=9";
    lists(children, &[("2 1 2 | 4 0 0; 1; children=000200", "3")]);
}

#[test]
fn what_is_captured_at_once_is_not_shared() {
    let captures = "mustshare=true,capt_on=1";
    lists(captures, &[("0 3 1 | 0 0 0", "2")]);
}

#[test]
fn each_direction_shares_for_itself() {
    lists("mustshare=true,udir_holes=0+1+2", &[("1 0 1 | 0 0 0", "1- 3+")]);
}

#[test]
fn who_can_pass_need_not_share_what_no_move_shares() {
    lists("mustshare=true,mustpass=true", &[("2 1 0 | 0 0 0", "1 2")]);
}

#[test]
fn a_grand_slam_that_is_not_legal_cannot_be_played() {
    let slam = "grandslam=NOT_LEGAL,evens=true";
    lists(slam, &[("1 0 1 | 1 0 0", "1"), ("1 0 1 | 1 0 1", "1 3"), ("1 0 1 | 0 0 0", "1 3")]);
    let children = "grandslam=NOT_LEGAL,evens=true,child_type=NORMAL,child_cvt=9";
    lists(children, &[("1 0 1 | 1 2 0; 1; children=000020", "1")]);
    lists("evens=true", &[("1 0 1 | 1 0 0", "1 3")]);
}

#[test]
fn opp_or_empty_ends_on_the_opponents_side_or_in_an_empty_hole() {
    let cases = [
        ("1 2 0 0 | 1 0 0 0", "2"),
        ("1 2 0 1 | 1 0 0 0", "4"),
        // More seeds than a row has holes may be moved even if they end in a full hole.
        ("8 1 0 0 | 1 0 0 0", "1 2"),
    ];
    lists("allow_rule=OPP_OR_EMPTY", &cases);
    lists("allow_rule=OPP_OR_EMPTY,sow_stores=OWN", &[("1 1 0 1 | 1 0 0 0", "2 4")]);
}

#[test]
fn a_single_seed_goes_to_an_empty_hole() {
    let rule = "allow_rule=SINGLE_TO_ZERO";
    lists(rule, &[("1 1 0 1 | 0 0 0 2", "2 4"), ("2 1 0 1 | 1 0 0 2", "1 2")]);
    // A hole before a store can never be moved.
    lists("allow_rule=SINGLE_TO_ZERO,sow_stores=OWN", &[("2 0 0 3 | 1 0 0 0", "1")]);
}

#[test]
fn singles_move_only_if_there_is_nothing_else() {
    lists("allow_rule=SINGLE_ONLY_ALL", &[("1 2 1 | 1 0 0", "2"), ("1 1 0 | 1 0 0", "1 2")]);
}

#[test]
fn singles_move_only_if_there_is_nothing_else_and_to_empty_holes() {
    let cases = [("1 1 0 | 1 0 0", "2"), ("1 0 2 | 1 0 0", "3"), ("1 0 1 | 1 0 0", "1")];
    lists("allow_rule=SINGLE_ALL_TO_ZERO", &cases);
}

#[test]
fn twos_move_only_if_there_is_nothing_else() {
    lists("allow_rule=TWO_ONLY_ALL", &[("1 1 2 1 | 1 0 0 0", "1 2 4"), ("2 0 2 | 1 0 0", "1 3")]);
}

#[test]
fn of_nothing_but_twos_the_rightmost_moves() {
    let cases = [("2 1 2 | 1 0 0", "2"), ("2 2 0 | 1 0 0", "2"), ("1 0 0 | 2 0 2; 2", "6")];
    lists("allow_rule=TWO_ONLY_ALL_RIGHT", &cases);
}

#[test]
fn the_first_turn_is_one_of_the_two_rightmost_holes() {
    let cases = [
        ("1 1 1 0 | 1 0 0 0", "2 3"),
        ("1 1 2 1 | 1 0 0 0", "3 4"),
        ("1 1 1 0 | 1 0 0 0; 1; moves=2; repeats=1", "2 3"),
        ("1 1 1 0 | 1 0 0 0; 1; turns=1", "1 2 3"),
    ];
    lists("allow_rule=FIRST_TURN_ONLY_RIGHT_TWO", &cases);
}

#[test]
fn the_two_rightmost_holes_of_the_first_turn_are_no_twos() {
    let cases = [("1 1 2 1 | 1 0 0 0", "2 4"), ("1 1 2 1 | 1 0 0 0; 1; turns=1", "1 2 4")];
    lists("allow_rule=RIGHT_2_1ST_THEN_ALL_TWO", &cases);
}

#[test]
fn holes_that_were_not_moved_come_first() {
    let cases = [
        ("1 1 1 | 1 0 0", "1 2 3"),
        ("1 1 1 | 1 0 0; 1; unlocked=100000", "2 3"),
        ("1 1 1 | 1 0 0; 1; unlocked=111000", "1 2 3"),
    ];
    lists("allow_rule=MOVE_ALL_HOLES_FIRST", &cases);
}

#[test]
fn a_hole_across_from_a_single_seed_stays() {
    lists("allow_rule=NOT_XFROM_1S", &[("1 1 0 | 2 0 1", "2"), ("1 1 0 | 2 1 2", "1")]);
}

#[test]
fn a_last_seed_goes_to_an_occupied_hole() {
    lists("allow_rule=OCCUPIED", &[("1 1 0 0 | 1 0 0 0", "1"), ("1 0 2 1 | 1 0 0 0", "3 4")]);
    lists("allow_rule=OCCUPIED,sow_stores=OWN", &[("1 1 0 1 | 1 0 0 0", "1 4")]);
}

#[test]
fn the_first_turns_are_in_the_right_half() {
    let rule = "allow_rule=RIGHT_HALF_FIRSTS";
    lists(
        rule,
        &[
            ("1 1 1 1 | 1 0 0 0", "3 4"),
            ("1 0 0 0 | 1 1 1 1; 2; moves=2; turns=1", "7 8"),
            ("1 1 1 1 | 1 0 0 0; 1; turns=2", "1 2 3 4"),
            ("1 1 1 | 1 0 0", "3"),
        ],
    );
}

#[test]
fn the_first_turns_are_in_the_right_half_wherever_they_end() {
    let rule = "allow_rule=RIGHT_HALF_1ST_OPE";
    lists(rule, &[("1 1 1 1 | 1 0 0 0", "3 4"), ("1 1 1 1 | 1 0 0 0; 1; turns=2", "4")]);
}

#[test]
fn a_seed_is_not_moved_back_across_the_middle_line_at_once() {
    let split = "sow_direct=SPLIT";
    lists(
        split,
        &[
            ("1 1 0 0 | 1 0 0 0; 1; last=2:7:0:1:0:0", "2"),
            ("2 1 0 0 | 1 0 0 0; 1; last=2:7:0:1:0:0", "1 2"),
            ("1 1 0 0 | 1 0 0 0; 1; last=2:7:0:2:0:0", "1 2"),
            ("0 1 0 1 | 1 0 0 0; 1; last=2:4:3:1:0:0", "2"),
            ("1 1 0 0 | 1 0 0 0", "1 2"),
        ],
    );
    lists(
        "sow_direct=SPLIT,udir_holes=0",
        &[("1 1 0 0 | 1 0 0 0; 1; last=2:7:0:1:0:0", "1+ 1- 2")],
    );
    lists("", &[("1 1 0 0 | 1 0 0 0; 1; last=2:7:0:1:0:0", "1 2")]);
}

#[test]
fn zigzags_are_not_moved_back_in_the_middle() {
    lists(
        "game_class=ZigZag,sow_direct=TOCENTER",
        &[
            ("1 1 0 0 | 1 0 0 0; 1; last=2:5:1:1:0:0", "1"),
            ("1 0 1 0 | 1 0 0 0; 1; last=2:6:2:1:0:0", "1"),
            ("1 1 0 0 | 1 0 0 0; 1; last=2:5:1:1:1:0", "1 2"),
        ],
    );
}

#[test]
fn who_has_to_give_a_seed_away_needs_two_in_the_hole() {
    let share = "game_class=ShareOne";
    lists(share, &[("3 1 2 | 0 0 0", "1 3"), ("3 1 2 | 1 0 0", "1 2 3")]);
    assert_eq!(turn("game_class=ShareOne,allow_rule=NOT_XFROM_1S", "2 0 1 | 0 0 0", "1"), "1");
}

#[test]
fn who_gives_captures_away_moves_the_own_holes() {
    let away = "goal=CLEAR,capt_side=OWN_SIDE,evens=true";
    lists(&format!("game_class=NSGratuitous,{away}"), &[("1 0 1 | 1 1 0", "1 3")]);
    lists(&format!("game_class=EWGratuitous,{away}"), &[("1 0 1 0 | 1 0 1 0", "3 5")]);
}
