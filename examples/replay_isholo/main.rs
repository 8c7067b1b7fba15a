//! Follows played games of Isholo with the rules, move by move: legal moves, boards, end, score
//! and winner.
//!
//! ```sh
//! cargo run --release --example replay_isholo -- FILE…
//! ```
//!
//! A file holds a game a line, as JSON, compressed with gzip or not; `tests/golden/isholo/` has
//! one. The first disagreement of each game is printed.
//!
//! Exits with 1 if the rules disagree with a trace, with 2 if the command or a file is wrong.

#[path = "../replay_traces/replay/lines.rs"]
mod lines;
mod replay;

use std::fs::File;
use std::process::ExitCode;

use lines::lines;
use replay::{Trace, follow};

fn main() -> ExitCode {
    match files().and_then(|files| run(&files)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::from(2)
        }
    }
}

fn files() -> Result<Vec<String>, String> {
    let files: Vec<_> = std::env::args().skip(1).collect();
    match files.iter().find(|file| file.starts_with('-')) {
        Some(flag) => Err(format!("there is no {flag}; name files only")),
        None if files.is_empty() => Err("which files?".into()),
        None => Ok(files),
    }
}

/// Follows all games of all files, and returns how many disagree.
fn run(files: &[String]) -> Result<usize, String> {
    let (mut games, mut moves, mut disagreements) = (0, 0, 0);
    for path in files {
        for (number, trace) in (1..).zip(traces(path)?) {
            games += 1;
            match follow(&trace) {
                Ok(compared) => moves += compared,
                Err(disagreement) => {
                    disagreements += 1;
                    println!("{path}:{number}: isholo-{}, {disagreement}\n", trace.game);
                }
            }
        }
    }
    println!("{games} games, {moves} moves, {disagreements} disagreements");
    Ok(disagreements)
}

fn traces(path: &str) -> Result<Vec<Trace>, String> {
    let fault = |error: std::io::Error| format!("{path}: {error}");
    let lines = lines(File::open(path).map_err(fault)?).map_err(fault)?;
    let numbered = (1..).zip(&lines);
    let read = numbered.map(|(number, line)| {
        let trace: Trace =
            serde_json::from_str(line).map_err(|error| format!("{path}:{number}: {error}"))?;
        // Found now, not in the middle of a game.
        if matches!(trace.game.as_str(), "1" | "2a" | "2b" | "3") {
            Ok(trace)
        } else {
            Err(format!("{path}:{number}: there is no game {:?} of Isholo", trace.game))
        }
    });
    read.collect()
}
