//! `pitmaster replay` from outside, on results that `match` left.

use std::fs::File;
use std::io::{Read as _, Write as _};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::scratch::Scratch;

/// One pair of the two, in `results/m`; the ids of its games.
fn matched(bots: &str) -> (Scratch, Vec<String>) {
    let scratch = Scratch::new();
    let limits = "--per-move 1m --per-game 10m";
    scratch.run(&format!("match {bots} --pairs 1 --name m --quiet {limits}")).done();
    let games = scratch.read("results/m/moves.jsonl");
    let id = |line: &str| {
        let game: serde_json::Value = serde_json::from_str(line).expect("JSON");
        game["id"].as_str().expect("a text").to_owned()
    };
    let ids = games.lines().map(id).collect();
    (scratch, ids)
}

#[test]
fn every_game_of_a_match_agrees_with_the_rules() {
    let (scratch, ids) = matched("bots/greedy-python bots/random-python");
    assert_eq!(ids.len(), 2);
    for id in &ids {
        let ran = scratch.run(&format!("replay results/m {id}")).done();
        assert_eq!(ran.stderr, "");
        let moves = scratch.run(&format!("replay results/m {id} --moves")).done().stdout;
        let boards = ran.stdout.lines().filter(|line| line.starts_with("owner ")).count() / 2;
        assert_eq!(boards, moves.lines().count() + 1);
        let last = scratch.run(&format!("replay results/m {id} --ply {}", boards - 1)).done();
        assert!(ran.stdout.ends_with(&last.stdout), "{}", last.stdout);
    }
    let ambiguous = scratch.run_with(&["replay", "results/m", ""]);
    assert_eq!(ambiguous.code, Some(2));
    assert!(ambiguous.stderr.contains("greedy-python against random-python, pair 1, rules:"));
}

#[test]
fn a_forfeit_is_shown_with_its_evidence() {
    let (scratch, ids) = matched("bots/random-python bots/hostile/crash-at-move-3");
    let ran = scratch.run(&format!("replay results/m {}", ids[0])).done();
    let (head, _) = ran.stdout.split_once("\nhole ").expect("a board");
    let head = head.replace(", and [time] CPU in the opponent's turns", "");
    insta::assert_snapshot!(head, @"
    game [id]: coloured-awale@1, pair 1, seed [id]
    random-python (player 2) won: crash-at-move-3 (player 1) forfeited: it exited with code 3
    player 1  crash-at-move-3 ([hash]): 2 moves in [time], the longest [time], CPU [time]
    player 2  random-python ([hash]): 2 moves in [time], the longest [time], CPU [time]

    evidence against crash-at-move-3 (player 1)
      judged [time] after the start
      process  exited with code 3
    ");
}

#[test]
fn the_whole_record_is_json() {
    let (scratch, ids) = matched("bots/random-python bots/hostile/illegal-move");
    let ran = scratch.run(&format!("replay results/m {} --json", ids[0])).done();
    let record: pitmaster::record::Record =
        serde_json::from_slice(&ran.raw.stdout).expect("a record");
    assert_eq!(record.id().as_str(), ids[0]);
    assert_eq!(record.ending.name(), "illegal-move");
}

#[test]
fn a_folder_without_results_is_told() {
    let ran = Scratch::new().run("replay results/nothing 4a");
    insta::assert_snapshot!(ran.all(), @"
    exit 2
    --- stderr
    error: there are no results in results/nothing; check the path, or play the tournament first
    ");
}

/// What a terminal shows while these keys are pressed, from the start to the end of the program.
fn pressed(scratch: &Scratch, args: &str, keys: &[u8]) -> String {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("its other end");
    let name = ptsname(&ours, Vec::new()).expect("its name").into_string().expect("UTF-8");
    let theirs = File::options().read(true).write(true).open(name).expect("it opens");
    let mut command = scratch.command(args);
    command.env("NO_COLOR", "1").stdin(theirs.try_clone().expect("a handle")).stdout(theirs);
    let mut replay = command.spawn().expect("it starts");
    // The handles of this end have to go, or the terminal would never be at its end.
    drop(command);
    let mut terminal = File::from(ours);
    terminal.write_all(keys).expect("keys");
    let mut shown = Vec::new();
    // Linux ends a terminal whose other end is gone with an error.
    let _ = terminal.read_to_end(&mut shown);
    assert!(replay.wait().expect("it ends").success());
    String::from_utf8(shown).expect("UTF-8").replace("\r\n", "\n")
}

#[test]
fn keys_step_through_a_game_on_a_terminal() {
    let (scratch, ids) = matched("bots/greedy-python bots/random-python");
    let moves = scratch.run(&format!("replay results/m {} --moves", ids[0])).done().stdout;
    let moves: Vec<_> = moves.lines().collect();
    let shown = pressed(&scratch, &format!("replay results/m {}", ids[0]), b"nn\x1b[DGq");
    let pages: Vec<_> = shown.split("\x1b[2J\x1b[H").skip(1).collect();
    // All keys may come in one read: only the last page is sure to be shown, and the first.
    let has = |page: &str, ply: usize| {
        let line = format!("{ply:>3}  player ");
        page.lines()
            .any(|at| at.starts_with(&line) && at.contains(&format!("  {} ", moves[ply - 1])))
    };
    assert!(pages[0].contains("→ n space: next") && pages[0].contains("owner "), "{shown}");
    assert!(!pages[0].contains("  1  player "), "{shown}");
    assert!(pages.len() == 1 || has(pages[1], 1) || has(pages[1], 2), "{shown}");
    let shown = pressed(&scratch, &format!("replay results/m {} --all", ids[0]), b"");
    assert!(!shown.contains("\x1b[2J") && has(&shown, moves.len()), "{shown}");
}
