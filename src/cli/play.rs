//! `pitmaster play`: one game, drawn move by move.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::matches::is_house;
use super::{Exit, Failure, Outcome, bots, game, guard, progress, telling};
use crate::bot::disk::{self, Naming, PrepareFault, shown_path};
use crate::games::{Game, GameSpec};
use crate::players::PREFIX;
use crate::record::{BySide, Ending, GameKey, Limits, Ply, Record, Seed, Side};
use crate::referee::Referee;
use crate::runner::{self, Entrant, OneGame, Stopping};
use crate::tournament::{parse_duration, play_opening};

const EXAMPLES: &str = "\
Examples:
  pitmaster play bots/greedy-c bots/random-c
  pitmaster play mine.py bots/greedy-python --delay 500ms --seed 7
  pitmaster play mine.py house:greedy --game kalah
  pitmaster play house:greedy house:random --opening '4TR 5B'
  pitmaster play mine.py mine.py --per-move 10s --no-board

With the seed and the limits of a `pitmaster match` it is a game of the bots' first pair there.
A forfeit is told with its evidence; nothing is kept but the bots that were built.";

/// Plays one game and draws the board move by move
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Player 1: a folder with a bot.toml, a single file, or house:NAME
    #[arg(value_name = "BOT")]
    one: PathBuf,
    /// Player 2
    #[arg(value_name = "BOT")]
    two: PathBuf,
    /// The game, by name or as a file, with options: kalah,seeds=5 or ./my-game.toml
    #[arg(long, value_name = "GAME", default_value = "coloured-awale")]
    game: GameSpec,
    /// All randomness follows from it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 53))]
    seed: u64,
    /// The limit on a move
    #[arg(long, value_name = "TIME", value_parser = duration)]
    per_move: Option<Duration>,
    /// The limit on the whole game
    #[arg(long, value_name = "TIME", value_parser = duration)]
    per_game: Option<Duration>,
    /// What is played before the bots are asked, moves separated by blanks
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    opening: String,
    /// Show a move no sooner than this after the one before; the bots are not held up
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "0s")]
    delay: Duration,
    /// Show the moves only
    #[arg(long)]
    no_board: bool,
    /// Where bots are built: in its folder play/bots
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    out: PathBuf,
}

fn duration(text: &str) -> Result<Duration, String> {
    parse_duration(text).map_err(|fault| fault.to_string())
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let game = game::find(&args.game)?;
    let limits = limits(args)?;
    let entrants = prepare(args, &*game)?;
    if [&args.one, &args.two].iter().any(|bot| !is_house(bot)) {
        progress::say(telling::NOT_CONTAINED);
    }
    let opening = opening(args, &*game, &limits, &entrants)?;
    let key = GameKey { opening, ..key(&*game, limits, &entrants) };
    let guard = guard::start();
    let seats = Side::BOTH.map(|side| telling::seat(&key, side));
    writeln!(out, "{}: {}, seed {}", seats.join(" against "), game.spec(), args.seed)?;
    out.flush()?;
    let (frames, game) = start(key.clone(), game, Seed(args.seed), entrants);
    show(&frames, &key, args, out)?;
    let record = game.join().map_err(|_| Failure::fault("the game ended in a panic; report it"))?;
    drop(guard);
    conclude(&record, out)
}

fn limits(args: &Args) -> Result<Limits, Failure> {
    let default = Limits::default();
    let per_move = args.per_move.or(default.per_move);
    let limits = Limits {
        per_move,
        first_move: default.first_move.max(per_move),
        per_game: args.per_game.or(default.per_game),
        ..default
    };
    for (flag, limit) in [("--per-move", limits.per_move), ("--per-game", limits.per_game)] {
        if limit.is_some_and(|limit| limit.is_zero()) {
            return Err(Failure::wrong(format!("{flag} leaves no time; write 1ms or more")));
        }
    }
    Ok(limits)
}

/// The name of a game without its options, as bots say which games they play.
fn name_of(game: &dyn Game) -> String {
    game.spec().split(',').next().unwrap_or_default().to_owned()
}

/// Snapshots and builds; all that is wrong with the two is told at once.
fn prepare(args: &Args, game: &dyn Game) -> Result<BySide<Entrant>, Failure> {
    let store = args.out.join("play").join("bots");
    let one = prepare_one(&args.one, &store, game);
    let two = prepare_one(&args.two, &store, game);
    match (one, two) {
        (Ok(one), Ok(two)) => Ok(BySide::new(one, two)),
        (Err(one), Err(two)) if one != two => {
            Err(Failure { exit: one.exit, message: format!("{}\n{}", one.message, two.message) })
        }
        (Err(failure), _) | (_, Err(failure)) => Err(failure),
    }
}

pub(super) fn prepare_one(path: &Path, store: &Path, game: &dyn Game) -> Result<Entrant, Failure> {
    if let Some(name) = path.to_str().and_then(|path| path.strip_prefix(PREFIX)) {
        return house_bot(name, game).map_err(Failure::wrong);
    }
    path.metadata().map_err(|error| {
        Failure::wrong(format!("cannot read {}: {error}; check the path", shown_path(path)))
    })?;
    let options = disk::Options::of_this_machine();
    match disk::prepare(path, Naming::default(), store, &name_of(game), &options) {
        Ok(prepared) => Ok(bots::entrant(prepared.command)),
        Err(PrepareFault::Bot(unfit)) => Err(Failure::wrong(unfit)),
        Err(PrepareFault::Store(fault)) => Err(Failure::stopped(fault)),
    }
}

fn house_bot(name: &str, game: &dyn Game) -> Result<Entrant, String> {
    let player = bots::house_bot(name)?;
    match bots::cannot_play(&player, game) {
        Some(why) => Err(why),
        None => Ok(bots::plain_house_entrant(&player)),
    }
}

/// The opening, in the form that the game writes.
fn opening(
    args: &Args,
    game: &dyn Game,
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
            "{} speaks {} and cannot be told of an opening; leave --opening out",
            entrant.id.name, entrant.dialect
        ))),
    }
}

/// The key of the first game of a match of these two.
fn key(game: &dyn Game, limits: Limits, entrants: &BySide<Entrant>) -> GameKey {
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

/// What has happened on the board.
#[derive(Debug)]
struct Frame {
    /// What was played since the frame before; none at first.
    plies: Vec<Ply>,
    /// The board after it.
    board: String,
}

/// Plays on a thread of its own, on the core of a lane, so that neither drawing nor a delay
/// costs the bots anything.
fn start(
    key: GameKey,
    game: Arc<dyn Game>,
    seed: Seed,
    entrants: BySide<Entrant>,
) -> (Receiver<Frame>, JoinHandle<Record>) {
    let (tell, frames) = channel();
    let thread = thread::spawn(move || {
        if let Some(&core) = runner::layout(Some(1)).lanes.first() {
            runner::move_to(&[core]);
        }
        let entrants = entrants.as_ref();
        let one = OneGame { key, game: &game, seed, entrants, stopping: Stopping::Adaptive };
        let mut shown = None;
        one.play(|referee| watch(referee, &mut shown, &tell))
    });
    (frames, thread)
}

/// Tells what is new on the board; `shown` is how many plies were told of.
fn watch(referee: &Referee, shown: &mut Option<usize>, tell: &Sender<Frame>) {
    let plies = referee.plies();
    if *shown == Some(plies.len()) {
        return;
    }
    let new = plies[shown.unwrap_or(0)..].to_vec();
    *shown = Some(plies.len());
    // Nobody listens only when nobody reads what is shown.
    let _ = tell.send(Frame { plies: new, board: referee.table().board() });
}

fn show(
    frames: &Receiver<Frame>,
    key: &GameKey,
    args: &Args,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut number = 0;
    for frame in frames {
        if !frame.plies.is_empty() {
            thread::sleep(args.delay);
        }
        if !args.no_board {
            writeln!(out)?;
        }
        for ply in &frame.plies {
            number += 1;
            out.write_all(telling::ply(key, number, ply).as_bytes())?;
        }
        if !args.no_board {
            out.write_all(frame.board.as_bytes())?;
        }
        out.flush()?;
    }
    Ok(())
}

fn conclude(record: &Record, out: &mut dyn Write) -> Outcome {
    if let Ending::RefereeError { fault } = &record.ending {
        return Err(Failure::fault(format!(
            "the game is void: {fault}; play it again, and report it if that happens again"
        )));
    }
    writeln!(out, "\n{}", telling::ending(record))?;
    write!(out, "{}{}", telling::times(record), telling::evidence(record))?;
    Ok(Exit::Done)
}
