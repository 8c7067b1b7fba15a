//! What a bot may read, as a type that nothing from a submission can become.

use std::path::{Path, PathBuf};

use super::submission::WorkFolder;
use super::toolchain::MachinePath;

/// A file or folder that a sandbox opens to a process for reading.
///
/// Made of trusted values only: a folder that this program gave a snapshot, or a path that was
/// found by the operator's own PATH. There is no way here from a text or a path of a
/// submission's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadGrant(PathBuf);

impl ReadGrant {
    /// The folder in which a bot is built, or runs.
    pub(super) fn work(folder: &WorkFolder) -> Self {
        Self(folder.path().to_owned())
    }

    /// Something that belongs to a command of this machine.
    pub(super) fn machine(path: MachinePath) -> Self {
        Self(path.into_path())
    }

    /// This very program: house bots and the probe.
    pub fn this_program() -> Self {
        Self(super::launch::this_program())
    }

    /// What is granted.
    pub fn path(&self) -> &Path {
        &self.0
    }
}
