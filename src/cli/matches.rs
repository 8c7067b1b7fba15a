//! `pitmaster match`: a tournament of a few bots, without a file.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::contest::{self, Flags};
use super::{Failure, Outcome, game, run};
use crate::bot::disk::shown_path;
use crate::games::GameSpec;
use crate::record::{BotName, Limits, Seed};
use crate::tournament::{
    BotEntry, Bots, Durability, FormatPlan, Place, Placed, Tournament, parse_duration,
};

const EXAMPLES: &str = "\
Examples:
  pitmaster match bots/random-c bots/greedy-c --pairs 100
  pitmaster match mine.py bots/greedy-python --per-move 100ms --seed 7
  pitmaster match a b c --name friday          three bots, results in results/friday";

/// Lets bots meet without a tournament file, and writes the file that says the same
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Bots: folders with a bot.toml, or single files
    #[arg(required = true, num_args = 2.., value_name = "BOT")]
    bots: Vec<PathBuf>,
    /// How often every two bots meet, two games each time
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pairs: u32,
    /// The game, by name or as a file, with options: kalah,seeds=5 or ./my-game.toml
    #[arg(long, value_name = "GAME", default_value = "coloured-awale")]
    game: GameSpec,
    /// The limit on a move
    #[arg(long, value_name = "TIME", value_parser = duration)]
    per_move: Option<Duration>,
    /// The limit on a whole game
    #[arg(long, value_name = "TIME", value_parser = duration)]
    per_game: Option<Duration>,
    /// All randomness follows from it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 53))]
    seed: u64,
    /// The name of the results' folder [default: made of the bots' names]
    #[arg(long, value_parser = name)]
    name: Option<BotName>,
    #[command(flatten)]
    flags: Flags,
}

fn duration(text: &str) -> Result<Duration, String> {
    parse_duration(text).map_err(|fault| fault.to_string())
}

fn name(text: &str) -> Result<BotName, String> {
    text.parse().map_err(|fault: crate::record::NameFault| fault.to_string())
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let name = args.name.as_ref().map_or_else(|| made_up_name(&args.bots), ToString::to_string);
    let contest = run::written(tournament(args)?, name)?;
    contest::play(&contest, &args.flags, out)
}

fn tournament(args: &Args) -> Result<Tournament, Failure> {
    let default = Limits::default();
    let per_move = args.per_move.or(default.per_move);
    let limits = Limits {
        per_move,
        first_move: default.first_move.max(per_move),
        per_game: args.per_game.or(default.per_game),
        ..default
    };
    Ok(Tournament {
        title: String::new(),
        seed: Seed(args.seed),
        game: game::find(&args.game)?,
        limits,
        format: FormatPlan { pairs: args.pairs, ..FormatPlan::default() },
        bots: Bots { entries: entries(&args.bots)?, ..Bots::default() },
        durability: Durability::default(),
    })
}

/// Absolute paths, so that the file that is written means the same from anywhere.
fn entries(paths: &[PathBuf]) -> Result<Vec<BotEntry>, Failure> {
    let entry = |path: &PathBuf| {
        let found = path.canonicalize().map_err(|error| {
            Failure::wrong(format!("cannot read {}: {error}; check the path", shown_path(path)))
        })?;
        let place = Place::START;
        let value = found.to_str().map(str::to_owned).ok_or_else(|| {
            Failure::wrong(format!("{} is not UTF-8; rename it", shown_path(&found)))
        })?;
        let path = Placed { value, place };
        Ok(BotEntry { place, path, name: None, display: None, anchor: None })
    };
    paths.iter().map(entry).collect()
}

fn made_up_name(paths: &[PathBuf]) -> String {
    let stem = |path: &PathBuf| {
        let path: &Path = path;
        path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    };
    let stems: Vec<_> = paths.iter().map(stem).collect();
    BotName::tamed(&stems.join("-vs-")).to_string()
}
