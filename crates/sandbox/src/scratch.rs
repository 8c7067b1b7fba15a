//! Scratch space: storage for a bot's own files, removed with its process.

use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::orphans::run_name;
use crate::rootfs::SCRATCH;

/// Location where a process may write.
#[derive(Debug)]
pub(crate) enum Scratch {
    /// In its private root; nothing to clean up.
    Inside,
    /// In a folder of the machine.
    Outside(Folder),
}

/// A folder that is removed with its content when this is dropped.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Leftovers are harmless in the temporary folder.
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Scratch {
    /// Creates a temporary folder that only that user can access.
    pub(crate) fn outside(user: Option<u32>) -> io::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("pitmaster-{}-{number}", run_name());
        let folder = Folder(std::env::temp_dir().join(name));
        fs::DirBuilder::new().mode(0o700).create(folder.path())?;
        if let Some(user) = user {
            std::os::unix::fs::chown(folder.path(), Some(user), Some(user))?;
        }
        Ok(Self::Outside(folder))
    }

    /// Path of the folder as the process sees it.
    pub(crate) fn seen(&self) -> PathBuf {
        match self {
            Self::Inside => SCRATCH.into(),
            Self::Outside(folder) => folder.path().to_owned(),
        }
    }
}
