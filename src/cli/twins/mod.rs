//! `pitmaster twins`: finds bots with similar play or equal sources.

mod table;

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pitmaster_bots::submission::shown_path;
use pitmaster_games::GameSpec;
use pitmaster_session::{self as session, TwinsOptions, bot_arg, game, house};
use pitmaster_tournament::parse_duration;

use super::cores::CoreFlags;
use super::isolation::IsolationFlags;
use super::new::all_kits;
use super::watcher::Watcher;
use super::{Exit, Failure, Outcome, class};

/// Fast house bots that students might copy.
const HOUSE: [&str; 2] = ["random", "greedy"];

const EXAMPLES: &str = "\
Examples:
  pitmaster twins class                            all bots of a class
  pitmaster twins class last-year/bots/* --csv twins.csv
  pitmaster twins a b house:minimaxer,depth=4      is one of them a house bot?

Every bot plays the same 20 scripted games, 10 as each player: the opponent's moves follow from the
number of the game and the moves so far, and seeds are fixed. Listed are pairs with at least half of
the games identical, with the same answer in 97 % of at least 50 positions that both met, or with
equal files (bot.toml, papers, line ends and names of files do not count). Unchanged templates of
`pitmaster new` are named and not asked.

This is evidence, not a verdict: look at the sources. Programs that choose among equal moves in the
same way can play alike, and a copy with other dice does not. For each pair, a recorded game of the
first bot is kept, with the command that compares the second bot to it.";

/// Compares how bots play the same scripted games, and their sources
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Folders of classes, bots, and house bots
    #[arg(required = true, value_name = "CLASS|BOT")]
    bots: Vec<PathBuf>,
    /// Game, as a name or a file, with options
    #[arg(long, value_name = "GAME", default_value = "coloured-awale")]
    game: GameSpec,
    /// Time limit per move
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1s")]
    per_move: Duration,
    /// Also write all pairs that are listed as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Bots asked at once [default: physical cores minus one, at least one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    lanes: Option<u16>,
    /// Output folder; bots are built in twins/bots inside it
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    out: PathBuf,
    #[command(flatten)]
    cores: CoreFlags,
    #[command(flatten)]
    isolation: IsolationFlags,
}

fn duration(text: &str) -> Result<Duration, String> {
    match parse_duration(text) {
        Ok(time) if time.is_zero() => Err("the time limit must be at least 1ms".into()),
        read => read.map_err(|fault| fault.to_string()),
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let watcher = Watcher::people();
    for folder in args.bots.iter().filter(|path| path.is_dir()) {
        class::remind(folder, &watcher)?;
    }
    let (house, paths): (Vec<_>, Vec<_>) =
        args.bots.iter().partition(|path| house::name_in(path).is_some());
    let bots = paths.into_iter().map(|path| bot_arg::expand(path));
    let bots = bots.collect::<Result<Vec<_>, _>>()?.concat();
    for path in &bots {
        bot_arg::must_be_there(path)?;
    }
    let mut named: Vec<String> = HOUSE.map(str::to_owned).to_vec();
    for name in house.into_iter().filter_map(|path| house::name_in(path)) {
        if named.iter().all(|known| known != name) {
            named.push(name.to_owned());
        }
    }
    let options = TwinsOptions {
        bots,
        house: named,
        kits: all_kits(),
        game: game::find(&args.game, &watcher)?,
        per_move: args.per_move,
        out: args.out.join("twins"),
        cores: args.cores.wish(args.lanes),
        isolation: args.isolation.options(),
    };
    let sheet = args.csv.as_deref().map(create).transpose()?;
    let twins = session::twins(&options, &watcher)?;
    table::write(&twins, out)?;
    if let Some(sheet) = sheet {
        table::write_csv(&twins, sheet)?;
    }
    Ok(if twins.pairs.is_empty() { Exit::Done } else { Exit::Findings })
}

fn create(path: &Path) -> Result<File, Failure> {
    pitmaster_store::create_file(path).map_err(|error| {
        Failure::wrong(format!("cannot write {}: {error}; check the path", shown_path(path)))
    })
}
