//! Games by name, with variants and options, in files and in tables: in every command that accepts
//! a game.

use pitmaster::core::Record;
use pitmaster::games::two_row::catalogue::ENTRIES;

use crate::contest::PATIENT;
use crate::scratch::Scratch;

/// A game that is not in the catalogue.
const MINE: &str = "name = 'Mine'\nholes = 4\nnbr_start = 3\nstores = true\nevens = true\n\
    sow_own_store = true\n[variants.Five]\nnbr_start = 5\n";

/// A tournament of two fast bots at a game.
fn tournament(game: &str) -> String {
    format!(
        "version = 1\ngame = {game}\n[clock]\n{PATIENT}[format]\npairs = 1\n\
         [bots]\ninclude = ['own/*']\n"
    )
}

fn two_bots() -> Scratch {
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first").write("mine.toml", MINE);
    scratch
}

/// The game that was played, as named in the records of a run.
fn played(scratch: &Scratch, results: &str) -> String {
    let games = scratch.read(&format!("{results}/games.csv"));
    let id = games.lines().nth(1).and_then(|line| line.split(',').next()).expect("a game");
    let json = scratch.run(&format!("replay {results} {id} --json")).done().raw.stdout;
    let record: Record = serde_json::from_slice(&json).expect("a record");
    record.key.rules
}

#[test]
fn the_list_can_be_filtered_and_searched() {
    let scratch = Scratch::new();
    let listed = |args: &str| scratch.run(&format!("games {args}")).done().stdout;
    assert!(listed("").lines().count() > ENTRIES.len());
    insta::assert_snapshot!(listed("--class diffusion"), @"
    diffusion  6×4  a hole spreads up to five seeds on its neighbours, and at the corners they fall off…

    1 game, with holes on each side × seeds in each; `pitmaster games show GAME` shows the rules.
    ");
    insta::assert_snapshot!(listed("--holes 6 --region americas kalah"), @"
    kalah         6×4   the last seed in the own store moves again, in an empty own hole it captures…
    kalah_empty   6×4   kalah in which a last seed in an empty own hole is captured even with nothing…

    cross_kalah   6×4   kalah in which an odd hole sows one way and an even one the other
    crosscapt     6×4   kalah in which the last mover gets what is left on the board
    kalah_late    6×4   kalah that goes on while the mover has a move: a player whose row is empty may…
    random_kalah  6×48  kalah of forty-eight seeds dealt at random; a round goes to more than half of…

    6 games, with holes on each side × seeds in each; `pitmaster games show GAME` shows the rules.
    ");
    insta::assert_snapshot!(scratch.run("games --holes 22").all(), @"
    exit 0
    --- stdout
    no game matches; `pitmaster games` lists all
    ");
    insta::assert_snapshot!(scratch.run("games --goal MAX_SEED").all(), @"
    exit 2
    --- stderr
    error: invalid value 'MAX_SEED' for '--goal <GOAL>': did you mean MAX_SEEDS?

    For more information, try '--help'.
    ");
}

#[test]
fn files_of_games_are_checked() {
    let scratch = two_bots();
    scratch
        .write("bad.toml", "name = 'Bad'\nholes = 6\nnbr_start = 4\nmlaps = 'LAPS'\nevans = 1\n");
    insta::assert_snapshot!(scratch.run("games check mine.toml").all(), @"
    exit 0
    --- stdout
    mine.toml: note: sow_own_store read as sow_stores OWN
    mine.toml: Mine, with 1 variant
    ");
    insta::assert_snapshot!(scratch.run("games check mine.toml bad.toml").all(), @r#"
    exit 1
    --- stdout
    mine.toml: note: sow_own_store read as sow_stores OWN
    mine.toml: Mine, with 1 variant
    bad.toml:4:9: mlaps: "LAPS" cannot stand here; it is OFF 0, LAPPER 1, LAPPER_NEXT 2
    bad.toml:5:1: evans: there is no such key; did you mean evens?
    1 of 2 files are valid
    "#);
    insta::assert_snapshot!(scratch.run("games check mine.toml --age 2020").all(), @"
    exit 2
    --- stderr
    error: invalid value '2020' for '--age <AGE>': expected one of 2024-11, 2025-09, present

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(scratch.run("games show ./bad.toml").all(), @r#"
    exit 2
    --- stderr
    error: ./bad.toml:4:9: mlaps: "LAPS" cannot stand here; it is OFF 0, LAPPER 1, LAPPER_NEXT 2
    error: ./bad.toml:5:1: evans: there is no such key; did you mean evens?
    "#);
}

#[test]
fn a_game_is_played_by_name_variant_options_and_file() {
    let scratch = two_bots();
    for (game, spec) in [
        ("kalah", "kalah"),
        ("WEG::Weg_4_2", "weg::weg_4_2"),
        ("kalah,holes=4,nbr_start=2", "kalah,holes=4,nbr_start=2"),
        ("Kalah-Empty,seeds=5", "kalah_empty::6x5"),
        ("./mine.toml", "two-row,holes=4,nbr_start=3,stores=true,sow_stores=OWN,evens=true"),
        (
            "mine.toml::five,holes=5",
            "two-row,holes=5,nbr_start=5,stores=true,sow_stores=OWN,evens=true",
        ),
    ] {
        let args = format!("play own/dice own/first --game {game} --show nothing --per-move 1m");
        let ran = scratch.run(&args).done();
        assert!(ran.stdout.contains(&format!(": {spec}, seed 1\n")), "{}", ran.all());
        assert!(!ran.stdout.contains("forfeited"), "{}", ran.all());
    }
}

#[test]
fn a_tournament_names_its_game_in_every_way() {
    for (game, rules) in [
        ("'weg::weg_4_2'", "weg::weg_4_2@1"),
        (
            "{ name = 'kalah-late', holes = 4, seeds = 3, capt_on = [], mustpass = true }",
            "kalah_late,holes=4,nbr_start=3,mustpass=true@1",
        ),
        ("'./mine.toml'", "two-row,holes=4,nbr_start=3,stores=true,sow_stores=OWN,evens=true@1"),
        (
            "{ name = 'mine.toml', capt_on = [2, 3], evens = false }",
            "two-row,holes=4,nbr_start=3,stores=true,sow_stores=OWN,capt_on=2+3@1",
        ),
    ] {
        let scratch = two_bots();
        scratch.write("cup.toml", tournament(game)).run("run cup.toml -q").done();
        assert_eq!(played(&scratch, "results/cup"), rules);
    }
}

#[test]
fn the_faults_of_a_game_stand_with_the_others() {
    let scratch = two_bots();
    scratch.write("bad.toml", "name = 'Bad'\nholes = 6\nnbr_strat = 4\n");
    let faults = |game: &str| {
        let file = tournament(game).replace("pairs = 1", "pairs = 0");
        scratch.write("cup.toml", file).run("run cup.toml").all()
    };
    insta::assert_snapshot!(
        faults("{ name = 'kalah', hoels = 4, mlaps = 'LAPER', min_move = 9 }"), @r#"
        exit 2
        --- stderr
        error: cup.toml:2:26: game.hoels: kalah has no option "hoels"; did you mean holes?
        error: cup.toml:2:45: game.mlaps: mlaps is OFF 0, LAPPER 1, LAPPER_NEXT 2, not "LAPER"
        error: cup.toml:10:9: format.pairs: 0 cannot stand here; write a whole number from 1 to 1000000
        "#);
    insta::assert_snapshot!(
        faults("{ name = 'kalah', min_move = 9, sow_start = true }"), @"
        exit 2
        --- stderr
        error: cup.toml:2:26: game.min_move: min_move 9 is out of range: set it from 1 to 5, and to no more than the 6 holes of a side (high_min_moves)
        error: cup.toml:10:9: format.pairs: 0 cannot stand here; write a whole number from 1 to 1000000
        ");
    insta::assert_snapshot!(faults("'./bad.toml'"), @"
    exit 2
    --- stderr
    error: cup.toml:2:8: game.name: ./bad.toml:1:1: nbr_start: is missing; write how many seeds each hole starts with
    error: cup.toml:2:8: game.name: ./bad.toml:3:1: nbr_strat: there is no such key; did you mean nbr_start?
    error: cup.toml:10:9: format.pairs: 0 cannot stand here; write a whole number from 1 to 1000000
    ");
    insta::assert_snapshot!(faults("'mine.toml::six'"), @r#"
    exit 2
    --- stderr
    error: cup.toml:2:8: game.name: mine.toml: it has no variant "six"; it has Five
    error: cup.toml:10:9: format.pairs: 0 cannot stand here; write a whole number from 1 to 1000000
    "#);
    insta::assert_snapshot!(faults("'nowhere/mine.toml'"), @"
    exit 2
    --- stderr
    error: cup.toml:2:8: game.name: nowhere/mine.toml: it cannot be read (No such file or directory (os error 2)); check the path
    error: cup.toml:10:9: format.pairs: 0 cannot stand here; write a whole number from 1 to 1000000
    ");
}

#[test]
fn results_of_a_file_outlive_the_file_and_its_changes() {
    let scratch = two_bots();
    scratch.write("cup.toml", tournament("'./mine.toml'"));
    let first = scratch.run("run cup.toml -q").done().stdout;
    assert_eq!(scratch.run("run cup.toml -q").done().stdout, first, "nothing is left to play");
    scratch.write("mine.toml", MINE.replace("nbr_start = 3", "nbr_start = 4"));
    insta::assert_snapshot!(scratch.run("run cup.toml").all(), @"
    exit 2
    --- stderr
    ./mine.toml: sow_own_store read as sow_stores OWN
    error: results/cup was played under other rules: game (two-row,holes=4,nbr_start=3,stores=true,sow_stores=OWN,evens=true@1 there, two-row,holes=4,nbr_start=4,stores=true,sow_stores=OWN,evens=true@1 now); change them back, or start beside it with --fresh
    ");
    std::fs::remove_file(scratch.path("mine.toml")).expect("removes");
    assert_eq!(scratch.run("standings results/cup").done().stdout, first);
}

#[test]
fn a_match_of_a_file_is_kept_as_what_the_file_says() {
    let scratch = two_bots();
    scratch.run("match own/dice own/first --game ./mine.toml --pairs 1 --name m -q").done();
    insta::assert_snapshot!(scratch.read("results/m/tournament.toml").lines()
        .skip_while(|line| *line != "[game]").take(7).collect::<Vec<_>>().join("\n"), @r#"
        [game]
        name = "two-row"
        evens = "true"
        holes = "4"
        nbr_start = "3"
        sow_stores = "OWN"
        stores = "true"
        "#);
    std::fs::remove_file(scratch.path("mine.toml")).expect("removes");
    scratch.run("run results/m/tournament.toml -q").done();
}

/// A bot that moves all seeds of a layout into its first hole.
const LAYER: &str = r#"
import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word in ("pitmaster", "newgame"):
        print("ready", flush=True)
    elif word == "moves":
        moves = rest
    elif word == "go":
        print("move", moves[-1].replace("*", "1:"), flush=True)
"#;

/// Checks that every game of a match can be replayed, and that one of them has each of these steps.
fn have_steps(game: &str, steps: &[&str]) {
    let scratch = two_bots();
    let layer = scratch.bot("layer", "pitmaster", LAYER);
    scratch.run(&format!("match {layer} own/dice --game {game} --pairs 2 --name m -q")).done();
    let games = scratch.read("results/m/games.csv");
    let ids = games.lines().skip(1).filter_map(|line| line.split(',').next());
    let replayed = ids.map(|id| scratch.run(&format!("replay results/m {id} --moves")).done());
    let moves: String = replayed.map(|ran| ran.stdout).collect();
    for step in steps {
        assert!(moves.lines().any(|line| line.starts_with(step)), "{game}: no {step} in\n{moves}");
    }
}

#[test]
fn layouts_rounds_and_chance_go_over_the_wire_and_are_replayed() {
    have_steps("bao", &["fill=1:28", "pass"]);
    have_steps("random_kalah", &["deal="]);
    have_steps("long_night_game", &["deal="]);
    have_steps("weg::weg_4_2,goal_param=7", &["round"]);
}

/// Plays one game of each; no side may be at fault.
#[test]
fn every_game_of_the_catalogue_is_played_between_processes() {
    let scratch = two_bots();
    for game in ENTRIES.iter().map(|entry| entry.slug) {
        let bots = "own/dice own/first --show nothing --per-move 1m --per-game 10m";
        let ran = scratch.run(&format!("play {bots} --game {game}")).done();
        let ended = ["by the rules (", "ply limit reached"];
        assert!(ended.iter().any(|end| ran.stdout.contains(end)), "{game}\n{}", ran.all());
    }
}
