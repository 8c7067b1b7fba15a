//! Launch command: everything needed to start a process.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use crate::SandboxProfile;

/// A complete command. The process inherits nothing but the core it runs on.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// Name passed as `argv[0]`; an interpreter may depend on it.
    pub name: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its whole environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The working directory.
    pub dir: PathBuf,
    /// The sandbox of the process.
    pub cage: Arc<SandboxProfile>,
}

/// Path of the executable of this process. It stays the same if another file replaces it on disk,
/// so the players of a tournament never change. A process that is about to become a bot still runs
/// this program.
#[cfg(target_os = "linux")]
pub fn this_program() -> PathBuf {
    "/proc/self/exe".into()
}

/// Path of the executable of this process.
#[cfg(target_os = "macos")]
pub fn this_program() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| "pitmaster".into())
}
