//! A repeated run plays missing games only.

use std::fs;

use crate::contest::patient;
use crate::scratch::Scratch;

/// Three bots, two pairs: twelve games, eight of each bot.
fn field() -> Scratch {
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first").fast("last", "last");
    scratch.write("cup.toml", patient(2));
    scratch.run("run cup.toml -q").done();
    scratch
}

/// Runs again. Returns the numbers of known and of played games.
fn again(scratch: &Scratch) -> (u64, usize) {
    let mut run = scratch.start("run cup.toml");
    let known = run.started();
    let played = run.games(usize::MAX);
    let ran = run.end(scratch);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    (known, played)
}

/// Checks that the results equal those of a fresh run.
fn assert_as_from_the_start(scratch: &Scratch) {
    scratch.run("run cup.toml --out new -q").done();
    scratch.assert_same("results/cup", "new/cup");
}

fn bots(scratch: &Scratch) -> Vec<String> {
    let mut bots = scratch.column("results/cup/leaderboard.csv", "bot");
    bots.sort();
    bots
}

#[test]
fn a_complete_tournament_is_not_played_again() {
    let scratch = field();
    let before = scratch.timeless("results/cup");
    assert_eq!(again(&scratch), (12, 0));
    assert_eq!(scratch.timeless("results/cup"), before);
}

#[test]
fn a_replaced_bot_costs_only_its_own_games() {
    let scratch = field();
    scratch.fast("last", "random");
    assert_eq!(again(&scratch), (4, 8));
    assert_eq!(scratch.attempts("results/cup", "valid"), 20);
    assert_as_from_the_start(&scratch);
    scratch.fast("last", "last");
    assert_eq!(again(&scratch), (12, 0));
}

#[test]
fn an_added_bot_costs_only_its_own_games() {
    let scratch = field();
    scratch.fast("added", "random");
    assert_eq!(again(&scratch), (12, 12));
    assert_as_from_the_start(&scratch);
}

#[test]
fn a_removed_bot_leaves_its_games_in_the_store_and_out_of_the_standings() {
    let scratch = field();
    fs::remove_dir_all(scratch.path("own/last")).expect("removes");
    assert_eq!(again(&scratch), (4, 0));
    assert_eq!(bots(&scratch), ["dice", "first"]);
    assert_eq!(scratch.attempts("results/cup", "valid"), 12);
    assert_as_from_the_start(&scratch);
    scratch.fast("last", "last");
    assert_eq!(again(&scratch), (12, 0));
    assert_eq!(bots(&scratch), ["dice", "first", "last"]);
}

#[test]
fn more_pairs_add_games_and_fewer_hide_them() {
    let scratch = field();
    scratch.write("cup.toml", patient(3));
    assert_eq!(again(&scratch), (12, 6));
    assert_as_from_the_start(&scratch);
    scratch.write("cup.toml", patient(1));
    assert_eq!(again(&scratch), (6, 0));
    assert_eq!(scratch.column("results/cup/games.csv", "id").len(), 6);
    assert_eq!(scratch.attempts("results/cup", "valid"), 18);
}

#[test]
fn changed_rules_limits_and_seed_are_refused_by_their_keys() {
    let scratch = field();
    let file = patient(2)
        .replace("seed = 7", "seed = 8")
        .replace("'coloured-awale'", "'coloured-awale'\nboth_40 = 'off'")
        .replace("plies = 120", "plies = 100\nmargin = '20ms'\n[sandbox]\nmemory = '1GiB'");
    scratch.write("cup.toml", file);
    let before = scratch.timeless("results/cup");
    let ran = scratch.run("run cup.toml");
    insta::assert_snapshot!(ran.all(), @r#"
    exit 2
    --- stderr
    error: results/cup was played under other rules: game (coloured-awale@1 there, coloured-awale,both_40=off@1 now), clock.margin, clock.plies, sandbox.memory, seed (7 there, 8 now); change them back, or start beside it with --fresh
    "#);
    assert_eq!(scratch.timeless("results/cup"), before);
    scratch.run("run cup.toml --fresh -q").done();
    assert_eq!(scratch.column("results/cup-2/games.csv", "id").len(), 12);
    scratch.run("run cup.toml --fresh -q").done();
    scratch.assert_same("results/cup-2", "results/cup-3");
    assert_eq!(scratch.timeless("results/cup"), before);
}

#[test]
fn a_match_writes_the_file_that_plays_the_same() {
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first");
    let args = "match own/dice own/first --pairs 3 --seed 5 --per-move 20s --name duel -q";
    scratch.run(args).done();
    scratch.run("run results/duel/tournament.toml --out again -q").done();
    scratch.assert_same("results/duel", "again/tournament");
    assert_eq!(scratch.column("results/duel/games.csv", "id").len(), 6);
}
