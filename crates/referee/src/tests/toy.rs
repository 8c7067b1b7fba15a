//! Protocol tests of features that coloured Awale lacks: player 2 begins, layouts, chance, extra
//! turns.

use pitmaster_games::{game_of, toy::Toy};

use super::*;

fn spec(dialect: Dialect) -> Spec {
    Spec { game: game_of(Toy), ..Spec::of(dialect) }
}

/// Pile 6, the die shows 2, player 1 to move.
fn after_the_die() -> Play {
    shaken(&Spec { position: Some("2.1/6/2/0-0/1"), ..spec(Dialect::Pitmaster) })
}

fn last_block(sent: &str) -> &str {
    let body = sent.strip_suffix("go\n").expect("a turn was sent last");
    &sent[body.rfind("go\n").or(body.rfind("newgame\n")).expect("not the first block")..]
}

#[test]
fn the_side_that_the_rules_name_begins_and_is_shown_the_template() {
    let mut play = shaken(&spec(Dialect::Pitmaster));
    assert_eq!(play.listens().unwrap().0, Side::Two);
    insta::assert_snapshot!(last_block(&play.sent.two), @r"
    newgame
    time move 1000 game 210000
    moves fill=*3
    go
    ");
    play.line("move FILL=2:1,1:2");
    assert!(play.moves().starts_with("fill=1:2,2:1 die="), "{}", play.moves());
    let mut play = shaken(&spec(Dialect::Pitmaster));
    play.line("move fill=*3");
    assert_eq!(play.ending(), "malformed-line");
}

#[test]
fn what_chance_drew_is_told_to_both_and_belongs_to_nobody() {
    let mut play = shaken(&spec(Dialect::Pitmaster));
    play.line("move fill=1:3");
    let drawn = play.referee.plies()[1].clone();
    assert_eq!((drawn.by, drawn.wall), (None, Duration::ZERO));
    assert!(play.sent.one.contains(&format!("played fill=1:3 {}\n", drawn.text)));
    // Player 2 knows its own layout.
    let die = drawn.text.strip_prefix("die=").unwrap();
    let other = if die == "1" { "2" } else { "1" };
    play.line(format!("move T{other}"));
    let drawn_again = &play.referee.plies()[3].text;
    assert!(play.sent.two.contains(&format!("played {} T{other} {drawn_again}\n", drawn.text)));
}

#[test]
fn after_a_move_that_grants_another_there_is_nothing_played_to_tell() {
    let mut play = after_the_die();
    play.line("move T2");
    assert_eq!(play.listens().unwrap().0, Side::One);
    insta::assert_snapshot!(last_block(&play.sent.one), @r"
    go
    time move 1000 game 210000
    moves T1 T2 T3
    go
    ");
    play.line("move T3");
    assert!(play.sent.two.contains("played T2 T3 die="), "{}", play.sent.two);
}

#[test]
fn every_own_move_of_a_repeated_turn_has_its_own_clock() {
    let mut play = after_the_die();
    play.wait(secs(1.0)).line("move T2");
    play.wait(secs(1.01)).line("move T1");
    assert_eq!(play.ending(), "-");
    assert_eq!(play.referee.plies()[1].wall, secs(1.01));
}

#[test]
fn chance_is_nobodys_ply() {
    let limits = Limits { plies: Some(2), ..Limits::default() };
    let mut play = shaken(&Spec { limits, ..spec(Dialect::Pitmaster) });
    play.line("move fill=1:3");
    assert_eq!((play.ending().as_str(), play.referee.plies().len()), ("-", 2));
    play.line("move T1");
    assert_eq!(play.ending(), "ply-limit");
}

#[test]
fn chance_follows_from_the_seed() {
    let dice = || {
        let mut play = shaken(&spec(Dialect::Pitmaster));
        play.line("move fill=1:3");
        while play.ending() == "-" {
            play.line("move T1");
        }
        play.moves()
    };
    assert_eq!(dice(), dice());
    assert!(dice().matches("die=").count() >= 2, "{}", dice());
}

#[test]
fn an_opening_is_told_with_what_chance_drew_after_it() {
    let mut play = shaken(&Spec { opening: "fill=1:3", ..spec(Dialect::Pitmaster) });
    let opening = format!("opening {}\n", play.moves());
    assert!(opening.contains("die="), "{opening}");
    for side in Side::BOTH {
        assert!(play.sent[side].contains(&opening), "{}", play.sent[side]);
        assert!(!play.sent[side].contains("played"), "{}", play.sent[side]);
    }
    assert_eq!(play.listens().unwrap().0, Side::One);
}

#[test]
fn in_the_contests_dialects_every_step_is_a_line() {
    let mut play = spec(Dialect::Arena).play();
    assert_eq!(play.sent, BySide::new(String::new(), "START\n".into()));
    play.line("fill=1:3");
    let die = &play.referee.plies()[1].text;
    assert_eq!(play.sent.one, format!("fill=1:3\n{die}\n"));
}
