//! `pitmaster games`: which games there are, what one looks like, whether a file describes one.

mod check;
mod list;
mod own;
mod show;

use std::io::Write;
use std::path::PathBuf;

use pitmaster_games::GameSpec;
use pitmaster_games::two_row::file::FileVersion;

use super::{Exit, Outcome, terminal_width};

const EXAMPLES: &str = "\
Examples:
  pitmaster games                                     all
  pitmaster games --region africa --holes 6           some
  pitmaster games --goal territory kids               those with a word in them
  pitmaster games show kalah
  pitmaster games check my-game.toml

A game is named with a variant and options behind it: kalah::6x6, kalah,seeds=5 or
weg::weg_10_4,goal_param=14; a file that describes one is named by its path: ./my-game.toml";

const SHOW_EXAMPLES: &str = "\
Examples:
  pitmaster games show oware
  pitmaster games show weg::weg_10_4,goal_param=14
  pitmaster games show ./my-game.toml
  pitmaster games show two-row                        all parameters, and what they may be";

const CHECK_EXAMPLES: &str = "\
Examples:
  pitmaster games check my-game.toml
  pitmaster games check old/*.json --age 2025-09

It exits with 1 if a file describes no game that can be played; warnings alone are no findings.";

/// Lists the games, shows one, or checks a file that describes one
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
    /// Shows a game: its rules, parameters and variants, the start, moves and positions as text
    #[command(after_help = SHOW_EXAMPLES)]
    Show {
        /// The game, by name or as a file, with options: kalah,seeds=5 or ./my-game.toml
        game: GameSpec,
    },
    /// Checks files that describe games, and tells all that is wrong with them
    #[command(after_help = CHECK_EXAMPLES)]
    Check {
        /// Files in JSON or TOML
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Read them as files of that age: 2024-11, 2025-09 or present
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

/// The age of files, as the command line has it.
fn age(text: &str) -> Result<FileVersion, String> {
    FileVersion::find(text).ok_or_else(|| {
        let known: Vec<_> = FileVersion::ALL.iter().map(|age| age.name()).collect();
        format!("an age is {}", known.join(", "))
    })
}
