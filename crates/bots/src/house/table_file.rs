//! Endgame table files: a player with the option `tables` gets the table that it names.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pitmaster_games::{AnyRules, GameSpec, SpecErrors, look_up};
use pitmaster_players::{
    BuildError, EndgameError, EndgameTable, Player, PlayerSpec, build, build_with,
};

/// Reason why a table file cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", .path.display())]
pub struct TableFileError {
    path: PathBuf,
    why: EndgameError,
}

/// Reason why a player cannot sit down at a board.
#[derive(Debug, thiserror::Error)]
pub enum SeatError {
    /// The game or the player does not exist, or they do not go together.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// Its table file cannot be used.
    #[error(transparent)]
    Table(#[from] TableFileError),
}

impl From<SpecErrors> for SeatError {
    fn from(errors: SpecErrors) -> Self {
        Self::Build(errors.into())
    }
}

/// Builds a player bound to a board of a game, and reads the table that it names.
///
/// # Errors
/// The player cannot play the game, or its table cannot be used.
pub fn seat(game: &GameSpec, player: &PlayerSpec) -> Result<Box<dyn Player>, SeatError> {
    let Some(path) = player.tables() else { return Ok(build(game, player)?) };
    let table = load_table(game, Path::new(path))?;
    Ok(build_with(game, player, Some(&table))?)
}

/// Reads the table of a game.
///
/// # Errors
/// The game has no tables, or the file cannot be read, is something else or damaged.
pub fn load_table(game: &GameSpec, path: &Path) -> Result<Arc<EndgameTable>, SeatError> {
    let at = |why| TableFileError { path: path.to_owned(), why };
    let AnyRules::TwoRow(rules) = look_up(game)?.rules else {
        let why = "it is not a two-row game".to_owned();
        return Err(at(EndgameError::Unsuited(why)).into());
    };
    let file = File::open(path).map_err(|error| at(error.into()))?;
    let table = EndgameTable::read(&rules, &mut BufReader::new(file)).map_err(at)?;
    Ok(Arc::new(table))
}
