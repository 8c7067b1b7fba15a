//! `pitmaster analyze`: evaluates a played game move by move.

use std::io::Write;
use std::path::PathBuf;

use pitmaster_bots::submission::shown_path;
use pitmaster_games::GameSpec;
use pitmaster_report::{AnalysisHead, analysis_json, analysis_text};
use pitmaster_session::{Analyst, Effort, PlayedGame, analyze, read_game};
use pitmaster_store::Reader;

use super::watcher::Watcher;
use super::{Exit, Failure, Outcome, game_text, replay, tables, terminal_width};

const EXAMPLES: &str = "\
Examples:
  pitmaster analyze lost.json                      a game written by `pitmaster export`
  pitmaster analyze results/demo 4a5a              a game of a tournament; games.csv lists the ids
  pitmaster analyze results/demo/moves.jsonl 4a5a  the same from its list of moves
  pitmaster analyze moves.txt --game kalah         a list of moves separated by blanks
  pitmaster analyze lost.json --per-ply 2s         deeper
  pitmaster analyze lost.json --nodes 100000 --format json

Values are seeds that player 1 is expected to win by. Once the search has followed every line to the
end of the game, or a table of `pitmaster tables` knows the position, the result is certain: `player
1 wins by 3`. With --nodes the analysis is the same on every machine; only a table that the player
names is used then. `pitmaster report --analyze 200ms` shows the same in the page.";

/// Evaluates a played game move by move and names the moves that lost most
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Game file, list of moves, or results folder of a tournament
    #[arg(value_name = "GAME-FILE|RESULTS")]
    from: PathBuf,
    /// Id of the game or a prefix of it, if there are several
    id: Option<String>,
    /// Game of a plain list of moves, as a name or a file, with options
    #[arg(long, value_name = "GAME", default_value = "coloured-awale")]
    game: GameSpec,
    /// Time for each position
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "200ms")]
    per_ply: Effort,
    /// Number of nodes for each position, instead of a time
    #[arg(long, value_name = "N", conflicts_with = "per_ply",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Player that analyzes: expert with options, such as expert,hash=1GiB
    #[arg(long, value_name = "PLAYER", default_value = "house:expert")]
    player: String,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Table and sentences
    Text,
    /// One document for programs
    Json,
}

/// Parses an effort as a time. Nodes have a separate option.
fn time(text: &str) -> Result<Effort, String> {
    match text.parse()? {
        Effort::Nodes(_) => Err("expected a time like 200ms; use --nodes".into()),
        time @ Effort::Time(_) => Ok(time),
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let effort = args.nodes.map_or(args.per_ply, Effort::Nodes);
    let analyst = Analyst::new(&args.player, effort).map_err(Failure::wrong)?;
    let watcher = Watcher::people();
    let played = played(args, &watcher)?;
    let analyst = analyst.with_table(&*played.game, tables::folder().as_deref(), &watcher)?;
    let analysis = analyze(&played, &analyst, &watcher).map_err(|error| {
        let Failure { exit, message } = error.into();
        Failure { exit, message: format!("{}: {message}", shown_path(&args.from)) }
    })?;
    let head = AnalysisHead {
        game: played.game.spec(),
        id: played.id,
        names: played.names,
        ending: played.record.map_or_else(String::new, |record| game_text::ending(&record)),
    };
    match args.format {
        Format::Text => analysis_text(&head, &analysis, terminal_width(), out)?,
        Format::Json => analysis_json(&head, &analysis, out)?,
    }
    Ok(Exit::Done)
}

/// Reads the game from a file or from a results folder.
fn played(args: &Args, watcher: &Watcher) -> Result<PlayedGame, Failure> {
    if !args.from.is_dir() {
        return Ok(read_game(&args.from, args.id.as_deref(), &args.game, watcher)?);
    }
    let Some(id) = &args.id else {
        // Reports missing results first.
        Reader::open(&args.from)?;
        return Err(Failure::wrong(
            "no game id given; add an id or a prefix of one from games.csv",
        ));
    };
    Ok(PlayedGame::of(replay::load(&args.from, id)?.record)?)
}
