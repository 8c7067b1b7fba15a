//! Container simulation for tests: makes this machine look like a container, with no namespaces, no
//! recent system calls and no writable control groups.
//!
//! Must not depend on what runs in it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use landlock::{AccessFs, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _, path_beneath_rules};
use rustix::thread::{set_thread_gid, set_thread_groups, set_thread_uid};
use rustix::{fs::Gid, fs::Uid};

use crate::seccomp::container;
use crate::sys::install::install_on_this_thread;

/// Applies the default restrictions of a container to the calling thread and the program that it
/// executes. If a user is given, as user and group id, the thread also becomes that user.
///
/// This cannot be undone. Call it from the only thread of a process.
pub fn live_like_in_a_container(user: Option<(u32, u32)>) -> io::Result<()> {
    if let Some((user, group)) = user {
        set_thread_groups(&[])?;
        set_thread_gid(Gid::from_raw(group))?;
        set_thread_uid(Uid::from_raw(user))?;
    }
    keep_from_control_groups().map_err(io::Error::other)?;
    install_on_this_thread(&container())
}

/// Allows writing files and creating folders anywhere except in the control group file system.
/// Landlock has no exceptions, so its surroundings are listed instead. As a result, nothing can be
/// created or written directly in `/`, `/sys` and `/sys/fs` either.
fn keep_from_control_groups() -> Result<(), landlock::RulesetError> {
    let access = AccessFs::MakeDir | AccessFs::WriteFile | AccessFs::Refer;
    let ruleset = Ruleset::default().handle_access(access)?.create()?;
    ruleset.add_rules(path_beneath_rules(surroundings(), access))?.restrict_self()?;
    Ok(())
}

fn surroundings() -> impl Iterator<Item = PathBuf> {
    [("/", "sys"), ("/sys", "fs"), ("/sys/fs", "cgroup")]
        .into_iter()
        .flat_map(|(folder, but)| all_but(Path::new(folder), but))
}

fn all_but(folder: &Path, but: &str) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(move |entry| entry.file_name() != but).map(|entry| entry.path())
}
