//! Paths that a sandbox opens to a process, as types that nothing from a submission can become.

use std::path::{Path, PathBuf};

use super::this_program;

/// A file or folder that a sandbox opens to a process for reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadGrant(PathBuf);

impl ReadGrant {
    /// The folder in which a bot is built, or runs.
    pub fn work(folder: &WorkFolder) -> Self {
        Self(folder.path().to_owned())
    }

    /// A path that comes from the operator or the system, never from a submission: the sandbox
    /// trusts the caller. A test of `pitmaster-bots` names the only files that may call this.
    pub fn trusted(path: PathBuf) -> Self {
        Self(path)
    }

    /// This very program: house bots and the probe.
    pub fn this_program() -> Self {
        Self(this_program())
    }

    /// The path that is granted.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

/// A folder in which a bot is built, or runs. Its path is made of names that the caller chose,
/// never of anything that was submitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkFolder(PathBuf);

impl WorkFolder {
    /// A path that the caller has chosen: the sandbox trusts the caller, as in
    /// [`ReadGrant::trusted`].
    pub fn trusted(path: PathBuf) -> Self {
        Self(path)
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}
