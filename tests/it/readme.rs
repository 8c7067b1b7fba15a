//! README against the program: its commands, files, fields and bot.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pitmaster::games::two_row::catalogue::ENTRIES;
use pitmaster::tournament::check;
use serde_json::Value;
use tempfile::TempDir;

use crate::scratch::on_a_machine_of_its_own;

const README: &str = include_str!("../../README.md");
const FORMATS: &str = include_str!("../../docs/formats.md");
const PROTOCOL: &str = include_str!("../../protocol.md");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs Pitmaster in the project's folder.
fn pitmaster(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pitmaster"));
    on_a_machine_of_its_own(&mut command);
    command.env("LC_ALL", "C").current_dir(root()).args(args).output().expect("the program starts")
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}

/// The texts of a page's fenced blocks in a language.
fn blocks<'t>(page: &'t str, language: &str) -> Vec<&'t str> {
    let start = format!("```{language}\n");
    let inside = |part: &'t str| part.split_once("```").map(|(inside, _)| inside);
    page.split(&start).skip(1).filter_map(inside).collect()
}

/// The rows of the table under a heading, cells trimmed.
fn table(page: &'static str, heading: &str) -> Vec<Vec<&'static str>> {
    let (_, after) = page.split_once(&format!("\n{heading}\n")).expect(heading);
    let lines = after.lines().skip_while(|line| !line.starts_with('|'));
    let cells = |line: &'static str| line.trim_matches('|').split('|').map(str::trim).collect();
    lines.take_while(|line| line.starts_with('|')).skip(2).map(cells).collect()
}

/// The words in backticks.
fn code(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Arguments of every Pitmaster call in the shell blocks.
fn calls() -> Vec<Vec<&'static str>> {
    let lines = blocks(README, "sh").into_iter().flat_map(str::lines);
    let call = |line: &'static str| {
        let args = line.strip_prefix("cargo run --release -- ");
        args.or_else(|| line.strip_prefix("pitmaster "))
    };
    lines.filter_map(call).map(|args| args.split_whitespace().collect()).collect()
}

/// Plays a pair of games between two sample bots. Returns the reported events.
fn played(folder: &Path) -> Vec<Value> {
    let out = folder.to_str().expect("UTF-8");
    let bots = ["bots/random-rust", "bots/greedy-rust"];
    let args = [&["match"], &bots[..], &["--pairs", "1", "--json", "--name", "x", "--out", out]];
    let output = pitmaster(&args.concat());
    let events = text(output.stdout);
    assert!(output.status.success(), "{}", text(output.stderr));
    events.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let links = README.split("](").skip(1).filter_map(|part| part.split_once(')'));
    let paths: Vec<_> = links.map(|(path, _)| path).filter(|p| !p.starts_with("https:")).collect();
    assert!(paths.len() >= 8);
    for path in paths {
        let (file, heading) = path.split_once('#').unwrap_or((path, ""));
        assert!(root().join(file).exists(), "{path}");
        assert!(file != "docs/formats.md" || FORMATS.to_lowercase().contains(heading), "{path}");
    }
}

#[test]
fn the_commands_files_are_there() {
    let calls = calls();
    let given = ["results/", "first-move", "mine/", "2/5", "nats://", "http://"];
    let is_ours = |word: &&str| !given.iter().any(|path| word.starts_with(path));
    let words = calls.iter().flatten().copied().filter(|word| word.contains('/')).filter(is_ours);
    let words: BTreeSet<_> = words.collect();
    assert!(words.contains("tournaments/demo.toml"));
    for word in words {
        assert!(root().join(word).exists(), "{word}");
    }
    for path in ["scripts/plot_elo.py", "scripts/setup-debian.sh", ".ci/run"] {
        assert!(README.contains(path) && root().join(path).exists(), "{path}");
    }
}

#[test]
fn the_tournament_file_is_right() {
    let file = blocks(README, "toml").into_iter().find(|text| text.contains("version"));
    let file = file.expect("a tournament file");
    assert_eq!(check(file).faults, []);
    let table = blocks(README, "toml").into_iter().find(|text| text.starts_with("[game]"));
    let plain = "[game]\nname = \"coloured-awale\"\n";
    let other = file.replace(plain, table.expect("a game with options"));
    assert!(other.contains("holes = "));
    assert_eq!(check(&other).faults, []);
}

#[test]
fn the_games_are_there_and_the_file_of_one_is_right() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("my-game.toml");
    let text_of_game = blocks(README, "toml").into_iter().find(|text| text.contains("\nholes = 5"));
    fs::write(&file, text_of_game.expect("a game")).expect("written");
    let file = file.to_str().expect("UTF-8");
    // What `export` calls a game is one that was played.
    let named: Vec<_> = calls()
        .into_iter()
        .filter(|call| call[0] != "export")
        .filter_map(|call| {
            let at = call.iter().position(|word| *word == "--game")?;
            Some(vec!["games", "show", call[at + 1]])
        })
        .collect();
    let listing = calls().into_iter().filter(|call| call[0] == "games");
    let all: Vec<_> = listing.chain(named).collect();
    assert!(all.len() >= 6);
    for call in all {
        let args: Vec<_> =
            call.iter().map(|word| if *word == "my-game.toml" { file } else { word }).collect();
        let output = pitmaster(&args);
        assert!(output.status.success(), "{args:?}: {}", text(output.stderr));
    }
    let variants: usize = ENTRIES.iter().map(|entry| entry.file().variants.len()).sum();
    let all = format!("{} two-row games with {variants} variants", ENTRIES.len());
    assert!(README.contains(&all), "{all}");
}

#[test]
fn results_events_and_the_query_are_as_described() {
    let folder = TempDir::new().expect("a folder");
    let events = played(folder.path());
    let results = folder.path().join("x");
    for row in table(README, "## The results") {
        let name = code(row[0])[0];
        assert!(results.join(name).exists(), "{name}");
    }
    let fields: BTreeMap<_, _> = table(FORMATS, "## Events")
        .into_iter()
        .map(|row| (code(row[0])[0], code(row[1])))
        .collect();
    let mut heard = BTreeSet::new();
    for event in &events {
        let name = event["event"].as_str().expect("every line has an event");
        heard.insert(name);
        for field in event.as_object().expect("an object").keys().filter(|key| *key != "event") {
            assert!(fields[name].contains(&field.as_str()), "{name}: {field}");
        }
    }
    assert_eq!(heard, BTreeSet::from(["started", "game", "ended"]));
    assert_eq!(query(&results.join("tournament.db")), 2);
}

/// Runs the query of the README. Returns the number of games that it counts.
fn query(database: &Path) -> i64 {
    let connection = rusqlite::Connection::open(database).expect("a database");
    let mut statement = connection.prepare(blocks(README, "sql")[0]).expect("right SQL");
    let counts = statement.query_map((), |row| row.get(1)).expect("an answer");
    counts.map(|count: rusqlite::Result<i64>| count.expect("a number")).sum()
}

#[test]
fn the_exit_codes_are_those_of_the_help() {
    let help = text(pitmaster(&["--help"]).stdout);
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let codes: Vec<_> = table(README, "### Exit codes").into_iter().map(|row| row[0]).collect();
    assert_eq!(codes, ["0", "1", "2", "3", "4", "5", "130"]);
    let (_, listed) = help.split_once("Exit codes:").expect("the help lists them");
    for code in codes {
        assert!(listed.contains(&format!(" {code} ")), "{code}");
    }
}

#[test]
fn the_bot_is_that_of_the_protocol_and_plays() {
    let (bot, manifest) = (blocks(README, "python")[0], blocks(README, "toml")[0]);
    assert!(bot.lines().count() <= 10);
    assert_eq!((bot, manifest), (blocks(PROTOCOL, "python")[0], blocks(PROTOCOL, "toml")[0]));
    if Command::new("python3").arg("--version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "the bot cannot be played without python3");
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let bots = ["one", "two"].map(|name| hand_in(&folder.path().join(name), bot, manifest));
    let out = folder.path().join("out");
    let [one, two, out] = [&bots[0], &bots[1], &out].map(|path| path.to_str().expect("UTF-8"));
    // All the time in the world: a busy machine must not make it late.
    let clock = ["--per-move", "10m", "--per-game", "60m"];
    let args = [&["match", one, two, "--pairs", "1", "--name", "x", "--out", out], &clock[..]];
    let output = pitmaster(&args.concat());
    assert!(output.status.success(), "{}", text(output.stderr));
    let games = fs::read_to_string(Path::new(out).join("x/games.csv")).expect("games");
    assert_eq!(games.lines().skip(1).filter(|line| line.contains(",rules:")).count(), 2, "{games}");
}

/// A folder with a bot in it.
fn hand_in(folder: &Path, bot: &str, manifest: &str) -> PathBuf {
    fs::create_dir(folder).expect("a new folder");
    fs::write(folder.join("bot.py"), bot).expect("written");
    fs::write(folder.join("bot.toml"), manifest).expect("written");
    folder.to_owned()
}
