//! `pitmaster export`: exports games for other programs and for `debug`.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::shown_path;
use pitmaster_report::{GameFile, Pgn};
use pitmaster_session::{self as session, Results};
use pitmaster_store::{Attempt, create_file};

use super::new::all_kits;
use super::watcher::Watcher;
use super::{Exit, Failure, Outcome, class, replay};

const EXAMPLES: &str = "\
Examples:
  pitmaster export results/demo --game 4a5a -o lost.json    one game with its full record
  pitmaster debug my-bot lost.json                          compare the bot's moves now
  pitmaster export results/demo --format pgn -o demo.pgn    for other rating programs
  pitmaster export results/demo --format jsonl | jq .id     all valid games, one per line
  pitmaster export class --for jplag --into jplag           sources of a class for JPlag

In PGN player 1 is White. Headers and result are complete; the moves are in a comment.";

/// Exports games for other programs and for `debug`, or a class for JPlag
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Results folder of a tournament; with --for, the folder of a class
    #[arg(value_name = "RESULTS|CLASS")]
    results: PathBuf,
    /// Export only this game: its id or a prefix of it
    #[arg(long, value_name = "ID")]
    game: Option<String>,
    /// Output format [default: game]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// Output file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Export a class for this program
    #[arg(long = "for", value_enum, value_name = "PROGRAM", requires = "into",
          conflicts_with_all = ["game", "format", "output"])]
    program: Option<Program>,
    /// New folder for the files of --for
    #[arg(long, value_name = "FOLDER", requires = "program")]
    into: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Program {
    /// Finds similar sources; a Java program that runs on your machine
    Jplag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// One game as a self-contained file
    Game,
    /// The same for every game, one per line, in plan order
    Jsonl,
    /// Headers and results, for other rating programs
    Pgn,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    if let (Some(Program::Jplag), Some(into)) = (args.program, &args.into) {
        return for_jplag(&args.results, into, out);
    }
    let format = args.format.unwrap_or(Format::Game);
    if format == Format::Game && args.game.is_none() {
        return Err(Failure::wrong(
            "name a game with --game ID (games.csv lists the ids), or export all of them with \
             --format jsonl or --format pgn",
        ));
    }
    let results = Results::open(&args.results)?;
    match &args.output {
        None => write(args, format, &results, out)?,
        Some(path) => {
            let mut file = BufWriter::new(create(path)?);
            write(args, format, &results, &mut file)?;
            file.flush()?;
        }
    }
    Ok(Exit::Done)
}

/// Writes the sources of a class and prints the commands that compare them.
fn for_jplag(class: &Path, into: &Path, out: &mut dyn Write) -> Outcome {
    class::remind(class, &Watcher::people())?;
    let export = session::export_for_jplag(class, into, &all_kits())?;
    for key in &export.without {
        writeln!(out, "{key}: no sources")?;
    }
    let (base, submissions) = (shown_path(&export.base), shown_path(&export.submissions));
    for (language, people) in &export.languages {
        let people = if *people == 1 { "1 person".into() } else { format!("{people} people") };
        writeln!(out, "{language}, {people}:")?;
        writeln!(
            out,
            "  java -jar jplag.jar -l {language} -bc {base} --csv-export -r {language} {submissions}"
        )?;
    }
    Ok(Exit::Done)
}

fn create(path: &Path) -> Result<File, Failure> {
    let wrong = |error| {
        Failure::wrong(format!("cannot write {} ({error}); check the path", shown_path(path)))
    };
    create_file(path).map_err(wrong)
}

fn write(
    args: &Args,
    format: Format,
    results: &Results,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    match format {
        Format::Game => each(args, results, |game| game.write(out)),
        Format::Jsonl => each(args, results, |game| game.write_line(out)),
        Format::Pgn => {
            let mut pgn = Pgn::new(out, &event(results));
            each(args, results, |game| pgn.add(game))?;
            Ok(pgn.finish()?)
        }
    }
}

/// Title of the tournament, or its game if it has no title.
fn event(results: &Results) -> String {
    let tournament = results.tournament();
    if tournament.title.is_empty() { tournament.game.spec() } else { tournament.title.clone() }
}

/// Calls `each` with the requested game, or with every valid game.
fn each(
    args: &Args,
    results: &Results,
    mut each: impl FnMut(&GameFile) -> io::Result<()>,
) -> Result<(), Failure> {
    match &args.game {
        Some(id) => Ok(each(&game_file(replay::load(&args.results, id)?))?),
        None => Ok(results.for_each(|attempt| Ok(each(&game_file(attempt))?)).map(drop)?),
    }
}

fn game_file(attempt: Attempt) -> GameFile {
    GameFile::new(attempt.record, attempt.dialects, attempt.started_at)
}

/// Reads an exported game.
///
/// # Errors
/// The file cannot be read, or is not an exported game.
pub(super) fn read(path: &Path) -> Result<GameFile, Failure> {
    let shown = shown_path(path);
    let text = fs::read_to_string(path)
        .map_err(|error| Failure::wrong(format!("cannot read {shown}: {error}; check the path")))?;
    GameFile::read(&text).map_err(|why| Failure::wrong(format!("{shown}: {why}")))
}
