//! Tests of bots that waited for a core: their credit, and lateness in spite of it.

use pitmaster_core::Bank;

use super::*;

fn arena(limits: Limits) -> Play {
    let first_move = None;
    Spec { limits: Limits { first_move, ..limits }, ..Spec::of(Dialect::Arena) }.play()
}

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Fires the driver's timer, with the time that the bot has waited so far.
fn timeout_after(play: &mut Play, waited: Duration) {
    let (side, _) = play.listens().expect("the game is not over");
    play.referee.waited(side, waited);
    if play.listens().is_some_and(|(_, until)| until.is_some_and(|until| play.now > until)) {
        play.timeout();
    }
}

#[test]
fn a_bot_that_waited_is_heard_for_so_long_more() {
    let mut play = arena(Limits::default());
    play.wait(ms(1011));
    timeout_after(&mut play, ms(300));
    assert_eq!(play.listens(), Some((Side::One, Some(At::millis(1310)))));
    play.wait(ms(300));
    timeout_after(&mut play, ms(420));
    assert_eq!(play.listens().unwrap().1, Some(At::millis(1430)));
    // The known wait never decreases.
    timeout_after(&mut play, ms(1));
    assert_eq!(play.listens().unwrap().1, Some(At::millis(1430)));
}

#[test]
fn a_line_that_waiting_made_late_is_the_machines_fault() {
    for (took, ending) in [(1010, "-"), (1011, "starved"), (1310, "starved"), (1311, "move-late")] {
        let mut play = arena(Limits::default());
        play.wait(ms(took));
        play.referee.waited(Side::One, ms(300));
        play.line("1R");
        assert_eq!(play.ending(), ending, "after {took} ms");
    }
}

#[test]
fn the_fault_has_its_facts_and_is_nobodys() {
    let mut play = arena(Limits::default());
    play.wait(ms(1200));
    play.referee.waited(Side::One, ms(300));
    let record = play.line("1R").finish();
    let fault = Fault::Starved { limit: ms(1000), took: ms(1200), waited: ms(300) };
    assert_eq!(record.ending.fault_of(Side::One), Some(&fault));
    assert!(record.ending.is_starved() && !record.ending.is_void());
    assert_eq!(record.waited(Side::One), ms(300));
    assert_eq!(record.evidence.one.unwrap().line.unwrap().as_bytes(), b"1R");
}

#[test]
fn silence_is_late_once_it_had_its_own_time() {
    let mut play = arena(Limits::default());
    play.wait(ms(1311));
    timeout_after(&mut play, ms(300));
    let fault = play.finish().ending.fault_of(Side::One).cloned();
    let late = Fault::MoveLate { limit: ms(1000), took: ms(1311), waited: ms(300) };
    assert_eq!(fault, Some(late));
}

#[test]
fn a_bot_without_any_core_is_not_heard_for_ever() {
    let mut play = arena(Limits::default());
    play.wait(ms(1011));
    let mut waited = ms(1000);
    while play.ending() == "-" {
        timeout_after(&mut play, waited);
        play.wait(ms(500));
        waited += ms(500);
        assert!(play.now < At::millis(8000), "it is heard for ever");
    }
    assert_eq!(play.ending(), "starved");
}

#[test]
fn what_the_opponent_took_is_given_once() {
    let mut play = arena(Limits::default());
    play.referee.charge_idle_cpu(Side::Two, ms(15), Duration::ZERO, play.now);
    play.wait(ms(1050));
    play.referee.waited(Side::One, ms(30));
    // 10 of margin, 15 credited, and 15 more of waiting.
    assert_eq!(play.listens().unwrap().1, Some(At::millis(1040)));
    assert_eq!(play.line("1R").ending(), "move-late");
}

#[test]
fn a_time_account_is_emptied_by_waiting_in_all_moves() {
    let bank = Some(Bank { initial: ms(1000), increment: Duration::ZERO });
    let limits = Limits { bank, per_move: None, margin: Duration::ZERO, ..Limits::default() };
    let ended = |waiting| {
        let mut play = arena(limits.clone());
        play.wait(ms(700)).line("1R").referee.charge(Side::One, Duration::ZERO, waiting);
        play.line("2R").wait(ms(350));
        play.referee.waited(Side::One, ms(10));
        let record = play.line("3R").finish();
        record.ending.fault_of(Side::One).cloned().expect("a forfeit")
    };
    let (limit, took) = (ms(300), ms(350));
    assert_eq!(ended(ms(39)), Fault::BankEmpty { took, waited: ms(49) });
    assert_eq!(ended(ms(40)), Fault::Starved { limit, took, waited: ms(50) });
}

#[test]
fn getting_ready_is_no_other_matter() {
    let mut play = Spec::of(Dialect::Pitmaster).play();
    play.wait(ms(10_500));
    timeout_after(&mut play, ms(2000));
    assert_eq!(play.listens(), Some((Side::One, Some(At::millis(12_010)))));
    play.lines("ready\nready\nready");
    assert_eq!(play.ending(), "starved");
}

#[test]
fn the_time_of_a_game_is_nobodys_and_not_extended() {
    let per_game = Some(ms(1500));
    let mut play = arena(Limits { per_game, ..Limits::default() });
    play.wait(ms(1011));
    timeout_after(&mut play, ms(900));
    assert_eq!(play.listens().unwrap().1, Some(At::millis(1500)));
}

#[test]
fn only_who_is_listened_to_can_have_waited() {
    let mut play = arena(Limits::default());
    play.referee.waited(Side::Two, ms(500));
    play.wait(ms(1011)).line("1R");
    assert_eq!(play.ending(), "move-late");
}

/// Bots whose waiting is trusted.
fn trusted(limits: Limits) -> Play {
    let mut play = arena(limits);
    for side in Side::BOTH {
        play.referee.accept_waiting(side);
    }
    play
}

#[test]
fn a_line_that_only_waiting_made_late_is_in_time_if_the_waiting_is_trusted() {
    for (took, ending) in [(1010, "-"), (1310, "-"), (1311, "move-late")] {
        let mut play = trusted(Limits::default());
        play.wait(ms(took));
        play.referee.waited(Side::One, ms(300));
        assert_eq!(play.line("1R").ending(), ending, "after {took} ms");
    }
    // So is one in a later turn.
    let mut play = trusted(Limits::default());
    play.lines("1R\n2R").wait(ms(1200));
    play.referee.waited(Side::One, ms(300));
    assert_eq!(play.line("3R").ending(), "-");
}

#[test]
fn silence_is_late_and_a_bot_without_any_core_is_starved_if_it_is_trusted_too() {
    let mut play = trusted(Limits::default());
    play.wait(ms(1311));
    timeout_after(&mut play, ms(300));
    assert_eq!(play.ending(), "move-late");
    let mut play = trusted(Limits::default());
    play.wait(ms(6000));
    timeout_after(&mut play, ms(5500));
    assert_eq!(play.ending(), "starved");
}

/// Player 1 moves, having waited this long, as a driver reports it.
fn moves(play: &mut Play, line: &[u8], waiting: Duration) {
    play.referee.line(Side::One, line, play.now);
    play.referee.charge(Side::One, Duration::ZERO, waiting);
    play.settle();
}

#[test]
fn trusted_waiting_is_given_back_to_a_time_account() {
    let bank = Some(Bank { initial: ms(1000), increment: Duration::ZERO });
    let limits = Limits { bank, per_move: None, margin: Duration::ZERO, ..Limits::default() };
    let after = |waited_when_late, waiting, took| {
        let mut play = trusted(limits.clone());
        play.wait(ms(700));
        moves(&mut play, b"1R", ms(100));
        // 1000 - 700 + 100 are left.
        play.line("2R").wait(ms(took));
        play.referee.waited(Side::One, ms(waited_when_late));
        moves(&mut play, b"3R", ms(waiting));
        (play.ending() == "-")
            .then(|| play.referee.remaining(Side::One).banks.expect("an account").0)
    };
    assert_eq!(after(0, 0, 400), Some(ms(0)));
    assert_eq!(after(0, 0, 401), None);
    assert_eq!(after(0, 150, 300), Some(ms(250)), "it was in time");
    assert_eq!(after(50, 50, 420), Some(ms(30)), "it was late, and not given back twice");
    assert_eq!(after(50, 60, 420), Some(ms(40)), "more is known later");
    assert_eq!(after(50, 50, 451), None);
}

#[test]
fn getting_ready_may_wait_too_if_it_is_trusted() {
    for (took, ending) in [(12_010, "-"), (12_011, "start-late")] {
        let mut play = Spec::of(Dialect::Pitmaster).play();
        play.referee.accept_waiting(Side::One);
        play.wait(ms(took));
        play.referee.waited(Side::One, ms(2000));
        assert_eq!(play.lines("ready\nready\nready").ending(), ending, "after {took} ms");
    }
}
