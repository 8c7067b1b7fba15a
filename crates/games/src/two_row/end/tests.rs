//! Tests of the end of games and rounds, the division of remaining seeds, and the winner.

use crate::two_row::testing::{scene, turn};

/// Checks the outcome of a move: the side to move, or the result.
fn ends(options: &str, cases: &[(&str, &str, &str)]) {
    for (position, mv, end) in cases {
        assert_eq!(turn(options, position, mv), *end, "{options}: {position}");
    }
}

#[test]
fn who_has_more_than_half_of_the_seeds_has_won() {
    let half = "evens=true,nbr_start=2";
    ends(
        half,
        &[
            ("1 0 1 | 1 0 1 | 5:3", "3", "1 wins 7:3"),
            ("1 0 1 | 1 0 1 | 4:4", "3", "2"),
            ("0 0 1 | 1 0 0 | 4:6", "3", "drawn 6:6"),
        ],
    );
}

#[test]
fn a_game_is_over_when_the_next_player_has_no_move() {
    ends("", &[("2 1 0 | 0 0 0 | 0:1", "1", "1 wins 3:1")]);
    ends("mustpass=true", &[("2 1 0 | 0 0 0 | 0:1", "1", "2")]);
    ends("mustpass=true,min_move=2", &[("0 0 2 | 0 0 0", "3", "2 wins 0:2")]);
}

#[test]
fn a_player_who_moves_again_needs_a_move() {
    let again = "sow_stores=OWN";
    ends(again, &[("0 0 1 | 1 0 0", "3", "drawn 1:1"), ("1 0 1 | 1 0 0", "3", "1")]);
}

/// Result of the game once no hole can be moved.
fn settled(options: &str, position: &str) -> String {
    turn(&format!("min_move=2,{options}"), position, "3")
}

#[test]
fn what_is_left_goes_to_whom_unclaimed_says() {
    let end = |unclaimed: &str| settled(&format!("unclaimed={unclaimed}"), "1 0 2 | 0 0 1 | 1:2");
    assert_eq!(end("HOLE_OWNER"), "2 wins 2:5");
    assert_eq!(end("DONT_SCORE"), "2 wins 1:2");
    assert_eq!(end("LAST_MOVER"), "1 wins 5:2");
    assert_eq!(end("DIVVIED"), "2 wins 3:4");
    assert_eq!(end("UNFED_PLAYER,mustshare=true"), "2 wins 3:4", "quitter: divvied");
    assert_eq!(end("UNFED_PLAYER,mustshare=true,quitter=HOLE_OWNER"), "2 wins 2:5");
}

#[test]
fn an_odd_seed_goes_to_who_has_less() {
    let end = |stores: &str| settled("unclaimed=DIVVIED", &format!("1 0 2 | 0 0 0 | {stores}"));
    assert_eq!(end("1:2"), "drawn 3:3");
    assert_eq!(end("2:1"), "drawn 3:3");
    assert_eq!(end("1:1"), "2 wins 2:3");
}

#[test]
fn without_sides_nobody_gets_what_is_left() {
    assert_eq!(settled("no_sides=true", "1 0 2 | 0 0 1 | 1:2"), "2 wins 1:2");
}

#[test]
fn children_count_for_their_owner_and_rams_for_nobody() {
    let children = "child_type=NORMAL,child_cvt=9";
    assert_eq!(settled(children, "3 0 2 | 0 0 1; 1; children=200000"), "2 wins 0:6");
    let ram = "6 0 2 | 0 0 1 | 0:0; 1; children=r00000";
    assert_eq!(settled("child_type=RAM", ram), "2 wins 0:3");
}

#[test]
fn in_territory_games_what_is_left_goes_to_the_owner_of_the_hole() {
    let territory = "goal=TERRITORY,goal_param=5";
    let end = settled(territory, "1 0 2 | 0 0 1 | 1:2; 1; owned=100111");
    assert_eq!(end, "2 wins 1:6");
}

#[test]
fn who_cannot_be_fed_may_get_what_is_left() {
    let share = "mustshare=true";
    ends(share, &[("0 0 1 | 2 0 0", "3", "2"), ("0 0 1 | 0 0 0", "3", "2 wins 0:1")]);
    ends("mustshare=true,unclaimed=UNFED_PLAYER", &[("0 0 1 | 0 0 0", "3", "1 wins 1:0")]);
    // A player who moves again has to feed the opponent.
    let again = "mustshare=true,unclaimed=UNFED_PLAYER,evens=true,capt_rturn=ALWAYS";
    ends(again, &[("1 0 1 | 1 0 0", "3", "1 wins 2:1")]);
}

#[test]
fn few_seeds_may_end_the_game() {
    let limit = "end_cond=SEEDS_LIMIT,end_param=4";
    ends(limit, &[("1 0 1 | 1 0 1", "1", "drawn 2:2"), ("2 0 1 | 1 0 1", "1", "2")]);
    let children = "end_cond=SEEDS_LIMIT,end_param=4,child_type=NORMAL,child_cvt=9";
    ends(children, &[("1 0 1 | 1 0 5; 1; children=000002", "1", "2 wins 2:6")]);
}

#[test]
fn an_empty_side_may_end_the_game() {
    let own = ("0 0 1 | 1 0 1", "3");
    ends("", &[(own.0, own.1, "2")]);
    ends("end_cond=CLEARED_OWN", &[(own.0, own.1, "2 wins 0:3")]);
    ends("end_cond=CLEARED_OPP", &[(own.0, own.1, "2")]);
    let opp = ("2 0 1 | 1 0 0", "3");
    let again = |cond| format!("evens=true,capt_rturn=ALWAYS,end_cond={cond}");
    ends(&again("NO_ADDTL"), &[(opp.0, opp.1, "1")]);
    ends(&again("CLEARED_OWN"), &[(opp.0, opp.1, "1")]);
    ends(&again("CLEARED_OPP"), &[(opp.0, opp.1, "1 wins 4:0")]);
}

#[test]
fn holes_with_few_seeds_each_may_end_the_game() {
    let limit = "end_cond=HOLE_SEED_LIMIT,end_param=2";
    ends(limit, &[("1 1 0 | 2 0 2", "1", "2 wins 2:4"), ("1 2 0 | 2 0 2", "1", "2")]);
}

#[test]
fn too_few_seeds_to_capture_end_the_game() {
    let position = "0 0 1 | 1 0 1";
    ends("evens=true", &[(position, "3", "1 wins 2:1")]);
    ends("capt_on=2", &[(position, "3", "1 wins 2:1")]);
    ends("capt_max=2", &[(position, "3", "2")]);
    ends("crosscapt=ONE_ZEROS", &[("0 0 1 | 0 0 0", "3", "2 wins 0:1")]);
    ends("", &[("0 0 1 | 0 0 0", "3", "2")]);
    let four = "evens=true,capt_min=4";
    ends(four, &[(position, "3", "2 wins 0:3"), ("0 0 1 | 2 0 1", "3", "2")]);
    ends("capt_type=TWO_OUT,capt_dir=SOW", &[("0 0 1 | 1 0 0", "3", "2 wins 0:2")]);
}

#[test]
fn seeds_that_can_be_sown_into_a_store_are_never_too_few() {
    ends("evens=true,sow_stores=OWN_NR", &[("0 0 2 | 1 0 1", "3", "2")]);
}

#[test]
fn who_has_cleared_the_own_side_has_won() {
    let clear = "goal=CLEAR,evens=true";
    ends(
        clear,
        &[
            ("0 0 1 | 2 0 1", "3", "1 wins 0:0"),
            ("1 0 1 | 1 0 0", "3", "2 wins 2:0"),
            ("0 0 1 | 1 0 0", "3", "1 wins 2:0"),
            ("1 0 1 | 2 0 1", "3", "2"),
        ],
    );
}

#[test]
fn who_has_deprived_the_opponent_has_won() {
    let deprive = "goal=DEPRIVE,evens=true";
    ends(
        deprive,
        &[
            ("1 0 1 | 1 0 0", "3", "1 wins 2:0"),
            ("0 0 1 | 1 0 0", "3", "1 wins 2:0"),
            ("0 0 1 | 2 0 1", "3", "2 wins 0:0"),
            ("1 0 1 | 2 0 1", "3", "2"),
        ],
    );
    ends("goal=DEPRIVE,min_move=2", &[("1 0 2 | 0 0 0", "3", "1 wins 0:0")]);
    ends("goal=DEPRIVE,min_move=2,sow_stores=OWN", &[("1 2 0 | 2 0 0", "2", "2 wins 1:0")]);
}

#[test]
fn who_has_left_the_opponent_no_move_has_won() {
    ends(
        "goal=IMMOBILIZE,min_move=2",
        &[("1 0 2 | 0 0 0", "3", "1 wins 0:0"), ("1 0 2 | 1 0 0", "3", "2")],
    );
    let stores = "goal=IMMOBILIZE,play_locs=BRD_OWN_STR_ALL";
    ends(stores, &[("1 1 0 | 0 0 0 | 0:2", "2", "2"), ("1 1 0 | 0 0 0 | 2:0", "2", "1 wins 2:0")]);
}

#[test]
fn in_the_diffusing_classes_a_row_or_a_half_is_cleared() {
    let clear = |class: &str, position: &str, mv: &str| {
        turn(&format!("game_class={class},goal=CLEAR,no_sides=true"), position, mv)
    };
    // The seed goes to hole 2: player 2's row stays empty, and player 1's, the eastern, half.
    assert_eq!(clear("DiffusionV2", "1 0 0 0 | 0 0 0 0", "1"), "2 wins 0:0");
    assert_eq!(clear("Diffusion", "1 0 0 0 | 0 0 0 0", "1"), "1 wins 0:0");
}

#[test]
fn in_territory_games_it_takes_more_than_the_holes_are_worth() {
    let territory = "goal=TERRITORY,goal_param=4,nbr_start=4,evens=true";
    // Three holes of 4 and a half and one more are 15.
    ends(
        territory,
        &[("1 0 1 | 1 0 1 | 14:6", "3", "1 wins 16:6"), ("1 0 1 | 1 0 2 | 13:6", "3", "2")],
    );
}

#[test]
fn in_territory_games_it_depends_on_who_gets_half_a_hole() {
    let fills = [
        ("NOT_APPLICABLE", "1 wins 16:6"),
        ("TERR_EX_RANDOM", "1 wins 16:6"),
        ("TERR_EX_LOSER", "2"),
        ("TERR_EX_EMPTY", "2"),
    ];
    for (fill, end) in fills {
        let options =
            format!("goal=TERRITORY,goal_param=4,nbr_start=4,evens=true,round_fill={fill}");
        ends(
            &options,
            &[("1 0 1 | 1 0 1 | 14:6", "3", end), ("1 0 1 | 1 0 0 | 15:6", "3", "1 wins 17:6")],
        );
    }
}

/// The phase after a move of a game in rounds.
fn phase(options: &str, position: &str, mv: &str) -> String {
    scene(options, position).play(mv).part("phase")
}

#[test]
fn a_round_ends_by_half_of_the_seeds_or_by_want_of_moves() {
    let rounds = |rounds: &str, position: &str| {
        phase(&format!("evens=true,nbr_start=2,rounds={rounds}"), position, "3")
    };
    let half = "1 0 1 | 1 0 1 | 5:3";
    assert_eq!(rounds("HALF_SEEDS", half), "round:1");
    assert_eq!(rounds("NO_MOVES", half), "");
    // With 11 of 12 seeds captured, the opponent cannot fill a hole.
    assert_eq!(rounds("NO_MOVES", "0 0 1 | 1 0 0 | 9:1"), "over:1:goal");
    assert_eq!(rounds("NO_MOVES", "0 0 1 | 1 0 0 | 8:2"), "round:1");
    assert_eq!(rounds("NO_ROUNDS", half), "over:1:goal");
}

#[test]
fn a_round_ends_with_few_seeds_on_the_board() {
    let rounds = |rounds: &str, position: &str| {
        phase(&format!("nbr_start=3,rounds={rounds}"), position, "3")
    };
    let [three, six, seven] = ["1 0 1 | 0 0 1 | 9:6", "1 0 1 | 2 0 2 | 6:6", "1 0 1 | 2 0 3 | 6:5"];
    assert_eq!([three, six, seven].map(|on| rounds("END_S_SEEDS", on)), ["round:1", "", ""]);
    assert_eq!(
        [three, six, seven].map(|on| rounds("END_2S_SEEDS", on)),
        ["round:1", "round:2", ""]
    );
    assert_eq!([three, six, seven].map(|on| rounds("NO_MOVES", on)), ["", "", ""]);
}

#[test]
fn rounds_are_counted_towards_their_goal() {
    let tally = |goal: &str, param: i32, before: &str| {
        let options =
            format!("evens=true,nbr_start=2,rounds=HALF_SEEDS,goal={goal},goal_param={param}");
        scene(&options, &format!("1 0 1 | 1 0 1 | 5:3; 1; tally={before}")).play("3")
    };
    let none = "0,0:0,0:0,0:0,0";
    // 7 seeds to 3 of 12: a win by 4, and no three quarters.
    let won = tally("RND_WIN_COUNT_MAX", 2, none);
    assert_eq!(won.all(["tally", "phase"]), ["1,0:7,3:4,0:1,0", "round:1"]);
    assert_eq!(tally("RND_WIN_COUNT_MAX", 2, "1,1:0,0:0,0:0,0").turn(), "1 wins 2:1");
    assert_eq!(tally("RND_SEED_COUNT", 20, "0,0:13,4:0,0:0,0").turn(), "1 wins 20:7");
    assert_eq!(tally("RND_SEED_COUNT", 20, "0,0:12,4:0,0:0,0").turn(), "chance");
    assert_eq!(tally("RND_EXTRA_SEEDS", 9, "0,0:0,0:5,2:0,0").turn(), "1 wins 9:2");
    assert_eq!(tally("RND_EXTRA_SEEDS", 9, "0,0:0,0:4,2:0,0").turn(), "chance");
    assert_eq!(tally("RND_POINTS", 3, "0,0:0,0:0,0:2,2").turn(), "1 wins 3:2");
    assert_eq!(tally("RND_POINTS", 3, "0,0:0,0:0,0:1,2").turn(), "chance");
}

#[test]
fn rounds_are_won_by_elimination_too() {
    let won = |goal: &str, position: &str| {
        let options = format!("evens=true,rounds=NO_MOVES,goal_param=1,goal={goal}");
        turn(&options, position, "3")
    };
    assert_eq!(won("RND_WIN_COUNT_CLR", "0 0 1 | 2 0 1"), "1 wins 1:0");
    assert_eq!(won("RND_WIN_COUNT_DEP", "0 0 1 | 2 0 1"), "2 wins 0:1");
    assert_eq!(won("RND_WIN_COUNT_IMB", "1 0 1 | 1 0 0"), "1 wins 1:0");
}

#[test]
fn a_limit_settles_by_quitter() {
    let position = "3 0 2 | 0 0 1 | 1:2; 1; last=2:5:0:1:0:0";
    let limit = |quitter: &str| scene(&format!("quitter={quitter}"), position).adjudicated();
    assert_eq!(limit("HOLE_OWNER"), "1 wins 6:3");
    assert_eq!(limit("DONT_SCORE"), "2 wins 1:2");
    assert_eq!(limit("DIVVIED"), "2 wins 4:5");
    assert_eq!(limit("LAST_MOVER,unclaimed=LAST_MOVER"), "2 wins 1:8");
    assert_eq!(scene("", position).adjudicated(), "2 wins 4:5", "what a file leaves out");
}

#[test]
fn a_limit_of_an_elimination_is_a_draw() {
    for goal in ["CLEAR", "DEPRIVE", "IMMOBILIZE"] {
        let end = scene(&format!("goal={goal}"), "3 0 2 | 0 0 1 | 1:2").adjudicated();
        assert_eq!(end, "drawn 1:2", "{goal}");
    }
}

#[test]
fn a_limit_of_a_game_in_counted_rounds_counts_this_one() {
    let rounds = "goal=RND_WIN_COUNT_MAX,goal_param=3,rounds=NO_MOVES,quitter=HOLE_OWNER";
    let limit = |tally: &str| {
        scene(rounds, &format!("3 0 2 | 0 0 1 | 1:2; 1; tally={tally}")).adjudicated()
    };
    assert_eq!(limit("0,0:0,0:0,0:0,0"), "1 wins 1:0");
    assert_eq!(limit("0,2:0,0:0,0:0,0"), "2 wins 1:2");
    assert_eq!(limit("0,1:0,0:0,0:0,0"), "drawn 1:1");
}

#[test]
fn without_stores_a_limit_divides_among_the_last_children() {
    let children = "child_type=NORMAL,child_cvt=9,stores=false";
    let limit = |children_: &str| {
        let position = format!("3 1 2 | 1 0 2; 1; children={children_}");
        scene(children, &position).adjudicated()
    };
    assert_eq!(limit("000000"), "drawn 0:0");
    assert_eq!(limit("100000"), "1 wins 9:0");
    // 3 and 2 seeds in the children; 4 others are halved.
    assert_eq!(limit("100002"), "1 wins 5:4");
}

#[test]
fn a_game_that_is_over_is_not_settled_again() {
    let over = scene("evens=true,nbr_start=2", "1 0 1 | 1 0 1 | 5:3").play("3");
    assert_eq!(over.adjudicated(), "1 wins 7:3");
}

#[test]
fn a_player_who_can_neither_move_nor_pass_ends_the_game() {
    let split = "goal=CLEAR,sow_direct=SPLIT";
    let stuck = scene(split, "0 0 0 0 | 1 0 0 1; 2").play("8");
    assert_eq!(stuck.all(["turn", "phase"]), ["drawn 0:0", "over:0:stuck"]);
    assert_eq!(stuck.board(), "1 0 0 0 | 1 0 0 0 | 0:0");
}
