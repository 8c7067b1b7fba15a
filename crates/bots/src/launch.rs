//! Launch errors: why a process could not be started.

use std::ffi::OsStr;
use std::io;

use pitmaster_core::{RefereeFault, StartFault};
use pitmaster_sandbox::Launch;

use super::submission::{Surroundings, blame};
use super::toolchain::Tools;

/// Reason why a process could not be started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// The bot is at fault.
    #[error("{0}")]
    Bot(StartFault),
    /// The referee is at fault.
    #[error("{0}")]
    Referee(RefereeFault),
}

/// Attributes a failed start to the bot or to the referee.
pub(super) fn blame_for(launch: &Launch, error: &io::Error) -> LaunchError {
    let path = launch.environment.iter().find(|(name, _)| name == "PATH");
    let tools = Tools::on(path.map_or(OsStr::new(""), |(_, value)| value));
    let around = Surroundings { tools: &tools, own: &launch.dir, installed: &[] };
    blame(&launch.program, around, error)
}

/// Error of a call that should not fail, blamed on the referee.
pub(super) fn referee_fault(what: &str, error: &io::Error) -> LaunchError {
    LaunchError::Referee(RefereeFault::System { error: format!("cannot {what}: {error}") })
}
