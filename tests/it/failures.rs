//! What fails on the referee's side costs no bot a game, and loses nothing that was finished.

use rustix::process::Resource;

use crate::contest::patient;
use crate::scratch::Scratch;

/// Two bots, 16 games in pairs that are claimed one after the other, and time to meddle.
fn field() -> Scratch {
    let scratch = Scratch::new();
    scratch.fast("slow", "slow 10").fast("dice", "random").write("cup.toml", patient(8));
    scratch.run("run cup.toml --out whole -q").done();
    scratch
}

/// Goes on without the trouble; everything must be as if there had been none.
fn assert_resumes(scratch: &Scratch) {
    scratch.run("run cup.toml -q").done();
    scratch.assert_same("whole/cup", "results/cup");
    assert_eq!(scratch.attempts("results/cup", "valid"), 16);
}

#[test]
fn three_void_games_in_a_row_stop_the_run_and_lose_nothing() {
    let scratch = field();
    let mut run = scratch.start("run cup.toml --lanes 1");
    run.games(1);
    // What is open stays open; nothing more can be: no bot can be given pipes.
    run.limit(Resource::Nofile, Some(3));
    let ran = run.end(&scratch);
    assert_eq!(ran.code, Some(5), "{}", ran.all());
    let void =
        "a game is void, played again: cannot start a bot: Too many open files (os error 24)";
    assert_eq!(ran.stderr.matches(void).count(), 3, "{}", ran.all());
    assert!(ran.stderr.contains("error: stopped after three void games in a row"), "{}", ran.all());
    assert_eq!(scratch.attempts("results/cup", "void"), 3);
    assert!(scratch.attempts("results/cup", "valid") >= 1);
    assert_resumes(&scratch);
    assert_eq!(scratch.attempts("results/cup", "void"), 3);
}

#[test]
fn a_full_disk_stops_the_run_and_loses_nothing() {
    let scratch = field();
    let mut run = scratch.start("run cup.toml --lanes 1");
    run.games(1);
    // No file may grow beyond this, as if the disk were full.
    run.limit(Resource::Fsize, Some(48 * 1024));
    let ran = run.end(&scratch);
    assert_eq!(ran.code, Some(4), "{}", ran.all());
    assert!(ran.stderr.contains("make room on the disk and run again"), "{}", ran.all());
    let kept = scratch.attempts("results/cup", "valid");
    assert!((1..16).contains(&kept), "{kept} games are kept");
    assert_resumes(&scratch);
}
