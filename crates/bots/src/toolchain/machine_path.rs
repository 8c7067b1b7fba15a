//! Paths of the machine's own programs and libraries.

use std::path::{Path, PathBuf};

/// Where systems keep programs and libraries that everybody may read. Not all of them exist
/// everywhere.
pub const SYSTEM_FOLDERS: [&str; 10] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/home/linuxbrew/.linuxbrew",
];

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

    /// The path.
    pub fn into_path(self) -> PathBuf {
        self.0
    }
}

/// Whether a path lies in a folder of the system's.
pub(super) fn is_of_the_system(path: &Path) -> bool {
    SYSTEM_FOLDERS.iter().any(|folder| path.starts_with(folder))
}
