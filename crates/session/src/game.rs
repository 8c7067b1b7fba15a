//! Game lookup by name or by the path of a game file.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

use pitmaster_games::two_row::file::{self, GameFile};
use pitmaster_games::two_row::named;
use pitmaster_games::{self as games, DynGame, GameSpec, SpecError, SpecErrors};

use crate::{Error, Observer};

/// Maximum size of a game file, in bytes; the longest known file has 10 KB.
const MAX_BYTES: u64 = 1 << 20;

/// A game that was looked up by name or in a file.
#[derive(Debug)]
pub struct NamedGame {
    /// The game's rules.
    pub game: Arc<dyn DynGame>,
    /// Settings for house bots from the game's own file; `None` if it has no file.
    pub player: Option<file::Player>,
}

/// Looks up a game by name or in a file. Remarks about it go to the observer.
///
/// # Errors
/// No such game exists, or its file has errors.
pub fn find(spec: &GameSpec, observer: &dyn Observer) -> Result<NamedGame, Error> {
    let (spec, player) = if spec.is_file() {
        let Described { spec, player } =
            read(spec, Path::new(""), observer).map_err(Error::invalid)?;
        (spec, Some(player))
    } else {
        (spec.clone(), None)
    };
    let game = games::find(&spec).map_err(Error::invalid)?;
    warn(&*game, observer);
    Ok(NamedGame { game, player })
}

/// Name of a game without its options, as bots list the games that they play.
pub(crate) fn name_of(game: &dyn DynGame) -> String {
    game.spec().split(',').next().unwrap_or_default().to_owned()
}

/// Reports properties of a game that its author may have overlooked.
pub(crate) fn warn(game: &dyn DynGame, observer: &dyn Observer) {
    if let Ok(spec) = game.spec().parse() {
        for warning in named::warnings(&spec) {
            observer.warn(&warning);
        }
    }
}

/// The contents of a game file.
#[derive(Debug)]
pub(crate) struct Described {
    /// Game specification equivalent to the file's parameters.
    pub(crate) spec: GameSpec,
    /// Settings for house bots.
    pub(crate) player: file::Player,
}

/// Reads a game file whose path is relative to `base`. Reports translations from older formats.
pub(crate) fn read(
    spec: &GameSpec,
    base: &Path,
    observer: &dyn Observer,
) -> Result<Described, SpecErrors> {
    let (path, variant) = spec.split_variant();
    let fault = |message: String| SpecError::File(format!("{path}: {message}"));
    let text = text(&base.join(path)).map_err(fault)?;
    let file = file::read_nameless(&text, None).map_err(|faults| {
        let line = |fault| SpecError::File(format!("{path}:{fault}"));
        SpecErrors(faults.into_iter().map(line).collect())
    })?;
    let params = match variant {
        None => &file.params,
        Some(name) => file.variant(name).ok_or_else(|| fault(no_variant(&file, name)))?,
    };
    for note in &file.notes {
        observer.warn(&format!("{path}: {note}"));
    }
    Ok(Described { spec: named::nameless(params, &spec.options), player: file.player })
}

fn no_variant(file: &GameFile, name: &str) -> String {
    let known: Vec<_> = file.variants.iter().map(|variant| variant.name.as_str()).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    format!("it has no variant {name:?}; it has {known}")
}

/// Reads a text file of at most 1 MiB.
///
/// # Errors
/// The reason why it cannot be read, and what to do.
pub fn text(path: &Path) -> Result<String, String> {
    let unreadable = |error: &io::Error| match error.kind() {
        io::ErrorKind::InvalidData => "it is no text in UTF-8; save it as one".to_owned(),
        _ => format!("it cannot be read ({error}); check the path"),
    };
    let mut text = String::new();
    let file = File::open(path).map_err(|error| unreadable(&error))?;
    file.take(MAX_BYTES + 1).read_to_string(&mut text).map_err(|error| unreadable(&error))?;
    if text.len() as u64 > MAX_BYTES {
        return Err(format!("it is longer than {MAX_BYTES} bytes"));
    }
    Ok(text)
}
