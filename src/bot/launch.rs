//! What a process is started with.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::record::{RefereeFault, StartFault};

/// A command, complete: nothing is inherited but the core it runs on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its whole environment.
    pub environment: Vec<(OsString, OsString)>,
    /// Where it runs.
    pub dir: PathBuf,
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

/// Whose fault it is that a program could not be started.
pub(super) fn launch_fault(program: &Path, error: &io::Error) -> LaunchFault {
    let _ = program;
    LaunchFault::Bot(StartFault::Refused { error: error.to_string() })
}

/// A call that should not have failed: the referee's fault.
pub(super) fn referee_fault(what: &str, error: &io::Error) -> LaunchFault {
    LaunchFault::Referee(RefereeFault::System { error: format!("cannot {what}: {error}") })
}
