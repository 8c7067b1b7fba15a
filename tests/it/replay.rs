//! `pitmaster replay` from outside, on results of `match`.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::Child;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::scratch::Scratch;

/// Plays one pair between the two bots to `results/m`. Returns the ids of its games.
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
    let head = head.replace(", [time] CPU on the opponent's turns", "");
    insta::assert_snapshot!(head, @"
    game [id]: coloured-awale@1, pair 1, seed [id]
    random-python (player 2) won: crash-at-move-3 (player 1) forfeited: it exited with code 3
    player 1  crash-at-move-3 ([hash]): 2 moves in [time], longest [time], CPU [time]
    player 2  random-python ([hash]): 2 moves in [time], longest [time], CPU [time]

    evidence against crash-at-move-3 (player 1)
      judged [time] after the start
      process  exited with code 3
    ");
}

#[test]
fn the_whole_record_is_json() {
    let (scratch, ids) = matched("bots/random-python bots/hostile/illegal-move");
    let ran = scratch.run(&format!("replay results/m {} --json", ids[0])).done();
    let record: pitmaster::core::Record =
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

/// A terminal on which the binary runs.
struct Terminal {
    screen: File,
    program: Child,
}

impl Terminal {
    fn run(scratch: &Scratch, args: &str) -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("its other end");
        let name = ptsname(&ours, Vec::new()).expect("its name").into_string().expect("UTF-8");
        let theirs = File::options().read(true).write(true).open(name).expect("it opens");
        let mut command = scratch.command(args);
        command.env("NO_COLOR", "1").stdin(theirs.try_clone().expect("a handle")).stdout(theirs);
        Self { screen: File::from(ours), program: command.spawn().expect("it starts") }
    }

    /// Presses a key.
    fn press(&mut self, key: &[u8]) {
        self.screen.write_all(key).expect("a key");
    }

    /// Output up to these words, or all.
    fn until(&mut self, words: &str) -> String {
        let (mut shown, mut byte) = (Vec::new(), [0]);
        // Linux ends a terminal whose other end is gone with an error.
        while !shown.ends_with(words.as_bytes()) && self.screen.read(&mut byte).is_ok_and(|n| n > 0)
        {
            shown.push(byte[0]);
        }
        String::from_utf8(shown).expect("UTF-8").replace("\r\n", "\n")
    }

    fn end(mut self) {
        assert!(self.program.wait().expect("it ends").success());
    }
}

#[test]
fn keys_step_through_a_game_on_a_terminal() {
    let (scratch, ids) = matched("bots/greedy-python bots/random-python");
    let moves = scratch.run(&format!("replay results/m {} --moves", ids[0])).done().stdout;
    let moves: Vec<_> = moves.lines().collect();
    let mut terminal = Terminal::run(&scratch, &format!("replay results/m {}", ids[0]));
    let start = terminal.until("q: quit");
    assert!(start.starts_with("\x1b[2J\x1b[H") && start.contains("\nowner "), "{start}");
    assert!(!start.contains("  1  player "), "{start}");
    let last = moves.len();
    for (key, ply) in [("n", 1), (" ", 2), ("\x1b[D", 1), ("G", last), ("2", last), ("\r", 2)] {
        terminal.press(key.as_bytes());
        let page = terminal.until("q: quit");
        let line = format!("{ply:>3}  player ");
        let line = page.lines().find(|at| at.starts_with(&line)).expect(&page);
        assert!(line.contains(&format!("  {} ", moves[ply - 1])), "{line}");
    }
    terminal.press(b"q");
    terminal.until("nothing more");
    terminal.end();
    let mut terminal = Terminal::run(&scratch, &format!("replay results/m {} --all", ids[0]));
    let shown = terminal.until("nothing more");
    assert!(
        !shown.contains("\x1b[2J") && shown.contains(&format!("{last:>3}  player ")),
        "{shown}"
    );
    terminal.end();
}
