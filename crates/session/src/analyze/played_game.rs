//! Played game to be analyzed, and the files that contain one.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;
use std::sync::Arc;

use pitmaster_bots::submission::shown_path;
use pitmaster_core::{BySide, Record, Untrusted};
use pitmaster_games::{self as games, DynGame, GameSpec, Turn};
use pitmaster_referee::rules_of;
use pitmaster_report::{GameFile, GameFileError};
use serde::Deserialize;

use crate::{Error, Observer, game};

/// Maximum size of a file or line with one game, in bytes. The longest games take less than 1 MB.
const MAX_BYTES: u64 = 64 << 20;

/// Maximum length of an id in an error, in characters.
const ID: usize = 40;

/// Ending of a game that reached its ply limit, in `moves.jsonl`.
const PLY_LIMIT: &str = "ply-limit";

/// A game that was played: its rules and its steps.
#[derive(Debug, Clone)]
pub struct PlayedGame {
    /// Rules.
    pub game: Arc<dyn DynGame>,
    /// Text of each step, including chance steps.
    pub steps: Vec<String>,
    /// Id, if the file has one.
    pub id: Option<String>,
    /// Names of the players.
    pub names: BySide<String>,
    /// The record, if the file has one.
    pub record: Option<Box<Record>>,
    /// Number of plies of both sides after which the game is adjudicated; `None` if the file does
    /// not say, or if there is no limit.
    pub limit: Option<u32>,
}

/// Line of `moves.jsonl`.
#[derive(Deserialize)]
struct Line {
    id: String,
    game: String,
    bots: [String; 2],
    moves: Vec<String>,
    #[serde(default)]
    ending: String,
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
            limit: record.key.limits.plies,
            record: Some(Box::new(record)),
        })
    }

    /// Makes a game from a list of moves, separated by blanks. Text after a `#` is ignored.
    fn of_moves(text: &str, game: Arc<dyn DynGame>) -> Self {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
        let steps = lines.flat_map(str::split_ascii_whitespace).map(str::to_owned).collect();
        let names = BySide::from_fn(|side| format!("player {side}"));
        Self { game, steps, id: None, names, record: None, limit: None }
    }

    /// Makes the game of a line. Its rules are looked up by name only, because the line is
    /// untrusted and must not open files.
    fn of_line(line: Line) -> Result<Self, Error> {
        let spec: GameSpec = line.game.parse().map_err(Error::invalid)?;
        let game = games::find(&spec).map_err(Error::invalid)?;
        let limit = (line.ending == PLY_LIMIT).then(|| plies_of_players(&*game, &line.moves));
        let [one, two] = line.bots;
        Ok(Self {
            game,
            steps: line.moves,
            id: Some(line.id),
            names: BySide::new(one, two),
            record: None,
            limit,
        })
    }

    /// Checks that the game has this id.
    fn must_have(self, id: Option<&str>) -> Result<Self, Error> {
        let Some(wanted) = id else { return Ok(self) };
        match &self.id {
            Some(id) if id.starts_with(&wanted.to_ascii_lowercase()) => Ok(self),
            Some(id) => Err(Error::invalid(format!(
                "it holds the game {}, not {}; leave the id out",
                shown_id(id),
                shown_id(wanted)
            ))),
            None => Err(Error::invalid(format!(
                "it is a list of moves without an id; leave {} out",
                shown_id(wanted)
            ))),
        }
    }
}

fn shown_id(id: &str) -> String {
    Untrusted::new(id).shown(ID)
}

/// Number of plies that players made, up to the first step that cannot be made.
fn plies_of_players(game: &dyn DynGame, steps: &[String]) -> u32 {
    let (mut state, mut plies) = (game.begin(), 0);
    for step in steps {
        let turn = state.turn();
        if matches!(turn, Turn::Over(_)) || state.follow(step, &mut String::new()).is_err() {
            break;
        }
        plies += u32::from(matches!(turn, Turn::Player(_)));
    }
    plies
}

/// Reads a game from a file: one that `pitmaster export` wrote, a line of `moves.jsonl` or of
/// `pitmaster export --format jsonl`, or a plain list of moves of `spec`. `id`, or a prefix of it,
/// selects one of several games; a single game must have this id.
///
/// # Errors
/// The file cannot be read, or contains no such game or several.
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
            let lines = std::iter::once(Ok(first)).chain(short_lines(file));
            return choose(lines, id).map_err(|why| fault(why.to_string()));
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
        let played = PlayedGame::of(record).and_then(|played| played.must_have(id));
        return played.map_err(|why| fault(why.to_string()));
    }
    let played = PlayedGame::of_moves(&text, game::find(spec, observer)?.game);
    if played.steps.is_empty() {
        return Err(fault("it holds no moves; write them separated by blanks".into()));
    }
    played.must_have(id).map_err(|why| fault(why.to_string()))
}

/// Lines of a file with limited length.
fn short_lines(mut file: impl BufRead) -> impl Iterator<Item = io::Result<String>> {
    std::iter::from_fn(move || {
        let mut line = String::new();
        match file.by_ref().take(MAX_BYTES).read_line(&mut line) {
            Ok(0) => None,
            Ok(_) if line.len() as u64 == MAX_BYTES && !line.ends_with('\n') => {
                Some(Err(io::Error::other(format!("a line is longer than {MAX_BYTES} bytes"))))
            }
            read => Some(read.map(|_| line)),
        }
    })
}

/// Whether a line is a complete JSON document.
fn is_whole(line: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(line).is_ok()
}

/// Selects a game in a file with one game per line.
fn choose(
    lines: impl Iterator<Item = io::Result<String>>,
    id: Option<&str>,
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
        return Err(Error::invalid(format!("it holds no game \"{}\"", shown_id(&wanted))));
    };
    if !also.is_empty() {
        let others = also.len() + 1;
        return Err(Error::invalid(format!(
            "{others} of its games match; name one by its id or a prefix of it, such as {}",
            shown_id(&game)
        )));
    }
    read_line(&line)
}

fn id_of(line: &str) -> Result<String, Error> {
    #[derive(Deserialize)]
    struct Id {
        id: String,
    }
    let id: Id = serde_json::from_str(line).map_err(|error| no_game(&error))?;
    Ok(id.id)
}

fn read_line(line: &str) -> Result<PlayedGame, Error> {
    match GameFile::read(line) {
        Ok(GameFile { record, .. }) => PlayedGame::of(record),
        Err(GameFileError::Version(version)) => {
            Err(Error::invalid(GameFileError::Version(version)))
        }
        Err(GameFileError::Other(_)) => {
            PlayedGame::of_line(serde_json::from_str(line).map_err(|error| no_game(&error))?)
        }
    }
}

fn no_game(error: &serde_json::Error) -> Error {
    Error::invalid(format!(
        "it is neither a game of `pitmaster export` nor of moves.jsonl ({error})"
    ))
}
