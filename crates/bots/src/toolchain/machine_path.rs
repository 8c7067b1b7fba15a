//! Paths of the machine's own programs and libraries.

use std::io;
use std::path::{Path, PathBuf};

use pitmaster_sandbox::{ReadGrant, SYSTEM_FOLDERS};

/// Trusted path: from the operator's PATH or home, reported by an interpreter from there, or named
/// by the operator for a house bot. Only this module creates one, so a path from a submission never
/// becomes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachinePath(PathBuf);

impl MachinePath {
    pub(super) fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// Absolute path, links followed, of the endgame table in the name of a house bot. Only the
    /// operator of this machine names house bots with tables: workers of a cluster refuse them.
    pub(crate) fn of_table(name: &str) -> io::Result<Self> {
        Path::new(name).canonicalize().map(Self)
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Grant to read the path.
    pub fn into_grant(self) -> ReadGrant {
        ReadGrant::trusted(self.0)
    }
}

/// Returns whether a path is in a folder of the system.
pub(super) fn is_of_the_system(path: &Path) -> bool {
    SYSTEM_FOLDERS.iter().any(|folder| path.starts_with(folder))
}
