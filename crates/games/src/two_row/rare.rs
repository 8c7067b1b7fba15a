//! Rare combinations of parameters: for each, a position in which a rarely used rule takes effect.
//! Most of these rules are bugs of the program that played the replayed games. The code that
//! reproduces one is marked.

use super::testing::{Scene, game, listed, scene};
use crate::Rules;

fn after(options: &str, position: &str, moves: &str) -> String {
    scene(options, position).play(moves).board()
}

/// A part of the position's text after moves.
fn part(name: &str, options: &str, position: &str, moves: &str) -> String {
    scene(options, position).play(moves).part(name)
}

fn turn(options: &str, position: &str, mv: &str) -> String {
    scene(options, position).play(mv).turn()
}

#[test]
fn where_halves_are_rings_nobody_moves_the_other_half() {
    let no_sides = "game_class=EastWestCycle,no_sides=true";
    assert_eq!(listed(no_sides, "1 1 1 1 | 1 1 1 1"), "3 4 5 6");
}

#[test]
fn where_a_move_names_a_row_all_holes_of_the_board_are_moved_first() {
    let all_first = "allow_rule=MOVE_ALL_HOLES_FIRST";
    let position = "1 1 1 | 1 1 1; 1; unlocked=111000";
    assert_eq!(listed(&format!("{all_first},no_sides=true"), position), "4 5 6");
    assert_eq!(listed(all_first, position), "1 2 3");
}

#[test]
fn a_ram_is_not_shared() {
    let share = "game_class=ShareOne,child_type=RAM";
    assert_eq!(listed(share, "2 0 9 | 0 0 0; 1; children=00r000"), "1");
}

/// With `ONE_ZEROS`, a lap that ends in more than one seed continues like any other lap.
#[test]
fn captures_across_decide_first_whether_laps_go_on() {
    let options = "mlaps=LAPPER,sow_rule=LAP_CAPT,capt_type=NEXT,crosscapt=ONE_ZEROS,capt_dir=SOW";
    assert_eq!(after(options, "1 1 1 | 1 1 1", "1"), "1 0 1 | 0 2 0 | 2:0");
}

/// The last lap captures nothing, and the three seeds across are picked.
#[test]
fn a_capture_of_an_earlier_lap_is_one_of_the_last_too() {
    let options = "mlaps=LAPPER,sow_rule=LAP_CAPT,evens=true,multicapt=-1,\
                   pickextra=PICKCROSSMULT,mustpass=true";
    assert_eq!(after(options, "1 1 1 0 | 3 2 0 0", "1"), "0 0 0 1 | 0 2 0 0 | 5:0");
}

/// Seeds borne off are a capture that names no next hole, and the first one holds two.
#[test]
fn a_chain_without_a_next_hole_goes_on_at_the_first() {
    let options = "game_class=BearOff,multicapt=-1,evens=true";
    let position = "2 0 1 | 3 0 1; 1; bearing_off=1";
    assert_eq!(after(options, position, "3"), "0 0 0 | 3 0 1 | 3:0");
}

#[test]
fn a_lap_without_seeds_ends_where_it_starts() {
    let options = "mlaps=LAPPER,sow_rule=LAP_CAPT_OPP_GETS,sow_param=9,evens=true";
    // Mover, from, to (from 0), seeds of the last lap, captured, winner.
    assert_eq!(part("last", options, "1 1 0 | 0 1 0", "1"), "1:0:2:0:1:1");
}

#[test]
fn while_a_first_lap_is_sown_the_first_hole_stands_for_its_end() {
    let options = "sow_rule=ENPAS_ALL_SOWER,evens=true,multicapt=-1,capt_side=OPP_CONT";
    assert_eq!(after(options, "0 0 2 | 1 0 0", "3"), "0 0 0 | 2 1 0 | 0:0");
    assert_eq!(after(options, "1 0 5 | 0 0 2; 2", "6"), "0 1 5 | 0 0 0 | 0:2");
}

#[test]
fn with_closed_holes_a_store_is_left_as_if_it_stood_before_the_first_hole() {
    let options =
        "goal=DEPRIVE,sow_rule=SOW_BLKD_DIV,sow_param=9,blocks=true,play_locs=BRD_OWN_STR_ALL";
    let clockwise = &format!("{options},sow_direct=CW");
    let (one, two) = ("1 0 0 | 1 0 0 | 1:1", "1 0 0 | 1 0 0 | 1:1; 2");
    assert_eq!(after(options, one, "s1"), "2 0 0 | 1 0 0 | 0:1");
    assert_eq!(after(options, two, "s1"), "1 0 0 | 1 0 1 | 1:0");
    assert_eq!(after(clockwise, one, "s1"), "1 0 0 | 1 1 0 | 0:1");
    assert_eq!(after(clockwise, two, "s1"), "1 0 0 | 2 0 0 | 1:0");
}

#[test]
fn a_store_is_nobodys_side_for_visits() {
    let options = "mlaps=LAPPER,mlap_cont=VISIT_OPP,sow_stores=OWN_NR";
    assert_eq!(after(options, "1 0 1 | 1 0 0 | 2:0", "3"), "1 0 0 | 1 0 0 | 3:0");
}

/// The first lap captures; the second ends on two seeds, which would be captured too.
#[test]
fn another_turn_stops_laps_wherever_stores_are_sown_into() {
    let options = "mlaps=LAPPER,sow_rule=LAP_CAPT,sow_stores=OWN_NR,capt_rturn=ALWAYS,evens=true,mustpass=true";
    assert_eq!(after(options, "1 1 2 | 1 0 5", "1"), "0 0 0 | 2 0 5 | 3:0");
}

#[test]
fn behind_a_store_a_lap_may_begin_in_a_child() {
    let options = "mlaps=LAPPER_NEXT,sow_stores=OWN_NR,child_type=NORMAL,child_cvt=9";
    let position = "1 0 1 | 3 0 0; 1; children=000100";
    assert_eq!(after(options, position, "3"), "2 0 0 | 0 1 1 | 1:0");
}

#[test]
fn player_ones_store_is_passed_over_like_the_last_hole() {
    let options = "sow_stores=OWN,sow_rule=NO_OPP_CHILD,child_type=NORMAL,child_cvt=9";
    assert_eq!(after(options, "1 0 1 | 1 0 0; 1; children=000002", "3"), "1 0 0 | 2 0 0 | 0:0");
    assert_eq!(after(options, "1 0 1 | 1 0 0; 1; children=000020", "3"), "1 0 0 | 1 0 0 | 1:0");
}

#[test]
fn what_is_picked_without_a_capture_goes_into_no_child() {
    let options =
        "stores=false,child_type=NORMAL,child_cvt=9,crosscapt=ONE_ZEROS,xcpickown=ALWAYS_PICK";
    let picked = after(options, "4 1 0 | 0 1 0; 1; children=100000", "2");
    assert_eq!(picked, "4 0 0 | 0 1 0 | 1:0");
    let captured = after(options, "4 1 0 | 1 1 0; 1; children=100000", "2");
    assert_eq!(captured, "6 0 0 | 0 1 0 | 0:0");
}

#[test]
fn an_undone_grand_slam_grants_no_other_turn() {
    let options = "crosscapt=ONE_ZEROS,xc_sown=true,grandslam=NO_CAPT,pickextra=PICKOPPBASIC";
    assert_eq!(turn(options, "1 0 1 | 0 1 0", "1"), "2");
}

/// With two occupied holes one keeps its seeds, and what was captured on the own side is undone.
#[test]
fn a_grand_slam_of_one_hole_stands_with_all_that_was_captured() {
    let options = "grandslam=LEAVE_LEFT,multicapt=-1,evens=true,mustpass=true";
    assert_eq!(after(options, "5 2 1 | 1 0 0", "2"), "5 0 0 | 0 0 0 | 4:0");
    assert_eq!(after(options, "5 3 1 | 1 1 0", "2"), "5 0 2 | 0 2 0 | 2:0");
}

#[test]
fn the_first_capture_backwards_picks_even_if_it_takes_nothing() {
    let options = "capt_dir=BOTH,multicapt=-1,evens=true,pickextra=PICKCROSSMULT";
    assert_eq!(after(options, "1 1 0 0 | 2 0 0 5", "1"), "0 0 0 0 | 2 0 0 0 | 7:0");
}

#[test]
fn renewed_rams_set_the_place_of_a_capture_back() {
    let options = "capt_type=TWO_OUT,capt_dir=SOW,child_type=RAM,pickextra=PICKFINAL";
    assert_eq!(after(options, "1 1 0 2 | 3 0 0 0", "1"), "0 0 0 0 | 3 0 0 0 | 4:0");
}

#[test]
fn without_any_child_what_is_settled_goes_to_the_west_end() {
    let options = "stores=false,child_type=NORMAL,child_cvt=9,min_move=2";
    assert_eq!(after(options, "2 0 0 | 0 1 0", "1"), "2 0 0 | 0 0 1 | 0:0");
}

#[test]
fn an_end_by_the_rules_divides_into_the_first_children() {
    let options = "stores=false,child_type=NORMAL,child_cvt=9,min_move=2,unclaimed=DIVVIED";
    let position = "2 3 3 | 0 1 1; 1; children=011000";
    assert_eq!(after(options, position, "1"), "0 6 4 | 0 0 0 | 0:0");
}

#[test]
fn a_limit_compares_children_only_and_divides_into_the_last_ones() {
    let options = "stores=false,child_type=NORMAL,child_cvt=9";
    let limit = |position| scene(options, position).adjudicated();
    assert_eq!(limit("1 1 0 | 2 1 0 | 5:0; 1; children=100200"), "2 wins 2:3");
}

#[test]
fn a_limit_settles_without_sides_by_rows() {
    let options = "no_sides=true,quitter=HOLE_OWNER";
    assert_eq!(scene(options, "1 2 3 | 4 0 0 | 5:0").adjudicated(), "1 wins 11:4");
}

#[test]
fn captures_do_not_know_children_without_a_kind() {
    let options = "child_locs=FIXED_ONE_RIGHT,evens=true";
    let position = "0 4 0 | 0 0 1; 1; children=001002";
    assert_eq!(after(options, position, "2"), "0 0 1 | 1 1 0 | 2:0");
}

#[test]
fn a_first_tallied_round_may_be_dealt_for_who_does_not_start() {
    let dealt = |starter: &str| {
        let options = "goal=RND_WIN_COUNT_MAX,goal_param=3,rounds=NO_MOVES,nbr_start=2,\
                       start_pattern=ALTERNATES,round_starter=";
        let game = game(5, &format!("{options}{starter}"));
        let pos = game.start();
        Scene { game, pos }.all(["board", "turn"])
    };
    for starter in ["ALTERNATE", "LOSER"] {
        assert_eq!(dealt(starter), ["0 2 0 2 0 | 2 0 2 0 2 | 0:0", "1"], "{starter}");
    }
    for starter in ["WINNER", "LAST_MOVER"] {
        assert_eq!(dealt(starter), ["2 0 2 0 2 | 0 2 0 2 0 | 0:0", "1"], "{starter}");
    }
}

#[test]
fn nocaptmoves_knows_no_other_inhibition() {
    let options = "prescribed=ARNGE_LIMIT,evens=true,nocaptmoves";
    let position = "1 1 1 | 1 1 1; 1; phase=layout:1";
    assert_eq!(part("inhibited", &format!("{options}=0"), position, "pass"), "1:1:1");
    let counted = format!("{options}=2");
    let on = format!("{position}; inhibited=0:1:0");
    // The same as at the start of every game, so it is not written.
    assert_eq!(part("inhibited", &counted, &on, "pass"), "");
}

#[test]
fn closing_a_hole_lifts_no_inhibition() {
    let options =
        "goal=DEPRIVE,sow_rule=SOW_BLKD_DIV,sow_param=2,blocks=true,prescribed=ARNGE_LIMIT";
    let position = "1 0 1 | 1 0 1; 1; inhibited=2:1:1";
    assert_eq!(part("inhibited", options, position, "3"), "2:1:1");
}

#[test]
fn a_pair_of_bulls_takes_no_child_over() {
    let bull = "child_type=BULL,child_cvt=3";
    assert_eq!(part("children", bull, "2 1 2 | 0 0 1; 1; children=020000", "1"), "021000");
    assert_eq!(part("children", bull, "2 1 2 | 0 0 1", "1"), "011000");
}

/// The sixth hole would be a ram if the one across had not become one.
#[test]
fn rams_are_renewed_one_after_the_other() {
    let options = "child_type=RAM,child_locs=NOT_FACING";
    assert_eq!(part("children", options, "6 1 0 | 1 0 9", "2"), "r00000");
}

#[test]
fn both_stores_on_the_way_make_rams_of_two_seeds_more() {
    for (stores, rams) in [("OWN", "r00000"), ("BOTH", ""), ("BOTH_NR", "r00000")] {
        let options = format!("child_type=RAM,sow_stores={stores}");
        assert_eq!(part("children", &options, "7 1 0 | 1 0 0", "2"), rams, "{stores}");
    }
}

#[test]
fn a_locked_hole_is_not_picked() {
    let options = "crosscapt=ONE_ZEROS,xcpickown=ALWAYS_PICK,moveunlock=true";
    let position = "1 0 0 | 0 0 1; 1; unlocked=100000";
    assert_eq!(after(options, position, "1"), "0 1 0 | 0 0 1 | 0:0");
    assert_eq!(after(options, "1 0 0 | 0 3 3; 1; unlocked=110010", "1"), "0 0 0 | 0 0 3 | 4:0");
}

#[test]
fn rams_are_not_among_the_last_seeds() {
    let options = "pickextra=PICKLASTSEEDS,child_type=RAM";
    let position = "1 0 9 | 1 0 0; 1; children=00r000";
    assert_eq!(after(options, position, "1"), "0 0 9 | 0 0 0 | 2:0");
}

#[test]
fn with_halves_the_own_rightmost_hole_is_that_of_the_half() {
    let options = "game_class=EastWestCycle,capt_type=CAPT_OPP_1CCW,capt_rturn=ALWAYS";
    assert_eq!(turn(options, "0 0 0 0 | 1 1 1 1", "5"), "1");
}

#[test]
fn the_direction_of_the_draw_is_kept_not_that_of_the_last_lap() {
    let options = "sow_direct=PLAYALTDIR,mlaps=LAPPER,sow_rule=CHANGE_DIR_LAP";
    assert_eq!(part("directions", options, "1 1 0 | 1 0 0", "1+"), "1,-1");
}

/// South leaves North no move, and three seeds are settled, so that no hole holds two.
#[test]
fn a_settled_board_turns_bearing_off_on() {
    assert_eq!(part("bearing_off", "game_class=BearOff", "0 1 2 | 0 0 0", "2"), "1");
}
