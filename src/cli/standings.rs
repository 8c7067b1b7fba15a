//! `pitmaster standings`: the table as it stands.

use std::io::Write;
use std::path::PathBuf;

use super::results::Results;
use super::{Exit, Outcome, terminal_width};

const EXAMPLES: &str = "\
Examples:
  pitmaster standings results/demo            also while it is being played
  pitmaster standings results/demo --files    write the CSV files anew";

/// Shows the standings of a tournament, also while it is being played
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The results' folder of a tournament
    results: PathBuf,
    /// Write leaderboard.csv and the other files anew
    #[arg(long)]
    files: bool,
    /// Every forfeit by kind, with its evidence
    #[arg(long)]
    forfeits: bool,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let results = Results::open(&args.results)?;
    let summary = if args.files { results.write_files()? } else { results.summary()? };
    let title = &results.tournament().title;
    if !title.is_empty() {
        writeln!(out, "{title}")?;
    }
    write!(out, "{}", summary.table(terminal_width()))?;
    if args.forfeits {
        write!(out, "\n{}", summary.forfeits.render(terminal_width()))?;
    }
    Ok(Exit::Done)
}
