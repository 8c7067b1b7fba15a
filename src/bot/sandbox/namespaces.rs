//! Namespaces of processes: which ones, and who a process is in them.

use std::ffi::CString;
use std::io;

use crate::bot::sys::c_string;

/// Namespaces that a process is born into.
#[derive(Debug, Default)]
pub(super) struct Namespaces {
    /// `CLONE_NEW…`.
    pub(super) flags: u64,
    /// For an ordinary user: what stands in `uid_map` and `gid_map`.
    pub(super) maps: Option<[CString; 2]>,
}

/// Who a bot is in its own namespace of users: nobody in particular.
const NOBODY: u32 = 60_000;

impl Namespaces {
    /// For a bot with a root of its own. None of the network: there are no sockets to begin
    /// with, and it is the dearest by far.
    pub(super) fn of_player() -> io::Result<Self> {
        let all = libc::CLONE_NEWNS | libc::CLONE_NEWPID | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;
        Self::of(all, Some(NOBODY))
    }

    /// How many processes it takes to make them.
    pub(super) fn own_processes(&self) -> u32 {
        // An init, and the process that starts it.
        if self.flags & libc::CLONE_NEWPID as u64 == 0 { 0 } else { 2 }
    }

    fn of(namespaces: libc::c_int, inside: Option<u32>) -> io::Result<Self> {
        let [user, group] = own_ids();
        if user == 0 {
            return Ok(Self { flags: namespaces as u64, maps: None });
        }
        let map = |id: u32| c_string(format!("{} {id} 1", inside.unwrap_or(id)));
        let flags = (namespaces | libc::CLONE_NEWUSER) as u64;
        Ok(Self { flags, maps: Some([map(user)?, map(group)?]) })
    }
}

fn own_ids() -> [u32; 2] {
    [rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw()]
}
