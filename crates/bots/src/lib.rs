//! Bots on disk and as processes: manifest, snapshot, build, sandbox, pipes; and house bots as
//! processes.
//!
//! The crate knows neither refereeing nor results. `TRUST.md` describes which values of a
//! submission are untrusted and where they become trusted.

mod audit;
mod bounded;
mod build_limits;
mod clock;
#[cfg(target_os = "linux")]
mod container;
mod contender;
mod exit;
mod grant;
pub mod house;
mod launch;
mod plain;
#[cfg(target_os = "linux")]
mod process;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(not(target_os = "linux"))]
#[path = "sandbox_elsewhere.rs"]
mod sandbox;
#[cfg(target_os = "linux")]
mod starvation;
#[cfg(target_os = "linux")]
mod strays;
#[cfg(not(target_os = "linux"))]
#[path = "strays_elsewhere.rs"]
mod strays;
pub mod submission;
#[cfg(target_os = "linux")]
mod sys;
mod tail;
pub mod toolchain;
#[cfg(target_os = "linux")]
mod worker;
#[cfg(not(target_os = "linux"))]
#[path = "worker_elsewhere.rs"]
mod worker;

pub use audit::{Audit, AuditedCall, Class as CallClass};
pub use build_limits::{BuildLimits, Overrun};
pub use clock::Clock;
#[cfg(target_os = "linux")]
pub use container::live_like_in_a_container;
pub use contender::{Contender, Ended, Heard, Usage};
pub use grant::ReadGrant;
pub use launch::{Launch, LaunchFault};
pub use plain::PlainProcess;
#[cfg(target_os = "linux")]
pub use process::Process;
pub use sandbox::{Cage, Sandbox, Unavailable, attempt_all, control_groups, improvement};
pub use strays::{adopt_orphans, end_all_of, reap, run_name, start_apart, start_for_the_run};
#[cfg(target_os = "linux")]
pub use sys::{landlock_version, outlive_full_files, shield_this_process};

/// What drives a bot's process on this system.
#[cfg(target_os = "linux")]
type Driver = Process;
/// What drives a bot's process on this system.
#[cfg(not(target_os = "linux"))]
type Driver = PlainProcess;

/// Starts a bot's process with the best driver that this system has.
pub fn start(launch: &Launch) -> Result<Box<dyn Contender>, LaunchFault> {
    Ok(Box::new(Driver::start(launch)?))
}

/// A full disk is an error on this system, and nothing more.
#[cfg(not(target_os = "linux"))]
pub fn outlive_full_files() {}

/// There is no Landlock on this system.
#[cfg(not(target_os = "linux"))]
pub fn landlock_version() -> u32 {
    0
}

/// Nothing is known here against being looked into.
#[cfg(not(target_os = "linux"))]
pub fn shield_this_process() {}
