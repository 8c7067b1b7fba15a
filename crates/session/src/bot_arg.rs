//! Single bots, named by a path or as `house:NAME`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pitmaster_bots::submission::{Naming, Options, PrepareError, Prepared, Unfit, shown_path};
use pitmaster_games::DynGame;
use pitmaster_runner::Entrant;
use pitmaster_season::Class;
use pitmaster_store::{Readers, make_folder};

use crate::game::NamedGame;
use crate::house::{self, HouseBot};
use crate::{Error, Observer, dialect_trial, intake, naming};

/// Prepares a bot that can play: takes its snapshot and builds it, if it is a program.
///
/// # Errors
/// The bot cannot play the game, nothing exists at that path, or the snapshot folder cannot be
/// used.
pub fn prepare(
    bot: &Path,
    store: &Path,
    asked: &NamedGame,
    in_process: bool,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Entrant, Error> {
    if let Some(name) = house::name_in(bot) {
        return house_bot(name, asked, in_process, options).map_err(Error::invalid);
    }
    let prepared = prepare_path(bot, store, &asked.game, options, observer)?;
    Ok(Entrant::process(prepared.map_err(Error::invalid)?.command))
}

/// Prepares a house bot for a game.
///
/// # Errors
/// No house bot has that name, or it cannot play the game.
pub fn house_bot(
    name: &str,
    asked: &NamedGame,
    in_process: bool,
    options: &Options,
) -> Result<Entrant, String> {
    let mut bot = HouseBot::named(name, in_process)?;
    bot.apply_game(asked)?;
    let command = bot.command(Naming::default(), options).map_err(|fault| fault.to_string())?;
    Ok(bot.entrant(command))
}

/// Takes the snapshot of a bot and builds it.
///
/// # Errors
/// Nothing exists at that path, or the snapshot folder cannot be used. Problems of the bot itself
/// are part of the value, not errors.
pub fn prepare_path(
    path: &Path,
    store: &Path,
    game: &Arc<dyn DynGame>,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Result<Prepared, Unfit>, Error> {
    must_be_there(path)?;
    close(store)?;
    match dialect_trial::prepare(path, naming::in_class(path), store, game, options) {
        Ok((prepared, note)) => {
            if let Some(note) = &note {
                observer.warn(note);
            }
            Ok(Ok(prepared))
        }
        Err(PrepareError::Bot(unfit)) => Ok(Err(*unfit)),
        Err(PrepareError::Store(fault)) => Err(Error::stopped(fault)),
    }
}

/// Creates the parent folder of the snapshot folder, readable by its owner only: submissions are
/// private.
fn close(store: &Path) -> Result<(), Error> {
    let folder = store.parent().unwrap_or(store);
    make_folder(folder, Readers::Owner).map_err(|error| {
        let folder = shown_path(folder);
        Error::stopped(format!("cannot create {folder}: {error}; choose another with --out"))
    })
}

/// The bots of a class, if the path is the folder of a class; the path itself otherwise.
///
/// # Errors
/// The class list is malformed.
pub fn expand(path: &Path) -> Result<Vec<PathBuf>, Error> {
    if !path.join(Class::FILE).is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let bots = path.join("bots");
    let class = intake::read_class(path)?;
    let folders = class.members.iter().map(|member| bots.join(member.key.as_str()));
    Ok(folders.filter(|folder| folder.is_dir()).collect())
}

/// Checks that something exists at a path.
///
/// # Errors
/// Nothing exists there, or it cannot be read.
pub fn must_be_there(path: &Path) -> Result<(), Error> {
    let unreadable = |error| {
        Error::invalid(format!("cannot read {}: {error}; check the path", shown_path(path)))
    };
    path.metadata().map(drop).map_err(unreadable)
}
