//! People at `pitmaster play`, by their input.

use std::io::Write as _;
use std::process::Stdio;

use crate::scratch::{Ran, Scratch};

/// Output for these input lines, followed by the end of the input.
fn typed(scratch: &Scratch, args: &str, lines: &str) -> Ran {
    let mut command = scratch.command(&format!("play {args}"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut play = command.spawn().expect("it starts");
    let mut input = play.stdin.take().expect("a pipe");
    // It may have ended at once.
    let _ = input.write_all(lines.as_bytes());
    drop(input);
    scratch.ran(play.wait_with_output().expect("it ends"))
}

/// A deterministic opponent.
const AGAINST: &str = "human house:expert,nodes=500 --in-process --game kalah";

#[test]
fn a_person_asks_errs_moves_takes_back_and_leaves() {
    let scratch = Scratch::new();
    let lines = "?\nhelp\nback\nseven\n8\n\n3\nboard\n1\nback\nmoves\ntime\nquit\n";
    let ran = typed(&scratch, &format!("{AGAINST} --show nothing"), lines).done();
    insta::assert_snapshot!(ran.stdout, @r#"
    human (player 1) against house-expert-nodes-500 (player 2): kalah, seed 1
    player 1, your move, ? for help: legal moves: 1 2 3 4 5 6
    player 1, your move, ? for help: type a move or a command:
      ?      lists the legal moves
      board  shows the board
      time   shows the time left
      back   takes back your last move and all later ones
      help   shows this list
      quit   leaves the game
    player 1, your move, ? for help: you have not moved yet
    player 1, your move, ? for help: "seven": a move is a hole from 1 to 12, or one of the words that are listed (pass, swap, fill=1:4,2:4, own=3,5, s2); ? lists the legal moves, help shows more
    player 1, your move, ? for help: "8": not a legal move here; ? lists the legal moves, help shows more
    player 1, your move, ? for help: player 1, your move, ? for help:   1  player 1  human                   3 [time]
    player 1, your move, ? for help:          12    11    10     9     8     7
           +-----+-----+-----+-----+-----+-----+
           |  4  |  4  |  4  |  4  |  4  |  4  |
         0 +-----+-----+-----+-----+-----+-----+    1
           |  4  |  4  |  0  |  5  |  5  |  5  |
           +-----+-----+-----+-----+-----+-----+
              1     2     3     4     5     6
    player 1, your move, ? for help:   2  player 1  human                   1 [time]
      3  player 2  house-expert-nodes-500  9 [time]
      4  player 2  house-expert-nodes-500  12 [time]
    player 1, your move, ? for help: back to the position after 1 ply
      1  player 1  human                   3 [time]
    player 1, your move, ? for help: legal moves: 1 2 4 5 6
    player 1, your move, ? for help: no time limit
    player 1, your move, ? for help: 
    game abandoned after 1 ply
    "#);
    assert_eq!(ran.stderr, "");
}

/// The end of the input is the same as `quit`.
#[test]
fn a_person_who_is_gone_has_left() {
    let scratch = Scratch::new();
    let ran = typed(&scratch, &format!("{AGAINST} --show nothing"), "3\n1\n").done();
    assert!(
        ran.stdout.ends_with(", ? for help: \ngame abandoned after 4 plies\n"),
        "{}",
        ran.stdout
    );
    let ran = typed(&scratch, &format!("{AGAINST} --show nothing"), "").done();
    assert!(ran.stdout.ends_with("\ngame abandoned after 0 plies\n"), "{}", ran.stdout);
}

/// A whole game of the first moves that `?` lists.
#[test]
fn two_people_play_to_the_end() {
    let scratch = Scratch::new();
    let game = "kalah,holes=2,seeds=1";
    let ran = typed(&scratch, &format!("human human --game {game} --plain"), "1\n3\n2\n4\n").done();
    insta::assert_snapshot!(ran.stdout, @"
    human (player 1) against human (player 2): kalah,holes=2,nbr_start=1, seed 1
    player 1, your move, ? for help: 1. human (player 1) plays 1, sows 1 seed. The score is 0 to 0.
    player 2, your move, ? for help: 2. human (player 2) plays 3, sows 1 seed. The score is 0 to 0.
    player 1, your move, ? for help: 3. human (player 1) plays 2, sows 2 seeds. The score is 1 to 3.

    human (player 2) won 3 to 1 by the rules (seeds)
    player 1  human ([hash]): 2 moves in [time], longest [time], CPU [time]
    player 2  human ([hash]): 1 move in [time], longest [time], CPU [time]
    ");
}

#[test]
fn a_clock_runs_for_people_where_one_is_asked_for() {
    let scratch = Scratch::new();
    let ran = typed(&scratch, &format!("{AGAINST} --per-move 1h --show nothing"), "time\n").done();
    let asked = "player 1, your move ([time] left), ? for help: ";
    assert!(ran.stdout.contains(&format!("{asked}[time] left\n{asked}")), "{}", ran.stdout);
    // Nobody types, and nobody leaves: the input stays open.
    let mut command = scratch.command(&format!("play {AGAINST} --per-move 50ms --show nothing"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut play = command.spawn().expect("it starts");
    let input = play.stdin.take().expect("a pipe");
    let ran = scratch.ran(play.wait_with_output().expect("it ends"));
    drop(input);
    assert!(ran.stdout.contains("human (player 1) forfeited: "), "{}", ran.stdout);
}

#[test]
fn who_cannot_be_told_cannot_be_taken_back() {
    let scratch = Scratch::new();
    let other = scratch.bot(
        "deaf",
        "arena",
        "import sys\nfor line in sys.stdin:\n    print('2R', flush=True)\n",
    );
    let ran = typed(&scratch, &format!("human {other} --show nothing"), "1R\nback\nquit\n").done();
    let told = "deaf uses the dialect arena, which cannot go back; start another game\n";
    assert!(ran.stdout.contains(told), "{}", ran.stdout);
}

#[test]
fn what_bots_think_is_shown_on_asking() {
    let scratch = Scratch::new();
    let args = format!("{AGAINST} --show info");
    let ran = typed(&scratch, &args, "3\n1\nquit\n").done();
    let thought = "house-expert-nodes-500 (player 2) said \"depth ";
    assert!(ran.stdout.contains(thought), "{}", ran.stdout);
    assert!(!ran.stdout.contains("+-----+"), "{}", ran.stdout);
}

#[test]
fn a_sentence_a_move_has_no_drawing() {
    let scratch = Scratch::new();
    let ran = scratch.run("play house:greedy house:random --plain --seed 4 --in-process").done();
    let lines: Vec<_> = ran.stdout.lines().collect();
    insta::assert_snapshot!(lines[1..4].join("\n"), @"
    1. house-greedy (player 1) plays 13TB, sows 4 seeds. The score is 0 to 0.
    2. house-random (player 2) plays 10TR, sows 4 seeds. The score is 0 to 0.
    3. house-greedy (player 1) plays 7B, sows 2 seeds, captures 3. The score is 3 to 0.
    ");
    assert!(ran.stdout.is_ascii());
}

#[test]
fn ascii_is_ascii() {
    let scratch = Scratch::new();
    let args = "play house:greedy house:random --game isholo-1 --seed 4 --in-process";
    assert!(!scratch.run(args).done().stdout.is_ascii());
    assert!(scratch.run(&format!("{args} --ascii")).done().stdout.is_ascii());
}

#[test]
fn what_bots_write_to_standard_error_is_shown_on_asking() {
    let scratch = Scratch::new();
    let bot = "import sys\nfor line in sys.stdin:\n    word, *rest = line.split()\n    \
               if word in ('pitmaster', 'newgame'): print('ready', flush=True)\n    \
               if word == 'moves': first = rest[0]\n    \
               if word == 'go':\n        print('I think', first, file=sys.stderr)\n        \
               print('move', first, flush=True)\n";
    let loud = scratch.bot("loud", "pitmaster", bot);
    let args = format!("play {loud} house:random --per-move 1m");
    let quiet = scratch.run(&format!("{args} --show nothing")).done().stdout;
    assert!(!quiet.contains("I think"), "{quiet}");
    let shown = scratch.run(&format!("{args} --show stderr")).done().stdout;
    let moves = shown.lines().filter(|line| line.contains("  player 1  loud  ")).count();
    let told = shown.lines().filter(|line| line.starts_with("     loud | I think ")).count();
    assert!(moves > 5 && moves == told, "{shown}");
}
