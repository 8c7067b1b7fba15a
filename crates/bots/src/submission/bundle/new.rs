//! Unfinished snapshot folder, private until it is complete.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::super::beneath::Folder;
use super::super::fault::{SnapshotError, Wrong};
use super::super::snapshot::{Snapshot, create, lock, remove};
use super::super::tree::TreeLimits;

/// Unfinished snapshot. Removed on drop unless it was kept.
pub(super) struct New<'s> {
    store: &'s Folder,
    /// Its name in the store.
    name: PathBuf,
    folder: Folder,
    /// Held while the owner is alive. A free lock marks the leftovers of a crash.
    _lock: File,
}

const PREFIX: &str = ".new-";

impl<'s> New<'s> {
    /// Creates an empty folder in a store, and removes those of dead owners.
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

    /// Creates the empty folder for the files.
    pub(super) fn src(&self) -> Result<Folder, SnapshotError> {
        create(&self.folder, Path::new("src"))
    }

    /// Makes it the snapshot, unless an unchanged one exists.
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

/// Removes folders of dead owners. Requires the store's lock, so that no folder is created but not
/// yet locked.
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
