//! `pitmaster play`: plays one game between bots or people and draws it move by move.

mod reports_stderr;
mod screen;
mod table;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pitmaster_bots::submission::Options;
use pitmaster_core::{
    BotHash, BotId, BotName, BySide, Dialect, Ending, GameKey, Limits, Record, Seed, Side,
};
use pitmaster_games::{DynGame, GameSpec};
use pitmaster_runner::{Entrant, Start};
use pitmaster_tournament::{fitting_cpu, parse_duration, play_opening};

use self::screen::{Show, Style};
use self::table::{Played, Table};
use pitmaster_session::{self as session, NamedGame, bot_arg, game, house};

use super::cores::CoreFlags;
use super::isolation::IsolationFlags;
use super::style::Ink;
use super::watcher::Watcher;
use super::{Exit, Failure, Outcome, game_text};

const EXAMPLES: &str = "\
Examples:
  pitmaster play bots/greedy-c bots/random-c
  pitmaster play mine.py bots/greedy-python --delay 500ms --seed 7
  pitmaster play mine.py house:greedy --game kalah
  pitmaster play house:greedy house:random --opening '4TR 5B'
  pitmaster play human house:preset,level=1        you start; ? lists the legal moves
  pitmaster play mine.py house:expert --show board,info
  pitmaster play mine.py human --plain             one sentence per move, for screen readers

With the seed and limits of a `pitmaster match`, it plays the first game of the match. A forfeit is
shown with its evidence. Nothing is stored except the built bots.";

/// Plays one game and draws the board move by move
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Player 1: a folder with a bot.toml, a single file, house:NAME, or human
    #[arg(value_name = "BOT")]
    one: PathBuf,
    /// Player 2
    #[arg(value_name = "BOT")]
    two: PathBuf,
    /// Game, as a name or a file, with options: kalah,seeds=5 or ./my-game.toml
    #[arg(long, value_name = "GAME", default_value = "coloured-awale")]
    game: GameSpec,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 53))]
    seed: u64,
    /// Time limit per move [default: 1s, none if a human plays]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    per_move: Option<Duration>,
    /// Time limit per game [default: 3m30s, none if a human plays]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    per_game: Option<Duration>,
    /// Moves played before the bots are asked, separated by spaces
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    opening: String,
    /// Minimum time between shown moves; the bots are not delayed
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "0s")]
    delay: Duration,
    /// Run house bots inside Pitmaster instead of as separate processes
    #[arg(long)]
    in_process: bool,
    /// Output in addition to the moves; several values are separated by commas
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',', default_value = "board")]
    show: Vec<Show>,
    /// Print one sentence per move, without drawings and colors
    #[arg(long)]
    plain: bool,
    /// Draw with ASCII only
    #[arg(long)]
    ascii: bool,
    /// Output folder; bots are built in play/bots inside it
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    out: PathBuf,
    #[command(flatten)]
    cores: CoreFlags,
    #[command(flatten)]
    isolation: IsolationFlags,
}

fn duration(text: &str) -> Result<Duration, String> {
    parse_duration(text).map_err(|fault| fault.to_string())
}

/// Name of a person in place of a bot.
const HUMAN: &str = "human";

impl Args {
    fn bots(&self) -> [&Path; 2] {
        [&self.one, &self.two]
    }

    fn style(&self) -> Style {
        Style {
            show: self.show.iter().copied().collect(),
            plain: self.plain,
            ink: if self.plain { Ink::default() } else { Ink::of_stdout(self.ascii) },
            delay: self.delay,
        }
    }
}

fn is_human(bot: &Path) -> bool {
    bot.as_os_str() == HUMAN
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let watcher = Watcher::people();
    let asked = game::find(&args.game, &watcher)?;
    let limits = limits(args)?;
    let mut programs = args.bots().into_iter().filter(|bot| house::name_in(bot).is_none());
    let were_handed_in = programs.any(|bot| !is_human(bot));
    let sandbox = args.isolation.options();
    let sandbox = sandbox.choose(&limits.resources, were_handed_in, &watcher)?;
    let guard = session::start_guard();
    let (layout, _) = session::cores::reserve_one(&args.cores.wish(None), &watcher)?;
    let entrants = prepare(args, &asked, &Options::of_this_machine(&sandbox))?;
    let opening = opening(args, &*asked.game, &limits, &entrants)?;
    let key = GameKey { opening, ..key(&*asked.game, limits, &entrants) };
    let seats = Side::BOTH.map(|side| game_text::seat(&key, side));
    writeln!(out, "{}: {}, seed {}", seats.join(" against "), asked.game.spec(), args.seed)?;
    out.flush()?;
    let table = Table {
        game: asked.game,
        seed: Seed(args.seed),
        humans: BySide::new(is_human(&args.one), is_human(&args.two)),
        entrants,
        core: layout.lanes[0],
        shows_stderr: args.show.contains(&Show::Stderr),
    };
    let played = table.play(key, &args.style(), out)?;
    drop(guard);
    match played {
        Played::Over(record) => conclude(&record, out),
        Played::Left { plies } => {
            writeln!(out, "\ngame abandoned after {}", game_text::plies(plies))?;
            Ok(Exit::Done)
        }
    }
}

fn limits(args: &Args) -> Result<Limits, Failure> {
    let default = if args.bots().into_iter().any(is_human) {
        Limits { per_move: None, per_game: None, ..Limits::default() }
    } else {
        Limits::default()
    };
    let per_move = args.per_move.or(default.per_move);
    let mut limits = Limits {
        per_move,
        first_move: default.first_move.max(per_move),
        per_game: args.per_game.or(default.per_game),
        ..default
    };
    limits.resources.cpu = fitting_cpu(&limits);
    for (flag, limit) in [("--per-move", limits.per_move), ("--per-game", limits.per_game)] {
        if limit.is_some_and(|limit| limit.is_zero()) {
            return Err(Failure::wrong(format!("{flag} must be at least 1ms")));
        }
    }
    Ok(limits)
}

/// Takes snapshots of both bots and builds them. Errors of both are reported together.
fn prepare(args: &Args, asked: &NamedGame, options: &Options) -> Result<BySide<Entrant>, Failure> {
    let store = args.out.join("play").join("bots");
    let prepare = |bot: &Path| -> Result<Entrant, Failure> {
        if is_human(bot) {
            Ok(human())
        } else {
            let watcher = Watcher::people();
            let entrant = bot_arg::prepare(bot, &store, asked, args.in_process, options, &watcher)?;
            Ok(entrant)
        }
    };
    match (prepare(&args.one), prepare(&args.two)) {
        (Ok(one), Ok(two)) => Ok(BySide::new(one, two)),
        (Err(one), Err(two)) if one != two => {
            Err(Failure { exit: one.exit, message: format!("{}\n{}", one.message, two.message) })
        }
        (Err(failure), _) | (_, Err(failure)) => Err(failure),
    }
}

fn human() -> Entrant {
    Entrant {
        id: BotId { name: BotName::tamed(HUMAN), hash: BotHash::of(HUMAN.as_bytes()) },
        dialect: Dialect::Pitmaster,
        lenient: false,
        start: Start::Elsewhere,
        absent: None,
        anchor: None,
    }
}

/// The opening in normal form.
fn opening(
    args: &Args,
    game: &dyn DynGame,
    limits: &Limits,
    entrants: &BySide<Entrant>,
) -> Result<String, Failure> {
    if args.opening.trim().is_empty() {
        return Ok(String::new());
    }
    let played = play_opening(game, &args.opening, limits.plies);
    let played = played.map_err(|fault| Failure::wrong(format!("--opening: {fault}")))?;
    match entrants.iter().find(|entrant| !entrant.dialect.hears_openings()) {
        None => Ok(played.text),
        Some(entrant) => Err(Failure::wrong(format!(
            "{} uses the dialect {}, which has no openings; leave --opening out",
            entrant.id.name, entrant.dialect
        ))),
    }
}

/// Key of the first game of a match between these two.
fn key(game: &dyn DynGame, limits: Limits, entrants: &BySide<Entrant>) -> GameKey {
    GameKey {
        rules: game.id(),
        limits,
        stage: 1,
        round: 0,
        bots: entrants.as_ref().map(|entrant| entrant.id.clone()),
        opening: String::new(),
        pair: 1,
    }
}

fn conclude(record: &Record, out: &mut dyn Write) -> Outcome {
    if let Ending::RefereeError { fault } = &record.ending {
        return Err(Failure::fault(format!(
            "the game is void: {fault}; play it again, and report it if the error recurs"
        )));
    }
    writeln!(out, "\n{}", game_text::ending(record))?;
    write!(out, "{}{}", game_text::times(record), game_text::evidence(record))?;
    Ok(Exit::Done)
}
