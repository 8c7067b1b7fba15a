//! Launch errors: why a process could not be started.

use std::ffi::OsStr;
use std::io;

use pitmaster_core::{RefereeFault, StartFault};
use pitmaster_sandbox::Launch;

use super::submission::{Surroundings, blame};
use super::toolchain::Tools;

/// Why there is no process.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// The bot's fault.
    #[error("{0}")]
    Bot(StartFault),
    /// The referee's fault.
    #[error("{0}")]
    Referee(RefereeFault),
}

/// The fault of a bot, or the referee's, behind a program that could not be started.
pub(super) fn blame_for(launch: &Launch, error: &io::Error) -> LaunchError {
    let path = launch.environment.iter().find(|(name, _)| name == "PATH");
    let tools = Tools::on(path.map_or(OsStr::new(""), |(_, value)| value));
    let around = Surroundings { tools: &tools, own: &launch.dir, installed: &[] };
    blame(&launch.program, around, error)
}

/// A call that should not have failed: the referee's fault.
pub(super) fn referee_fault(what: &str, error: &io::Error) -> LaunchError {
    LaunchError::Referee(RefereeFault::System { error: format!("cannot {what}: {error}") })
}
