//! Follows played games of two-row games with the engine, move by move: legal moves, the state
//! after every step, rounds, end and winner.
//!
//! ```sh
//! cargo run --release --example replay_traces -- [--games DIR [--age AGE]] [--only NAME] \
//!     [--limit N] FILE…
//! cargo run --release --example replay_traces -- --configs FILE…
//! ```
//!
//! A file holds a game a line, as JSON, compressed with gzip or not. A game's configuration
//! stands in its line or is called by name: of a game file in a folder given by `--games`
//! (whose numbers are meant as at an age, where they do not tell), or of the catalogue.
//! `--only` follows the games of one configuration, `--limit` so many of each file. With
//! `--configs` a line holds a configuration: which ones are refused is printed, and by which
//! rule.
//!
//! Exits with 1 if the engine disagrees with a trace (or a configuration is refused by another
//! rule than its line names), with 2 if the command or a file is wrong.

mod configs;
mod refuse;
mod replay;

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use configs::Configs;
use pitmaster::games::two_row::TwoRow;
use pitmaster::games::two_row::file::FileVersion;
use rayon::prelude::*;
use replay::config;
use replay::follow::follow;
use replay::trace::{self, Trace};

fn main() -> ExitCode {
    match Args::parse(std::env::args().skip(1)).and_then(|args| run(&args)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::from(2)
        }
    }
}

#[derive(Debug, Default)]
struct Args {
    games: Vec<PathBuf>,
    age: Option<FileVersion>,
    configs: bool,
    only: Option<String>,
    limit: Option<usize>,
    files: Vec<PathBuf>,
}

impl Args {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut args = Self::default();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} wants a value"));
            match word.as_str() {
                "--games" => args.games.push(value()?.into()),
                "--age" => args.age = Some(age(&value()?)?),
                "--configs" => args.configs = true,
                "--only" => args.only = Some(value()?),
                "--limit" => {
                    let number = value()?.parse();
                    args.limit = Some(number.map_err(|_| "--limit wants a number")?);
                }
                flag if flag.starts_with('-') => return Err(format!("there is no {flag}")),
                file => args.files.push(file.into()),
            }
        }
        if args.files.is_empty() { Err("which files?".into()) } else { Ok(args) }
    }
}

fn age(name: &str) -> Result<FileVersion, String> {
    let found = FileVersion::ALL.iter().find(|age| age.name() == name).copied();
    let names: Vec<_> = FileVersion::ALL.iter().map(|age| age.name()).collect();
    found.ok_or_else(|| format!("--age is one of {}", names.join(", ")))
}

/// Follows all games; false if one disagreed.
fn run(args: &Args) -> Result<bool, String> {
    if args.configs {
        return refuse::check_files(&args.files);
    }
    std::panic::set_hook(Box::new(|_| {})); // Reported with the game it happened in.
    let mut configs = Configs::default();
    for folder in &args.games {
        configs.add_folder(folder, args.age)?;
    }
    let mut total = Counts::default();
    for path in &args.files {
        total.add(&follow_file(path, args, &configs)?);
    }
    println!("{total}");
    Ok(total.disagreements == 0)
}

fn follow_file(path: &Path, args: &Args, configs: &Configs) -> Result<Counts, String> {
    let fault = |error: std::io::Error| format!("{}: {error}", path.display());
    let lines = trace::lines(File::open(path).map_err(fault)?).map_err(fault)?;
    let is_asked = |line: &str| args.only.as_ref().is_none_or(|only| is_game(line, only));
    let asked = lines.iter().enumerate().filter(|(_, line)| is_asked(line));
    let asked: Vec<_> = asked.take(args.limit.unwrap_or(usize::MAX)).collect();
    let followed: Vec<_> =
        asked.par_iter().map(|&(number, line)| follow_line(number + 1, line, configs)).collect();
    let mut counts = Counts::default();
    for followed in followed {
        counts.games += 1;
        match followed {
            Ok(plies) => counts.plies += plies,
            Err(report) => {
                counts.disagreements += 1;
                println!("{}:{report}\n", path.display());
            }
        }
    }
    println!("{}: {counts}", path.display());
    Ok(counts)
}

/// Whether a line is of that game, without reading it whole.
fn is_game(line: &str, name: &str) -> bool {
    let name = serde_json::Value::from(name).to_string();
    line.strip_prefix("{\"g\":").is_some_and(|rest| rest.starts_with(&name))
}

fn follow_line(number: usize, line: &str, configs: &Configs) -> Result<usize, String> {
    let trace: Trace = serde_json::from_str(line).map_err(|error| format!("{number}: {error}"))?;
    let head = format!("{number}: {} game {}", trace.game, trace.index);
    let params = match &trace.cfg {
        Some(fields) => config::params(fields),
        None => configs.find(&trace.game),
    };
    let params = params.map_err(|error| format!("{head}: {error}"))?;
    let followed = catch_unwind(AssertUnwindSafe(|| follow(&TwoRow::new(params), &trace)));
    match followed {
        Ok(Ok(plies)) => Ok(plies),
        Ok(Err(disagreement)) => Err(format!("{head}, {disagreement}")),
        Err(panic) => Err(format!("{head} panicked: {}", panic_text(&*panic))),
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("?").to_owned()
}

#[derive(Debug, Default)]
struct Counts {
    games: usize,
    plies: usize,
    disagreements: usize,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.plies += other.plies;
        self.disagreements += other.disagreements;
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { games, plies, disagreements } = self;
        write!(f, "{games} games, {plies} plies, {disagreements} disagreements")
    }
}
