//! Tests of every fault and every ending, with their evidence.

use std::collections::BTreeSet;

use pitmaster_core::{Bank, Exit, Mark, RefereeFault, Score, StartFault, Stream};

use super::*;

fn arena() -> Play {
    Spec::of(Dialect::Arena).play()
}

fn bank() -> Limits {
    let bank = Bank { initial: secs(0.5), increment: Duration::ZERO };
    Limits { bank: Some(bank), ..Limits::default() }
}

/// Game for each fault that the referee finds by itself.
fn found_by_the_referee() -> Vec<Play> {
    let mut plays = vec![arena(), arena(), arena(), arena(), arena()];
    plays[0].wait(secs(6.0)).timeout();
    plays[1].line("2R");
    plays[2].line("1R 3R");
    plays[3].line(b"1R\xff");
    plays[4].early.two.push(Early::Line("2R"));
    plays[4].line("1R");
    let mut bank = Spec { limits: bank(), ..Spec::of(Dialect::Arena) }.play();
    bank.wait(secs(1.0)).timeout();
    let mut start = Spec::of(Dialect::Pitmaster).play();
    start.wait(secs(11.0)).timeout().lines("ready\nready");
    let mut cpu = arena();
    cpu.line("1R").referee.charge(Side::One, secs(301.0), Duration::ZERO);
    let mut theft = arena();
    theft.line("1R").referee.charge_idle_cpu(Side::One, secs(0.1), Duration::ZERO, At::START);
    let mut starved = arena();
    starved.wait(secs(6.0)).referee.waited(Side::One, secs(1.0));
    starved.line("1R");
    plays.extend([bank, start, cpu, theft, starved]);
    plays
}

/// Faults that the referee's driver finds and reports.
fn told_to_the_referee() -> Vec<Fault> {
    vec![
        Fault::LineTooLong { limit: 4096 },
        Fault::TooMuchOutput { stream: Stream::Stderr, limit: 1 },
        Fault::ClosedOutput,
        Fault::Exited { exit: Exit::Signal(11) },
        Fault::WouldNotStart { why: StartFault::NotExecutable },
    ]
}

/// Endings of games that are never played.
const WITHOUT_A_REFEREE: [&str; 2] = ["did-not-build", "suspended"];

#[test]
fn every_fault_can_come() {
    let found: BTreeSet<String> = found_by_the_referee().iter().map(Play::ending).collect();
    let told: BTreeSet<String> = told_to_the_referee()
        .into_iter()
        .map(|fault| arena().fault(Side::One, fault).ending())
        .collect();
    assert_eq!((found.len(), told.len()), (10, 5));
    let without = WITHOUT_A_REFEREE.map(str::to_owned).into();
    let seen: BTreeSet<String> = [found, told, without].into_iter().flatten().collect();
    assert_eq!(seen, Fault::NAMES.map(str::to_owned).into());
}

#[test]
fn every_kind_of_ending_can_come() {
    let mut rules = Spec::near_the_end(Dialect::Arena).play();
    rules.lines("7B\n8B\n7TR");
    let limits = Limits { plies: Some(1), ..Limits::default() };
    let mut plies = Spec { limits, ..Spec::of(Dialect::Arena) }.play();
    plies.line("1R");
    let limits = Limits { per_game: Some(secs(1.0)), ..Limits::default() };
    let mut game = Spec { limits, ..Spec::of(Dialect::Arena) }.play();
    game.wait(secs(2.0)).timeout();
    let mut forfeit = arena();
    forfeit.line("3R").line("3R");
    let mut both = Spec::of(Dialect::Pitmaster).play();
    both.wait(secs(11.0)).timeout().wait(secs(11.0)).timeout();
    let mut void = arena();
    void.referee.void(RefereeFault::Panic { message: "x".into() });

    let ended = [rules, plies, game, forfeit, both, void].map(|mut play| play.finish().ending);
    let score = Score::default();
    let late = Fault::StartLate { limit: secs(10.0) };
    let expected = [
        Ending::Rules { clause: "49+".into(), winner: Some(Side::One), score: Score::new(50, 35) },
        Ending::PlyLimit { winner: None, score },
        Ending::GameTime { winner: None, score },
        Ending::Forfeit { by: Side::Two, fault: Fault::IllegalMove, score },
        Ending::BothForfeited { faults: BySide::new(late.clone(), late) },
        Ending::RefereeError { fault: RefereeFault::Panic { message: "x".into() } },
    ];
    assert_eq!(ended, expected);
}

#[test]
fn facts_stand_in_the_fault() {
    let mut late = arena();
    late.wait(secs(7.0)).timeout();
    let fault = Fault::MoveLate { limit: secs(5.0), took: secs(7.0), waited: Duration::ZERO };
    assert_eq!(late.finish().ending.fault_of(Side::One), Some(&fault));
    let mut empty = Spec { limits: bank(), ..Spec::of(Dialect::Arena) }.play();
    empty.wait(secs(0.6)).line("1R");
    let fault = Fault::BankEmpty { took: secs(0.6), waited: Duration::ZERO };
    assert_eq!(empty.finish().ending.fault_of(Side::One), Some(&fault));
}

#[test]
fn what_was_judged_is_kept_with_its_instant_and_what_was_left() {
    let mut play = arena();
    play.wait(secs(0.2)).line("1R").wait(secs(0.3)).line("1R");
    assert_eq!(play.ending(), "illegal-move");
    let left = || Leftovers {
        stderr: pitmaster_core::Untrusted::new("Traceback"),
        exit: Some(Exit::Code(3)),
    };
    let spent = arena().referee;
    let record = std::mem::replace(&mut play.referee, spent).finish(BySide::new(left(), left()));
    let evidence = record.evidence.two.expect("player 2 forfeited");
    assert_eq!(evidence.line.unwrap().as_bytes(), b"1R");
    assert_eq!(evidence.at, At::millis(500));
    assert_eq!(evidence.stderr.as_bytes(), b"Traceback");
    assert_eq!(evidence.exit, Some(Exit::Code(3)));
    assert_eq!(record.evidence.one, None, "whoever did nothing wrong has no evidence");
    assert_eq!(record.plies.len(), 1);
}

#[test]
fn a_late_line_is_kept_and_silence_has_none() {
    let late = |say: fn(&mut Play)| {
        let mut play = arena();
        say(play.wait(secs(6.0)));
        play.finish().evidence.one.expect("forfeited").line
    };
    let line = late(|play| {
        play.line("1R");
    });
    assert_eq!(line.unwrap().as_bytes(), b"1R");
    let silence = late(|play| {
        play.timeout();
    });
    assert_eq!(silence, None);
}

#[test]
fn both_fail_to_get_ready_each_in_its_own_way() {
    let mut play = Spec::of(Dialect::Pitmaster).play();
    play.fault(Side::One, Fault::ClosedOutput);
    assert_eq!(play.ending(), "-", "the other side is asked all the same");
    assert_eq!(play.listens().unwrap().0, Side::Two);
    play.line("ready").wait(secs(11.0)).timeout();
    let ending = play.finish().ending;
    assert_eq!(ending.name(), "both-forfeited");
    assert_eq!(ending.fault_of(Side::One).unwrap().name(), "closed-output");
    assert_eq!(ending.fault_of(Side::Two).unwrap().name(), "start-late");
    assert_eq!(ending.mark(Side::One), Some(Mark::Loss));
}

#[test]
fn one_that_would_not_start_loses_to_one_that_is_ready() {
    for side in Side::BOTH {
        let mut play = Spec::of(Dialect::Arena).play_without(side);
        if side == Side::Two {
            play.line("1R");
        }
        assert_eq!(play.ending(), "would-not-start");
        assert_eq!(play.finish().ending.winner(), Some(side.other()));
    }
    let mut play = Spec::of(Dialect::Pitmaster).play_without(Side::One);
    play.lines("ready\nready");
    assert_eq!(play.finish().ending.winner(), Some(Side::Two));
}

#[test]
fn after_the_end_nothing_changes_it() {
    let mut play = arena();
    play.line("1R").line("rubbish");
    let (ending, now) = (play.referee.ending().cloned(), play.referee.plies().to_vec());
    for side in Side::BOTH {
        play.referee.line(side, b"2R", play.now + secs(9.0));
        play.referee.timeout(play.now + secs(900.0));
        play.referee.fault(side, Fault::ClosedOutput, play.now, None);
        play.referee.early(side, b"x");
        play.referee.early_part(side, b"x");
        play.referee.after(side, b"3R");
        play.referee.sent(side, play.now + secs(900.0));
    }
    assert_eq!(play.referee.ending(), ending.as_ref());
    assert_eq!(play.referee.plies(), now);
    assert_eq!(play.finish().duration, Duration::ZERO);
}

#[test]
fn a_void_game_stays_void() {
    let mut play = arena();
    play.referee.void(RefereeFault::System { error: "x".into() });
    play.referee.line(Side::One, b"rubbish", play.now);
    play.wait(secs(999.0));
    play.referee.timeout(play.now);
    play.referee.fault(Side::One, Fault::ClosedOutput, play.now, None);
    assert_eq!(play.ending(), "referee-error");
}

#[test]
fn setups_that_cannot_be_begun_say_why() {
    let position = Spec { position: Some("x"), ..Spec::of(Dialect::Arena) };
    assert!(matches!(position.referee(), Err(SetupError::Position(_))));
    for (opening, fault) in [("1R 1R", "1R"), ("1R 2X", "2X"), ("7B 8B 7TR 2R", "2R")] {
        let text = fault.to_owned();
        let spec = Spec { opening, ..Spec::near_the_end(Dialect::Arena) };
        let spec = if opening.starts_with('7') { spec } else { Spec { position: None, ..spec } };
        assert_eq!(spec.referee().err(), Some(SetupError::Opening { text }));
    }
}

#[test]
fn an_opening_may_be_a_whole_game() {
    let mut play = Spec { opening: "7B 8B 7TR", ..Spec::near_the_end(Dialect::Arena) }.play();
    assert_eq!(play.ending(), "rules:49+");
    assert_eq!(play.sent, BySide::default(), "nobody is asked");
    assert_eq!(play.finish().duration, Duration::ZERO);
}
