//! Sandbox for untrusted programs on Linux: process creation, limits, Landlock, seccomp,
//! namespaces, control groups, and cleanup of orphan processes. It needs no privileges.
//!
//! A [`Sandbox`] holds a tier and its limits. A [`SandboxProfile`] is the part of it that one
//! program gets: the files that it may read ([`ReadGrant`]), and whether it plays, answers a
//! question or builds. [`Launch`] is the command that runs in it. What a tier guarantees depends on
//! the machine: a probe in the crate `pitmaster-bots` tries what an attacker would. On macOS only
//! the tier without a sandbox exists.
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
//! let profile = SandboxProfile::new(&sandbox, vec![ReadGrant::trusted("/opt/solver".into())]);
//! # drop(profile);
//! # Ok::<(), std::io::Error>(())
//! ```

#[cfg(target_os = "linux")]
mod asker;
mod audit;
#[cfg(target_os = "linux")]
mod auditor;
mod build_limits;
#[cfg(target_os = "linux")]
mod cgroup;
#[cfg(target_os = "linux")]
mod container;
#[cfg(target_os = "linux")]
mod folder;
#[cfg(target_os = "linux")]
mod gauge;
mod grant;
#[cfg(target_os = "linux")]
mod landlock;
mod launch;
#[cfg(target_os = "linux")]
mod limits;
#[cfg(target_os = "linux")]
mod namespaces;
#[cfg_attr(target_os = "macos", path = "orphans_macos.rs")]
pub mod orphans;
#[cfg(target_os = "linux")]
mod profile;
#[cfg(target_os = "linux")]
mod rootfs;
#[cfg_attr(target_os = "macos", path = "sandbox_macos.rs")]
mod sandbox;
#[cfg(target_os = "linux")]
mod scratch;
#[cfg(target_os = "linux")]
mod seccomp;
#[cfg(target_os = "linux")]
mod supervisor;
#[cfg(target_os = "linux")]
pub mod sys;
mod system;
#[cfg(target_os = "linux")]
mod system_paths;

pub use audit::{Audit, AuditedCall, Class as CallClass};
pub use build_limits::{BuildLimits, Overrun};
#[cfg(target_os = "linux")]
pub use cgroup::Group;
#[cfg(target_os = "linux")]
pub use container::live_like_in_a_container;
#[cfg(target_os = "linux")]
pub use gauge::Gauge;
pub use grant::{ReadGrant, WorkFolder};
pub use launch::{Launch, this_program};
pub use orphans::{adopt_orphans, end_all_of, reap, run_name, start_apart, start_for_the_run};
#[cfg(target_os = "linux")]
pub use profile::{ProcessResources, SandboxProfile};
#[cfg(target_os = "linux")]
pub use sandbox::Controllers;
pub use sandbox::{Sandbox, control_groups};
#[cfg(target_os = "macos")]
pub use sandbox::{SandboxProfile, landlock_version, outlive_full_files, shield_this_process};
#[cfg(target_os = "linux")]
pub use sys::{landlock_version, outlive_full_files, shield_this_process};
pub use system::SYSTEM_FOLDERS;

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
compile_error!("Pitmaster runs on Linux; on Windows, use WSL 2");
