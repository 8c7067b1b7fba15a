//! `pitmaster tables` from outside, and players that use tables.

use std::fs;

#[cfg(feature = "cluster")]
use crate::contest::{PATIENT, tournament};
use crate::scratch::Scratch;

#[test]
fn a_table_is_made_verified_and_found_again() {
    let scratch = Scratch::new();
    let make = "tables oware --seeds 6 --out oware.table --verify 50";
    insta::assert_snapshot!(scratch.run(make).done().stdout, @"
    oware.table
    18564 positions with up to 6 seeds, 1 MiB
    14448 exact values, 2934 bounds, 1182 unreachable positions
    50 random positions searched without the table: 26 values proven, 24 within the bounds that the search found, 0 wrong
    ");
    let bytes = fs::read(scratch.path("oware.table")).expect("a table");
    let again = scratch.run("tables oware::6x6 --seeds 6 --out oware.table").done();
    assert!(again.stdout.starts_with("oware.table, made before\n"), "{}", again.stdout);
    scratch.run("tables oware --seeds 6 --out other.table --threads 2").done();
    assert_eq!(fs::read(scratch.path("other.table")).expect("a table"), bytes);
}

#[test]
fn a_damaged_table_is_made_anew_and_refused_by_players() {
    let scratch = Scratch::new();
    scratch.run("tables kalah --seeds 5 --out kalah.table").done();
    let whole = fs::read(scratch.path("kalah.table")).expect("a table");
    scratch.write("kalah.table", &whole[..whole.len() - 7]);
    let game = "match house:expert,nodes=500,tables=kalah.table house:random --pairs 1 --quiet";
    let refused = |game: &str| {
        let ran = scratch.run(game);
        assert_eq!(ran.code, Some(2), "{}", ran.all());
        ran.stderr
    };
    let faults = [
        refused(&format!("{game} --game kalah --name a")),
        refused(&format!("{game} --game coloured-awale --name b")),
    ];
    let anew = scratch.run("tables kalah --seeds 5 --out kalah.table").done();
    assert_eq!(fs::read(scratch.path("kalah.table")).expect("a table"), whole);
    let other = refused(&format!("{game} --game oware --name c"));
    insta::assert_snapshot!([&*faults[0], &faults[1], &anew.stderr].concat(), @"
    error: kalah.table: damaged or cut off; make it again with `pitmaster tables`
    error: kalah.table: there are no endgame tables for this game: it is not a two-row game
    kalah.table: damaged; making a new one
    ");
    assert!(other.contains("kalah.table: made for other rules (it differs in "), "{other}");
}

#[test]
fn wrong_values_in_a_table_are_counted() {
    let scratch = Scratch::new();
    scratch.run("tables kalah,holes=3 --seeds 6 --out x.table").done();
    // Every value of one more seed, with a valid checksum.
    let mut bytes = fs::read(scratch.path("x.table")).expect("a table");
    let (positions, length) = (924, bytes.len());
    for entry in bytes[length - 32 - 2 * positions..length - 32].as_chunks_mut().0 {
        let [low, high]: [u8; 2] = *entry;
        *entry = [low.wrapping_add(1), high.wrapping_add(1)];
    }
    let sum = blake3::hash(&bytes[..length - 32]);
    bytes[length - 32..].copy_from_slice(sum.as_bytes());
    scratch.write("x.table", bytes);
    let verify = "tables kalah,holes=3 --seeds 6 --out x.table --verify 10";
    let ran = scratch.run(verify);
    assert_eq!(ran.code, Some(1), "{}", ran.all());
    let wrong = ran.stderr.matches("wrong value: ").count();
    assert!(wrong > 5, "{}", ran.all());
    let line = format!(
        "10 random positions searched without the table: 0 values proven, {} within the bounds that \
         the search found, {wrong} wrong\n",
        10 - wrong
    );
    assert!(ran.stdout.ends_with(&line), "{}", ran.all());
}

#[test]
fn a_table_that_cannot_be_made_is_not_begun() {
    let scratch = Scratch::new();
    let refused = |args: &str| {
        let ran = scratch.run(&format!("tables {args}"));
        assert_eq!(ran.code, Some(2), "{}", ran.all());
        ran.stderr
    };
    let memory = refused("oware --memory 1000000TiB --out x.table");
    assert!(memory.contains(" MiB of memory available; ask for less with --memory"), "{memory}");
    let name = refused("oware --seeds 3 --out ..");
    assert_eq!(name, "error: ..: it names no file; name another file with --out\n");
    let folder = refused("oware --seeds 3 --out nowhere/x.table");
    assert!(folder.contains("nowhere/x.table: No such file or directory"), "{folder}");
    // Nothing is reachable with one seed, so there is nothing to verify.
    let none = scratch.run("tables oware,min_move=2 --seeds 1 --out y.table --verify 1").done();
    assert!(none.stdout.contains("\n0 random positions searched"), "{}", none.stdout);
}

#[test]
fn a_table_gets_the_name_that_was_given() {
    use std::os::unix::ffi::OsStrExt as _;

    let scratch = Scratch::new();
    let name = std::ffi::OsStr::from_bytes(b"k\xff.table");
    let mut command = scratch.command("tables kalah --seeds 3 --out");
    let ran = scratch.ran(command.arg(name).output().expect("the binary starts")).done();
    assert!(scratch.path("").join(name).is_file(), "{}", ran.all());
}

#[test]
fn the_largest_whole_table_of_the_folder_is_used() {
    let scratch = Scratch::new();
    let tables = scratch.path("cache").join("pitmaster").join("tables");
    fs::create_dir_all(&tables).expect("a folder");
    let with_cache = |args: &str| {
        let mut command = scratch.command(args);
        command.env("XDG_CACHE_HOME", scratch.path("cache"));
        scratch.ran(command.output().expect("the binary starts")).done()
    };
    for seeds in [4, 5, 6] {
        with_cache(&format!("tables kalah --seeds {seeds}"));
    }
    with_cache("tables oware --seeds 3");
    // The largest is damaged inside, the second is cut off.
    let edit = |seeds: u32, change: fn(&mut Vec<u8>)| {
        let path = tables.join(format!("kalah-{seeds}.table"));
        let mut bytes = fs::read(&path).expect("a table");
        change(&mut bytes);
        fs::write(path, bytes).expect("writes");
    };
    edit(6, |bytes| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
    });
    edit(5, |bytes| bytes.truncate(1000));
    fs::write(tables.join("other.table"), "something else").expect("writes");
    scratch.write("moves.txt", "3\n");
    let ran = with_cache("analyze moves.txt --game kalah --per-ply 1ms");
    assert!(ran.stdout.contains("endgame table up to 4 seeds"), "{}", ran.all());
    let mut lines: Vec<_> = ran.stderr.lines().collect();
    lines.sort_unstable();
    insta::assert_snapshot!(lines.join("\n"), @"
    [scratch]/cache/pitmaster/tables/kalah-5.table: damaged or cut off; make it again with `pitmaster tables`; skipping the file
    [scratch]/cache/pitmaster/tables/kalah-6.table: damaged or cut off; make it again with `pitmaster tables`; skipping the file
    [scratch]/cache/pitmaster/tables/other.table: not an endgame table; make one with `pitmaster tables`; skipping the file
    ");
    let none = with_cache("analyze moves.txt --game kalah --nodes 100");
    assert!(!none.stdout.contains("endgame table"), "{}", none.all());
}

#[test]
fn games_without_tables_say_why() {
    let scratch = Scratch::new();
    let why = |args: &str| {
        let ran = scratch.run(&format!("tables {args} --out x.table"));
        assert_eq!(ran.code, Some(2), "{}", ran.all());
        ran.stderr
    };
    let faults = [
        why("coloured-awale"),
        why("isholo-1"),
        why("congkak"),
        why("oware --memory 1KiB --seeds 6"),
        why("oware --memory 10B"),
    ];
    insta::assert_snapshot!(faults.concat(), @"
    error: there are no endgame tables for this game: coloured-awale ends with fewer than 10 seeds, and with 10 it has 43 billion positions, 5 GiB after symmetry, nearly all of them decided by the score already
    error: there are no endgame tables for this game: only two-row games have them
    error: there are no endgame tables for this game: it has mlaps=LAPPER
    error: a table of that many seeds takes 1 MiB; allow more with --memory, or ask for 3 seeds
    error: 10 bytes are too few for a table; allow more memory
    ");
    assert!(!scratch.path("x.table").exists());
}

#[test]
fn a_bot_with_a_table_plays_in_a_process_of_its_own() {
    let scratch = Scratch::new();
    scratch.run("tables kalah,holes=3 --seeds 18 --out kalah.table").done();
    // The table holds the whole game, so that the winner is known from the start.
    let game = "--game kalah,holes=3,seeds=3 --show info";
    let play = |how: &str| {
        let bots = "house:expert,nodes=2000,tables=kalah.table house:random";
        scratch.run(&format!("play {bots} {game} --per-move 1m --per-game 10m {how}")).done().stdout
    };
    for how in ["", "--in-process"] {
        let shown = play(how);
        let verdicts: Vec<_> =
            shown.lines().filter(|line| line.contains("(player 1 wins by")).collect();
        assert!(!verdicts.is_empty(), "{shown}");
    }
}

#[cfg(feature = "cluster")]
#[test]
fn a_bot_with_a_table_does_not_play_on_workers() {
    let scratch = Scratch::new();
    scratch.run("tables kalah --seeds 3 --out kalah.table").done();
    let bots = "include = ['house:expert,tables=kalah.table', 'house:random']";
    let cup = tournament(PATIENT, 1, bots).replace("coloured-awale", "kalah");
    let ran = scratch.write("cup.toml", cup).run("run cup.toml --cluster embedded");
    assert_eq!(ran.code, Some(2), "{}", ran.all());
    insta::assert_snapshot!(ran.stderr, @"error: house:expert,tables=kalah.table reads an endgame table of this machine, which workers do not have; leave the option tables out, or play without a cluster");
    assert!(!scratch.path("results").exists());
}

#[test]
fn an_analysis_uses_the_table_that_its_player_names() {
    let scratch = Scratch::new();
    scratch.run("tables kalah,holes=3 --seeds 18 --out kalah.table").done();
    scratch.write("moves.txt", "1 2 4\n");
    let analyze = "analyze moves.txt --game kalah,holes=3,seeds=3 --nodes 10";
    let without = scratch.run(analyze).done().stdout;
    assert!(!without.contains(" wins by "), "{without}");
    let with = scratch.run(&format!("{analyze} --player expert,tables=kalah.table")).done().stdout;
    insta::assert_snapshot!(with, @"
    kalah,holes=3,nbr_start=3: player 1 (player 1) against player 2 (player 2)
    analyzed by house:expert,tables=kalah.table, 10 nodes per ply, endgame table up to 18 seeds; values are seeds for player 1

    ply  player  move                 value  lost  better
      0          start   player 1 wins by 2
      1  1       1       player 1 wins by 2
      2  1       2       player 1 wins by 2
      3  2       4      player 1 wins by 14  12.0  5

    moves that lost most
      ply 3: 4 by player 2 (player 2) lost 12.0 seeds (-14.0 instead of -2.0); 5 was better
    ");
}
