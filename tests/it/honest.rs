//! Correct bots play unchanged in every tier: those of `bots/`, and those of `tests/honest/`, which
//! use common features of their languages.

use std::fs;
use std::path::Path;
use std::time::Duration;

use pitmaster::core::{Fault, Record, Side};
use serde_json::Value;

use crate::contest::PATIENT as PATIENT_CLOCK;
use crate::hostile::tiers::{Around, Tier, tiers};
use crate::hostile::{is_at_hand, on_two_cores};
use crate::scratch::Scratch;

/// Limits that even slow machines never reach.
const PATIENT: &str = "--per-move 1m --per-game 30m";

/// All bots of both folders.
fn all() -> Vec<(&'static str, String)> {
    let folders = ["bots", "tests/honest"];
    let bots = folders.into_iter().flat_map(|folder| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let entries = fs::read_dir(path).expect("bots").flatten();
        let bots = entries.filter(|entry| entry.path().join("bot.toml").is_file());
        bots.map(move |entry| (folder, entry.file_name().to_string_lossy().into_owned()))
    });
    bots.collect()
}

/// Plays a pair against random moves; no game may be forfeited.
fn plays(folder: &str, bot: &str, tier: &Tier) -> Result<(), String> {
    let scratch = Scratch::new();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(bot);
    let bot_path = path.display();
    let args = format!("match {bot_path} house:random --pairs 1 --name cup -q {PATIENT}");
    let ran = scratch.run(&format!("{args} {}", tier.args()));
    let forfeits = || scratch.column("results/cup/games.csv", "forfeited_by");
    if ran.code == Some(0) && forfeits() == [""; 2] {
        return Ok(());
    }
    Err(format!("{folder}/{bot} in {}: {}", tier.name, ran.all()))
}

#[test]
#[ignore = "slow: .ci/full runs it"]
fn they_play_unchanged_in_every_tier() {
    let (offered, lacking) = tiers(Around::NOTHING);
    for one in lacking {
        eprintln!("skipped: all in {one}");
    }
    let here: Vec<_> = all().into_iter().filter(|(folder, bot)| is_at_hand(folder, bot)).collect();
    assert!(here.len() >= 6, "{here:?}");
    for tier in &offered {
        on_two_cores(&here, |(folder, bot)| plays(folder, bot, tier));
    }
}

/// A single bot, to detect quickly a tier that no honest bot can play in.
#[test]
fn threads_play_in_every_tier() {
    for tier in tiers(Around::NOTHING).0 {
        plays("tests/honest", "python", &tier).expect("no forfeit");
    }
}

/// Runtimes with garbage collection and compilation on separate threads.
const RUNTIMES: [(&str, &str); 7] = [
    ("bots", "greedy-java"),
    ("bots", "greedy-javascript"),
    ("bots", "greedy-python"),
    ("tests/honest", "go"),
    ("tests/honest", "java"),
    ("tests/honest", "javascript"),
    ("tests/honest", "python"),
];

/// Number of games that proves that a runtime stays below the allowance.
const MANY: usize = 1000;

/// Games of all available runtimes against a bot that thinks for 2 ms, long enough that they are
/// stopped meanwhile.
fn games_of_runtimes(games: usize, sandbox: &str) -> Vec<Record> {
    let scratch = Scratch::new();
    let here = RUNTIMES.iter().filter(|(folder, bot)| is_at_hand(folder, bot));
    let mut names: Vec<_> = here.map(|(folder, bot)| format!("'{}'", path(folder, bot))).collect();
    assert!(names.len() >= 2, "{names:?}");
    if is_at_hand("tests/honest", "java") {
        names.push(format!("'{}'", with_concurrent_collector(&scratch)));
    }
    let pairs = games.div_ceil(2 * names.len());
    scratch.fast("thinker", "slow 2");
    let bots = names.join(", ");
    scratch.write(
        "cup.toml",
        format!(
            "version = 1\n[game]\nname = 'coloured-awale'\n[clock]\n{PATIENT_CLOCK}[format]\n\
             kind = 'gauntlet'\nagainst = ['thinker']\npairs = {pairs}\n[bots]\n\
             include = ['own/thinker', {bots}]\n[sandbox]\n{sandbox}"
        ),
    );
    let mut command = scratch.command("run cup.toml --lanes 2 -q");
    assert!(command.status().expect("the binary starts").success());
    let exported = scratch.run("export results/cup --format jsonl").done().raw.stdout;
    let exported = String::from_utf8(exported).expect("UTF-8");
    let games = exported.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let record = |mut game: Value| serde_json::from_value(game["record"].take()).expect("a record");
    games.map(record).collect()
}

fn path(folder: &str, bot: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(bot);
    path.to_str().expect("UTF-8").to_owned()
}

/// The Java bot with threads, with garbage collection during the game.
fn with_concurrent_collector(scratch: &Scratch) -> String {
    for file in ["Bot.java", "book.txt", "bot.toml"] {
        let text = fs::read_to_string(path("tests/honest/java", file)).expect("reads");
        let text = text.replace("+UseSerialGC", "+UseG1GC\", \"-Xmx128m");
        scratch.write(&format!("own/g1/{file}"), text.replace("threads-java", "g1-java"));
    }
    "own/g1".to_owned()
}

/// Background work of a runtime is stopped with its program while that rests.
#[test]
#[ignore = "slow: .ci/full runs it"]
fn runtimes_steal_no_time() {
    let games = games_of_runtimes(MANY, "");
    assert!(games.len() >= MANY, "{}", games.len());
    let most = games.iter().flat_map(|game| game.stolen.iter().copied()).max();
    eprintln!("{} games, each with at most {most:?} of CPU time in foreign turns", games.len());
    let accused = games.iter().find(|game| game.ending.name() == "stole-time");
    assert!(accused.is_none(), "{accused:?}");
    // Once more under the smallest allowance there is: who exceeds it says by how much.
    let games = games_of_runtimes(MANY / 5, "idle_cpu_turn = '1ms'\nidle_cpu_game = 'off'\n");
    let mut used: Vec<_> = games.iter().filter_map(used_in_a_turn).collect();
    used.sort();
    eprintln!("{} of {} games had a turn with over 1 ms: {used:?}", used.len(), games.len());
}

/// CPU time that a game's thief used in its opponent's turn, and its name.
fn used_in_a_turn(game: &Record) -> Option<(Duration, String)> {
    Side::BOTH.into_iter().find_map(|side| match game.ending.fault_of(side)? {
        Fault::StoleTime { used, .. } => Some((*used, game.key.bots[side].name.to_string())),
        _ => None,
    })
}
