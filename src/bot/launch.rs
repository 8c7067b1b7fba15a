//! What a process is started with.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;

use super::disk::{Tools, blame};
use crate::record::{RefereeFault, Resources, StartFault};

/// A command, complete: nothing is inherited but the core it runs on.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// What it may take of the machine.
    pub resources: Resources,
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
        blame(&self.program, &tools, error)
    }
}

/// A call that should not have failed: the referee's fault.
pub(super) fn referee_fault(what: &str, error: &io::Error) -> LaunchFault {
    LaunchFault::Referee(RefereeFault::System { error: format!("cannot {what}: {error}") })
}
