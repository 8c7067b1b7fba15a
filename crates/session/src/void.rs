//! Invalidation of games: of a bad machine, with damaged records, or named individually, so that
//! they are replayed.

use std::path::Path;

use pitmaster_core::Untrusted;
use pitmaster_core::i18n::Lang;
use pitmaster_store::{AttemptState, Selection, Store, StoreError};

use crate::log::{self, Deed, Draft};
use crate::results::{Results, Summary};
use crate::{Error, Observer};

/// Invalidates the valid games that one worker played. They stay in the database with the reason.
/// Rewrites the files.
///
/// # Errors
/// The store or a file cannot be written.
pub fn void_worker(
    folder: &Path,
    worker: &str,
    reason: &str,
    lang: Lang,
    observer: &dyn Observer,
) -> Result<Summary, Error> {
    let shown = Untrusted::new(worker).shown(80);
    let state = AttemptState::Void { reason: format!("worker {shown}: {reason}") };
    let draft = Draft::new(Deed::Void, format!("worker {shown}")).reason(reason);
    invalidate(folder, draft, lang, observer, |store| store.invalidate_of(worker, state).map(drop))
}

/// Invalidates the valid games of a selection. They stay in the database with the reason. Rewrites
/// the files.
///
/// # Errors
/// The store or a file cannot be written.
pub fn void_games(
    folder: &Path,
    games: &Selection,
    reason: &str,
    lang: Lang,
    observer: &dyn Observer,
) -> Result<Summary, Error> {
    let (about, stored) = match games {
        Selection::Game(id) => (format!("game {id}"), reason.to_owned()),
        Selection::Pair(id) => (format!("pair of {id}"), format!("pair of {id}: {reason}")),
        Selection::Bot(name) => (format!("bot {name}"), format!("bot {name}: {reason}")),
    };
    let draft = Draft::new(Deed::Void, about).reason(reason);
    invalidate(folder, draft, lang, observer, |store| {
        let ids = store.reader()?.valid_of(games)?;
        store.invalidate(ids, AttemptState::Void { reason: stored }).map(drop)
    })
}

/// Invalidates the games whose records are damaged. They stay in the database unchanged. Rewrites
/// the files.
///
/// # Errors
/// The store or a file cannot be written.
pub fn void_damaged(
    folder: &Path,
    reason: &str,
    lang: Lang,
    observer: &dyn Observer,
) -> Result<Summary, Error> {
    let draft = Draft::new(Deed::Void, "damaged records").reason(reason);
    invalidate(folder, draft, lang, observer, |store| store.invalidate_damaged(reason).map(drop))
}

fn invalidate(
    folder: &Path,
    draft: Draft,
    lang: Lang,
    observer: &dyn Observer,
    invalidate: impl FnOnce(&Store) -> Result<(), StoreError>,
) -> Result<Summary, Error> {
    let durability = Results::open(folder)?.tournament().durability;
    let store = Store::open(folder, durability)?;
    invalidate(&store)?;
    // Pending results of workers for the same games must not count.
    store.end_generation()?;
    drop(store);
    let summary = Results::open(folder)?.write_files(lang, observer)?;
    log::append(folder, draft.games(summary.attempts.clone()))?;
    Ok(summary)
}
