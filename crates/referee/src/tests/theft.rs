//! Tests of CPU time used in the opponent's turns: its cost, and who gets it back.

use pitmaster_core::{Bank, Per, Resources};

use super::*;

const MILLI: Duration = Duration::from_millis(1);

fn arena(limits: Limits) -> Play {
    Spec { limits, ..Spec::of(Dialect::Arena) }.play()
}

/// 20 ms a turn and 200 ms a game.
fn strict() -> Limits {
    Limits { per_move: Some(secs(1.0)), first_move: None, ..Limits::default() }
}

fn allowing(turn: Option<Duration>, game: Option<Duration>) -> Limits {
    let resources =
        Resources { idle_cpu_turn: turn, idle_cpu_game: game, cpu: None, ..Resources::default() };
    Limits { resources, ..strict() }
}

impl Play {
    fn steal(&mut self, side: Side, cpu: Duration) -> &mut Self {
        self.referee.charge_idle_cpu(side, cpu, Duration::ZERO, self.now);
        self.settle();
        self
    }

    fn fault_of(&mut self, side: Side) -> Option<Fault> {
        self.finish().ending.fault_of(side).cloned()
    }
}

#[test]
fn the_allowance_of_a_turn_is_enough_and_no_more() {
    let mut play = arena(strict());
    play.line("1R").steal(Side::One, MILLI * 15).steal(Side::One, MILLI * 5);
    assert_eq!(play.ending(), "-");
    play.steal(Side::One, NANO);
    let (used, allowance) = (MILLI * 20 + NANO, MILLI * 20);
    let fault = Fault::StoleTime { used, allowance, per: Per::Turn };
    assert_eq!(play.fault_of(Side::One), Some(fault));
}

#[test]
fn each_turn_has_the_allowance_anew_until_that_of_the_game_is_used_up() {
    let mut play = arena(strict());
    for hole in 1..=16 {
        play.line(format!("{hole}R"));
        // CPU time of one side does not affect the other.
        let Some((mover, _)) = play.listens() else { panic!("it goes on") };
        play.steal(mover.other(), MILLI * 20);
        assert_eq!(play.ending(), "-");
    }
    play.wait(secs(9.0)).timeout();
    assert_eq!(play.finish().stolen, BySide::new(MILLI * 160, MILLI * 160));
}

#[test]
fn many_small_thefts_are_a_large_one() {
    let mut play = arena(allowing(Some(MILLI * 20), Some(MILLI * 30)));
    play.line("1R").steal(Side::One, MILLI * 16);
    play.line("2R").line("3R").steal(Side::One, MILLI * 14);
    assert_eq!(play.ending(), "-");
    play.steal(Side::One, NANO);
    let (used, allowance) = (MILLI * 30 + NANO, MILLI * 30);
    let fault = Fault::StoleTime { used, allowance, per: Per::Game };
    assert_eq!(play.fault_of(Side::One), Some(fault));
}

#[test]
fn what_was_stolen_is_given_back_to_the_mover_to_the_nanosecond() {
    for (late, ending) in [(Duration::ZERO, "-"), (NANO, "move-late")] {
        let mut play = arena(strict());
        play.line("1R").wait(secs(0.5)).steal(Side::One, MILLI * 7).steal(Side::One, MILLI * 8);
        // The limit, the margin and both thefts.
        let all = secs(1.0) + MILLI * 10 + MILLI * 15;
        let Some((Side::Two, Some(until))) = play.listens() else { panic!("its turn") };
        assert_eq!(until, At::START + all);
        play.wait(all.saturating_sub(secs(0.5)) + late).line("2R");
        assert_eq!(play.ending(), ending);
    }
}

#[test]
fn the_timer_of_a_mover_that_is_robbed_goes_off_too_early() {
    let mut play = arena(strict());
    play.line("1R").wait(secs(1.0) + MILLI * 10 + NANO).steal(Side::One, MILLI * 3).timeout();
    assert_eq!(play.ending(), "-");
    play.wait(MILLI * 3).timeout();
    assert_eq!(play.ending(), "move-late");
}

#[test]
fn a_theft_is_given_back_in_that_turn_only() {
    let mut play = arena(strict());
    play.line("1R").steal(Side::One, MILLI * 20).line("2R").line("3R");
    play.wait(secs(1.0) + MILLI * 10 + NANO).line("4R");
    assert_eq!(play.ending(), "move-late");
}

#[test]
fn a_time_account_is_not_charged_for_what_the_other_used() {
    let bank = Some(Bank { initial: secs(0.5), increment: Duration::ZERO });
    let limits = Limits { bank, per_move: None, ..strict() };
    let mut play = shaken(&Spec { limits, ..Spec::of(Dialect::Pitmaster) });
    play.line("move 1R").wait(secs(0.1)).steal(Side::One, MILLI * 20).line("move 2R");
    play.line("move 3R");
    assert!(play.sent.two.ends_with("\ngo\n"));
    assert!(play.sent.two.contains("bank 420 500\n"), "{}", play.sent.two);
}

#[test]
fn a_thief_is_judged_before_the_mover_that_it_made_late() {
    let mut play = arena(strict());
    play.line("1R").wait(secs(5.0)).steal(Side::One, secs(2.0)).timeout();
    assert_eq!(play.ending(), "stole-time");
    assert_eq!(play.finish().ending.winner(), Some(Side::Two));
}

#[test]
fn a_mover_that_wins_by_a_theft_still_owes_its_answer_and_is_not_kept() {
    let mut play = shaken(&Spec { limits: strict(), ..Spec::of(Dialect::Pitmaster) });
    play.line("move 1R").steal(Side::One, secs(1.0));
    assert_eq!(play.ending(), "stole-time");
    assert_eq!(play.farewell(Side::One).0, ProcessFate::Close);
    let (farewell, words) = play.farewell(Side::Two);
    assert_eq!(farewell, ProcessFate::Close);
    assert!(words.ends_with("quit\n"), "{words}");
}

#[test]
fn without_allowances_nothing_is_judged_and_nothing_given_back() {
    let mut play = arena(allowing(None, None));
    play.line("1R").steal(Side::One, secs(100.0));
    assert_eq!(play.ending(), "-");
    play.wait(secs(1.0) + MILLI * 10 + NANO).timeout();
    assert_eq!(play.ending(), "move-late");
}

#[test]
fn one_allowance_may_be_off() {
    let mut of_turn = arena(allowing(Some(MILLI), None));
    assert_eq!(of_turn.line("1R").steal(Side::One, MILLI + NANO).ending(), "stole-time");
    let mut of_game = arena(allowing(None, Some(secs(1.0))));
    assert_eq!(of_game.line("1R").steal(Side::One, secs(1.0)).ending(), "-");
    assert_eq!(of_game.steal(Side::One, NANO).ending(), "stole-time");
}

#[test]
fn who_is_not_stopped_may_think() {
    let mut play = arena(strict());
    play.line("1R").referee.pondered(Side::One, secs(100.0));
    assert_eq!(play.ending(), "-");
    play.wait(secs(1.0) + MILLI * 10 + NANO).timeout();
    assert_eq!(play.ending(), "move-late");
}

#[test]
fn the_time_of_the_game_is_nobodys_and_goes_on() {
    let mut play = arena(Limits { per_game: Some(secs(1.0)), ..strict() });
    play.line("1R").wait(secs(1.0)).steal(Side::One, MILLI * 20).wait(NANO).timeout();
    assert_eq!(play.ending(), "game-time");
}
