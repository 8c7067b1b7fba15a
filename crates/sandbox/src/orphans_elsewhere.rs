//! Fallback for `orphans` on systems where orphans cannot be found: it kills a bot's own process,
//! but not what the bot has left behind.

use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;

/// The variable that every process of a run carries; its value names the run.
pub(super) const RUN_VARIABLE: &str = "PITMASTER_RUN";

/// Name of this run, unique on this machine.
pub fn run_name() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| std::process::id().to_string())
}

/// Does nothing: this system cannot adopt orphans.
pub fn adopt_orphans() -> io::Result<()> {
    Ok(())
}

/// Does nothing: this system cannot find processes by their tag.
pub fn end_all_of(_run: &str) {}

pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    command.spawn()
}

/// Starts a process of this program itself.
pub fn start_apart(command: &mut Command) -> io::Result<Child> {
    spawn(command.stdout(Stdio::null()).stderr(Stdio::null()))
}

/// Starts a process that should not outlive the run. On this system nothing kills it if this
/// process is killed.
pub fn start_for_the_run(command: &mut Command) -> io::Result<Child> {
    spawn(command)
}

/// Waits for a started process to end, and reaps it.
pub fn reap(child: &mut Child) -> Option<ExitStatus> {
    child.wait().ok()
}
