//! `pitmaster merge` from outside: combines shares of one tournament.

use std::fs;
use std::process::Command;

use crate::contest::{patient, tournament};
use crate::scratch::Scratch;

/// A complete tournament of twelve games in `results/cup`, and two shares of it in `a/cup` and
/// `b/cup`, of eight and six games, two of which are in both.
fn shares() -> Scratch {
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first").fast("last", "last");
    scratch.write("cup.toml", patient(2)).run("run cup.toml -q").done();
    scratch.share("a", "number > 8").share("b", "number <= 6");
    scratch
}

impl Scratch {
    /// A copy of the complete tournament without some attempts.
    fn share(&self, name: &str, without: &str) -> &Self {
        let database = fs::read(self.path("results/cup/tournament.db")).expect("reads");
        self.write(&format!("{name}/cup/tournament.db"), database);
        self.change(&format!("{name}/cup"), &format!("DELETE FROM attempts WHERE {without}"))
    }

    fn change(&self, results: &str, sql: &str) -> &Self {
        let path = self.path(&format!("{results}/tournament.db"));
        let database = rusqlite::Connection::open(path).expect("opens");
        database.execute_batch(sql).expect(sql);
        drop(database);
        self.sum_up_anew(results)
    }
}

#[test]
fn shares_become_the_whole_to_the_byte() {
    let scratch = shares();
    let databases =
        || ["a", "b"].map(|name| fs::read(scratch.path(&format!("{name}/cup/tournament.db"))));
    let before = databases().map(|bytes| bytes.expect("reads"));
    let ran = scratch.run("merge whole/cup a/cup b/cup").done();
    insta::assert_snapshot!(ran.stdout.lines().take(3).collect::<Vec<_>>().join("\n"), @"
    Merged into whole/cup
      a/cup: 8 games
      b/cup: 4 games, 2 already known
    ");
    scratch.assert_same("results/cup", "whole/cup");
    assert_eq!(scratch.attempts("whole/cup", "valid"), 12);
    // Merging again changes nothing, and shares are only read.
    let again = scratch.run("merge whole/cup b/cup a/cup").done();
    assert!(again.stdout.contains("  a/cup: 0 games, 8 already known"), "{}", again.stdout);
    scratch.assert_same("results/cup", "whole/cup");
    assert_eq!(scratch.attempts("whole/cup", "surplus"), 0);
    assert_eq!(databases().map(|bytes| bytes.expect("reads")), before);
    // It is a tournament that is complete.
    scratch.run("run cup.toml --out whole -q").done();
    assert_eq!(scratch.attempts("whole/cup", "valid"), 12);
}

#[test]
fn what_is_missing_is_told_and_played() {
    let scratch = shares();
    let ran = scratch.run("merge whole/cup a/cup");
    assert_eq!(ran.code, Some(4), "{}", ran.all());
    insta::assert_snapshot!(ran.stderr, @"error: 4 of 12 games are missing; merge the shares that hold them, or play them here with `pitmaster run cup.toml --out whole`, where cup.toml is the tournament file");
    assert_eq!(scratch.column("whole/cup/games.csv", "id").len(), 8);
    scratch.run("run cup.toml --out whole -q").done();
    scratch.assert_same("results/cup", "whole/cup");
    // What was begun by `run` can be merged into.
    scratch.run("merge whole/cup b/cup").done();
    scratch.assert_same("results/cup", "whole/cup");
}

#[test]
fn a_game_that_was_played_otherwise_is_kept_beside_the_one_that_counts() {
    let scratch = shares();
    let swapped = "UPDATE attempts SET score1 = score1 + 1,
        ending_facts = json_set(ending_facts, '$.score', json_array(1, 2)) WHERE number = 7";
    scratch.change("b/cup", swapped);
    let ran = scratch.run("merge whole/cup a/cup b/cup").done();
    let told = "  b/cup: 4 games, 2 already known, 1 of them with other moves";
    assert!(ran.stdout.contains(told), "{}", ran.stdout);
    scratch.assert_same("results/cup", "whole/cup");
    scratch.run("merge whole/cup a/cup b/cup").done();
    assert_eq!(scratch.attempts("whole/cup", "surplus"), 1);
    assert_eq!(scratch.attempts("whole/cup", "valid"), 12);
}

#[test]
fn a_merge_that_finds_the_disk_full_goes_on_later() {
    let scratch = shares();
    let merge = format!(
        "ulimit -f 40; exec {} merge whole/cup a/cup b/cup",
        env!("CARGO_BIN_EXE_pitmaster")
    );
    let mut full = Command::new("bash");
    full.args(["-c", &merge]).current_dir(scratch.path(""));
    let ran = scratch.ran(full.output().expect("bash runs"));
    assert_eq!(ran.code, Some(4), "{}", ran.all());
    scratch.run("merge whole/cup a/cup b/cup").done();
    scratch.assert_same("results/cup", "whole/cup");
}

#[test]
fn other_tournaments_are_refused_by_what_differs() {
    let scratch = shares();
    let bots = "match house:random house:greedy --in-process --pairs 1 -q";
    scratch.run(&format!("{bots} --name one")).done();
    scratch.run(&format!("{bots} --name two --seed 2 --per-move 2s --openings 3")).done();
    scratch.run(&format!("{bots} --name kalah --game kalah")).done();
    scratch.write("other.toml", tournament(crate::contest::PATIENT, 3, "include = ['own/*']"));
    scratch.fast("last", "random").run("run other.toml -q").done();
    let said = [
        "whole results/one results/two results/kalah",
        "whole a/cup results/other",
        "results/one results/two",
    ]
    .map(|args| scratch.run(&format!("merge {args}")).all());
    insta::assert_snapshot!(said.concat(), @"
    exit 2
    --- stderr
    error: results/two is another tournament than results/one: clock.per_move, seed (1 there, 2 now), openings (none there, 1 now); only shares of one tournament can be merged
    error: results/kalah is another tournament than results/one: game (coloured-awale@1 there, kalah@1 now); only shares of one tournament can be merged
    exit 2
    --- stderr
    error: results/other is another tournament than a/cup: format, bot last (version a07d25f3 there, 98642082 now); only shares of one tournament can be merged
    exit 2
    --- stderr
    error: results/two is another tournament than results/one: clock.per_move, seed (1 there, 2 now), openings (none there, 1 now); only shares of one tournament can be merged
    ");
    assert!(!scratch.path("whole").exists());
}

#[test]
fn what_cannot_be_merged_is_told() {
    let scratch = shares();
    scratch.write("file", "").write("empty/readme", "");
    let said = ["whole own", "whole a/cup none", "file a/cup", "a/cup a/cup b/cup", "whole empty"]
        .map(|args| scratch.run(&format!("merge {args}")).all());
    insta::assert_snapshot!(said.concat(), @"
    exit 2
    --- stderr
    error: there are no results in own; check the path, or play the tournament first
    exit 2
    --- stderr
    error: there are no results in none; check the path, or play the tournament first
    exit 2
    --- stderr
    error: cannot use the folder file: File exists (os error 17); choose another, or look who may write there
    exit 2
    --- stderr
    error: a/cup cannot be a share of itself; leave it out once
    exit 2
    --- stderr
    error: there are no results in empty; check the path, or play the tournament first
    ");
    assert!(!scratch.path("whole").exists());
}

#[test]
fn a_share_can_be_merged_while_it_is_played() {
    let scratch = Scratch::new();
    scratch.gated(1);
    let run = scratch.start_to_the_gate();
    let ran = scratch.run("merge whole/cup results/cup");
    assert_eq!(ran.code, Some(4), "{}", ran.all());
    assert!(ran.stdout.contains("  results/cup: 2 games\n"), "{}", ran.all());
    scratch.open_gate();
    run.end(&scratch);
    scratch.run("merge whole/cup results/cup").done();
    scratch.assert_same("results/cup", "whole/cup");
}
