//! Tests of the length of a sowing, from small positions.

use crate::two_row::testing::{after, scene, turn};
use crate::{Observer, Rules, Step};

/// The board after the first hole of a position was moved in laps.
fn laps(options: &str, position: &str) -> String {
    after(&format!("mlaps=LAPPER,{options}"), position, "1")
}

fn laps_next(options: &str, position: &str) -> String {
    after(&format!("mlaps=LAPPER_NEXT,{options}"), position, "1")
}

const USUAL: &str = "2 0 1 | 1 1 0";
const ONE_LAP: &str = "0 1 2 | 1 1 0 | 0:0";
const ALL_LAPS: &str = "1 1 0 | 2 0 1 | 0:0";

#[test]
fn laps_go_on_from_an_occupied_last_hole_or_from_the_next() {
    assert_eq!(after("mlaps=OFF", USUAL, "1"), ONE_LAP);
    assert_eq!(laps("", USUAL), ALL_LAPS);
    assert_eq!(laps_next("", USUAL), "0 1 2 | 0 2 0 | 0:0");
}

#[test]
fn laps_go_on_by_the_number_of_seeds() {
    assert_eq!(laps("mlap_cont=ON_PARAM,mlap_param=2", USUAL), ALL_LAPS);
    assert_eq!(laps("mlap_cont=ON_PARAM,mlap_param=3", USUAL), ONE_LAP);
    assert_eq!(laps("mlap_cont=GREQ_PARAM,mlap_param=3", USUAL), ONE_LAP);
    let three = "2 0 2 | 1 1 0";
    assert_eq!(laps("mlap_cont=ON_PARAM,mlap_param=2", three), "0 1 3 | 1 1 0 | 0:0");
    assert_eq!(laps("mlap_cont=GREQ_PARAM,mlap_param=2", three), "0 1 0 | 2 2 1 | 0:0");
}

#[test]
fn laps_go_on_by_side() {
    assert_eq!(laps("mlap_cont=OWN_SIDE", USUAL), "0 1 0 | 2 2 0 | 0:0");
    assert_eq!(laps("mlap_cont=OPP_SIDE", USUAL), ONE_LAP);
    assert_eq!(
        after("mlaps=LAPPER,mlap_cont=OPP_SIDE", "1 0 2 | 1 1 0", "3"),
        "2 0 0 | 2 0 1 | 0:0"
    );
}

#[test]
fn laps_go_on_if_the_first_has_visited_the_opponent() {
    assert_eq!(laps("mlap_cont=VISIT_OPP", USUAL), ONE_LAP);
    // Later laps are unrestricted; the fourth one ends in an empty hole.
    assert_eq!(laps("mlap_cont=VISIT_OPP", "7 0 0 | 0 0 0"), "2 1 2 | 0 2 0 | 0:0");
}

#[test]
fn laps_go_on_out_of_stores_unless_a_rule_stops_them() {
    let end = |laps: &str, cont: &str, position: &str, mv: &str| {
        let options = format!("mlaps={laps},sow_stores=OWN_NR,mlap_cont={cont}");
        after(&options, position, mv)
    };
    let into = "0 0 1 | 1 1 0 | 1:0";
    assert_eq!(end("LAPPER", "NONE", into, "3"), "1 0 0 | 2 0 1 | 0:0");
    assert_eq!(end("LAPPER", "STOP_STORE", into, "3"), "0 0 0 | 1 1 0 | 2:0");
    assert_eq!(end("LAPPER", "NOT_FROM_STORE", into, "3"), "0 0 0 | 1 1 0 | 2:0");
    for cont in ["NONE", "STOP_STORE", "NOT_FROM_STORE"] {
        assert_eq!(end("LAPPER", cont, USUAL, "1"), "0 1 0 | 0 2 1 | 1:0");
    }
    let before = "0 1 0 | 1 1 0 | 1:0";
    assert_eq!(end("LAPPER_NEXT", "NONE", before, "2"), "0 0 1 | 2 0 1 | 0:0");
    assert_eq!(end("LAPPER_NEXT", "NOT_FROM_STORE", before, "2"), "0 0 1 | 1 1 0 | 1:0");
    let ends = "0 0 1 | 1 1 0";
    assert_eq!(end("LAPPER_NEXT", "NONE", ends, "3"), "0 0 0 | 0 2 0 | 1:0");
    assert_eq!(end("LAPPER_NEXT", "STOP_STORE", ends, "3"), "0 0 0 | 1 1 0 | 1:0");
}

#[test]
fn a_repeat_turn_stops_the_laps() {
    let own = "mlaps=LAPPER,sow_stores=OWN";
    let end = scene(own, "1 0 1 | 1 1 0 | 1:0").play("3");
    assert_eq!(end.all(["board", "turn"]), ["1 0 0 | 1 1 0 | 2:0", "1"]);
}

#[test]
fn no_lap_begins_in_a_child() {
    let children = "child_type=NORMAL,child_cvt=9";
    assert_eq!(laps(children, "2 0 1 | 1 1 0; 1; children=001000"), ONE_LAP);
    assert_eq!(laps(children, "2 0 1 | 1 1 0; 1; children=000100"), ALL_LAPS);
    assert_eq!(laps_next(children, "2 0 1 | 1 1 0; 1; children=000100"), ONE_LAP);
}

#[test]
fn laps_stop_where_a_child_is_made() {
    let made = scene("mlaps=LAPPER,child_type=NORMAL,child_cvt=2", USUAL).play("1");
    assert_eq!((made.board().as_str(), made.part("children").as_str()), (ONE_LAP, "001000"));
}

#[test]
fn laps_stop_for_a_capture_by_number_or_match() {
    assert_eq!(laps("evens=true", USUAL), "0 1 0 | 1 1 0 | 2:0");
    assert_eq!(laps("capt_type=MATCH_OPP", "2 0 1 | 2 1 0"), "0 1 0 | 0 1 0 | 4:0");
    assert_eq!(laps("evens=true,nocaptmoves=2", USUAL), ALL_LAPS, "none is allowed");
}

#[test]
fn laps_do_not_stop_for_a_capture_of_the_next_hole() {
    assert_eq!(laps("capt_on=2", USUAL), "0 1 0 | 1 1 0 | 2:0");
    assert_eq!(laps("capt_on=2,capt_type=NEXT", USUAL), ALL_LAPS);
}

#[test]
fn laps_from_the_next_hole_stop_for_a_capture_across() {
    let across = "crosscapt=ONE_ZEROS";
    assert_eq!(laps_next(across, "2 0 0 | 1 1 0"), "0 1 1 | 0 1 0 | 1:0");
    assert_eq!(laps_next("", "2 0 0 | 1 1 0"), "0 1 1 | 0 2 0 | 0:0");
}

#[test]
fn every_lap_may_change_the_direction() {
    assert_eq!(laps("sow_rule=CHANGE_DIR_LAP", USUAL), "1 2 0 | 1 1 0 | 0:0");
}

#[test]
fn a_lap_that_closes_a_hole_goes_on() {
    let closing = "goal=DEPRIVE,blocks=true,sow_param=2,sow_rule=SOW_BLKD_DIV,mlaps=LAPPER";
    let end = scene(closing, "1 0 1 | 1 0 1").play("3");
    assert_eq!(end.board(), "2 1 0 | 0 1 0 | 0:0");
    assert_eq!(end.part("blocked"), "000101");
}

#[test]
fn captures_across_between_laps_sow_the_last_seed_on() {
    let capture = "sow_rule=LAP_CAPT,crosscapt=ONE_ZEROS";
    assert_eq!(laps(capture, "2 0 0 | 3 1 0"), "0 1 0 | 1 1 0 | 3:0");
    assert_eq!(laps("crosscapt=ONE_ZEROS", "2 0 0 | 3 1 0"), "0 1 1 | 0 1 0 | 3:0");
}

#[test]
fn captures_by_number_between_laps_go_on_from_the_next_hole() {
    let capture = "sow_rule=LAP_CAPT,evens=true";
    assert_eq!(laps(capture, "2 0 1 | 2 0 2"), "1 2 1 | 0 1 0 | 2:0");
}

#[test]
fn captures_of_the_next_hole_between_laps_go_on_from_the_last() {
    let capture = "sow_rule=LAP_CAPT,capt_type=NEXT,capt_dir=SOW";
    assert_eq!(laps(capture, "2 0 1 | 2 0 2"), "0 1 0 | 1 1 0 | 4:0");
}

#[test]
fn captured_seeds_may_be_sown_on() {
    let seeds = "sow_rule=LAP_CAPT_SEEDS,crosscapt=ONE_ZEROS,stores=false";
    assert_eq!(laps(seeds, "2 0 0 | 3 1 0"), "1 0 1 | 2 1 1 | 0:0");
}

/// Counts the laps that follow others.
#[derive(Default)]
struct Laps(u32);

impl Observer for Laps {
    const ACTIVE: bool = true;

    fn step(&mut self, step: Step) {
        self.0 += u32::from(matches!(step, Step::Lap { .. }));
    }
}

/// Game in which all seeds move back and forth between two holes, and every lap removes one.
const TO_AND_FRO: &str =
    "game_class=NorthSouthCycle,skip_start=true,mlaps=LAPPER,presowcapt=CAPT_ONE,nbr_start=200";

#[test]
fn a_sowing_of_75_laps_is_one_like_any_other() {
    let position = scene(TO_AND_FRO, "75 1 | 1 1");
    let mut pos = position.pos.clone();
    let mut laps = Laps::default();
    position.game.play(&mut pos, &position.parsed("1"), &mut laps);
    assert_eq!(laps.0, 74);
    let end = position.play("1");
    assert_eq!(end.all(["board", "turn"]), ["0 1 | 1 1 | 75:0", "2"]);
}

#[test]
fn a_sowing_that_wants_a_76th_lap_ends_the_game_without_the_seeds_in_hand() {
    let end = scene(TO_AND_FRO, "76 1 | 1 0").play("1");
    assert_eq!(end.board(), "0 0 | 0 0 | 75:1", "the odd seed goes to who has less");
    assert_eq!(end.all(["turn", "phase"]), ["1 wins 75:1", "over:1:endless"]);
    assert_eq!(end.all(["moves", "turns"]), ["", ""]);
}

#[test]
fn without_an_end_of_laps_nobody_eliminates() {
    let clear = "game_class=NorthSouthCycle,skip_start=true,mlaps=LAPPER,goal=CLEAR";
    assert_eq!(turn(clear, "1 1 | 1 0", "1"), "drawn 0:0");
}
