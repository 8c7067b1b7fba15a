//! House bots through the real binary: as processes, in process, and directly.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use pitmaster::players::Algorithm;

use crate::contest::{OPEN, PATIENT, tournament};
use crate::scratch::{Ran, Scratch};

/// Limits that nobody exceeds even on a busy machine.
const PATIENT_MATCH: &str = "--per-move 20s --per-game 1h -q";

/// Runs `pitmaster bot` with these lines as input.
fn talk(args: &str, lines: &str) -> Ran {
    let scratch = Scratch::new();
    let mut command = scratch.command(&format!("bot {args}"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut bot = command.spawn().expect("it starts");
    let mut input = bot.stdin.take().expect("a pipe");
    // It may have ended at once.
    let _ = input.write_all(lines.as_bytes());
    drop(input);
    scratch.ran(bot.wait_with_output().expect("it ends"))
}

/// Checks that every game of these results ended by its rules or the ply limit.
fn assert_no_forfeits(scratch: &Scratch, results: &str, games: usize) {
    let losers = scratch.column(&format!("{results}/games.csv"), "forfeited_by");
    assert_eq!(losers, vec![""; games]);
}

#[test]
fn a_match_of_house_bots_is_played_in_any_game() {
    let scratch = Scratch::new();
    for game in ["coloured-awale", "bao", "long_night_game", "kalah"] {
        let args = format!("house:random house:greedy --pairs 2 --game {game} --name {game}");
        scratch.run(&format!("match {args} {PATIENT_MATCH}")).done();
        assert_no_forfeits(&scratch, &format!("results/{game}"), 4);
    }
    let bots = scratch.column("results/kalah/leaderboard.csv", "bot");
    assert_eq!(bots, ["house-greedy", "house-random"]);
}

#[test]
fn without_processes_the_same_is_played() {
    let scratch = Scratch::new();
    for game in ["coloured-awale", "bao"] {
        for (flags, name) in [("", "processes"), ("--in-process --stop always", "inside")] {
            let args = format!("house:random house:greedy --pairs 3 --game {game} --name {name}");
            scratch.run(&format!("match {args} {flags} {PATIENT_MATCH} --fresh")).done();
        }
    }
    scratch.assert_same("results/processes", "results/inside");
    scratch.assert_same("results/processes-2", "results/inside-2");
    // What was thought is on record as for a process.
    let used = scratch.column("results/inside/timing.csv", "cpu_ms");
    assert!(used.iter().all(|ms| ms.parse::<f64>().is_ok_and(|ms| ms > 0.0)), "{used:?}");
}

/// Programs that speak a dialect play against house bots, in process or not.
#[test]
fn house_bots_meet_other_bots() {
    let scratch = Scratch::new();
    scratch.fast("dice", "random");
    let args = "match own/dice house:greedy bots/hostile/illegal-move --pairs 2 --in-process";
    scratch.run(&format!("{args} {PATIENT_MATCH} --name mixed")).done();
    let losers = scratch.column("results/mixed/games.csv", "forfeited_by");
    let lost = losers.iter().filter(|loser| *loser == "illegal-move").count();
    assert_eq!((losers.len(), lost), (12, 8), "{losers:?}");
}

/// Submits a house bot as a bot of the contest or of the course.
fn hand_in(scratch: &Scratch, dialect: &str, argument: &str, game: &str) {
    let program = env!("CARGO_BIN_EXE_pitmaster");
    let words = ["bot", "greedy", argument, "--dialect", dialect, "--game", game];
    let words: String = words.iter().map(|word| format!(", '{word}'")).collect();
    let manifest = format!("run = ['sh', 'bot.sh'{words}]\ndialect = '{dialect}'\n");
    scratch.write(&format!("own/{dialect}/bot.toml"), manifest);
    scratch.write(&format!("own/{dialect}/bot.sh"), format!("exec {program} \"$@\"\n"));
}

#[test]
fn a_house_bot_speaks_all_dialects() {
    let scratch = Scratch::new();
    for game in ["coloured-awale", "oware"] {
        hand_in(&scratch, "arena", "{n}", game);
        hand_in(&scratch, "course", "Joueur{J}", game);
        let bots = "own/arena own/course house:random --pairs 1";
        // Their program lies elsewhere.
        let args = format!("match {bots} --game {game} --name {game} --isolation bare");
        scratch.run(&format!("{args} {PATIENT_MATCH}")).done();
        assert_no_forfeits(&scratch, &format!("results/{game}"), 6);
    }
}

const CUP: &str = "\
[[bot]]
path = 'house:greedy'
[[bot]]
path = 'house:random'
name = 'dice'
display = 'Dice'
anchor = 1000
in_process = true
[[bot]]
path = 'house:random'
";

#[test]
fn a_tournament_of_house_bots_is_resumed() {
    let scratch = Scratch::new();
    let file = tournament(PATIENT, 2, "include = []") + CUP;
    scratch.write("cup.toml", &file).run("run cup.toml -q").done();
    assert_no_forfeits(&scratch, "results/cup", 12);
    let standings = scratch.timeless("results/cup");
    assert!(standings[0].contains(",Dice,\n"), "{}", standings[0]);
    // The same bots by other means: nothing is played again.
    scratch.write("cup.toml", file.replace("in_process = true", "in_process = false"));
    let again = scratch.run("run cup.toml --json").done();
    let started = again.stdout.lines().next().expect("an event");
    assert!(started.contains("\"known\":12"), "{started}");
    assert_eq!(scratch.timeless("results/cup"), standings);
    scratch.run("run results/cup/tournament.toml --out copy -q").done();
    scratch.assert_same("results/cup", "copy/tournament");
}

#[test]
fn what_is_wrong_with_a_house_bot_is_told_before_any_game() {
    let scratch = Scratch::new();
    let bots = "[[bot]]\npath = 'house:randon'\n[[bot]]\npath = 'house:greedy,x'\nin_process = 1\n\
                [[bot]]\npath = 'own/dice'\nin_process = true\n";
    let file = tournament(PATIENT, 1, "include = []") + bots;
    scratch.fast("dice", "random").write("cup.toml", file);
    insta::assert_snapshot!(scratch.run("run cup.toml").all(), @r#"
    exit 2
    --- stderr
    error: cup.toml:16:8: bot.path: there is no house bot "randon"; did you mean random?
    error: cup.toml:18:8: bot.path: a house bot is written name or name,option=value,…, not "greedy,x"
    error: cup.toml:19:14: bot.in_process: 1 cannot stand here; write true or false
    error: cup.toml:22:14: bot.in_process: only a house bot can play in process; leave it out, or name one by its path
    "#);
    let told = [
        "match house:randomm house:random",
        "match own/dice bots/random-c --in-process",
        "play house: house:random",
        "bot",
        "bot gredy",
        "bot random --dialect areena",
        "bot random --dialect arena",
        "bot random 3 --dialect arena",
        "bot random 1 --dialect course --game chess",
    ];
    let told = told.map(|args| format!("{args}\n{}", scratch.run(args).all()));
    insta::assert_snapshot!(told.join("\n"), @r#"
    match house:randomm house:random
    exit 2
    --- stderr
    error: there is no house bot "randomm"; did you mean random?

    match own/dice bots/random-c --in-process
    exit 2
    --- stderr
    error: --in-process applies only to house bots, and none is named; leave it out

    play house: house:random
    exit 2
    --- stderr
    error: a house bot is written name or name,option=value,…, not ""

    bot
    exit 2
    --- stderr
    error: the following required arguments were not provided:
      <SPEC>

    Usage: pitmaster bot <SPEC> [PLAYER]

    For more information, try '--help'.

    bot gredy
    exit 2
    --- stderr
    error: invalid value 'gredy' for '[SPEC]': there is no house bot "gredy"; did you mean greedy?

    For more information, try '--help'.

    bot random --dialect areena
    exit 2
    --- stderr
    error: invalid value 'areena' for '--dialect <DIALECT>': there is no dialect "areena"; it is arena, course or pitmaster

    For more information, try '--help'.

    bot random --dialect arena
    exit 2
    --- stderr
    error: dialect arena requires the player number; add 1 or 2

    bot random 3 --dialect arena
    exit 2
    --- stderr
    error: invalid value '3' for '[PLAYER]': expected 1, 2, JoueurA or JoueurB

    For more information, try '--help'.

    bot random 1 --dialect course --game chess
    exit 2
    --- stderr
    error: there is no game "chess"; `pitmaster games` lists all
    "#);
    assert!(!scratch.path("results").exists());
}

#[test]
fn a_house_bot_answers_by_hand() {
    let lines = "pitmaster 1\nhello\ngame kalah\nside 1\nseed 4\nnewgame\ntime move 20000\n\
                 moves 1 2 3 4 5 6\ngo\nend win 1 0 ply-limit\ngame oware\nside 2\nnewgame\n\
                 played 1\ngo\nquit\nquit\n";
    insta::assert_snapshot!(talk("greedy", lines).all(), @"
    exit 0
    --- stdout
    want position
    ready house:greedy
    ready
    info depth 1 nodes 6
    move 5
    ready
    info depth 1 nodes 6
    move 12
    ");
    insta::assert_snapshot!(talk("greedy 2 --dialect arena", "1R\n2tb\n").all(), @r#"
    exit 2
    --- stdout
    4B
    --- stderr
    error: "2tb" cannot be followed in coloured-awale: not a legal move here; is that the game that is played?
    "#);
    insta::assert_snapshot!(talk("random JoueurA --dialect course", "START\n").all(), @"
    exit 0
    --- stdout
    7TB
    ");
    insta::assert_snapshot!(talk("random", "newgame\n").all(), @"
    exit 2
    --- stderr
    error: newgame came without the line that says which game
    ");
    insta::assert_snapshot!(talk("random", "game chess\nnewgame\n").all(), @r#"
    exit 2
    --- stderr
    error: there is no game "chess"; `pitmaster games` lists all
    "#);
    insta::assert_snapshot!(talk("random", "go\n").all(), @"
    exit 2
    --- stderr
    error: asked for a move before any game began
    ");
    insta::assert_snapshot!(talk("random", "game kalah\nside 2\nnewgame\ngo\n").all(), @"
    exit 2
    --- stdout
    ready
    --- stderr
    error: asked for a move, but on the board player 1 is to move; was something played that was not told?
    ");
    insta::assert_snapshot!(talk("random", "").all(), @"exit 0");
}

#[test]
fn house_bots_are_listed() {
    let listed = Scratch::new().run("bot --list").done().stdout;
    for algorithm in Algorithm::ALL {
        let line = listed.lines().find(|line| {
            line.split_whitespace().next() == Some(&format!("house:{}", algorithm.name()))
        });
        assert!(line.is_some_and(|line| line.ends_with(algorithm.about())), "{listed}");
    }
}

/// Names have at most forty characters; names that differ only after that contain their hashes.
#[test]
fn long_options_make_two_bots() {
    let scratch = Scratch::new();
    let bots =
        [4, 5].map(|stores| format!("house:minimaxer,level=1,mx_seeds_m=1,mx_stores_m={stores}"));
    scratch.run(&format!("match {} --pairs 1 --name long {PATIENT_MATCH}", bots.join(" "))).done();
    let names = scratch.column("results/long/leaderboard.csv", "bot");
    assert!(
        names.iter().all(|name| name.starts_with("house-minimaxer-level-1-mx_seed")),
        "{names:?}"
    );
    assert_ne!(names[0], names[1]);
}

#[test]
fn two_of_one_name_are_refused() {
    let ran = Scratch::new().run("match house:random house:random");
    insta::assert_snapshot!(ran.all(), @"
    exit 2
    --- stderr
    error: 2 bots are called house-random: house:random, house:random
    error: give all but one of each another name, by `name` in a [[bot]] of the tournament file
    ");
}

/// A reader that closes its end is no failure, as for other bots.
#[test]
fn a_house_bot_that_nobody_hears_ends() {
    let scratch = Scratch::new();
    let mut command = scratch.command("bot random");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut bot = command.spawn().expect("it starts");
    drop(bot.stdout.take());
    let mut input = bot.stdin.take().expect("a pipe");
    input.write_all(b"pitmaster 1\n").expect("it reads");
    let ran = scratch.ran(bot.wait_with_output().expect("it ends"));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    drop(input);
}

/// A custom game, and the settings of its file.
const OWN_GAME: &str = "holes = 4\nnbr_start = 3\nstores = true\nsow_stores = 'OWN'\n";
const OWN_PLAYER: &str = "[player]\ndifficulty = 2\nai_params.mm_depth = [1, 1, 2, 3]\n\
                          scorer.mx_stores_m = -3\nscorer.mx_seeds_m = 5\n";
const SPELLED_OUT: &str = "minimaxer,level=2,mm_depth=2,mx_seeds_m=5,mx_stores_m=-3";

/// Score of a player against random moves, as a table.
fn simulated(scratch: &Scratch, player: &str, game: &str) -> String {
    let args = format!("simulate {player} random --game {game} --pairs 30 --csv - --seed 5");
    scratch.run(&args).done().stdout
}

#[test]
fn a_file_of_a_game_says_how_house_bots_play_it() {
    let scratch = Scratch::new();
    scratch.write("own.toml", OWN_GAME.to_owned() + OWN_PLAYER).write("plain.toml", OWN_GAME);
    let preset = simulated(&scratch, "preset", "own.toml");
    assert_eq!(preset, simulated(&scratch, SPELLED_OUT, "own.toml"));
    assert_eq!(preset, simulated(&scratch, SPELLED_OUT, "plain.toml"));
    assert_ne!(preset, simulated(&scratch, "preset", "plain.toml"));
}

/// Bots of the results by their names in tables, with all settings of their play.
fn bots_of(scratch: &Scratch, results: &str) -> Vec<(String, String)> {
    let reader = pitmaster::store::Reader::open(&scratch.path(results)).expect("results");
    let bots = reader.bots().expect("bots").into_iter();
    bots.map(|bot| (bot.id.name.to_string(), bot.path)).collect()
}

#[test]
fn in_a_tournament_of_a_game_of_ones_own_too() {
    let scratch = Scratch::new();
    let file = tournament(PATIENT, 1, "include = ['house:preset', 'house:random']");
    let file = file.replace("'coloured-awale'", "'../own.toml'");
    scratch.write("own.toml", OWN_GAME.to_owned() + OWN_PLAYER).write("cups/cup.toml", &file);
    scratch.run("run cups/cup.toml -q").done();
    let game = "--game own.toml --name match --seed 7 -q";
    scratch.run(&format!("match house:preset house:random --pairs 1 {game}")).done();
    let bots = [("house-preset".into(), format!("house:{SPELLED_OUT}"))];
    let bots = bots.into_iter().chain([("house-random".into(), "house:random".into())]);
    let bots: Vec<_> = bots.collect();
    assert_eq!(bots_of(&scratch, "results/cup"), bots);
    assert_eq!(bots_of(&scratch, "results/match"), bots);
    // The file that is kept of a match needs nothing else.
    scratch.run("run results/match/tournament.toml --out copy -q").done();
    scratch.assert_same("results/match", "copy/tournament");
    scratch
        .run("play house:preset house:preset --game own.toml --in-process --show nothing")
        .done();
}

#[test]
fn threads_are_for_who_has_a_clock_and_a_process() {
    let scratch = Scratch::new();
    let bots = "house:expert,nodes=3000,threads=2 house:random";
    scratch.run(&format!("match {bots} --game kalah --pairs 1 --name two {PATIENT_MATCH}")).done();
    assert_no_forfeits(&scratch, "results/two", 2);
    let told = [
        format!("match {bots} --in-process"),
        format!("play {bots} --in-process"),
        format!("simulate {bots}"),
        "match house:expert,threads=0 house:random".into(),
    ];
    let told = told.map(|args| format!("{args}\n{}", scratch.run(&args).all()));
    insta::assert_snapshot!(told.join("\n"), @r#"
    match house:expert,nodes=3000,threads=2 house:random --in-process
    exit 2
    --- stderr
    error: in process a house bot has the one core of its lane; leave threads out

    play house:expert,nodes=3000,threads=2 house:random --in-process
    exit 2
    --- stderr
    error: in process a house bot has the one core of its lane; leave threads out

    simulate house:expert,nodes=3000,threads=2 house:random
    exit 2
    --- stderr
    error: invalid value 'house:expert,nodes=3000,threads=2' for '<PLAYER A>': a player with threads is not deterministic, and games already run in parallel; leave threads out

    For more information, try '--help'.

    match house:expert,threads=0 house:random
    exit 2
    --- stderr
    error: threads is a whole number from 1 to 256, not "0"
    "#);
}

/// Number of games in the test below, if not a thousand.
const GAMES: &str = "PITMASTER_HOUSE_GAMES";

/// Shares in tenths of the games: those that the strongest bot was tuned for, and one in which it
/// can only go by the score.
const TENTHS: [(&str, u32); 4] =
    [("coloured-awale", 2), ("kalah", 3), ("oware", 3), ("isholo-1", 2)];

/// Needs an idle machine, because CPU time of other programs slows down the bots. Uses a lane on
/// every core, although this leaves no core for the lanes' own work.
#[test]
#[ignore = "slow: half an hour by itself on two cores; .ci/full plays fewer games"]
fn a_thousand_games_at_50_ms_a_move_end_without_a_forfeit() {
    let games: u32 = std::env::var(GAMES).map_or(1000, |games| games.parse().expect("a number"));
    let strongest = Algorithm::ALL.last().expect("there are some").name();
    let lanes = std::thread::available_parallelism().expect("a number of cores");
    let scratch = Scratch::new();
    for (game, tenths) in TENTHS {
        // Two bots are not one by their names, so one has a bound that it does not reach.
        let bots = format!("house:{strongest} house:{strongest},nodes=1000000000");
        let pairs = games * tenths / 20;
        let args =
            format!("--game {game} --name {game} --pairs {pairs} --per-move 50ms --per-game 1h");
        let mut command = scratch.command(&format!("match {bots} {args} --lanes {lanes} -q"));
        let ran = scratch.ran(command.output().expect("it runs")).done();
        let results = format!("results/{game}");
        let played = scratch.column(&format!("{results}/games.csv"), "id").len();
        println!("{played} games of {game}\n{}", ran.stdout);
        assert_no_forfeits(&scratch, &results, 2 * pairs as usize);
    }
}

/// The program file may be replaced during a tournament, which continues with the original.
#[test]
fn a_program_that_is_replaced_changes_no_player() {
    let scratch = Scratch::new();
    let copy = scratch.path("pitmaster");
    fs::copy(env!("CARGO_BIN_EXE_pitmaster"), &copy).expect("copies");
    scratch.fast("a-gate", &format!("gate {}", scratch.path("gate").display()));
    let clock = PATIENT.replace("20s", "1h");
    let bots = "include = ['own/*']\n[[bot]]\npath = 'house:random'\n";
    scratch.write("cup.toml", tournament(&clock, 2, bots) + OPEN);
    let mut command = std::process::Command::new(&copy);
    command.args(["run", "cup.toml", "-q"]).current_dir(scratch.path(""));
    let run = command.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    scratch.wait_for("gate.reached");
    fs::remove_file(&copy).expect("removes");
    fs::write(&copy, "#!/bin/sh\nexit 1\n").expect("writes");
    scratch.open_gate();
    let ran = scratch.ran(run.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    assert_no_forfeits(&scratch, "results/cup", 4);
}
