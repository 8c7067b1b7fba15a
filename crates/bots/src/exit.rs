//! Exit status of a process.

use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use pitmaster_core::Exit;

/// The exit code, or the signal that killed it.
pub(super) fn exit_of(status: ExitStatus) -> Exit {
    status
        .code()
        .map(Exit::Code)
        .or_else(|| status.signal().map(Exit::Signal))
        .unwrap_or(Exit::Unknown)
}
