//! A run that ends abruptly loses only the games that were being played.

use std::collections::HashSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pitmaster::core::Seed;
use rand::RngExt as _;
use rustix::process::Signal;

use crate::contest::{PATIENT, patient, tournament};
use crate::scratch::Scratch;

/// Four bots, one of which gets suspended: 48 games.
fn field() -> Scratch {
    let scratch = Scratch::new();
    scratch.fast("cheat", "illegal").fast("dice", "random").fast("first", "first");
    scratch.fast("slow", "slow 1").write("cup.toml", patient(4));
    scratch
}

/// Kills a run this many times, each time after a random number of games and milliseconds.
fn kill_at_random_moments(count: u64) {
    let scratch = field();
    scratch.run("run cup.toml --lanes 2 --out whole -q").done();
    let mut moments = Seed(count).stream("moments");
    let mut told = Vec::new();
    for _ in 0..count {
        let (games, ms) = (moments.random_range(0..5), moments.random_range(0..40));
        let mut run = scratch.start("run cup.toml --lanes 2 --out killed");
        if games > 0 {
            run.started();
            told.extend(run.game_ids(games));
        }
        std::thread::sleep(Duration::from_millis(ms));
        run.kill();
        // A game that was played ahead of a suspension is kept too, and does not count.
        let kept = if told.is_empty() { HashSet::new() } else { scratch.game_ids("killed/cup") };
        assert!(
            told.iter().all(|id| kept.contains(id)),
            "{told:?} were told of, there are {kept:?}"
        );
    }
    scratch.run("run cup.toml --lanes 2 --out killed -q").done();
    scratch.assert_same("whole/cup", "killed/cup");
    assert_eq!(scratch.attempts("killed/cup", "valid"), 48);
    assert_eq!(scratch.attempts("killed/cup", "void"), 0);
}

#[test]
fn three_kills_lose_and_double_nothing() {
    kill_at_random_moments(3);
}

#[test]
#[ignore = "slow: .ci/full runs it"]
fn ten_kills_lose_and_double_nothing() {
    kill_at_random_moments(10);
}

#[test]
fn an_interrupt_ends_after_the_running_games() {
    let scratch = Scratch::new();
    scratch.gated(2);
    let mut run = scratch.start_to_the_gate();
    run.signal(Signal::INT);
    run.until("stopping");
    scratch.open_gate();
    let ran = run.end(&scratch);
    assert_eq!(ran.code, Some(130), "{}", ran.all());
    assert!(ran.stderr.ends_with("error: interrupted; run again to resume\n"), "{}", ran.stderr);
    // Two that were told of, and the one that was running.
    assert_eq!(scratch.attempts("results/cup", "valid"), 3);
    assert_eq!(scratch.column("results/cup/games.csv", "id").len(), 3);
    assert!(!scratch.path("results/cup/OUT-OF-DATE.txt").exists());
    scratch.run("run cup.toml -q").done();
    scratch.run("run cup.toml --out whole -q").done();
    scratch.assert_same("whole/cup", "results/cup");
}

#[test]
fn a_second_interrupt_ends_at_once() {
    let scratch = Scratch::new();
    scratch.gated(1);
    let mut run = scratch.start_to_the_gate();
    run.signal(Signal::INT);
    run.until("stopping");
    run.signal(Signal::INT);
    // The gate is still closed: the running game would take an hour.
    let ran = run.end(&scratch);
    assert_eq!(ran.code, Some(130), "{}", ran.all());
    assert_eq!(scratch.attempts("results/cup", "valid"), 2);
    is_marked_until_written(&scratch);
}

/// A time zone in which it is this many seconds before a minute after midnight.
fn zone_before_one_past_midnight(seconds: u64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs();
    // What is added to the clock in Greenwich, less than a day.
    let east = (86_400 + 60 - seconds - now % 86_400) % 86_400;
    // POSIX counts towards the west.
    let (sign, west) = if east > 43_200 { ("", 86_400 - east) } else { ("-", east) };
    format!("XXX{sign}{}:{:02}:{:02}", west / 3600, west / 60 % 60, west % 60)
}

#[test]
fn the_time_given_ends_a_run_within_its_first_cycle() {
    let scratch = Scratch::new();
    scratch.fast("slow", "slow 20").fast("slower", "slow 21").fast("dice", "random");
    // Days of games, and a cycle has three pairs of them.
    scratch.write("cup.toml", tournament(PATIENT, 100_000, "include = ['own/*']"));
    let mut command = scratch.command("run cup.toml --lanes 1 --until 00:01");
    command.env("TZ", zone_before_one_past_midnight(5));
    let ran = scratch.ran(command.output().expect("the binary starts"));
    assert_eq!(ran.code, Some(4), "{}", ran.all());
    assert!(
        ran.stderr.ends_with("the time set by --until is over; run again to resume\n"),
        "{}",
        ran.stderr
    );
    // What was stored stands in the files, and nothing is marked.
    let stored = scratch.attempts("results/cup", "valid");
    assert!(stored < 600_000);
    assert_eq!(scratch.column("results/cup/games.csv", "id").len(), stored as usize);
    assert!(!scratch.path("results/cup/OUT-OF-DATE.txt").exists());
}

/// Results whose files were written by a program that did not play both games are marked.
fn is_marked_until_written(scratch: &Scratch) {
    let mark = scratch.path("results/cup/OUT-OF-DATE.txt");
    assert!(mark.exists());
    scratch.run("standings results/cup --files").done();
    assert!(!mark.exists());
    assert_eq!(scratch.column("results/cup/games.csv", "id").len(), 2);
}

#[test]
fn what_a_killed_run_leaves_says_that_it_is_out_of_date() {
    let scratch = Scratch::new();
    scratch.gated(1);
    scratch.start_to_the_gate().kill();
    is_marked_until_written(&scratch);
}

#[test]
fn a_second_run_is_refused_while_one_runs_and_standings_are_not() {
    let scratch = Scratch::new();
    scratch.gated(1);
    let run = scratch.start_to_the_gate();
    let refused = scratch.run("run cup.toml");
    let owner = format!("process {} on ", run.pid().as_raw_nonzero());
    assert_eq!(refused.code, Some(4), "{}", refused.all());
    assert!(refused.stderr.contains("results/cup is being written by "), "{}", refused.all());
    assert!(refused.stderr.contains(&owner), "{}", refused.all());
    let standings = scratch.run("standings results/cup").done();
    let first = standings.stdout.lines().find(|line| line.contains("first")).expect("a row");
    assert_eq!(first.split_whitespace().nth(2), Some("2"), "{}", standings.stdout);
    let mut beside = scratch.start("run cup.toml --lanes 1 --fresh");
    beside.games(1);
    beside.kill();
    run.kill();
    assert_eq!(scratch.attempts("results/cup", "valid"), 2);
    assert!(scratch.attempts("results/cup-2", "valid") >= 1);
}
