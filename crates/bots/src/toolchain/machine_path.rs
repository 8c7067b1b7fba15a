//! Paths of the machine's own programs and libraries.

use std::path::{Path, PathBuf};

use pitmaster_sandbox::{ReadGrant, SYSTEM_FOLDERS};

/// A path that was found by the operator's PATH or home, or that an interpreter from there has
/// named. Only this folder makes one, so a path of a submission's never becomes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachinePath(PathBuf);

impl MachinePath {
    pub(super) fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The grant to read it.
    pub fn into_grant(self) -> ReadGrant {
        ReadGrant::trusted(self.0)
    }
}

/// Whether a path lies in a folder of the system's.
pub(super) fn is_of_the_system(path: &Path) -> bool {
    SYSTEM_FOLDERS.iter().any(|folder| path.starts_with(folder))
}
