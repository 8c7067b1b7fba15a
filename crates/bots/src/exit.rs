//! Exit status of a process, independent of the operating system.

use std::process::ExitStatus;

use pitmaster_core::Exit;

/// The exit code, or the signal on systems with signals.
pub(super) fn exit_of(status: ExitStatus) -> Exit {
    status.code().map(Exit::Code).or_else(|| signal_of(status)).unwrap_or(Exit::Unknown)
}

#[cfg(unix)]
fn signal_of(status: ExitStatus) -> Option<Exit> {
    std::os::unix::process::ExitStatusExt::signal(&status).map(Exit::Signal)
}

#[cfg(not(unix))]
fn signal_of(_: ExitStatus) -> Option<Exit> {
    None
}
