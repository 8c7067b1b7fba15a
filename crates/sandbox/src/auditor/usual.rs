//! Usual behavior of language runtimes, which is no evidence against a bot.
//!
//! Found by playing honest bots in all languages that have sample bots.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Machine descriptions that runtimes read at start, if they can.
const DESCRIPTIONS: [&str; 21] = [
    "/etc/inputrc",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/terminfo",
    "/etc/timezone",
    "/proc/cgroups",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/stat",
    "/proc/sys",
    "/proc/uptime",
    "/proc/version",
    "/proc/version_signature",
    "/sys/devices",
    "/sys/fs/cgroup",
    "/sys/kernel/mm",
];

/// All usual files of a bot that may open these, with links resolved.
pub(super) fn usual_files(own: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
    let own: Vec<_> = own.into_iter().filter_map(|path| path.canonicalize().ok()).collect();
    // Node searches for the program's package from its own folder to the root.
    let packages = own.iter().flat_map(|path| path.ancestors()).map(|at| at.join("package.json"));
    let packages: Vec<_> = packages.collect();
    // Debian keeps a part of Python's library there.
    let pythons = glob::glob("/etc/python*").into_iter().flatten().flatten();
    let descriptions = DESCRIPTIONS.iter().map(PathBuf::from);
    own.into_iter().chain(packages).chain(pythons).chain(descriptions).collect()
}

/// Whether a refused call is a usual one of runtimes that continue without it, such as raising the
/// number of open files.
pub(super) fn is_usual_refusal(name: &str, arguments: &[u64; 6], own_pid: u32) -> bool {
    let [first, second, ..] = arguments.map(|argument| argument as u32);
    let is_files = |resource: u32| i64::from(resource) == i64::from(libc::RLIMIT_NOFILE);
    match name {
        "prlimit64" => (first == 0 || first == own_pid) && is_files(second),
        "setrlimit" => is_files(first),
        _ => false,
    }
}

/// Maximum number of concurrent lookups of a runtime.
const LOOK_UPS: usize = 16;

/// User lookups by the C library, which Java makes at start: first by a connection to a service
/// (`nscd`), and without one in the file. Reading the file in another way is not a lookup.
#[derive(Debug, Default)]
pub(super) struct LookUps(BTreeMap<u32, LookUp>);

#[derive(Debug, Default)]
struct LookUp {
    /// Refused sockets whose purpose is not known yet.
    sockets: u64,
}

/// Step of a possible lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// A socket as created by the C library for a query.
    Socket,
    /// The file with the sources of users.
    Sources,
    /// The file of users or groups.
    Users,
    /// Anything else.
    Other,
}

impl Asked {
    /// Step of a socket with these arguments.
    pub(super) fn of_socket(arguments: &[u64; 6]) -> Self {
        let kind = libc::SOCK_STREAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
        let [family, asked, protocol, ..] = arguments.map(|argument| argument as i32);
        let is_such = (family, asked, protocol) == (libc::AF_UNIX, kind, 0);
        if is_such { Self::Socket } else { Self::Other }
    }

    /// Step of opening this file.
    pub(super) fn of_path(path: &Path) -> Self {
        match path.to_str() {
            Some("/etc/nsswitch.conf") => Self::Sources,
            Some("/etc/passwd" | "/etc/group") => Self::Users,
            _ => Self::Other,
        }
    }
}

impl LookUps {
    /// Advances a thread's lookup. Returns whether the step belongs to a lookup, and the number of
    /// earlier sockets that turn out to belong to none.
    pub(super) fn next(&mut self, thread: u32, asked: Asked) -> (bool, u64) {
        let before = self.0.remove(&thread);
        let sockets = before.as_ref().map_or(0, |look_up| look_up.sockets);
        match (asked, before) {
            (Asked::Socket, _) if self.0.len() < LOOK_UPS => {
                self.0.insert(thread, LookUp { sockets: sockets + 1 });
                (true, 0)
            }
            (Asked::Sources, _) if self.0.len() < LOOK_UPS => {
                self.0.insert(thread, LookUp::default());
                (true, 0)
            }
            (Asked::Users, Some(_)) => (true, 0),
            _ => (false, sockets),
        }
    }

    /// Number of remaining sockets that belong to no lookup, at the end.
    pub(super) fn rest(&self) -> u64 {
        self.0.values().map(|look_up| look_up.sockets).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::Asked::{Other, Socket, Sources, Users};
    use super::*;

    /// Steps that belong to lookups, and the number of sockets that belong to none.
    fn asked(all: &[(u32, Asked)]) -> (Vec<bool>, u64) {
        let mut look_ups = LookUps::default();
        let told: Vec<_> =
            all.iter().map(|&(thread, asked)| look_ups.next(thread, asked)).collect();
        let sockets = told.iter().map(|(_, sockets)| sockets).sum::<u64>() + look_ups.rest();
        (told.into_iter().map(|(belongs, _)| belongs).collect(), sockets)
    }

    #[test]
    fn a_look_up_is_what_the_c_library_does_and_nothing_else() {
        let java = [(1, Socket), (1, Socket), (2, Other), (1, Sources), (1, Users)];
        assert_eq!(asked(&java), (vec![true, true, false, true, true], 0));
        assert_eq!(asked(&[(1, Socket), (1, Users), (1, Users)]), (vec![true, true, false], 0));
        assert_eq!(asked(&[(1, Users)]), (vec![false], 0));
        assert_eq!(asked(&[(1, Socket), (1, Other), (1, Users)]), (vec![true, false, false], 1));
        assert_eq!(asked(&[(1, Socket), (2, Users)]), (vec![true, false], 1));
        assert_eq!(asked(&[(1, Socket), (1, Socket)]), (vec![true, true], 2));
    }

    #[test]
    fn look_ups_are_bounded() {
        let many: Vec<_> = (0..1000).map(|thread| (thread, Socket)).collect();
        let (belongs, sockets) = asked(&many);
        let known = belongs.iter().filter(|belongs| **belongs).count();
        assert_eq!((known, sockets), (LOOK_UPS, LOOK_UPS as u64));
    }

    #[test]
    fn only_connections_to_the_service_of_names_are_such_sockets() {
        let (stream, unix) = (libc::SOCK_STREAM as u64, libc::AF_UNIX as u64);
        let flags = (libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK) as u64;
        assert_eq!(Asked::of_socket(&[unix, stream | flags, 0, 0, 0, 0]), Socket);
        assert_eq!(Asked::of_socket(&[unix, stream, 0, 0, 0, 0]), Other);
        let inet = libc::AF_INET as u64;
        assert_eq!(Asked::of_socket(&[inet, stream | flags, 0, 0, 0, 0]), Other);
    }
}
