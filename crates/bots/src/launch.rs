//! What a process is started with.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use pitmaster_core::{RefereeFault, StartFault};

use super::Cage;
use super::submission::{Surroundings, blame};
use super::toolchain::Tools;

/// A command, complete: nothing is inherited but the core it runs on.
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
    /// Where it runs.
    pub dir: PathBuf,
    /// What keeps it from everything else.
    pub cage: Arc<Cage>,
}

/// The file that runs as this process, which stays the same when another takes its place on
/// disk: a tournament ends with the players that it began with. A process that is about to
/// become a bot is still this program.
#[cfg(target_os = "linux")]
pub(super) fn this_program() -> PathBuf {
    "/proc/self/exe".into()
}

/// The file that runs as this process.
#[cfg(not(target_os = "linux"))]
pub(super) fn this_program() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| "pitmaster".into())
}

/// Why there is no process.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LaunchFault {
    /// The bot's fault.
    #[error("{0}")]
    Bot(StartFault),
    /// The referee's fault.
    #[error("{0}")]
    Referee(RefereeFault),
}

impl Launch {
    /// Whose fault it is that the program could not be started.
    pub(super) fn blame(&self, error: &io::Error) -> LaunchFault {
        let path = self.environment.iter().find(|(name, _)| name == "PATH");
        let tools = Tools::on(path.map_or(OsStr::new(""), |(_, value)| value));
        let around = Surroundings { tools: &tools, own: &self.dir, installed: &[] };
        blame(&self.program, around, error)
    }
}

/// A call that should not have failed: the referee's fault.
pub(super) fn referee_fault(what: &str, error: &io::Error) -> LaunchFault {
    LaunchFault::Referee(RefereeFault::System { error: format!("cannot {what}: {error}") })
}
