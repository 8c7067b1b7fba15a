//! `pitmaster debug`: compares a bot's choices with its moves in a recorded game.

mod prompted;
mod scripted_game;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::thread::JoinHandle;
use std::time::Duration;

use pitmaster_bots::submission::{Options, shown_path};
use pitmaster_core::{Record, Resources, Side, Untrusted};
use pitmaster_games::DynGame;
use pitmaster_referee::{replay, rules_of};
use pitmaster_runner::Entrant;

use self::scripted_game::{Answer, Event, Script};
use pitmaster_session::{self as session, NamedGame, bot_arg, house};

use super::isolation::IsolationFlags;
use super::watcher::Watcher;
use super::{Exit, Failure, Outcome, export, game_text};

const EXAMPLES: &str = "\
Examples:
  pitmaster export results/demo --game 4a5a -o lost.json
  pitmaster debug my-bot lost.json             compare all of its moves
  pitmaster debug my-bot lost.json --at 12     only ply 12, with the board
  pitmaster debug house:expert,nodes=100000 lost.json --side 2

The bot receives the limits of the game, but they are not enforced, so that it can run in a
debugger. Its standard error is shown as it arrives, after a `|`. With --at, and after a move that
differs, a bot of the dialect pitmaster receives all earlier moves as the opening; if it draws
random numbers on every move, it may then draw different ones. Exit code 1 means that it now
chooses another move.";

/// Maximum length of a shown line, in characters.
const LINE: usize = 400;

/// Asks a bot for its moves in a recorded game, without a clock
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Bot: a folder with a bot.toml, a single file, or house:NAME
    bot: PathBuf,
    /// Game written by `pitmaster export`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Ask only for the move at this ply
    #[arg(long, value_name = "PLY")]
    at: Option<usize>,
    /// Side of the bot [default: the side with its name]
    #[arg(long, value_parser = side, value_name = "1|2")]
    side: Option<Side>,
    /// Output folder; the bot is built in play/bots inside it
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    out: PathBuf,
    #[command(flatten)]
    isolation: IsolationFlags,
}

fn side(text: &str) -> Result<Side, String> {
    let side = text.parse().ok().and_then(Side::from_number);
    side.ok_or_else(|| "expected 1 or 2".into())
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let _guard = session::start_guard();
    let script = Arc::new(script(args)?);
    let places = places(args, &script)?;
    write!(out, "{}", heading(&script, args))?;
    out.flush()?;
    let mut output = Output { script: &script, out, answers: Vec::new(), failed: None };
    ask(&script, &places, args.at.is_some(), &mut output)?;
    output.conclude(places.len())
}

/// Reads the game and prepares the bot.
fn script(args: &Args) -> Result<Script, Failure> {
    let shown = shown_path(&args.file);
    let file = export::read(&args.file)?;
    let record = file.record;
    let game = rules_of(&record).map_err(Failure::wrong)?;
    let differences = replay(&record, &*game).differences;
    if !differences.is_empty() {
        let why = differences.join("; ");
        return Err(Failure::wrong(format!("{shown} cannot be replayed: {why}")));
    }
    let store = args.out.join("play").join("bots");
    let asked = NamedGame { game: game.clone(), player: None };
    let resources = Resources { cpu: None, ..record.key.limits.resources.clone() };
    let (watcher, is_submission) = (Watcher::people(), house::name_in(&args.bot).is_none());
    let sandbox = args.isolation.options().choose(&resources, is_submission, &watcher)?;
    let options = Options::of_this_machine(&sandbox);
    let entrant = bot_arg::prepare(&args.bot, &store, &asked, false, &options, &watcher)?;
    let side = args.side.map_or_else(|| its_side(&record, &entrant), Ok)?;
    let positions = positions(&record, &*game);
    Ok(Script { record, game, positions, entrant, side })
}

/// Side with the bot's name.
fn its_side(record: &Record, entrant: &Entrant) -> Result<Side, Failure> {
    let bots = &record.key.bots;
    let is_its = |side: &Side| bots[*side].name == entrant.id.name;
    match Side::BOTH.into_iter().filter(is_its).collect::<Vec<_>>()[..] {
        [side] => Ok(side),
        _ => Err(Failure::wrong(format!(
            "player 1 was {}, player 2 was {}, and this bot is {}; choose its side with --side",
            bots.one.name, bots.two.name, entrant.id.name
        ))),
    }
}

/// Position before each ply, and the final one.
fn positions(record: &Record, game: &dyn DynGame) -> Vec<String> {
    let mut table = game.begin();
    let mut positions = vec![table.position()];
    for text in record.moves() {
        table.follow(text, &mut String::new()).expect("the rules allow what was played");
        positions.push(table.position());
    }
    positions
}

/// Plies at which to ask the bot, counted from 0.
fn places(args: &Args, script: &Script) -> Result<Vec<usize>, Failure> {
    let own = script.own_places();
    let seat = game_text::seat(&script.record.key, script.side);
    if own.is_empty() {
        return Err(Failure::wrong(format!("{seat} had no move to choose in this game")));
    }
    let Some(ply) = args.at else { return Ok(own) };
    match own.iter().find(|&&place| place + 1 == ply) {
        Some(&place) => Ok(vec![place]),
        None => {
            let plies: Vec<_> = own.iter().map(|place| (place + 1).to_string()).collect();
            let plies = plies.join(", ");
            Err(Failure::wrong(format!(
                "ply {ply} is not a ply of {seat}, whose plies are {plies}"
            )))
        }
    }
}

/// Asks at all these plies, in as few games as possible.
fn ask(
    script: &Arc<Script>,
    places: &[usize],
    is_one: bool,
    output: &mut Output<'_>,
) -> Result<(), Failure> {
    let hears_openings = script.entrant.dialect.hears_openings();
    let plain = script.record.key.opening_plies();
    if is_one {
        let place = places[0];
        let from = if hears_openings { place } else { plain };
        return output.show_game(script.feed(from, Some(place)), Some(place));
    }
    output.show_game(script.feed(plain, None), None)?;
    let asked = output.answers.len();
    if hears_openings {
        // The bot chose another move and cannot continue from the recorded one.
        for &place in places.iter().skip(asked) {
            if output.failed.is_some() {
                break;
            }
            output.show_game(script.feed(place, Some(place)), None)?;
        }
    }
    Ok(())
}

fn heading(script: &Script, args: &Args) -> String {
    let Script { record, game, entrant, side, positions } = script;
    let [seat, other] = [*side, side.other()].map(|side| game_text::seat(&record.key, side));
    let mut lines = vec![format!("{seat} against {other}: {}, game {}", game.spec(), record.id())];
    let then = &record.key.bots[*side];
    if then.hash != entrant.id.hash {
        let (was, is) = (then.hash.short(), entrant.id.hash.short());
        lines.push(format!("this program ({is}) differs from the one that played ({was})"));
    }
    let board = |ply: usize| game.resume(&positions[ply - 1]).ok().map(|table| table.board());
    lines.extend(args.at.and_then(board).map(|board| format!("\n{}", board.trim_end())));
    lines.push("\n  ply  then                now\n".into());
    lines.join("\n")
}

/// Answers so far, and their output.
struct Output<'a> {
    script: &'a Script,
    out: &'a mut dyn Write,
    answers: Vec<Answer>,
    failed: Option<String>,
}

impl Output<'_> {
    /// Shows all events until the game ends. If `place` is given, only the answer there and answers
    /// that differ are shown.
    fn show_game(
        &mut self,
        (events, game): (Receiver<Event>, JoinHandle<()>),
        place: Option<usize>,
    ) -> Result<(), Failure> {
        for event in events {
            self.show(event, place)?;
            self.out.flush()?;
        }
        game.join().map_err(|_| Failure::fault("the game ended in a panic; please report it"))
    }

    fn show(&mut self, event: Event, place: Option<usize>) -> Result<(), Failure> {
        match event {
            Event::Stderr(text) => self.errors(&text)?,
            Event::Info(text) => writeln!(self.out, "       info {}", text.shown(LINE))?,
            Event::Answer(answer) => {
                if place.is_none_or(|place| place == answer.place) || !answer.is_same {
                    self.answer(&answer)?;
                    self.answers.push(answer);
                }
            }
            Event::Failed(fault) => self.failed = Some(fault.to_string()),
            Event::Void(why) => return Err(Failure::fault(format!("the game is void: {why}"))),
        }
        Ok(())
    }

    fn errors(&mut self, text: &Untrusted) -> io::Result<()> {
        let lines = text.as_bytes().trim_ascii_end().split(|&byte| byte == b'\n');
        lines
            .map(Untrusted::new)
            .try_for_each(|line| writeln!(self.out, "       | {}", line.shown(LINE)))
    }

    fn answer(&mut self, answer: &Answer) -> io::Result<()> {
        let then = then(self.script, answer.place);
        let now = answer.text.shown(LINE);
        let verdict = match (answer.is_same, answer.is_legal) {
            (true, true) => "",
            (false, true) => "  differs",
            (_, false) => "  illegal",
        };
        let (ply, took) = (answer.place + 1, answer.took);
        writeln!(self.out, "{ply:>5}  {then:<18}  {now:<6} {}{verdict}", time(took))
    }

    fn conclude(self, asked: usize) -> Outcome {
        let Self { script, out, answers, failed } = self;
        let others: Vec<_> = answers.iter().filter(|answer| !answer.is_same).collect();
        let sentence = match (&others[..], answers.len()) {
            ([], 1) => "it chooses the same move".to_owned(),
            ([], count) => format!("it chooses the same move at all {count} plies"),
            ([first, ..], count) => {
                let (ply, now) = (first.place + 1, first.text.shown(LINE));
                let then = then_text(script, first.place);
                let differ = match count {
                    1 => "it chooses another move".to_owned(),
                    _ => format!("{} of {count} moves differ, the first", others.len()),
                };
                format!("{differ} at ply {ply}: {then} then, {now} now")
            }
        };
        if !answers.is_empty() {
            writeln!(out, "\n{sentence}")?;
        }
        if let Some(fault) = &failed {
            let ply = answers.last().map_or(1, |answer| answer.place + 1);
            writeln!(out, "it failed after ply {ply}: {fault}")?;
        } else if answers.len() < asked {
            writeln!(
                out,
                "later plies are skipped: in the dialect {} a bot cannot be told its own earlier \
                 moves",
                script.entrant.dialect
            )?;
        }
        let is_same = others.is_empty() && failed.is_none();
        Ok(if is_same { Exit::Done } else { Exit::Findings })
    }
}

/// Recorded move with its time, or the ending of the game instead.
fn then(script: &Script, place: usize) -> String {
    let text = then_text(script, place);
    match script.record.plies.get(place) {
        Some(ply) => format!("{text:<6} {}", time(ply.wall)),
        None => text,
    }
}

fn then_text(script: &Script, place: usize) -> String {
    match script.record.plies.get(place) {
        Some(ply) => Untrusted::new(ply.text.as_bytes()).shown(LINE),
        None => {
            let evidence = script.record.evidence[script.side].as_ref();
            let line = evidence.and_then(|evidence| evidence.line.as_ref());
            let line = line.map_or(String::new(), |line| format!(" \"{}\"", line.shown(LINE)));
            format!("{}{line}", script.record.ending.name())
        }
    }
}

fn time(time: Duration) -> String {
    format!("{time:>9.1?}")
}
