//! Tests of the dialects: allowed lines, recorded lines, and the fate of the process.

use pitmaster_core::{Mark, RefereeFault};

use super::*;

fn course() -> Play {
    Spec::of(Dialect::Course).play()
}

fn course_near_the_end() -> Play {
    let mut play = Spec::near_the_end(Dialect::Course).play();
    play.lines("7B\n8B");
    play
}

/// Wrong claims: ply, side and text.
fn wrong_claims(record: &Record) -> Vec<(u32, Side, &str)> {
    let text = |claim: &'_ pitmaster_core::Claim| -> (u32, Side) { (claim.ply, claim.by) };
    record
        .wrong_claims
        .iter()
        .map(|claim| {
            let (ply, by) = text(claim);
            (ply, by, std::str::from_utf8(claim.text.as_bytes()).unwrap())
        })
        .collect()
}

/// Ends the game by a fault of the side to move.
fn closed(play: &mut Play) -> Record {
    let (side, _) = play.listens().unwrap();
    play.fault(side, Fault::ClosedOutput).finish()
}

#[test]
fn arena_sends_start_moves_and_end() {
    let mut play = Spec::near_the_end(Dialect::Arena).play();
    play.lines("7b\n8B\n7tr");
    assert_eq!(play.sent, BySide::new("START\n8B\n".into(), "7B\n".into()));
    assert_eq!(play.moves(), "7B 8B 7TR", "passed on in capitals");
    assert_eq!(play.farewell(Side::One), (ProcessFate::Close, "END\n".into()));
    assert_eq!(play.farewell(Side::Two), (ProcessFate::Close, "7TR\nEND\n".into()));
}

#[test]
fn course_has_no_end_but_hears_the_last_move() {
    let mut play = course_near_the_end();
    play.line("7TR");
    assert_eq!(play.farewell(Side::One), (ProcessFate::Close, String::new()));
    assert_eq!(play.farewell(Side::Two), (ProcessFate::Close, "7TR\n".into()));
}

#[test]
fn claims_at_the_true_end() {
    for (line, after, right) in [
        ("RESULT 7TR 50 35", &[][..], true),
        ("result 7tr 50 35", &[], true),
        ("RESULT 7TR 35 50", &[], false),
        ("RESULT 7TR", &[], false),
        ("7TR", &[(Side::One, "RESULT 7TR 50 35"), (Side::Two, "RESULT 7TR 50 35")], true),
        ("7TR", &[(Side::Two, "RESULT 7TR 50 36")], false),
        ("7TR", &[(Side::Two, "RESULT LIMIT 50 35")], false),
        ("7TR", &[(Side::Two, "some rubbish"), (Side::One, "1R")], true),
    ] {
        let mut play = course_near_the_end();
        play.line(line);
        for (side, line) in after {
            play.referee.after(*side, line.as_bytes());
        }
        let record = play.finish();
        assert_eq!(record.ending.name(), "rules:49+");
        assert_eq!(record.wrong_claims.is_empty(), right, "{line} {after:?}");
    }
}

#[test]
fn claims_that_a_limit_ended_the_game() {
    let limits = Limits { plies: Some(2), ..Limits::default() };
    for (line, right) in [
        ("RESULT LIMIT 0 0", true),
        ("RESULT LIMIT", true),
        ("RESULT LIMIT 0 1", false),
        ("RESULT 2R 0 0", false),
    ] {
        let mut play = Spec { limits: limits.clone(), ..Spec::of(Dialect::Course) }.play();
        play.lines("1R\n2R");
        play.referee.after(Side::Two, line.as_bytes());
        assert_eq!(play.finish().wrong_claims.is_empty(), right, "{line}");
    }
    let mut play = course();
    play.lines("1R\nRESULT LIMIT 0 0");
    assert_eq!(wrong_claims(&closed(&mut play)), [(1, Side::Two, "RESULT LIMIT 0 0")]);
}

#[test]
fn a_wrong_claim_in_place_of_a_move_plays_it() {
    let mut play = course();
    play.line("RESULT 1R 49 0");
    assert_eq!((play.moves().as_str(), play.sent.two.as_str()), ("1R", "1R\n"));
    assert_eq!(wrong_claims(&closed(&mut play)), [(1, Side::One, "RESULT 1R 49 0")]);
}

#[test]
fn a_claim_with_a_move_that_is_not_legal_is_an_illegal_move() {
    let mut play = course();
    play.lines("1R\n2R\nRESULT 3R 0 0\n4R\nRESULT 1R 49 0");
    assert_eq!(play.ending(), "illegal-move");
}

#[test]
fn a_claim_without_a_move_of_its_own_answers_nothing_and_the_clock_runs_on() {
    for line in ["RESULT 2R 0 49", "RESULT LIMIT 0 0", "RESULT", "RESULT x"] {
        let mut play = course();
        play.lines("1R\n2R");
        let until = play.listens();
        play.wait(secs(0.5)).line(line);
        assert_eq!(play.listens(), until, "{line}");
        play.wait(secs(0.51)).line("3R");
        assert_eq!(play.moves(), "1R 2R 3R", "{line}");
        assert_eq!(closed(&mut play).wrong_claims.len(), 1, "{line}");
    }
}

#[test]
fn a_claim_right_after_a_move_is_no_answer_whenever_it_is_read() {
    let claim = "RESULT 1R 49 0";
    let mut early = course();
    early.early.one.push(Early::Line(claim));
    early.lines("1R\n2R\n3R");
    let mut in_turn = course();
    in_turn.line("1R").line("2R").line(claim).line("3R");
    let mut in_part = course();
    in_part.early.one.push(Early::Part("RESULT 1"));
    in_part.line("1R").line("2R").line(claim).line("3R");
    for play in [&mut early, &mut in_turn, &mut in_part] {
        assert_eq!(play.moves(), "1R 2R 3R");
        assert_eq!(wrong_claims(&closed(play)), [(2, Side::One, claim)]);
    }
}

#[test]
fn a_claim_may_repeat_a_move_that_can_be_played_again() {
    // Player 1 sows a single seed of hole 1 and has more of that kind there later: the claim is a
    // repetition or an answer, depending on whether the move is legal now.
    let from = "2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,\
                2.2.2,2.2.2,2.2.2/0-0/1";
    let mut play = Spec { position: Some(from), ..Spec::of(Dialect::Course) }.play();
    // 16R sows into holes 1 and 2: 1R is legal again.
    play.lines("1R\n16R\nRESULT 1R 9 9");
    assert_eq!(play.moves(), "1R 16R 1R");
}

#[test]
fn wrong_claims_are_bounded() {
    let mut play = course();
    for _ in 0..1000 {
        play.line(format!("RESULT x {}", "y".repeat(1000)));
    }
    let record = closed(&mut play);
    assert_eq!(record.wrong_claims.len(), 20);
    assert!(record.wrong_claims.iter().all(|claim| claim.text.as_bytes().len() == 200));
}

#[test]
fn whoever_speaks_before_its_turn_forfeits() {
    for (dialect, line) in [
        (Dialect::Arena, "2R"),
        (Dialect::Arena, ""),
        (Dialect::Course, "2R"),
        (Dialect::Course, "RESULTS"),
        (Dialect::Pitmaster, "move 2R"),
        (Dialect::Pitmaster, "info thinking"),
        (Dialect::Pitmaster, "RESULT 1R 0 0"),
    ] {
        let mut play = shaken_if_needed(dialect);
        play.early.two.push(Early::Line(line));
        play.line(if dialect == Dialect::Pitmaster { "move 1R" } else { "1R" });
        assert_eq!(play.ending(), "spoke-out-of-turn", "{dialect} {line:?}");
        let record = play.finish();
        assert_eq!(record.ending.mark(Side::Two), Some(Mark::Loss));
        let evidence = record.evidence.two.unwrap().line.unwrap();
        assert_eq!(evidence.as_bytes(), line.as_bytes());
    }
}

fn shaken_if_needed(dialect: Dialect) -> Play {
    let spec = Spec::of(dialect);
    if dialect.has_handshake() { shaken(&spec) } else { spec.play() }
}

#[test]
fn even_a_part_of_a_line_is_out_of_turn_where_it_cannot_be_a_claim() {
    for (dialect, ending) in [
        (Dialect::Arena, "spoke-out-of-turn"),
        (Dialect::Pitmaster, "spoke-out-of-turn"),
        (Dialect::Course, "-"),
    ] {
        let mut play = shaken_if_needed(dialect);
        play.early.two.push(Early::Part("2"));
        play.line(if dialect == Dialect::Pitmaster { "move 1R" } else { "1R" });
        assert_eq!(play.ending(), ending, "{dialect}");
        if ending == "-" {
            // The completed line is a move that was begun out of turn.
            play.line("2R");
            assert_eq!(play.ending(), "spoke-out-of-turn");
        }
    }
}

#[test]
fn a_line_begun_early_and_completed_too_late_is_late() {
    let mut play = course();
    play.early.two.push(Early::Part("2"));
    play.line("1R").wait(secs(6.0)).line("2R");
    assert_eq!(play.ending(), "move-late");
}

#[test]
fn the_first_move_can_be_out_of_turn_too() {
    let mut play = Play {
        referee: Spec::of(Dialect::Arena).referee().unwrap(),
        now: At::START,
        sent: BySide::default(),
        early: BySide::new(vec![Early::Line("hello")], vec![]),
        would_not_start: None,
    };
    play.settle();
    assert_eq!((play.ending().as_str(), play.sent.one.as_str()), ("spoke-out-of-turn", ""));
}

#[test]
fn leniency_skips_chatter_early_or_in_turn_and_counts_it() {
    for dialect in Dialect::ALL {
        let spec = Spec { lenient: true, ..Spec::of(dialect) };
        let mut play = if dialect.has_handshake() { shaken(&spec) } else { spec.play() };
        let say = |mv: &str| if dialect.has_handshake() { format!("move {mv}") } else { mv.into() };
        play.early.two.extend([Early::Line("# good one"), Early::Line(""), Early::Part("O")]);
        play.lines("OK\n\n# hm").line(say("1R"));
        play.line("OK").line(say("2R"));
        assert_eq!(play.moves(), "1R 2R", "{dialect}");
        assert_eq!(closed(&mut play).skipped_lines, BySide::new(3, 3), "{dialect}");
    }
}

#[test]
fn leniency_forgives_neither_early_moves_nor_rubbish() {
    let spec = Spec { lenient: true, ..Spec::of(Dialect::Arena) };
    let mut early = spec.play();
    early.early.two.push(Early::Line("2R"));
    assert_eq!(early.line("1R").ending(), "spoke-out-of-turn");
    assert_eq!(spec.play().line("my move is 1R").ending(), "malformed-line");
    assert_eq!(spec.play().line("\u{a0}").ending(), "malformed-line");
}

#[test]
fn lines_before_ready_are_discarded_and_counted() {
    let mut play = Spec::of(Dialect::Pitmaster).play();
    play.lines("Loading…\n\nready one\nmove 1R\nready\nready\nRESULT\nready");
    assert_eq!(play.moves(), "");
    play.line("move 1R").line("move 2R");
    assert_eq!(closed(&mut play).skipped_lines, BySide::new(3, 1));
}

#[test]
fn bots_are_sent_what_they_want() {
    let mut play = Spec::near_the_end(Dialect::Pitmaster).play();
    play.lines("want position\nready\nready\nready\nwant nothing\nready");
    play.line("move 7B");
    insta::assert_snapshot!(play.sent.one, @r"
    pitmaster 1
    game coloured-awale
    side 1
    limit move 1000
    limit game 210000
    limit plies 400
    seed 1
    newgame
    position 0.0.0,0.0.0,0.0.0,0.0.0,0.0.0,0.0.0,1.1.1,0.0.0,0.0.0,2.8.0,0.0.0,0.0.0,0.0.0,0.0.0,0.0.0,0.0.0/48-35/1
    time move 1000 game 210000
    moves 7R 7B 7TR 7TB
    go
    ");
    insta::assert_snapshot!(play.sent.two, @r"
    pitmaster 1
    game coloured-awale
    side 2
    limit move 1000
    limit game 210000
    limit plies 400
    seed 1
    newgame
    played 7B
    go
    ");
}

#[test]
fn info_and_comments_are_kept_with_their_ply() {
    let mut play = shaken(&Spec::of(Dialect::Pitmaster));
    play.lines("info depth 1\ninfo depth 2\nmove 1R # good\nmove 2R\ninfo alone\nmove 3R");
    play.line(format!("move 4R # {}", "x".repeat(1000)));
    let record = closed(&mut play);
    let remarks: Vec<_> =
        record.remarks.iter().map(|r| (r.ply, r.by.number(), r.text.shown(10))).collect();
    let expected = [(1, 1, "depth 2"), (1, 1, "good"), (3, 1, "alone"), (4, 2, "xxxxxxxxxx…")];
    assert_eq!(remarks, expected.map(|(ply, by, text)| (ply, by, text.to_owned())));
    assert_eq!(record.remarks[3].text.as_bytes().len(), 200);
}

#[test]
fn a_process_that_runs_already_is_not_greeted_again() {
    let greeted = Some(Want::Nothing);
    let mut play = Spec { greeted, ..Spec::near_the_end(Dialect::Pitmaster) }.play();
    assert!(play.sent.one.starts_with("game coloured-awale\n"), "{}", play.sent.one);
    play.lines("ready\nready\nmove 7B\nmove 8B\nmove 7TR");
    assert!(play.sent.one.ends_with("newgame\ngo\nplayed 8B\ngo\n"), "{}", play.sent.one);
    for (side, words) in
        [(Side::One, "end win 50 35 rules:49+\n"), (Side::Two, "end loss 50 35 rules:49+\n")]
    {
        assert_eq!(play.farewell(side), (ProcessFate::Keep(Want::Nothing), words.into()));
    }
}

#[test]
fn what_was_wanted_is_remembered_for_the_next_game() {
    let mut play = Spec::near_the_end(Dialect::Pitmaster).play();
    play.lines("ready\nwant position\nready\nready\nready\nmove 7B\nmove 8B\nmove 7TR");
    assert_eq!(play.farewell(Side::One).0, ProcessFate::Keep(Want::Position));
    assert_eq!(play.farewell(Side::Two).0, ProcessFate::Keep(Want::Moves));
}

#[test]
fn whoever_forfeits_is_not_kept_and_the_other_is() {
    let mut play = shaken(&Spec::of(Dialect::Pitmaster));
    play.lines("move 1R\nmove 1R");
    assert_eq!(
        play.farewell(Side::Two),
        (ProcessFate::Close, "end loss 0 0 illegal-move\nquit\n".into())
    );
    assert_eq!(
        play.farewell(Side::One),
        (ProcessFate::Keep(Want::Moves), "end win 0 0 illegal-move\n".into())
    );
}

#[test]
fn whoever_still_owes_an_answer_is_not_kept() {
    let limits = Limits { per_game: Some(secs(1.0)), ..Limits::default() };
    let mut play = shaken(&Spec { limits, ..Spec::of(Dialect::Pitmaster) });
    play.line("move 1R").wait(secs(1.0) + NANO).timeout();
    let keep = (ProcessFate::Keep(Want::Moves), "end draw 0 0 game-time\n".into());
    assert_eq!(play.farewell(Side::One), keep);
    let close = (ProcessFate::Close, "end draw 0 0 game-time\nquit\n".into());
    assert_eq!(play.farewell(Side::Two), close);
}

#[test]
fn whoever_never_got_ready_is_told_nothing_of_the_end() {
    let mut play = Spec::of(Dialect::Pitmaster).play();
    play.line("ready").wait(secs(11.0)).timeout();
    play.lines("ready\nready");
    assert_eq!(play.ending(), "start-late");
    assert_eq!(play.farewell(Side::One), (ProcessFate::Close, "quit\n".into()));
    assert_eq!(play.farewell(Side::Two).0, ProcessFate::Keep(Want::Moves));
}

#[test]
fn nobody_is_kept_after_a_void_game_and_whoever_never_ran_is_left_alone() {
    let mut play = shaken(&Spec::of(Dialect::Pitmaster));
    play.referee.void(RefereeFault::System { error: "x".into() });
    for side in Side::BOTH {
        let words = "end draw 0 0 referee-error\nquit\n".into();
        assert_eq!(play.farewell(side), (ProcessFate::Close, words));
    }
    let mut play = Spec::of(Dialect::Arena).play();
    play.line("rubbish");
    assert_eq!(play.farewell(Side::One), (ProcessFate::Close, "END\n".into()));
    assert_eq!(play.farewell(Side::Two), (ProcessFate::None, String::new()));
}

#[test]
fn an_opening_is_told_in_the_handshake_and_cannot_be_told_without() {
    let dialects = BySide::new(Dialect::Pitmaster, Dialect::Arena);
    let spec = Spec { dialects, opening: "1R 2R", ..Spec::of(Dialect::Arena) };
    let mut play = spec.play();
    play.lines("ready\nready\nmove 3R");
    assert!(play.sent.one.contains("opening 1R 2R\nnewgame\n"), "{}", play.sent.one);
    assert!(!play.sent.one.contains("played"), "{}", play.sent.one);
    assert_eq!(play.sent.two, "3R\n");
    assert_eq!(play.moves(), "1R 2R 3R");
}
