//! Holders of reserved cores, from `/proc/locks`.
//!
//! The file names the process and the inode of every lock, except processes of other containers.

use std::fmt;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use pitmaster_core::Untrusted;

/// Maximum length of a displayed command, in characters.
const SHOWN: usize = 60;

/// A process that has reserved a core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// Process id.
    pub pid: u32,
    /// User of the process, by name if known.
    pub user: String,
    /// Command line, as far as it is visible. Safe to show.
    pub command: String,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pid, user, command } = self;
        write!(f, "process {pid}")?;
        match (user.as_str(), command.as_str()) {
            ("", _) => Ok(()),
            (user, "") => write!(f, " of {user}"),
            (user, command) => write!(f, " of {user}: {command}"),
        }
    }
}

/// Process that has locked a file; `None` if no such process is visible.
pub(super) fn holder_of(path: &Path) -> Option<Holder> {
    let inode = path.symlink_metadata().ok()?;
    let locks = fs::read_to_string("/proc/locks").ok()?;
    let pid = pid_in(&locks, inode.dev(), inode.ino())?;
    Some(Holder { pid, user: user_of(pid), command: command_of(pid) })
}

/// Finds a PID in `/proc/locks`: `1: FLOCK  ADVISORY  WRITE 812 00:17:1234 0 EOF`.
fn pid_in(locks: &str, device: u64, inode: u64) -> Option<u32> {
    let device = device as rustix::fs::Dev;
    let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
    let file = format!("{major:02x}:{minor:02x}:{inode}");
    locks.lines().find_map(|line| {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            // A waiting process has `->` in place of `FLOCK`.
            [_, "FLOCK", _, "WRITE", pid, at, ..] if at == file => pid.parse().ok(),
            _ => None,
        }
    })
}

fn user_of(pid: u32) -> String {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    let Some(number) = line.and_then(|line| line.split_whitespace().next()) else {
        return String::new();
    };
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let name = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == number).then_some(name)
    });
    name.map_or_else(|| format!("user {number}"), str::to_owned)
}

fn command_of(pid: u32) -> String {
    let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let line: Vec<u8> = words.iter().map(|&byte| if byte == 0 { b' ' } else { byte }).collect();
    Untrusted::capped(line.trim_ascii(), 4 * SHOWN).shown(SHOWN)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::locks::{Tried, path, try_lock};
    use super::*;

    #[test]
    fn a_lock_is_found_by_its_file() {
        let locks = "1: POSIX  ADVISORY  WRITE 7 fe:00:99 0 EOF\n\
                     2: -> FLOCK  ADVISORY  WRITE 8 fe:00:99 0 EOF\n\
                     3: FLOCK  ADVISORY  WRITE 812 fe:00:99 0 EOF\n";
        let device = rustix::fs::makedev(0xfe, 0);
        assert_eq!(pid_in(locks, device, 99), Some(812));
        assert_eq!(pid_in(locks, device, 98), None);
        assert_eq!(pid_in("", device, 99), None);
    }

    #[test]
    fn this_process_is_seen_as_a_holder() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(holder_of(&path(dir.path(), 0)), None);
        let lock = try_lock(dir.path(), 0);
        assert!(matches!(lock, Tried::Locked(_)));
        let holder = holder_of(&path(dir.path(), 0)).expect("it is in /proc/locks");
        assert_eq!(holder.pid, std::process::id());
        assert!(!holder.user.is_empty() && !holder.command.is_empty(), "{holder:?}");
        drop(lock);
        // A process that another test has just forked holds the file until it executes its program.
        let is_free = (0..1000).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            holder_of(&path(dir.path(), 0)).is_none()
        });
        assert!(is_free, "the lock is let go");
    }

    #[test]
    fn a_holder_is_told_as_far_as_it_is_visible() {
        let told = |user: &str, command: &str| {
            Holder { pid: 8, user: user.into(), command: command.into() }.to_string()
        };
        assert_eq!(told("anna", "pitmaster run x"), "process 8 of anna: pitmaster run x");
        assert_eq!(told("anna", ""), "process 8 of anna");
        assert_eq!(told("", ""), "process 8");
    }
}
