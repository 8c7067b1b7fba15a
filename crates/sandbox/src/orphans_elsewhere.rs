//! The same face as `orphans` on systems where orphans cannot be found: a bot's own process is
//! ended, what it has left behind is not.

use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;

/// The variable that every process of a run carries; its value names the run.
pub(super) const RUN_VARIABLE: &str = "PITMASTER_RUN";

/// The name of this run: unlike that of every other one that runs on this machine.
pub fn run_name() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| std::process::id().to_string())
}

/// Orphans cannot be adopted here.
pub fn adopt_orphans() -> io::Result<()> {
    Ok(())
}

/// Nothing can be found by its mark here.
pub fn end_all_of(_run: &str) {}

pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    command.spawn()
}

/// Starts a process of this program's own.
pub fn start_apart(command: &mut Command) -> io::Result<Child> {
    spawn(command.stdout(Stdio::null()).stderr(Stdio::null()))
}

/// The same for a process that is not to outlive the run; here nobody ends it when this process
/// is killed.
pub fn start_for_the_run(command: &mut Command) -> io::Result<Child> {
    spawn(command)
}

/// Waits for a process that was started here to end, and reaps it.
pub fn reap(child: &mut Child) -> Option<ExitStatus> {
    child.wait().ok()
}
