//! `pitmaster guard`: waits for the end of the process that started it, and ends the bots
//! that are left then. Started by the commands that play, never by people.

use std::io::Read as _;
use std::process::{Child, ChildStdin, Command, Stdio};

use pitmaster_bots as bots;

use super::Exit;

/// Ends what a run has left behind, once its process is gone
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The name of the run
    run: String,
}

pub(super) fn run(args: &Args) -> Exit {
    // The other end of this pipe closes with the process that holds it, however it ends.
    let _ = std::io::stdin().lock().read_to_end(&mut Vec::new());
    bots::end_all_of(&args.run);
    Exit::Done
}

/// A guard at work; let go, it ends.
#[derive(Debug)]
pub(super) struct Guard {
    process: Child,
    pipe: Option<ChildStdin>,
}

/// Watches over this process from now on, into which no bot can look any more. Nothing is lost
/// where a guard is refused but the tidiness after a sudden end.
pub(super) fn start() -> Option<Guard> {
    let _ = bots::adopt_orphans();
    bots::shield_this_process();
    let mut command = Command::new(std::env::current_exe().ok()?);
    command.args(["guard", bots::run_name()]).stdin(Stdio::piped());
    let mut process = bots::start_apart(&mut command).ok()?;
    Some(Guard { pipe: process.stdin.take(), process })
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.pipe = None;
        bots::reap(&mut self.process);
    }
}
