//! Tests of every limit at, just before and just after its instant, and of ties between limits.

use pitmaster_core::{Bank, Exit, Resources};

use super::*;

/// Game that waits for a line, with the limit of that line and the expected ending.
struct Case {
    name: &'static str,
    play: fn() -> Play,
    /// Any valid line.
    line: &'static str,
    limit: Duration,
    late: &'static str,
}

fn arena(limits: Limits) -> Play {
    Spec { limits, ..Spec::of(Dialect::Arena) }.play()
}

fn only_bank() -> Limits {
    let bank = Bank { initial: secs(2.0), increment: secs(0.1) };
    Limits {
        bank: Some(bank),
        per_move: None,
        first_move: None,
        per_game: None,
        ..Limits::default()
    }
}

fn cases() -> Vec<Case> {
    let case = |name, limit, late, line, play| Case { name, play, line, limit: secs(limit), late };
    vec![
        case("first move", 5.010, "move-late", "1R", || arena(Limits::default())),
        case("first move of player 2", 5.010, "move-late", "2R", || {
            let mut play = arena(Limits::default());
            play.wait(secs(3.0)).line("1R");
            play
        }),
        case("second move", 1.010, "move-late", "3R", || {
            let mut play = arena(Limits::default());
            play.wait(secs(1.0)).lines("1R\n2R");
            play
        }),
        case("first move without a limit of its own", 1.010, "move-late", "1R", || {
            arena(Limits { first_move: None, ..Limits::default() })
        }),
        case("first move after an opening", 5.010, "move-late", "3R", || {
            Spec { opening: "1R 2R", ..Spec::of(Dialect::Arena) }.play()
        }),
        case("first move after a handshake", 1.010, "move-late", "move 1R", || {
            shaken(&Spec::of(Dialect::Pitmaster))
        }),
        case("another margin", 1.0, "move-late", "move 1R", || {
            let limits = Limits { margin: Duration::ZERO, ..Limits::default() };
            shaken(&Spec { limits, ..Spec::of(Dialect::Pitmaster) })
        }),
        case("greeting", 10.010, "start-late", "ready", || Spec::of(Dialect::Pitmaster).play()),
        case("newgame", 10.010, "start-late", "ready", || {
            let mut play = Spec::of(Dialect::Pitmaster).play();
            play.wait(secs(9.0)).line("ready");
            play
        }),
        case("newgame of player 2 in a running process", 10.010, "start-late", "ready", || {
            let greeted = Some(Want::Moves);
            let mut play = Spec { greeted, ..Spec::of(Dialect::Pitmaster) }.play();
            play.wait(secs(9.0)).line("ready");
            play
        }),
        case("game", 3.0, "game-time", "1R", || {
            arena(Limits { per_game: Some(secs(3.0)), ..Limits::default() })
        }),
        case("rest of the game", 1.0, "game-time", "2R", || {
            let mut play = arena(Limits { per_game: Some(secs(3.0)), ..Limits::default() });
            play.wait(secs(2.0)).line("1R");
            play
        }),
        case("bank", 2.010, "bank-empty", "1R", || arena(only_bank())),
        case("bank after a move", 0.610, "bank-empty", "3R", || {
            let mut play = arena(only_bank());
            play.wait(secs(1.5)).lines("1R\n2R");
            play
        }),
        case("bank emptied within the margin", 0.110, "bank-empty", "3R", || {
            let mut play = arena(only_bank());
            play.wait(secs(2.005)).lines("1R\n2R");
            play
        }),
        case("bank after an opening", 2.010, "bank-empty", "3R", || {
            Spec { limits: only_bank(), opening: "1R 2R", ..Spec::of(Dialect::Arena) }.play()
        }),
    ]
}

/// Lets the other side get ready, because a bot that is not ready in time loses only afterwards.
fn let_the_other_get_ready(play: &mut Play, ending: &str) {
    while ending == "start-late" && play.ending() == "-" {
        play.line("ready");
    }
}

#[test]
fn the_last_instant_in_time_is_what_is_waited_for() {
    for case in cases() {
        let mut play = (case.play)();
        let until = play.listens().expect(case.name).1;
        assert_eq!(until, Some(play.now + case.limit), "{}", case.name);
    }
}

#[test]
fn a_line_is_in_time_up_to_its_limit_and_not_after() {
    for case in cases() {
        for (wait, ending) in [
            (case.limit.saturating_sub(NANO), "-"),
            (case.limit, "-"),
            (case.limit + NANO, case.late),
        ] {
            let mut play = (case.play)();
            let before = play.moves();
            play.wait(wait).line(case.line);
            let_the_other_get_ready(&mut play, ending);
            assert_eq!(play.ending(), ending, "{} after {wait:?}", case.name);
            if ending != "-" {
                assert_eq!(play.moves(), before, "{}: a late move is not applied", case.name);
            }
        }
    }
}

#[test]
fn a_timer_rules_only_after_the_limit() {
    for case in cases() {
        for (wait, ending) in
            [(Duration::ZERO, "-"), (case.limit, "-"), (case.limit + NANO, case.late)]
        {
            let mut play = (case.play)();
            play.wait(wait).timeout();
            let_the_other_get_ready(&mut play, ending);
            assert_eq!(play.ending(), ending, "{} after {wait:?}", case.name);
        }
    }
}

#[test]
fn an_end_of_the_process_is_judged_by_when_it_was_found() {
    for case in cases() {
        for (wait, ending) in [(case.limit, "exited"), (case.limit + NANO, case.late)] {
            let mut play = (case.play)();
            let side = play.listens().expect(case.name).0;
            play.wait(wait).fault(side, Fault::Exited { exit: Exit::Code(1) });
            while play.ending() == "-" {
                play.line("ready");
            }
            assert_eq!(play.ending(), ending, "{} after {wait:?}", case.name);
        }
    }
}

#[test]
fn a_line_in_time_counts_although_the_bot_has_died_since() {
    let mut play = arena(Limits::default());
    play.line("1R").line("2R");
    play.wait(secs(1.01)).line("3R").fault(Side::One, Fault::ClosedOutput);
    assert_eq!((play.moves().as_str(), play.ending().as_str()), ("1R 2R 3R", "closed-output"));
}

/// Cases: limits of the first move, the bank and the game in ms without margin, and the limit that
/// ends the game if the timer fires long after all of them.
#[test]
fn of_several_limits_the_earliest_rules_and_at_ties_the_game_goes_first() {
    for (per_move, bank, game, ending) in [
        (1000, 2000, 3000, "move-late"),
        (1000, 3000, 2000, "move-late"),
        (2000, 1000, 3000, "bank-empty"),
        (3000, 1000, 2000, "bank-empty"),
        (2000, 3000, 1000, "game-time"),
        (3000, 2000, 1000, "game-time"),
        (1000, 2000, 1000, "game-time"),
        (2000, 1000, 1000, "game-time"),
        (1000, 1000, 1000, "game-time"),
        (1000, 1000, 2000, "move-late"),
    ] {
        let millis = Duration::from_millis;
        let limits = Limits {
            per_move: Some(millis(per_move)),
            first_move: None,
            bank: Some(Bank { initial: millis(bank), increment: Duration::ZERO }),
            per_game: Some(millis(game)),
            margin: Duration::ZERO,
            ..Limits::default()
        };
        let come_late: [fn(&mut Play); 3] = [
            |play| {
                let _ = play.timeout();
            },
            |play| {
                let _ = play.line("1R");
            },
            |play| {
                let _ = play.fault(Side::One, Fault::ClosedOutput);
            },
        ];
        for come in come_late {
            let mut play = arena(limits.clone());
            let first = per_move.min(bank).min(game);
            assert_eq!(play.listens(), Some((Side::One, Some(At::millis(first)))));
            come(play.wait(secs(60.0)));
            assert_eq!(play.ending(), ending, "{per_move} {bank} {game}");
        }
    }
}

#[test]
fn the_margin_extends_moves_and_banks_but_not_the_game() {
    // The move may take until 1010 ms, the game until 1010 ms: a tie.
    let limits = Limits {
        per_move: Some(secs(1.0)),
        first_move: None,
        per_game: Some(secs(1.010)),
        ..Limits::default()
    };
    let mut play = arena(limits);
    play.wait(secs(1.010) + NANO).timeout();
    assert_eq!(play.ending(), "game-time");
}

#[test]
fn when_the_time_of_the_game_is_over_the_score_decides() {
    let limits = Limits { per_game: Some(secs(1.0)), ..Limits::default() };
    let mut play = Spec { limits, ..Spec::near_the_end(Dialect::Arena) }.play();
    play.lines("7B\n8B");
    // The move would have won by the rules.
    play.wait(secs(1.0) + NANO).line("7TR");
    let record = play.finish();
    let score = pitmaster_core::Score::new(48, 35);
    assert_eq!(record.ending, Ending::GameTime { winner: Some(Side::One), score });
    assert_eq!(record.plies.len(), 2);
    assert_eq!(record.duration, secs(1.0) + NANO);
    assert_eq!(record.evidence, BySide::default());
}

#[test]
fn the_game_begins_with_its_first_turn_and_not_with_the_handshakes() {
    let limits = Limits { per_game: Some(secs(1.0)), ..Limits::default() };
    let mut play = Spec { limits, ..Spec::of(Dialect::Pitmaster) }.play();
    for _ in 0..4 {
        play.wait(secs(9.0)).line("ready");
    }
    assert_eq!(play.listens(), Some((Side::One, Some(At::millis(37_000)))));
    play.wait(secs(0.25)).line("move 1R");
    assert!(play.sent.two.contains("time move 1000 game 750\n"), "{}", play.sent.two);
}

#[test]
fn without_limits_there_is_nothing_to_wait_for() {
    let limits = Limits {
        per_move: None,
        first_move: None,
        per_game: None,
        plies: None,
        ..Limits::default()
    };
    let mut play = arena(limits);
    assert_eq!(play.listens(), Some((Side::One, None)));
    play.wait(secs(1e6)).timeout();
    assert_eq!(play.ending(), "-");
    play.line("1R");
    assert_eq!(play.moves(), "1R");
}

#[test]
fn both_accounts_are_told() {
    let mut play = shaken(&Spec { limits: only_bank(), ..Spec::of(Dialect::Pitmaster) });
    play.wait(secs(0.5)).line("move 1R");
    assert!(play.sent.one.contains("time bank 2000 2000\n"));
    assert!(play.sent.two.contains("time bank 2000 1600\n"), "{}", play.sent.two);
}

#[test]
fn the_last_allowed_ply_is_played_and_then_the_score_decides() {
    for (opening, missing) in [("", &["1R", "2R", "3R"][..]), ("1R 2R", &["3R"])] {
        let limits = Limits { plies: Some(3), ..Limits::default() };
        let mut play = Spec { limits, opening, ..Spec::of(Dialect::Arena) }.play();
        for mv in missing {
            assert_eq!(play.ending(), "-", "before {mv}");
            play.line(mv);
        }
        assert_eq!(play.ending(), "ply-limit");
        assert_eq!(play.moves(), "1R 2R 3R");
    }
}

#[test]
fn the_rules_end_a_game_before_the_limit_of_plies_does() {
    let limits = Limits { plies: Some(3), ..Limits::default() };
    let mut play = Spec { limits, ..Spec::near_the_end(Dialect::Arena) }.play();
    play.lines("7B\n8B\n7TR");
    assert_eq!(play.ending(), "rules:49+");
}

fn with_cpu(cpu: f64) -> Limits {
    let cpu = Some(secs(cpu));
    let resources =
        Resources { cpu, idle_cpu_turn: None, idle_cpu_game: None, ..Resources::default() };
    Limits { resources, ..Limits::default() }
}

#[test]
fn cpu_time_is_enough_up_to_its_limit_and_not_beyond() {
    for (third, ending) in
        [(secs(0.25).saturating_sub(NANO), "-"), (secs(0.25), "-"), (secs(0.25) + NANO, "cpu-time")]
    {
        let mut play = arena(with_cpu(1.0));
        play.line("1R").referee.charge(Side::One, secs(0.5), Duration::ZERO);
        play.line("2R").referee.charge(Side::Two, secs(0.9), Duration::ZERO);
        play.referee.charge_idle_cpu(Side::One, secs(0.25), Duration::ZERO, play.now);
        assert_eq!(play.ending(), "-");
        play.line("3R").referee.charge(Side::One, third, Duration::ZERO);
        assert_eq!(play.ending(), ending, "{third:?}");
        if ending != "-" {
            let record = play.finish();
            let fault = Fault::CpuTime { limit: secs(1.0) };
            assert_eq!(record.ending.fault_of(Side::One), Some(&fault));
            assert_eq!((record.plies.len(), record.plies[2].cpu), (3, third));
        }
    }
}

#[test]
fn who_computes_too_much_in_foreign_turns_is_asked_no_more() {
    let mut play = shaken(&Spec { limits: with_cpu(1.0), ..Spec::of(Dialect::Pitmaster) });
    play.line("move 1R").referee.charge(Side::One, secs(0.4), Duration::ZERO);
    play.line("move 2R");
    play.referee.charge_idle_cpu(Side::One, secs(0.6) + NANO, Duration::ZERO, play.now);
    assert_eq!(play.referee.next(), Action::End);
    assert_eq!(play.farewell(Side::One).0, ProcessFate::Close);
    let record = play.finish();
    assert_eq!(record.ending.name(), "cpu-time");
    assert!(record.evidence.one.is_some_and(|evidence| evidence.line.is_none()));
}

#[test]
fn cpu_time_of_the_move_that_ends_the_game_does_not_count() {
    let mut play = Spec { limits: with_cpu(1.0), ..Spec::near_the_end(Dialect::Arena) }.play();
    play.lines("7B\n8B\n7TR").referee.charge(Side::One, secs(9.0), Duration::ZERO);
    assert_eq!(play.finish().ending.name(), "rules:49+");
}

#[test]
fn the_kernel_may_be_first_to_find_that_cpu_time_is_up() {
    for (limits, ending) in
        [(with_cpu(1.0), "cpu-time"), (Limits { resources: lax(), ..Limits::default() }, "exited")]
    {
        let mut play = arena(limits);
        play.fault(Side::One, Fault::Exited { exit: Exit::Signal(24) });
        assert_eq!(play.ending(), ending);
    }
}

fn lax() -> Resources {
    Resources { cpu: None, ..Resources::default() }
}

#[test]
fn without_a_limit_on_cpu_time_any_is_enough() {
    let mut play = arena(Limits { resources: lax(), ..Limits::default() });
    play.line("1R").referee.charge(Side::One, secs(1e6), Duration::ZERO);
    assert_eq!(play.ending(), "-");
}

#[test]
fn moves_carry_their_time_and_what_was_charged() {
    let mut play = arena(Limits::default());
    play.wait(secs(0.3)).line("1R");
    play.referee.charge(Side::One, secs(0.2), secs(0.1));
    play.referee.pondered(Side::One, secs(0.4));
    play.wait(secs(0.7)).line("2R").timeout().wait(secs(9.0)).timeout();
    let record = play.finish();
    assert_eq!(record.plies[0].wall, secs(0.3));
    assert_eq!(record.plies[0].cpu, secs(0.2));
    assert_eq!(record.plies[0].waiting, secs(0.1));
    assert_eq!(record.plies[1].wall, secs(0.7));
    assert_eq!(record.plies[1].cpu, Duration::ZERO);
    assert_eq!(record.stolen, BySide::new(secs(0.4), Duration::ZERO));
    assert_eq!(record.duration, secs(10.0));
}
