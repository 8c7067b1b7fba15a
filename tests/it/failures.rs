//! Failures on the referee's side, which cost no bot a game and lose no finished game.

use std::fs;

use rustix::process::Resource;

use crate::contest::Running;
use crate::scratch::Scratch;

/// A run that has played two games and blocks in the third, so that a test can interfere; and the
/// results of an undisturbed run.
fn field() -> (Scratch, Running) {
    let scratch = Scratch::new();
    scratch.gated(2).open_gate();
    scratch.run("run cup.toml --out whole -q").done();
    scratch.close_gate();
    let run = scratch.start_to_the_gate();
    (scratch, run)
}

/// Resumes without the failure; the results must equal those of an undisturbed run.
fn assert_resumes(scratch: &Scratch) {
    scratch.run("run cup.toml -q").done();
    scratch.assert_same("whole/cup", "results/cup");
    assert_eq!(scratch.attempts("results/cup", "valid"), 12);
}

#[test]
fn three_void_games_in_a_row_stop_the_run_and_lose_nothing() {
    let (scratch, run) = field();
    // What is open stays open; nothing more can be: no bot can be given pipes.
    run.limit(Resource::Nofile, 3);
    scratch.open_gate();
    let ran = run.end(&scratch);
    assert_eq!(ran.code, Some(5), "{}", ran.all());
    assert!(ran.stderr.contains("a game is void and replayed: "), "{}", ran.all());
    assert!(
        ran.stderr.contains("\nerror: stopped after three void games in a row"),
        "{}",
        ran.all()
    );
    assert!(scratch.attempts("results/cup", "void") >= 3);
    // The two games that were told of, and the pair that was being played.
    assert_eq!(scratch.attempts("results/cup", "valid"), 4);
    assert_resumes(&scratch);
}

#[test]
fn a_full_disk_stops_the_run_and_loses_nothing() {
    let (scratch, run) = field();
    let log = fs::metadata(scratch.path("results/cup/tournament.db-wal")).expect("a log");
    // No file may grow beyond this, as if the disk were full.
    run.limit(Resource::Fsize, log.len());
    scratch.open_gate();
    let ran = run.end(&scratch);
    assert_eq!(ran.code, Some(4), "{}", ran.all());
    assert!(ran.stderr.contains("make room on the disk and run again"), "{}", ran.all());
    assert_eq!(scratch.attempts("results/cup", "valid"), 2);
    assert_resumes(&scratch);
}
