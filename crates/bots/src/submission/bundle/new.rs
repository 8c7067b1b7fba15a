//! Unfinished snapshot folder, private until it is complete.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::super::beneath::Folder;
use super::super::fault::{SnapshotError, Wrong};
use super::super::snapshot::{Snapshot, create, lock, remove};
use super::super::tree::TreeLimits;

/// Removed when it is dropped, unless it has become a snapshot.
pub(super) struct New<'s> {
    store: &'s Folder,
    /// Its name in the store.
    name: PathBuf,
    folder: Folder,
    /// Held as long as its owner lives: what a crash left behind is told by it.
    _lock: File,
}

const PREFIX: &str = ".new-";

impl<'s> New<'s> {
    /// An empty folder in a store; those whose owners have died are removed.
    pub(super) fn create(store: &'s Folder) -> Result<Self, SnapshotError> {
        let _store = lock(store, ".lock")?;
        sweep(store)?;
        let drawn = getrandom::u64().map_err(std::io::Error::from);
        let drawn = drawn.map_err(SnapshotError::at("name a folder in", store.path()))?;
        let name = PathBuf::from(format!("{PREFIX}{drawn:016x}"));
        let folder = create(store, &name)?;
        let own = lock(&folder, "lock")?;
        Ok(Self { store, name, folder, _lock: own })
    }

    /// An empty folder in it, where the files go.
    pub(super) fn src(&self) -> Result<Folder, SnapshotError> {
        create(&self.folder, Path::new("src"))
    }

    /// Makes it the snapshot, unless there is one that is still what it was.
    pub(super) fn keep(self, snapshot: &Snapshot, limits: TreeLimits) -> Result<(), Wrong> {
        let _store = lock(self.store, ".lock")?;
        snapshot.keep(self.store, &self.name, limits)
    }
}

impl Drop for New<'_> {
    fn drop(&mut self) {
        let _ = remove(self.store, &self.name);
    }
}

/// Removes the folders whose owners have died. Under the store's lock, so that none is
/// between its creation and its lock.
fn sweep(store: &Folder) -> Result<(), SnapshotError> {
    let names = store.names(usize::MAX).map_err(SnapshotError::at("sweep", store.path()))?;
    for name in names {
        let is_new = name.as_encoded_bytes().starts_with(PREFIX.as_bytes());
        if is_new && is_orphan(store, Path::new(&name)) {
            remove(store, Path::new(&name))?;
        }
    }
    Ok(())
}

fn is_orphan(store: &Folder, name: &Path) -> bool {
    store.file(&name.join("lock")).map_or(true, |file| file.try_lock().is_ok())
}
