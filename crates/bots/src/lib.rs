//! Bots on disk and as processes: manifest, snapshot, build, sandbox and pipes. Also house bots as
//! processes.
//!
//! The crate knows neither refereeing nor results. `TRUST.md` describes which values of a
//! submission are untrusted and where they become trusted.

mod clock;
mod contender;
mod exit;
pub mod house;
mod launch;
#[cfg(target_os = "linux")]
mod look;
#[cfg(target_os = "linux")]
mod meter;
mod plain;
pub mod probe;
#[cfg(target_os = "linux")]
mod process;
mod remote;
mod run_limited;
#[cfg(target_os = "linux")]
mod starvation;
#[cfg(target_os = "linux")]
mod steal;
pub mod submission;
mod tail;
pub mod toolchain;
#[cfg_attr(target_os = "macos", path = "worker_macos.rs")]
mod worker;

pub use clock::Clock;
pub use contender::{Contender, Ended, ReadOutcome, Usage};
pub use launch::LaunchError;
pub use pitmaster_core::{At, Untrusted};
pub use pitmaster_sandbox::Launch;
pub use plain::PlainProcess;
#[cfg(target_os = "linux")]
pub use process::Process;
pub use remote::{Remote, RemoteReply, RemoteTurn};

/// Driver of a bot's process on this system.
#[cfg(target_os = "linux")]
type Driver = Process;
/// Driver of a bot's process on this system.
#[cfg(target_os = "macos")]
type Driver = PlainProcess;

/// Starts a bot's process with the best driver of this system.
pub fn start(launch: &Launch) -> Result<Box<dyn Contender>, LaunchError> {
    Ok(Box::new(Driver::start(launch)?))
}
