//! `pitmaster tables` from outside, and players that use tables.

use std::fs;

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
    error: kalah.table: it is damaged or cut off; make it again with `pitmaster tables`
    error: kalah.table: there are no endgame tables for this game: it is not a two-row game
    kalah.table: it is damaged or cut off; make it again with `pitmaster tables`; making it anew
    ");
    assert!(other.contains("kalah.table: it is the table of another game ("), "{other}");
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
