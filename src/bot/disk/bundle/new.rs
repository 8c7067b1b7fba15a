//! A folder that is to become a snapshot, and is nobody else's until then.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::super::fault::{StoreFault, Wrong};
use super::super::snapshot::{Snapshot, lock, remove};
use super::super::tree::TreeLimits;

/// Removed when it is dropped, unless it has become a snapshot.
pub(super) struct New {
    store: PathBuf,
    folder: PathBuf,
    /// Held as long as its owner lives: what a crash left behind is told by it.
    _lock: File,
}

const PREFIX: &str = ".new-";

impl New {
    /// An empty folder in a store; those whose owners have died are removed.
    pub(super) fn create(store: &Path) -> Result<Self, StoreFault> {
        let _store = lock(&store.join(".lock"))?;
        sweep(store).map_err(StoreFault::at("sweep", store))?;
        let drawn = getrandom::u64().map_err(std::io::Error::from);
        let drawn = drawn.map_err(StoreFault::at("name a folder in", store))?;
        let folder = store.join(format!("{PREFIX}{drawn:016x}"));
        fs::create_dir(&folder).map_err(StoreFault::at("create", &folder))?;
        let own = lock(&folder.join("lock"))?;
        Ok(Self { store: store.to_owned(), folder, _lock: own })
    }

    /// Where the files go.
    pub(super) fn src(&self) -> PathBuf {
        self.folder.join("src")
    }

    /// Makes it the snapshot, unless there is one that is still what it was.
    pub(super) fn keep(self, snapshot: &Snapshot, limits: TreeLimits) -> Result<(), Wrong> {
        let _store = lock(&self.store.join(".lock"))?;
        snapshot.keep(&self.folder, limits)
    }
}

impl Drop for New {
    fn drop(&mut self) {
        let _ = remove(&self.folder);
    }
}

/// Removes the folders whose owners have died. Under the store's lock, so that none is
/// between its creation and its lock.
fn sweep(store: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(store)? {
        let entry = entry?;
        let is_new = entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes());
        if is_new && is_orphan(&entry.path()) {
            remove(&entry.path()).map_err(|fault| fault.error)?;
        }
    }
    Ok(())
}

fn is_orphan(folder: &Path) -> bool {
    File::open(folder.join("lock")).map_or(true, |file| file.try_lock().is_ok())
}
