//! Orphan processes on macOS, where they cannot be found: only a bot's own process is killed.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;

/// Environment variable of every process of a run. Its value is the name of the run.
pub const RUN_VARIABLE: &str = "PITMASTER_RUN";

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

/// Starts a process.
pub fn spawn(command: &mut Command) -> io::Result<Child> {
    command.spawn()
}

/// Starts a process of this program itself, out of reach of the terminal's signals.
pub fn start_apart(command: &mut Command) -> io::Result<Child> {
    spawn(command.process_group(0).stdout(Stdio::null()).stderr(Stdio::null()))
}

/// Starts a process that should not outlive the run. On this system nothing kills it if this
/// process is killed.
pub fn start_for_the_run(command: &mut Command) -> io::Result<Child> {
    spawn(command.process_group(0))
}

/// Waits for a started process to end, and reaps it.
pub fn reap(child: &mut Child) -> Option<ExitStatus> {
    child.wait().ok()
}
