//! A bot that stands on the command line by itself: a path, or `house:NAME`.

use std::path::Path;
use std::sync::Arc;

use pitmaster_bots::submission::{Naming, Options, PrepareFault, Prepared, Unfit, shown_path};
use pitmaster_games::Game;
use pitmaster_runner::Entrant;
use pitmaster_store::{Readers, make_folder};

use super::game::Asked;
use super::house::{self, HouseBot};
use super::progress::say;
use super::{Failure, ways};

/// A bot that can play: built, if it is a program.
///
/// # Errors
/// It cannot play the game, nothing is at that path, or the folder of snapshots cannot be used.
pub(super) fn prepare(
    bot: &Path,
    store: &Path,
    asked: &Asked,
    in_process: bool,
    options: &Options,
) -> Result<Entrant, Failure> {
    if let Some(name) = house::name_in(bot) {
        return house_bot(name, asked, in_process, options).map_err(Failure::wrong);
    }
    let prepared = prepare_path(bot, store, &asked.game, options)?;
    Ok(Entrant::process(prepared.map_err(Failure::wrong)?.command))
}

/// A house bot that can play.
///
/// # Errors
/// There is none of that name, or it cannot play the game.
pub(super) fn house_bot(
    name: &str,
    asked: &Asked,
    in_process: bool,
    options: &Options,
) -> Result<Entrant, String> {
    let mut bot = HouseBot::named(name, in_process)?;
    bot.take_seat(asked)?;
    let command = bot.command(Naming::default(), options);
    Ok(bot.entrant(command))
}

/// Takes the snapshot of a bot and builds it.
///
/// # Errors
/// Nothing is at that path, or the folder of snapshots cannot be used. What is wrong with
/// the bot is no error here.
pub(super) fn prepare_path(
    path: &Path,
    store: &Path,
    game: &Arc<dyn Game>,
    options: &Options,
) -> Result<Result<Prepared, Unfit>, Failure> {
    must_be_there(path)?;
    close(store)?;
    match ways::prepare(path, Naming::default(), store, game, options) {
        Ok((prepared, note)) => {
            if let Some(note) = &note {
                say(note);
            }
            Ok(Ok(prepared))
        }
        Err(PrepareFault::Bot(unfit)) => Ok(Err(*unfit)),
        Err(PrepareFault::Store(fault)) => Err(Failure::stopped(fault)),
    }
}

/// Makes the folder that the folder of snapshots lies in, for its owner alone: what is handed in
/// is nobody else's business.
fn close(store: &Path) -> Result<(), Failure> {
    let folder = store.parent().unwrap_or(store);
    make_folder(folder, Readers::Owner).map_err(|error| {
        let folder = shown_path(folder);
        Failure::stopped(format!("cannot create {folder}: {error}; choose another with --out"))
    })
}

/// A path on the command line names something.
pub(super) fn must_be_there(path: &Path) -> Result<(), Failure> {
    let unreadable = |error| {
        Failure::wrong(format!("cannot read {}: {error}; check the path", shown_path(path)))
    };
    path.metadata().map(drop).map_err(unreadable)
}
