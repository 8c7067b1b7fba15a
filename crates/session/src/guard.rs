//! Guard: a helper process that outlives this one and kills its remaining bots.

use std::process::{Child, ChildStdin, Command, Stdio};

use crate::helper;

/// A running guard; dropping it ends the guard.
#[derive(Debug)]
pub struct Guard {
    process: Child,
    pipe: Option<ChildStdin>,
}

/// Starts the guard of this process, and hides this process from bots. A failure to start is not an
/// error: without a guard, bots may survive if this process is killed.
pub fn start() -> Option<Guard> {
    let _ = pitmaster_sandbox::adopt_orphans();
    pitmaster_sandbox::shield_this_process();
    let mut command = Command::new(std::env::current_exe().ok()?);
    command.args([helper::GUARD, pitmaster_sandbox::run_name()]).stdin(Stdio::piped());
    let mut process = pitmaster_sandbox::start_apart(&mut command).ok()?;
    Some(Guard { pipe: process.stdin.take(), process })
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.pipe = None;
        pitmaster_sandbox::reap(&mut self.process);
    }
}
