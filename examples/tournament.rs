//! A small tournament without the command line: plays it, follows its events and prints its
//! standings.
//!
//! ```text
//! cargo run --release --example tournament
//! ```

use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering};

use pitmaster::core::Side;
use pitmaster::runner::Event;
use pitmaster::session::{self, Contest, Error, Observer, RunOptions, Silent};

const TOURNAMENT: &str = r#"
version = 1
title = "Three house bots"
seed = 7
[game]
name = "kalah"
[format]
kind = "round-robin"
pairs = 10
[bots]
include = ["house:random", "house:greedy", "house:minimaxer"]
"#;

/// Counts games by what ended them.
#[derive(Default)]
struct Counter {
    games: AtomicU32,
    forfeits: AtomicU32,
}

impl Observer for Counter {
    fn event(&self, event: &Event<'_>) {
        if let Event::Game { record, .. } = event {
            self.games.fetch_add(1, Ordering::Relaxed);
            let forfeits =
                Side::BOTH.iter().filter(|&&side| record.ending.fault_of(side).is_some());
            self.forfeits.fetch_add(forfeits.count() as u32, Ordering::Relaxed);
        }
    }
}

fn main() -> Result<ExitCode, Error> {
    // A run starts helpers: further processes of this program.
    if let Some(exit) = session::run_helper() {
        return Ok(exit);
    }
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("three.toml");
    std::fs::write(&file, TOURNAMENT)?;
    let (contest, counter) = (Contest::read(&file, &Silent)?, Counter::default());
    let ended = session::play(contest, &RunOptions::new(folder.path().join("results")), &counter)?;
    println!("{:?}: {:?} games, {:?} forfeits", ended.finish?, counter.games, counter.forfeits);
    print!("{}", ended.summary?.table(100));
    Ok(ExitCode::SUCCESS)
}
