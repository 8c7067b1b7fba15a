//! A bot on disk and as a process: its manifest, its snapshot, building it, running it, its
//! pipes, its end.
//!
//! This room must not know rules or results.

mod clock;
mod contender;
pub mod disk;
mod launch;
mod process;
mod strays;
mod sys;
mod tail;

pub use clock::Clock;
pub use contender::{Contender, Ended, Heard, Usage};
pub use launch::{Launch, LaunchFault};
pub use process::Process;
pub use strays::{adopt_orphans, end_all_of, reap, run_name, start_apart};

/// Starts a bot's process with the driver of this system.
pub fn start(launch: &Launch) -> Result<Box<dyn Contender>, LaunchFault> {
    Ok(Box::new(Process::start(launch)?))
}
