//! Played game to be analyzed, and the files that hold one.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::sync::Arc;

use pitmaster_bots::submission::shown_path;
use pitmaster_core::{BySide, Record};
use pitmaster_games::{DynGame, GameSpec};
use pitmaster_referee::rules_of;
use pitmaster_report::{GameFile, GameFileError};
use serde::Deserialize;

use super::nameless;
use crate::{Error, Observer, game};

/// Maximum size of a file that holds one game, in bytes. The longest games take less than 1 MB.
const MAX_BYTES: u64 = 64 << 20;

/// A game that was played: its rules and its steps.
#[derive(Debug, Clone)]
pub struct PlayedGame {
    /// Rules.
    pub game: Arc<dyn DynGame>,
    /// Text of each step, those of chance included.
    pub steps: Vec<String>,
    /// Id, if the file has one.
    pub id: Option<String>,
    /// Names of the players.
    pub names: BySide<String>,
    /// The record, if the file has one.
    pub record: Option<Box<Record>>,
}

/// Line of `moves.jsonl`.
#[derive(Deserialize)]
struct Line {
    id: String,
    game: String,
    bots: [String; 2],
    moves: Vec<String>,
}

impl PlayedGame {
    /// Makes the game of a record.
    ///
    /// # Errors
    /// This version does not have the rules of the record.
    pub fn of(record: Record) -> Result<Self, Error> {
        Ok(Self {
            game: rules_of(&record).map_err(Error::invalid)?,
            steps: record.moves().map(str::to_owned).collect(),
            id: Some(record.id().to_string()),
            names: record.key.bots.as_ref().map(|bot| bot.name.to_string()),
            record: Some(Box::new(record)),
        })
    }

    /// Makes a game from a list of moves, separated by blanks; what follows a `#` is ignored.
    fn of_moves(text: &str, game: Arc<dyn DynGame>) -> Self {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
        let steps = lines.flat_map(str::split_ascii_whitespace).map(str::to_owned).collect();
        Self { game, steps, id: None, names: nameless(), record: None }
    }

    fn of_line(line: Line, observer: &dyn Observer) -> Result<Self, Error> {
        let spec: GameSpec = line.game.parse().map_err(Error::invalid)?;
        let [one, two] = line.bots;
        Ok(Self {
            game: game::find(&spec, observer)?.game,
            steps: line.moves,
            id: Some(line.id),
            names: BySide::new(one, two),
            record: None,
        })
    }
}

/// Reads a game from a file: one that `pitmaster export` wrote, a line of `moves.jsonl` or of
/// `pitmaster export --format jsonl`, or a plain list of moves of `spec`. If the file holds several
/// games, `id` or a prefix of it selects one.
///
/// # Errors
/// The file cannot be read, holds no such game, or holds several.
pub fn read_game(
    path: &Path,
    id: Option<&str>,
    spec: &GameSpec,
    observer: &dyn Observer,
) -> Result<PlayedGame, Error> {
    let shown = shown_path(path);
    let fault = |why: String| Error::invalid(format!("{shown}: {why}"));
    let unreadable = |error| fault(format!("it cannot be read ({error}); check the path"));
    let mut file = BufReader::new(File::open(path).map_err(unreadable)?);
    let is_json = file.fill_buf().map_err(unreadable)?.trim_ascii_start().starts_with(b"{");
    let mut first = String::new();
    if is_json {
        file.by_ref().take(MAX_BYTES).read_line(&mut first).map_err(unreadable)?;
        if is_whole(&first) {
            let lines = std::iter::once(Ok(first)).chain(file.lines());
            return choose(lines, id, observer).map_err(|why| fault(why.to_string()));
        }
    }
    let mut text = first;
    file.take(MAX_BYTES + 1).read_to_string(&mut text).map_err(unreadable)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(fault(format!("it is longer than {MAX_BYTES} bytes")));
    }
    if is_json {
        let GameFile { record, .. } =
            GameFile::read(&text).map_err(|why| fault(why.to_string()))?;
        return PlayedGame::of(record).map_err(|why| fault(why.to_string()));
    }
    let played = PlayedGame::of_moves(&text, game::find(spec, observer)?.game);
    if played.steps.is_empty() {
        return Err(fault("it holds no moves; write them separated by blanks".into()));
    }
    Ok(played)
}

/// Whether a line is a JSON document of its own.
fn is_whole(line: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(line).is_ok()
}

/// Chooses one of many games, one per line.
fn choose(
    lines: impl Iterator<Item = std::io::Result<String>>,
    id: Option<&str>,
    observer: &dyn Observer,
) -> Result<PlayedGame, Error> {
    let wanted = id.unwrap_or_default().to_ascii_lowercase();
    let mut found: Option<(String, String)> = None;
    let mut also = Vec::new();
    for line in lines {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let game = id_of(&line)?;
        match &found {
            _ if !game.starts_with(&wanted) => {}
            None => found = Some((game, line)),
            Some(_) => also.push(game),
        }
    }
    let Some((game, line)) = found else {
        return Err(Error::invalid(format!("it holds no game {wanted:?}")));
    };
    if !also.is_empty() {
        let others = also.len() + 1;
        return Err(Error::invalid(format!(
            "{others} of its games match; name one by its id or a prefix of it, such as {game}"
        )));
    }
    read_line(&line, observer)
}

fn id_of(line: &str) -> Result<String, Error> {
    #[derive(Deserialize)]
    struct Id {
        id: String,
    }
    let id: Id = serde_json::from_str(line).map_err(|error| no_game(&error))?;
    Ok(id.id)
}

fn read_line(line: &str, observer: &dyn Observer) -> Result<PlayedGame, Error> {
    match GameFile::read(line) {
        Ok(GameFile { record, .. }) => PlayedGame::of(record),
        Err(GameFileError::Version(version)) => {
            Err(Error::invalid(GameFileError::Version(version)))
        }
        Err(GameFileError::Other(_)) => PlayedGame::of_line(
            serde_json::from_str(line).map_err(|error| no_game(&error))?,
            observer,
        ),
    }
}

fn no_game(error: &serde_json::Error) -> Error {
    Error::invalid(format!(
        "it is neither a game of `pitmaster export` nor of moves.jsonl ({error})"
    ))
}
