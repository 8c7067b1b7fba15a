//! `pitmaster match`: plays bots without a tournament file.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pitmaster_bots::submission::shown_path;
use pitmaster_core::{BotName, Limits, Requirements, Seed};
use pitmaster_games::GameSpec;
use pitmaster_ratings::Sprt;
use pitmaster_session::house::{self, HouseBot};
use pitmaster_session::{Contest, NamedGame, bots, game, naming};
use pitmaster_tournament::{
    BotEntry, Bots, Durability, FormatKind, FormatPlan, Located, Location, OpeningSource, Openings,
    SprtPlan, StagePlan, Tournament, fitting_cpu, parse_duration,
};

use super::contest::{self, Flags};
use super::sprt::bounds;
use super::{Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster match bots/random-c bots/greedy-c --pairs 100
  pitmaster match mine.py bots/greedy-python --per-move 100ms --seed 7
  pitmaster match mine.py house:greedy         a house bot; `pitmaster bot --list` lists them
  pitmaster match mine.py theirs --openings 4  start each pair with four random plies
  pitmaster match a b c --name friday          three bots, results in results/friday
  pitmaster match new old --sprt 0,10          play until a test decides whether new is stronger";

/// Plays bots without a tournament file and writes the equivalent one
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Bots: folders with a bot.toml, single files, or house:NAME
    #[arg(required = true, num_args = 2.., value_name = "BOT")]
    bots: Vec<PathBuf>,
    /// Pairs of games between every two bots, with sides swapped within a pair
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pairs: u32,
    /// Game, as a name or a file, with options: kalah,seeds=5 or ./my-game.toml
    #[arg(long, value_name = "GAME", default_value = "coloured-awale")]
    game: GameSpec,
    /// Time limit per move
    #[arg(long, value_name = "TIME", value_parser = duration)]
    per_move: Option<Duration>,
    /// Time limit per game
    #[arg(long, value_name = "TIME", value_parser = duration)]
    per_game: Option<Duration>,
    /// Openings, shared by both games of a pair: a number of random plies, or a file with one
    /// opening per line
    #[arg(long, value_name = "PLIES|FILE")]
    openings: Option<String>,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 53))]
    seed: u64,
    /// Name of the results folder [default: derived from the bots' names]
    #[arg(long, value_parser = name)]
    name: Option<BotName>,
    /// Play until a sequential probability ratio test decides whether the first bot is stronger
    /// than the second by at most E0 or at least E1 Elo (`pitmaster help tournament` lists all
    /// keys of the test)
    #[arg(long, value_name = "E0,E1", allow_hyphen_values = true, value_parser = usual_test,
          conflicts_with = "pairs")]
    sprt: Option<Sprt>,
    /// Maximum number of games with --sprt
    #[arg(long, value_name = "N", requires = "sprt", default_value_t = SprtPlan::GAMES,
          value_parser = clap::value_parser!(u64).range(2..=1_000_000_000))]
    games: u64,
    /// Run house bots inside Pitmaster instead of as separate processes
    #[arg(long)]
    in_process: bool,
    #[command(flatten)]
    flags: Flags,
}

fn duration(text: &str) -> Result<Duration, String> {
    parse_duration(text).map_err(|fault| fault.to_string())
}

/// Test with these bounds and otherwise default parameters.
fn usual_test(text: &str) -> Result<Sprt, String> {
    let (elo0, elo1) = bounds(text)?;
    Sprt { elo0, elo1, ..Sprt::default() }.checked().map_err(|fault| fault.to_string())
}

fn name(text: &str) -> Result<BotName, String> {
    text.parse().map_err(|fault: pitmaster_core::NameError| fault.to_string())
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let name = args.name.as_ref().map_or_else(|| made_up_name(&args.bots), ToString::to_string);
    let asked = game::find(&args.game, &args.flags.watcher())?;
    let contest = Contest::of(tournament(args, &asked)?, &asked, name)?;
    contest::play(contest, &args.flags, out)
}

fn tournament(args: &Args, asked: &NamedGame) -> Result<Tournament, Failure> {
    let default = Limits::default();
    let per_move = args.per_move.or(default.per_move);
    let mut limits = Limits {
        per_move,
        first_move: default.first_move.max(per_move),
        per_game: args.per_game.or(default.per_game),
        ..default
    };
    limits.resources.cpu = fitting_cpu(&limits);
    let entries = entries(args, asked)?;
    let isolation = args.flags.isolation.options();
    Ok(Tournament {
        title: String::new(),
        seed: Seed(args.seed),
        game: asked.game.clone(),
        limits,
        seed_commitment: None,
        starved_replays: Tournament::STARVED_REPLAYS,
        isolation: isolation.tier(None),
        require: isolation.required(Requirements::friendly),
        format: format(args, &entries)?,
        share: None,
        openings: Openings { source: opening_source(args)?, ..Openings::default() },
        bots: Bots { entries, ..Bots::default() },
        durability: Durability::default(),
    })
}

fn format(args: &Args, entries: &[BotEntry]) -> Result<FormatPlan, Failure> {
    let Some(sprt) = args.sprt else { return Ok(FormatPlan::round_robin(args.pairs)) };
    let [_, old] = entries else {
        return Err(Failure::wrong("--sprt compares two bots; name exactly two"));
    };
    let both = Bots { entries: entries.to_vec(), ..Bots::default() };
    let (found, _) = bots::find(&both, Path::new(""));
    let is_old = |bot: &bots::Found| {
        bot.entry.as_ref().is_some_and(|entry| entry.path.value == old.path.value)
    };
    let (names, _) = naming::name_all(&found)?;
    let value = found.iter().rposition(is_old).and_then(|at| names[at].name.clone());
    let against = value.map(|value| Located { value, place: Location::START });
    let (games, look_ahead) = (args.games, SprtPlan::LOOK_AHEAD);
    let kind = FormatKind::Sprt(SprtPlan { against, sprt, games, look_ahead });
    let stage = StagePlan { kind, ..StagePlan::default() };
    Ok(FormatPlan { stages: vec![stage], ..FormatPlan::default() })
}

fn opening_source(args: &Args) -> Result<OpeningSource, Failure> {
    let Some(text) = &args.openings else { return Ok(OpeningSource::None) };
    match text.parse() {
        Ok(plies @ 1..=100) => Ok(OpeningSource::Random { plies, count: None }),
        Ok(_) => Err(Failure::wrong("--openings takes 1 to 100 plies, or a file")),
        Err(_) => named(Path::new(text)).map(OpeningSource::File),
    }
}

fn entries(args: &Args, asked: &NamedGame) -> Result<Vec<BotEntry>, Failure> {
    if args.in_process && !args.bots.iter().any(|bot| house::name_in(bot).is_some()) {
        let message = "--in-process applies only to house bots, and none is named; leave it out";
        return Err(Failure::wrong(message));
    }
    args.bots.iter().map(|bot| entry(bot, args, asked)).collect()
}

fn entry(bot: &Path, args: &Args, asked: &NamedGame) -> Result<BotEntry, Failure> {
    let (place, anchor, display) = (Location::START, None, None);
    let Some(name) = house::name_in(bot) else {
        let path = Located { value: named(bot)?, place };
        return Ok(BotEntry { place, path, name: None, display, anchor, in_process: false });
    };
    let in_process = args.in_process;
    let mut house = HouseBot::named(name, in_process).map_err(Failure::wrong)?;
    // Why it cannot play is reported later, together with the errors of the other bots.
    let applied = house.apply_game(asked).is_ok() && asked.player.is_some();
    // The written file names the game without the player settings of the game's own file.
    let path = if applied { house.full() } else { house.shown() };
    let name = applied.then(|| house.name()).map(|value| Located { value, place });
    let path = Located { value: path, place };
    Ok(BotEntry { place, path, name, display, anchor, in_process })
}

/// Absolute path, so that the written file works from any folder.
fn named(bot: &Path) -> Result<String, Failure> {
    let found = bot.canonicalize().map_err(|error| {
        Failure::wrong(format!("cannot read {}: {error}; check the path", shown_path(bot)))
    })?;
    let not_utf8 = || Failure::wrong(format!("{} is not UTF-8; rename it", shown_path(&found)));
    found.to_str().map(str::to_owned).ok_or_else(not_utf8)
}

fn made_up_name(bots: &[PathBuf]) -> String {
    let stem = |bot: &PathBuf| {
        let bot: &Path = bot;
        let stem =
            if house::name_in(bot).is_some() { Some(bot.as_os_str()) } else { bot.file_stem() };
        stem.unwrap_or_default().to_string_lossy().into_owned()
    };
    let stems: Vec<_> = bots.iter().map(stem).collect();
    BotName::tamed(&stems.join("-vs-")).to_string()
}
