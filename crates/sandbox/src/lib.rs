//! Sandbox for untrusted programs on Linux: process creation, limits, Landlock, seccomp,
//! namespaces, control groups, and cleanup of orphan processes. It needs no privileges.
//!
//! A [`Sandbox`] holds a tier and its limits. A [`SandboxProfile`] is the part of it that one
//! program gets: the files that it may read ([`ReadGrant`]), and whether it plays, answers a
//! question or builds. [`Launch`] is the command that runs in it. What a tier guarantees depends on
//! the machine: a probe in the crate `pitmaster-bots` tries what an attacker would. On systems
//! other than Linux only the tier without a sandbox exists.
//!
//! The crate knows neither bots nor games.
//!
//! ```
//! use std::sync::Arc;
//!
//! use pitmaster_core::{Resources, Tier};
//! use pitmaster_sandbox::{SandboxProfile, ReadGrant, Sandbox};
//!
//! let resources = Resources { memory: 256 << 20, ..Resources::default() };
//! let sandbox = Arc::new(Sandbox::untested(Tier::Portable, &resources)?);
//! assert_eq!(sandbox.tier(), Tier::Portable);
//! let cage = SandboxProfile::new(&sandbox, vec![ReadGrant::trusted("/opt/solver".into())]);
//! # drop(cage);
//! # Ok::<(), std::io::Error>(())
//! ```

mod audit;
mod build_limits;
#[cfg(target_os = "linux")]
mod container;
mod grant;
mod launch;
#[cfg(target_os = "linux")]
pub mod orphans;
#[cfg(not(target_os = "linux"))]
#[path = "orphans_elsewhere.rs"]
pub mod orphans;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(not(target_os = "linux"))]
#[path = "sandbox_elsewhere.rs"]
mod sandbox;
#[cfg(target_os = "linux")]
pub mod sys;
mod system;

pub use audit::{Audit, AuditedCall, Class as CallClass};
pub use build_limits::{BuildLimits, Overrun};
#[cfg(target_os = "linux")]
pub use container::live_like_in_a_container;
pub use grant::{ReadGrant, WorkFolder};
pub use launch::{Launch, this_program};
pub use orphans::{adopt_orphans, end_all_of, reap, run_name, start_apart, start_for_the_run};
#[cfg(target_os = "linux")]
pub use sandbox::{Controllers, Gauge, Group, ProcessResources};
pub use sandbox::{Sandbox, SandboxProfile, control_groups};
#[cfg(target_os = "linux")]
pub use sys::{landlock_version, outlive_full_files, shield_this_process};
pub use system::SYSTEM_FOLDERS;

/// Does nothing: on this system a full disk is an ordinary error.
#[cfg(not(target_os = "linux"))]
pub fn outlive_full_files() {}

/// Returns 0: this system has no Landlock.
#[cfg(not(target_os = "linux"))]
pub fn landlock_version() -> u32 {
    0
}

/// Does nothing: no protection against inspection is known on this system.
#[cfg(not(target_os = "linux"))]
pub fn shield_this_process() {}
