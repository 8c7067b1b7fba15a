//! `pitmaster play` from outside.

use crate::scratch::{Ran, Scratch};

/// Limits that no slow machine exceeds.
const PATIENT: &str = "--per-move 1m --per-game 10m --show nothing";

fn play(args: &str) -> Ran {
    Scratch::new().run(&format!("play {args} {PATIENT}"))
}

/// Text below the moves, without the parts that depend on the machine's load.
fn ending(ran: &Ran) -> String {
    let (_, ending) = ran.stdout.split_once("\n\n").expect("a blank line before the end");
    let ending = ending.replace(", [time] CPU on the opponent's turns", "");
    // Whoever is slow to go by itself is ended.
    ending.replace("  process  exited with code 0\n", "")
}

#[test]
fn a_game_is_played_to_its_end() {
    let ran = play("bots/greedy-python bots/random-python --seed 3").done();
    // Which moves are played follows from the bots' hashes.
    let head = "greedy-python (player 1) against random-python (player 2): coloured-awale, seed 3\n  \
        1  player 1  greedy-python  ";
    assert!(ran.stdout.starts_with(head), "{}", ran.stdout);
    let ending = ending(&ran);
    assert!(ending.lines().next().is_some_and(|line| line.contains(" by the rules (")), "{ending}");
    for seat in ["player 1  greedy-python ([hash]): ", "player 2  random-python ([hash]): "] {
        assert!(ending.contains(&format!("\n{seat}")), "{ending}");
    }
}

#[test]
fn the_board_is_drawn_after_every_ply() {
    let scratch = Scratch::new();
    let ran = scratch.run("play bots/random-python bots/random-python --per-move 1m").done();
    let plies = ran.stdout.lines().filter(|line| line.contains("  random-python  ")).count();
    assert!(plies > 20, "{}", ran.stdout);
    let boards = ran.stdout.lines().filter(|line| line.starts_with("owner ")).count() / 2;
    assert_eq!(boards, plies + 1, "{}", ran.stdout);
    assert!(ran.stdout.contains(" to move\n\n  1  player 1  "), "{}", ran.stdout);
}

#[test]
fn the_game_is_the_first_of_a_match_with_that_seed() {
    let scratch = Scratch::new();
    let bots = "bots/greedy-python bots/random-python --per-move 1m --per-game 10m --seed 5";
    let played = scratch.run(&format!("play {bots} --show nothing")).done().stdout;
    scratch.run(&format!("match {bots} --pairs 1 --name m --quiet")).done();
    let moves = scratch.read("results/m/moves.jsonl");
    let first: serde_json::Value =
        serde_json::from_str(moves.lines().next().expect("a game")).expect("JSON");
    let texts = first["moves"].as_array().expect("a list").iter().filter_map(|text| text.as_str());
    let shown = played.lines().skip(1).filter_map(|line| line.split_ascii_whitespace().nth(4));
    let shown: Vec<_> = shown.take(texts.clone().count()).collect();
    assert_eq!(shown, texts.collect::<Vec<_>>());
}

#[test]
fn a_forfeit_is_an_ending_with_evidence() {
    insta::assert_snapshot!(ending(&play("bots/random-python bots/hostile/illegal-move").done()), @r#"
    random-python (player 1) won: illegal-move (player 2) forfeited: illegal move: hole 1 is player 1's
    player 1  random-python ([hash]): 1 move in [time], longest [time], CPU [time]
    player 2  illegal-move ([hash]): 0 moves in [time], longest [time], CPU [time]

    evidence against illegal-move (player 2)
      judged [time] after the start
      line     "1R"
    "#);
    insta::assert_snapshot!(ending(&play("bots/hostile/crash-at-move-3 bots/random-python").done()), @"
    random-python (player 2) won: crash-at-move-3 (player 1) forfeited: it exited with code 3
    player 1  crash-at-move-3 ([hash]): 2 moves in [time], longest [time], CPU [time]
    player 2  random-python ([hash]): 2 moves in [time], longest [time], CPU [time]

    evidence against crash-at-move-3 (player 1)
      judged [time] after the start
      process  exited with code 3
    ");
    insta::assert_snapshot!(ending(&play("bots/hostile/not-utf8 bots/random-python").done()), @r#"
    random-python (player 2) won: not-utf8 (player 1) forfeited: a line that is not UTF-8
    player 1  not-utf8 ([hash]): 0 moves in [time], longest [time], CPU [time]
    player 2  random-python ([hash]): 0 moves in [time], longest [time], CPU [time]

    evidence against not-utf8 (player 1)
      judged [time] after the start
      line     "\xff\xfe1R"
    "#);
}

#[test]
fn the_limits_that_are_given_hold() {
    let scratch = Scratch::new();
    let silent = scratch.bot("silent", "arena", "import time\ntime.sleep(600)\n");
    let ran =
        scratch.run(&format!("play {silent} bots/random-python --per-game 300ms --show nothing"));
    insta::assert_snapshot!(ending(&ran.done()), @"
    a draw at 0 to 0: game time over; decided by score
    player 1  silent ([hash]): 0 moves in [time], longest [time], CPU [time]
    player 2  random-python ([hash]): 0 moves in [time], longest [time], CPU [time]
    ");
}

#[test]
fn nothing_that_a_bot_writes_reaches_the_terminal() {
    let scratch = Scratch::new();
    let noisy = "import sys\n\
        sys.stderr.write('\\x1b[2J</script>\\u202e\\n')\n\
        sys.stderr.flush()\n\
        print('\\x1b]0;title\\x07', flush=True)\n";
    let noisy = scratch.bot("noisy", "arena", noisy);
    let ran = scratch.run(&format!("play {noisy} bots/random-python {PATIENT}")).done();
    let is_plain = |c: char| c == '\n' || !c.is_control();
    assert!(ran.stdout.chars().chain(ran.stderr.chars()).all(is_plain), "{}", ran.all());
    insta::assert_snapshot!(ending(&ran), @r#"
    random-python (player 2) won: noisy (player 1) forfeited: a line that is not exactly one move
    player 1  noisy ([hash]): 0 moves in [time], longest [time], CPU [time]
    player 2  random-python ([hash]): 0 moves in [time], longest [time], CPU [time]

    evidence against noisy (player 1)
      judged [time] after the start
      line     "\u{1b}]0;title\u{7}"
      stderr
        | \u{1b}[2J</script>\u{202e}
    "#);
}

#[test]
fn what_cannot_be_played_is_told_at_once() {
    let wrong = |args: &str| {
        let ran = play(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.all());
        ran.stderr
    };
    insta::assert_snapshot!(wrong("bots/nobody nowhere.py"), @"
    error: cannot read bots/nobody: No such file or directory (os error 2); check the path
    error: cannot read nowhere.py: No such file or directory (os error 2); check the path
    ");
    insta::assert_snapshot!(wrong("bots/hostile/windows-program bots/hostile/missing-tool"), @"
    error: windows-program: it would not start: a Windows program; build it for Linux; run was `./bot.exe {n}` in bots/hostile/windows-program
    error: missing-tool: it needs pitmaster-no-such-tool, which is not on this machine's PATH; install it
    ");
    insta::assert_snapshot!(wrong("house:randon bots/random-python"), @r#"error: there is no house bot "randon"; did you mean random?"#);
    insta::assert_snapshot!(wrong("bots/random-python bots/random-python --game chess"), @r#"error: there is no game "chess"; `pitmaster games` lists all"#);
}
