//! Read grants: paths that a sandbox opens to a process, as types that cannot be made from a
//! submission.

use std::path::{Path, PathBuf};

use crate::this_program;

/// A file or folder that a sandbox opens to a process for reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadGrant(PathBuf);

impl ReadGrant {
    /// Grants the folder in which a bot is built or runs.
    pub fn work(folder: &WorkFolder) -> Self {
        Self(folder.path().to_owned())
    }

    /// Grants a path that comes from the operator or the system, never from a submission. The
    /// sandbox trusts the caller. A test of `pitmaster-bots` lists the only files that may call
    /// this.
    pub fn trusted(path: PathBuf) -> Self {
        Self(path)
    }

    /// Grants the running program's own file, for house bots and the probe.
    pub fn this_program() -> Self {
        Self(this_program())
    }

    /// The granted path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

/// A folder in which a bot is built or runs. Its path consists of names that the caller chose,
/// never of submitted ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkFolder(PathBuf);

impl WorkFolder {
    /// A path that the caller chose. The sandbox trusts the caller, as in [`ReadGrant::trusted`].
    pub fn trusted(path: PathBuf) -> Self {
        Self(path)
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.0
    }
}
