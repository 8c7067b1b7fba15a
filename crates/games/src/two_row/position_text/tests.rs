//! Round-trip tests of every part of a position, and rejection of invalid texts.

use crate::Rules;
use crate::two_row::testing::{game, scene};

/// Whether a position reads and is written as the same text.
fn stays(options: &str, text: &str) {
    let game = game(3, options);
    let pos = game.parse_position(text).unwrap();
    assert_eq!(game.position_text(&pos), text, "{options}");
}

fn fault(options: &str, text: &str) -> String {
    game(3, options).parse_position(text).unwrap_err().to_string()
}

#[test]
fn what_is_as_at_the_start_is_left_out() {
    let game = game(3, "nbr_start=4");
    assert_eq!(game.position_text(&game.start()), "4,4,4,4,4,4;0,0;1");
    assert_eq!(scene("", "1 0 1 | 1 0 0 | 2:3; 2").text(), "1,0,1,1,0,0;2,3;2");
}

#[test]
fn every_part_stays_as_it_is() {
    let board = "1,0,1,1,0,1;2,3;1";
    for part in [
        "starter=2",
        "children=01020r",
        "blocked=010000",
        "unlocked=111011",
        "owned=001111",
        "moves=7",
        "turns=6",
        "repeats=2",
        "round=3",
        "inhibited=2:1:0",
        "inhibited=0:0:1",
        "tally=1,2:3,4:5,6:7,8",
        "directions=1,-1",
        "last=2:5:-1:3:1:0",
        "last=1:-2:5:3:0:2",
        "phase=over:0:stuck",
        "phase=over:1:goal",
        "phase=over:2:endless",
    ] {
        stays("", &format!("{board};{part}"));
    }
    stays("rounds=NO_MOVES", &format!("{board};phase=round:2"));
    stays("rounds=NO_MOVES", &format!("{board};phase=round:0"));
    stays("start_pattern=RANDOM", &format!("{board};phase=deal"));
    stays("start_pattern=MOVE_RANDOM", &format!("{board};phase=opening"));
    stays("prescribed=ARNGE_LIMIT", "1,0,1,1,0,1;2,3;2;phase=layout:2;starter=2");
    let choose = "rounds=NO_MOVES,round_fill=UCHOOSE";
    stays(choose, "20,0,0,20,20,20;2,3;1;phase=layout:1;round=2");
    stays("game_class=BearOff", &format!("{board};bearing_off=1"));
    let away = "game_class=NSGratuitous,goal=CLEAR,capt_side=OWN_SIDE,evens=true";
    stays(away, &format!("{board};placing=1"));
    stays("", &format!("{board};starter=2;children=01020r;moves=7;turns=6;last=2:5:3:3:1:0"));
}

#[test]
fn what_is_usual_depends_on_the_game() {
    stays("nocaptmoves=2,evens=true", "1,0,1,1,0,1;2,3;1");
    stays("nocaptmoves=2,evens=true", "1,0,1,1,0,1;2,3;1;inhibited=0:0:0");
    stays("moveunlock=true,evens=true", "1,0,1,1,0,1;2,3;1;unlocked=000001");
    stays("game_class=EastWestCycle,holes=4", "1,0,1,1,0,1,1,1;2,3;1");
}

#[test]
fn a_text_that_is_none_says_where() {
    let shape = "a position is 6 numbers of seeds;two stores;1 or 2, and parts like ;moves=7: ";
    let table = [
        ("", "the seeds"),
        ("1,1,1,1,1;0,0;1", "the seeds"),
        ("1,1,1,1,1,x;0,0;1", "the seeds"),
        ("1,1,1,1,1,-1;0,0;1", "the seeds"),
        ("1,1,1,1,1,1;0;1", "the stores"),
        ("1,1,1,1,1,1;0,0,0;1", "the stores"),
        ("1,1,1,1,1,1;0,0", "who is to move, 1 or 2"),
        ("1,1,1,1,1,1;0,0;3", "who is to move, 1 or 2"),
        ("1,1,1,1,1,1;0,0;1;movs=7", "movs=7"),
        ("1,1,1,1,1,1;0,0;1;moves", "moves"),
        ("1,1,1,1,1,1;0,0;1;moves=x", "moves=x"),
        ("1,1,1,1,1,1;0,0;1;moves=5000000000", "moves=5000000000"),
        ("1,1,1,1,1,1;0,0;1;owned=01", "owned=01"),
        ("1,1,1,1,1,1;0,0;1;owned=012000", "owned=012000"),
        ("1,1,1,1,1,1;0,0;1;children=300000", "children=300000"),
        ("1,1,1,1,1,1;0,0;1;directions=2,0", "directions=2,0"),
        ("1,1,1,1,1,1;0,0;1;last=1:42:0:1:0:0", "last=1:42:0:1:0:0"),
        ("1,1,1,1,1,1;0,0;1;last=1:-3:0:1:0:0", "last=1:-3:0:1:0:0"),
        ("1,1,1,1,1,1;0,0;1;phase=over:1", "phase=over:1"),
        ("1,1,1,1,1,1;0,0;1;phase=move:1", "phase=move:1"),
        ("1,1,1,1,1,1;0,0;1;bearing_off=2", "bearing_off=2"),
    ];
    for (text, what) in table {
        assert_eq!(fault("", text), format!("{shape}{what}"), "{text}");
    }
}

#[test]
fn a_position_that_cannot_be_is_refused() {
    let table = [
        ("20000,0,0,1,0,0;10000,0;1", "more than 30000 seeds"),
        ("0,1,1,1,1,1;0,0;1;blocked=100000;children=r00000", "a hole is two things at once"),
        ("1,1,1,1,1,1;0,0;1;last=1:0:6:1:0:0", "last=1:0:6:1:0:0"),
        ("1,1,1,1,1,1;0,0;1;moves=0", "moves and rounds are counted from 1"),
        ("1,1,1,1,1,1;0,0;1;round=0", "moves and rounds are counted from 1"),
        ("1,1,1,1,1,1;0,0;1;placing=1", "the game knows no such phase"),
        ("1,1,1,1,1,1;0,0;1;bearing_off=1", "the game knows no such phase"),
        ("1,1,1,1,1,1;0,0;1;phase=round:1", "the game knows no such phase"),
        ("1,1,1,1,1,1;0,0;1;phase=deal", "the game knows no such phase"),
        ("1,1,1,1,1,1;0,0;1;phase=opening", "the game knows no such phase"),
        ("1,1,1,1,1,1;0,0;1;phase=layout:1", "the game knows no such phase"),
        ("0,0,0,1,1,1;0,0;1", "the player to move can neither move nor pass"),
    ];
    for (text, what) in table {
        assert!(fault("", text).ends_with(&format!(": {what}")), "{text}");
    }
    let choose = "rounds=NO_MOVES,round_fill=UCHOOSE";
    let layout = "1,1,1,1,1,1;0,0;1;phase=layout:1";
    assert!(fault(choose, layout).ends_with("no such phase"), "in a later round only");
    let arrange = "prescribed=ARNGE_LIMIT,rounds=NO_MOVES";
    assert!(fault(arrange, &format!("{layout};round=2")).ends_with("no such phase"));
    stays("mustpass=true", "0,0,0,1,1,1;0,0;1");
}
