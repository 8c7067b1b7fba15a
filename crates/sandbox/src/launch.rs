//! The command that starts a process.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use super::SandboxProfile;

/// A complete command: the process inherits nothing but the core it runs on.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// The name it is told to have; an interpreter may go by it.
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

/// The file that runs as this process, which stays the same when another takes its place on
/// disk: a tournament ends with the players that it began with. A process that is about to
/// become a bot is still this program.
#[cfg(target_os = "linux")]
pub fn this_program() -> PathBuf {
    "/proc/self/exe".into()
}

/// The file that runs as this process.
#[cfg(not(target_os = "linux"))]
pub fn this_program() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| "pitmaster".into())
}
