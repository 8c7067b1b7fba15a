//! Texts of moves, positions and boards, for people and programs.

use insta::assert_snapshot;

use super::{listed, scene};
use crate::Rules;
use crate::isholo::{Isholo, Kind};

fn read(text: &str) -> Result<String, String> {
    let rules = Isholo { kind: Kind::Three };
    let mv = rules.parse_move(&rules.start(), text).map_err(|fault| fault.to_string())?;
    Ok(rules.move_text(&rules.start(), &mv))
}

#[test]
fn every_writing_of_a_move_is_written_in_one_form() {
    for (writing, written) in [
        ("a3", "a3"),
        ("B8", "b8"),
        ("A3@b5@A1", "a3@b5@a1"),
        ("a3=b4:1,a1:2", "a3=a1:2,b4:1"),
        ("B1=B8:10,A8:3", "b1=a8:3,b8:10"),
        ("a1@a1@a2@a3@a4@a5@a6@a7@a8", "a1@a1@a2@a3@a4@a5@a6@a7@a8"),
    ] {
        assert_eq!(read(writing).as_deref(), Ok(written));
    }
}

#[test]
fn other_texts_are_no_moves() {
    for text in [
        "",
        "a",
        "a0",
        "a9",
        "c1",
        "3",
        "a11",
        " a3",
        "a3 ",
        "a3@",
        "@a3",
        "a3@b9",
        "a3@@b1",
        "a3=",
        "a3=*4",
        "a3=a1",
        "a3=a1:",
        "a3=a1:0",
        "a3=a1:01",
        "a3=a1:+1",
        "a3=a1:65",
        "a3=a1:999",
        "a3=a1:2,a1:1",
        "a3=a1:2,",
        "a3=a9:1",
        "a3@b1=a1:2",
        "a3=a1:2@b1",
        "a3=a1:2=a2:1",
        "á3",
        "a1@a1@a2@a3@a4@a5@a6@a7@a8@b1",
    ] {
        assert!(read(text).is_err(), "{text:?}");
    }
}

#[test]
fn a_text_that_is_no_move_is_told_what_a_move_is() {
    let told = |kind| {
        let rules = Isholo { kind };
        rules.parse_move(&rules.start(), "c3").expect_err("no move").to_string()
    };
    assert_snapshot!(told(Kind::One), @"a move is a hole from a1 to a8 or b1 to b8 of your own, like a3");
    assert_snapshot!(told(Kind::TwoA), @"a move is a hole from a1 to a8 or b1 to b8 of your own, like a3, with the holes chosen behind it like a3@b5");
    assert_snapshot!(told(Kind::Three), @"a move is a hole from a1 to a8 or b1 to b8 of your own, like a3, with the layout of what it captures like a3=a1:2,b4:1");
}

#[test]
fn moves_are_listed_in_the_order_of_the_holes() {
    let start = Isholo { kind: Kind::One }.start();
    assert_snapshot!(listed(Kind::One, &start).join(" "), @"a1 a2 a3 a4 a5 a6 a7 a8 b1 b2 b3 b4 b5 b6 b7 b8");
    let start = Isholo { kind: Kind::Three }.start();
    assert_snapshot!(listed(Kind::Three, &start).join(" "), @"a1 a2 a3 a4 a5 b1 b2 b3 a6=*4 a7=*4 a8=*4 b4=*4 b5=*4 b6=*4 b7=*4 b8=*4");
}

#[test]
fn faults_in_positions_say_what_to_do() {
    let start = Isholo { kind: Kind::One }.start();
    let start = Isholo { kind: Kind::One }.position_text(&start);
    let fault =
        |kind, text: &str| Isholo { kind }.parse_position(text).expect_err(text).to_string();
    let more = start.replacen('2', "3", 1);
    assert_snapshot!(fault(Kind::One, "2.2.2/1"), @"a position is the rows a and b of player 1, those of player 2 and the side to move, like 2.2.2.2.2.2.2.2,2.2.2.2.2.2.2.2/2.2.2.2.2.2.2.2,2.2.2.2.2.2.2.2/1");
    assert_snapshot!(fault(Kind::One, &more), @"a player has at most 32 seeds, not 33");
    assert_snapshot!(fault(Kind::One, &start.replace("2.", "0.").replace("2,", "0,").replace("2/", "0/")), @"there are no seeds; one hole needs some");
    assert_snapshot!(fault(Kind::TwoA, &more), @"the players have 64 seeds together, not 65");
    assert_snapshot!(fault(Kind::Three, &more), @"each player has 32 seeds, not 33 and 32");
}

#[test]
fn a_position_is_one_strict_line() {
    let rules = Isholo { kind: Kind::TwoB };
    let start = rules.position_text(&rules.start());
    let row = "2.2.2.2.2.2.2.2,2.2.2.2.2.2.2.2";
    assert_eq!(start, format!("{row}/{row}/1"));
    for broken in [
        start.replace("/1", "/3"),
        start.replace("/1", "/01"),
        start.replace("/1", ""),
        start.replacen("2.2", "1.03", 1),
        start.replacen("2.2", "+2.2", 1),
        start.replacen("2.2", "4", 1),
        start.replacen("2.2", "2.2.0", 1),
        start.replacen("2.2", "258.2", 1),
        start.replacen(',', ".", 1),
        format!("{start}\n"),
        format!(" {start}"),
    ] {
        assert!(rules.parse_position(&broken).is_err(), "{broken}");
    }
}

#[test]
fn boards_as_people_see_them() {
    let board = |kind, position| Isholo { kind }.board(&position);
    assert_snapshot!(board(Kind::One, Isholo { kind: Kind::One }.start()), @"
    P2  b8    2    2    2    2    2    2    2    2  b1
    P2  a8    2    2    2    2    2    2    2    2  a1
           ----------------------------------------
    P1  a1    2    2    2    2    2    2    2    2  a8
    P1  b1    2    2    2    2    2    2    2    2  b8

    player 1: 32 seeds in 16 holes   player 2: 32 seeds in 16 holes
    player 1 to move
    ");
    let late = scene(Kind::TwoA, "a1:12 a8:1 b3:4", "a1:7 a3:2 b8:38");
    assert_snapshot!(board(Kind::TwoA, late), @"
    P2  b8   38    ·    ·    ·    ·    ·    ·    ·  b1
    P2  a8    ·    ·    ·    ·    ·    2    ·    7  a1
           ----------------------------------------
    P1  a1   12    ·    ·    ·    ·    ·    ·    1  a8
    P1  b1    ·    ·    4    ·    ·    ·    ·    ·  b8

    player 1: 17 seeds in 3 holes   player 2: 47 seeds in 3 holes
    player 1 to move
    ");
    assert_snapshot!(board(Kind::Three, scene(Kind::Three, "a1:12 a8:1 b3:19", "a1:7 b8:25")), @"
    P2  b8   25    ·    ·    ·    ·    ·    ·    ·  b1
    P2  a8    ·    ·    ·    ·    ·    ·    ·    7  a1
           ----------------------------------------
    P1  a1   12    ·    ·    ·    ·    ·    ·    1  a8
    P1  b1    ·    ·   19    ·    ·    ·    ·    ·  b8

    player 1: 32 seeds in 3 holes   player 2: 32 seeds in 2 holes
    over (2-holes): player 1 has won
    ");
}
