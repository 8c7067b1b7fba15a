//! Openings from outside: equal for every two bots, even if a run is interrupted.

use std::collections::{BTreeMap, BTreeSet};

use crate::contest::patient;
use crate::scratch::Scratch;

/// A bot of the contest that plays from the first of its holes that is not empty on its own board,
/// which starts from the standard layout.
const ARENA: &str =
    "import sys\nfor line in sys.stdin:\n    print(sys.argv[1] + 'R', flush=True)\n";

fn cup(pairs: u32, openings: &str) -> String {
    patient(pairs).replace("[bots]", &format!("[openings]\n{openings}\n[bots]"))
}

fn field(pairs: u32, openings: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first").fast("last", "last");
    scratch.write("cup.toml", cup(pairs, openings));
    scratch
}

/// Openings of every pair between two bots, by the number of the pair.
fn openings(scratch: &Scratch, results: &str) -> BTreeMap<String, BTreeSet<String>> {
    let games = format!("{results}/games.csv");
    let pairs = scratch.column(&games, "pair").into_iter();
    let mut openings: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for (pair, opening) in pairs.zip(scratch.column(&games, "opening")) {
        openings.entry(pair).or_default().insert(opening);
    }
    openings
}

#[test]
fn every_two_bots_get_the_same_ones_and_they_come_again() {
    let scratch = field(3, "plies = 4\ncount = 2");
    let ran = scratch.run("run cup.toml").done();
    assert!(
        ran.stderr.contains("\n2 openings for 3 pairs: they come again after pair 2\n"),
        "{}",
        ran.stderr
    );
    let openings = openings(&scratch, "results/cup");
    assert_eq!(openings.len(), 3);
    for opening in openings.values() {
        assert_eq!(opening.len(), 1, "{openings:?}");
        assert_eq!(opening.first().map(|text| text.split(' ').count()), Some(4), "{openings:?}");
    }
    assert_eq!(openings["1"], openings["3"]);
    assert_ne!(openings["1"], openings["2"]);
    let id = scratch.column("results/cup/games.csv", "id").swap_remove(0);
    let replayed = scratch.run(&format!("replay results/cup {id}")).done();
    let opening = openings["1"].first().expect("one");
    assert!(replayed.stdout.contains(&format!("opening {opening}\n")), "{}", replayed.stdout);
}

#[test]
fn on_any_lanes_and_after_a_kill_the_files_are_the_same() {
    let scratch = field(4, "plies = 3");
    scratch.run("run cup.toml --lanes 1 --out one -q").done();
    let mut run = scratch.start("run cup.toml --lanes 2 --out two");
    run.games(5);
    run.kill();
    scratch.run("run cup.toml --lanes 2 --out two -q").done();
    scratch.assert_same("one/cup", "two/cup");
    assert_eq!(scratch.attempts("two/cup", "valid"), 24);
    assert_eq!(scratch.attempts("two/cup", "void"), 0);
}

#[test]
fn chance_is_part_of_an_opening() {
    let scratch = field(2, "plies = 2");
    let file = cup(2, "plies = 2")
        .replace("'coloured-awale'", "'kalah'\nstart_pattern = 'RANDOM'\nnbr_start = 48");
    let ran = scratch.write("cup.toml", file).run("run cup.toml").done();
    assert!(!ran.stderr.contains("void"), "{}", ran.stderr);
    assert!(openings(&scratch, "results/cup").values().all(|opening| opening.len() == 1));
    for id in scratch.column("results/cup/games.csv", "id") {
        scratch.run(&format!("replay results/cup {id}")).done();
    }
}

#[test]
fn bots_of_contests_begin_at_the_plain_start_and_it_is_said_once() {
    let scratch = field(2, "plies = 4");
    scratch.bot("arena", "arena", ARENA);
    let ran = scratch.run("run cup.toml").done();
    let said: Vec<_> = ran.stderr.lines().filter(|line| line.contains("opening")).collect();
    insta::assert_snapshot!(said.join("\n"), @"1 of 4 bots speaks arena or course and cannot be told of an opening: all their games begin at the plain start; bots that always play the same repeat themselves there, and more pairs bring nothing new");
    let games = "results/cup/games.csv";
    let column = |name| scratch.column(games, name).into_iter();
    for ((one, two), opening) in column("bot1").zip(column("bot2")).zip(column("opening")) {
        assert_eq!(opening.is_empty(), one == "arena" || two == "arena", "{one} {two} {opening}");
    }
    // The standings read the same plan as the run.
    let standings = scratch.run("standings results/cup").done();
    assert!(ran.stdout.contains(standings.stdout.trim_end()), "{}", standings.stdout);
}

#[test]
fn mistakes_are_told_with_their_places() {
    let scratch = field(1, "file = 'book.txt'");
    scratch.write("book.txt", "# mine\n1R 2R\n1r 2r\n1X\n\n1R 1R\n");
    insta::assert_snapshot!(scratch.run("run cup.toml").all(), @r#"
    exit 2
    --- stderr
    error: cup.toml:13:1: openings.file: book.txt:3: it leads to the same position as line 2; leave one of them out
    error: cup.toml:13:1: openings.file: book.txt:4: step 1, "1X": a move is a hole from 1 to 16 and R, B, TR or TB, like 3R or 14TB
    error: cup.toml:13:1: openings.file: book.txt:6: step 2, "1R": not a legal move here
    "#);
    let fault =
        |openings: &str| scratch.write("cup.toml", cup(1, openings)).run("run cup.toml").all();
    insta::assert_snapshot!(fault("file = 'nowhere.txt'"), @"
    exit 2
    --- stderr
    error: cup.toml:13:1: openings.file: nowhere.txt: it cannot be read (No such file or directory (os error 2)); check the path
    ");
    insta::assert_snapshot!(fault("file = 'book.txt'\nplies = 4"), @"
    exit 2
    --- stderr
    error: cup.toml:15:9: openings.plies: it is for random openings, and here is a file; leave one of them out
    ");
    insta::assert_snapshot!(fault("count = 4"), @r#"
    exit 2
    --- stderr
    error: cup.toml:13:1: openings: nothing says which; write plies = 4, or file = "openings.txt"
    "#);
    insta::assert_snapshot!(fault("plies = 120\nlength = 3"), @"
    exit 2
    --- stderr
    error: cup.toml:14:9: openings.plies: 120 cannot stand here; write a whole number from 1 to 100
    error: cup.toml:15:1: openings.length: there is no such key; [openings] has plies, count, file
    ");
    insta::assert_snapshot!(fault("plies = 1\ncount = 500"), @"
    exit 2
    --- stderr
    error: cup.toml:13:1: openings: of 1 random plies there are 22 different openings that leave neither side far ahead, not 500; write count = 22, or more plies
    ");
}

#[test]
fn a_file_beside_the_tournaments_is_read() {
    let scratch = field(2, "");
    let file = cup(2, "file = 'book.txt'");
    scratch.write("cups/cup.toml", file.replace("own/*", "../own/*"));
    scratch.write("cups/book.txt", "1r 2r\n3tb 4b # a good one\n");
    scratch.run("run cups/cup.toml -q").done();
    let found: Vec<_> = openings(&scratch, "results/cup").into_values().flatten().collect();
    assert_eq!(found, ["1R 2R", "3TB 4B"]);
}

#[test]
fn what_was_played_keeps_its_openings() {
    let scratch = field(2, "plies = 4");
    scratch.run("run cup.toml -q").done();
    scratch.write("cup.toml", cup(3, "plies = 4"));
    let mut run = scratch.start("run cup.toml");
    assert_eq!((run.started(), run.games(usize::MAX)), (12, 6));
    run.end(&scratch);
    let refused = scratch.write("cup.toml", cup(3, "plies = 3")).run("run cup.toml").all();
    insta::assert_snapshot!(refused, @"
    exit 2
    --- stderr
    error: results/cup was played under other rules: openings (3 there, others now); change them back, or start beside it with --fresh
    ");
    let refused = scratch.write("cup.toml", patient(3)).run("run cup.toml").all();
    insta::assert_snapshot!(refused, @"
    exit 2
    --- stderr
    error: results/cup was played under other rules: openings (3 there, none now); change them back, or start beside it with --fresh
    ");
}

#[test]
fn a_match_and_a_game_can_have_one() {
    let scratch = field(1, "");
    let bots = "own/dice own/first --per-move 1m --per-game 10m";
    scratch.run(&format!("match {bots} --pairs 2 --openings 3 --name m -q")).done();
    assert!(openings(&scratch, "results/m").values().all(|pair| pair.len() == 1));
    scratch.write("book.txt", "1R 2R\n");
    let ran = scratch.run(&format!("match {bots} --pairs 2 --openings book.txt --name f")).done();
    assert!(ran.stderr.contains("1 opening for 2 pairs"), "{}", ran.stderr);
    let play = |bot: &str, opening: &str| {
        scratch.run_with(&["play", "own/dice", bot, "--show", "nothing", "--opening", opening])
    };
    let ran = play("own/first", " 1r 2tb ").done();
    let moves: Vec<_> = ran.stdout.lines().skip(1).take(2).collect();
    insta::assert_snapshot!(scratch.redact(&moves.join("\n")), @"
    1  player 1  dice   1R [time]
    2  player 2  first  2TB [time]
    ");
    let arena = scratch.bot("arena", "arena", ARENA);
    let ran = [play("own/first", "1R 1R"), play(&arena, "1R 2R")].map(|ran| {
        let said = ran.all();
        said.lines().filter(|line| line.starts_with("error")).map(str::to_owned).collect::<String>()
    });
    insta::assert_snapshot!(ran.join("\n"), @r#"
    error: --opening: step 2, "1R": not a legal move here
    error: arena uses the dialect arena, which has no openings; leave --opening out
    "#);
}
