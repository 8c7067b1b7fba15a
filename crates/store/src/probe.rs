//! Database probe: tests whether a folder can hold a database by creating one.

use std::fs::File;
use std::path::Path;

use pitmaster_tournament::Durability;

use super::database::Database;
use super::{Readers, StoreError, make_folder};

/// Tests a folder: creates a small database, writes it, reads it back next to the writer, locks it,
/// and removes everything. Creates the folder for those readers if it does not exist.
///
/// # Errors
/// [`StoreError::Folder`] if the folder cannot be created, [`StoreError::Unfit`] if its file system
/// does not support one of these operations, [`StoreError::Full`] if the disk is full.
pub fn probe(folder: &Path, readers: Readers) -> Result<(), StoreError> {
    let place = folder.join(format!("probe-{}", std::process::id()));
    let cannot = |error: std::io::Error| StoreError::Folder {
        folder: folder.to_owned(),
        error: error.to_string(),
    };
    make_folder(folder, readers).and_then(|()| std::fs::create_dir(&place)).map_err(cannot)?;
    let found = try_out(&place).map_err(|error| error.or_unfit(folder));
    let removed = std::fs::remove_dir_all(&place).map_err(cannot);
    found.and(removed)
}

fn try_out(place: &Path) -> Result<(), StoreError> {
    let path = place.join("probe.db");
    let writer = Database::open(&path)?;
    writer.prepare(Durability::Full)?;
    writer.run(|c| c.execute_batch("CREATE TABLE probe (x); INSERT INTO probe VALUES (7)"))?;
    let reader = Database::open_to_read(&path)?;
    let read: i64 = reader.run(|c| c.query_row("SELECT x FROM probe", (), |row| row.get(0)))?;
    if read != 7 {
        return Err(unfit(place, "what was written is read back as something else"));
    }
    try_lock(place)
}

fn try_lock(place: &Path) -> Result<(), StoreError> {
    let path = place.join("probe.lock");
    let unfit_after = |error: std::io::Error| unfit(place, &error.to_string());
    let first = File::create(&path).map_err(unfit_after)?;
    let second = File::open(&path).map_err(unfit_after)?;
    first.try_lock().map_err(|error| unfit(place, &format!("files cannot be locked ({error})")))?;
    match second.try_lock() {
        Err(std::fs::TryLockError::WouldBlock) => Ok(()),
        _ => Err(unfit(place, "a locked file can be locked again")),
    }
}

fn unfit(place: &Path, error: &str) -> StoreError {
    StoreError::Unfit { folder: place.to_owned(), error: error.to_owned() }
}
