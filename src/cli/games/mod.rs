//! `pitmaster games`: lists and shows games, and checks game files.

mod check;
mod list;
mod show;

use std::io::Write;
use std::path::PathBuf;

use pitmaster_games::GameSpec;
use pitmaster_games::two_row::file::FileVersion;

use super::{Exit, Outcome, terminal_width};

const EXAMPLES: &str = "\
Examples:
  pitmaster games                                     list all games
  pitmaster games --region africa --holes 6           filter by region and holes
  pitmaster games --goal territory kids               filter by goal and a word
  pitmaster games show kalah
  pitmaster games check my-game.toml

A variant and options follow the name of a game: kalah::6x6, kalah,seeds=5 or
weg::weg_10_4,goal_param=14. A game file is named by its path: ./my-game.toml";

const SHOW_EXAMPLES: &str = "\
Examples:
  pitmaster games show oware
  pitmaster games show weg::weg_10_4,goal_param=14
  pitmaster games show ./my-game.toml
  pitmaster games show two-row                        all parameters and their values";

const CHECK_EXAMPLES: &str = "\
Examples:
  pitmaster games check my-game.toml
  pitmaster games check old/*.json --age 2025-09

Exit code 1 means that a file does not describe a playable game. Warnings alone are no findings.";

/// Lists the games, shows one, or checks game files
#[derive(Debug, clap::Args)]
#[command(
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    filter: list::Filter,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Shows a game: rules, parameters, variants, initial position, notation
    #[command(after_help = SHOW_EXAMPLES)]
    Show {
        /// Game, as a name or a file, with options: kalah,seeds=5 or ./my-game.toml
        game: GameSpec,
    },
    /// Checks game files and reports all errors
    #[command(after_help = CHECK_EXAMPLES)]
    Check {
        /// Game files in JSON or TOML
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Version of the file format: 2024-11, 2025-09 or present
        #[arg(long, value_parser = age)]
        age: Option<FileVersion>,
    },
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let (text, exit) = match &args.command {
        None => (list::list(&args.filter, terminal_width()), Exit::Done),
        Some(Command::Show { game }) => (show::show(game, terminal_width())?, Exit::Done),
        Some(Command::Check { files, age }) => check::check(files, *age),
    };
    out.write_all(text.as_bytes())?;
    Ok(exit)
}

/// Parses a version of the file format.
fn age(text: &str) -> Result<FileVersion, String> {
    FileVersion::find(text).ok_or_else(|| {
        let known: Vec<_> = FileVersion::ALL.iter().map(|age| age.name()).collect();
        format!("expected one of {}", known.join(", "))
    })
}
