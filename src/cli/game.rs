//! A game as people name it: by its name, or by the path of a file that describes it.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

use pitmaster_games::two_row::file::{self, Age, GameFile};
use pitmaster_games::two_row::named;
use pitmaster_games::{self as games, Game, GameSpec, SpecFault, SpecFaults};

use super::Failure;
use super::progress::say;

/// The most that a file of a game may hold; the longest known has 10 KB.
const MAX_BYTES: u64 = 1 << 20;

/// A game that was asked for.
#[derive(Debug)]
pub(super) struct Asked {
    /// It.
    pub(super) game: Arc<dyn Game>,
    /// How its own file plays it, which its name does not say; `None` if it has no such file.
    pub(super) player: Option<file::Player>,
}

/// Looks a game up, by name or in its file, and says what is worth a word about it.
pub(super) fn find(spec: &GameSpec) -> Result<Asked, Failure> {
    let (spec, player) = if spec.is_file() {
        let Described { spec, player } = read(spec, Path::new("")).map_err(Failure::wrong)?;
        (spec, Some(player))
    } else {
        (spec.clone(), None)
    };
    let game = games::find(&spec).map_err(Failure::wrong)?;
    warn(&*game);
    Ok(Asked { game, player })
}

/// The name of a game without its options, as bots say which games they play.
pub(super) fn name_of(game: &dyn Game) -> String {
    game.spec().split(',').next().unwrap_or_default().to_owned()
}

/// Says what is worth a word about a game that its maker may have overlooked.
pub(super) fn warn(game: &dyn Game) {
    if let Ok(spec) = game.spec().parse() {
        for warning in named::warnings(&spec) {
            say(&warning);
        }
    }
}

/// What a file says about its game.
#[derive(Debug)]
pub(super) struct Described {
    /// The name that its parameters make.
    pub(super) spec: GameSpec,
    /// How house bots play it.
    pub(super) player: file::Player,
}

/// Reads the file of a game, the path seen from a folder; says what was translated.
pub(super) fn read(spec: &GameSpec, base: &Path) -> Result<Described, SpecFaults> {
    let (path, variant) = spec.split_variant();
    let fault = |message: String| SpecFault::File(format!("{path}: {message}"));
    let text = text(&base.join(path)).map_err(fault)?;
    let file = file::read_nameless(&text, None).map_err(|faults| {
        let line = |fault| SpecFault::File(format!("{path}:{fault}"));
        SpecFaults(faults.into_iter().map(line).collect())
    })?;
    let params = match variant {
        None => &file.params,
        Some(name) => file.variant(name).ok_or_else(|| fault(no_variant(&file, name)))?,
    };
    for note in &file.notes {
        say(&format!("{path}: {note}"));
    }
    Ok(Described { spec: named::nameless(params, &spec.options), player: file.player })
}

fn no_variant(file: &GameFile, name: &str) -> String {
    let known: Vec<_> = file.variants.iter().map(|variant| variant.name.as_str()).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    format!("it has no variant {name:?}; it has {known}")
}

/// The text of a file.
///
/// # Errors
/// Why it cannot be read, and what to do.
pub(super) fn text(path: &Path) -> Result<String, String> {
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

/// The age of files, as the command line says it.
pub(super) fn age(text: &str) -> Result<Age, String> {
    Age::find(text).ok_or_else(|| {
        let known: Vec<_> = Age::ALL.iter().map(|age| age.name()).collect();
        format!("an age is {}", known.join(", "))
    })
}
