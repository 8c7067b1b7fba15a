//! Events and messages during a run.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::process::Stdio;

use crate::contest::patient;
use crate::scratch::Scratch;

fn field() -> Scratch {
    let scratch = Scratch::new();
    scratch.fast("cheat", "illegal").fast("dice", "random").fast("first", "first");
    scratch.write("cup.toml", patient(3));
    scratch
}

#[test]
fn every_line_for_programs_is_an_event() {
    let scratch = field();
    let ran = scratch.run("run cup.toml --json").done();
    let raw = String::from_utf8(ran.raw.stdout).expect("UTF-8");
    let events: Vec<serde_json::Value> =
        raw.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let kinds: Vec<&str> =
        events.iter().map(|event| event["event"].as_str().expect("its kind")).collect();
    assert_eq!((kinds.first(), kinds.last()), (Some(&"started"), Some(&"ended")));
    let known = BTreeSet::from(["started", "game", "suspended", "superseded", "ended"]);
    assert!(kinds.iter().all(|kind| known.contains(kind)), "{kinds:?}");
    assert!(kinds.contains(&"suspended"));
    let told: BTreeSet<&str> = events.iter().filter_map(|event| event["id"].as_str()).collect();
    let games = scratch.column("results/cup/games.csv", "id");
    assert_eq!(told, games.iter().map(String::as_str).collect());
    assert_eq!(events[0]["games"], 18);
    assert_eq!(events[events.len() - 1]["finish"], "complete");
}

#[test]
fn quiet_says_nothing_but_the_standings() {
    let scratch = field();
    let ran = scratch.run("run cup.toml -q").done();
    let standings = scratch.run("standings results/cup").done();
    assert_eq!((ran.stderr.as_str(), ran.stdout), ("", standings.stdout));
}

#[test]
fn nobody_needs_to_read_what_a_run_writes() {
    for flags in ["--json", "", "-q"] {
        let scratch = field();
        let mut command = scratch.command(&format!("run cup.toml {flags}"));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        drop(child.stdout.take());
        let mut stderr = child.stderr.take().expect("a pipe");
        let mut said = String::new();
        stderr.read_to_string(&mut said).expect("UTF-8");
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(0), "{flags}: {said}");
        assert_eq!(scratch.attempts("results/cup", "valid"), 18);
        assert!(scratch.path("results/cup/leaderboard.csv").exists());
    }
}

#[test]
fn a_run_goes_on_when_standard_error_is_closed() {
    let scratch = field();
    let mut command = scratch.command("run cup.toml");
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    drop(child.stderr.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert_eq!(scratch.attempts("results/cup", "valid"), 18);
}
