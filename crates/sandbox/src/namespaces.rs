//! Namespaces of a process, and the user that it is in them.

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::sync::OnceLock;

use crate::rootfs::scratch_options;
use crate::sys::{self, Confinement, Step, c_string};

/// Namespaces in which a process is created.
#[derive(Debug, Default)]
pub(crate) struct Namespaces {
    /// `CLONE_NEW…`.
    pub(crate) flags: u64,
    /// Content of `uid_map` and `gid_map`, for an ordinary user.
    pub(crate) maps: Option<[CString; 2]>,
}

/// User id of a bot in its own user namespace, which has no meaning outside.
const NOBODY: u32 = 60_000;

impl Namespaces {
    /// Namespaces of a bot with a private root. There is no network namespace, because it is by far
    /// the most expensive and there are no sockets to begin with.
    pub(crate) fn of_player() -> io::Result<Self> {
        let all = libc::CLONE_NEWNS | libc::CLONE_NEWPID | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;
        Self::of(all, Some(NOBODY))
    }

    /// Namespaces of a build step, so that its processes end with the step. An ordinary user keeps
    /// its identity.
    pub(crate) fn of_builder() -> io::Result<Self> {
        Self::of(libc::CLONE_NEWPID, None)
    }

    /// Namespaces of a bot with scratch space but without a private root. They limit the total
    /// space.
    pub(crate) fn of_scratch() -> io::Result<Self> {
        Self::of(libc::CLONE_NEWNS, None)
    }

    /// Returns whether build steps can have namespaces on this machine; determined once, by trying.
    pub(crate) fn work_for_builds() -> bool {
        static WORK: OnceLock<bool> = OnceLock::new();
        *WORK.get_or_init(|| Self::of_builder().and_then(|it| it.work(None)).unwrap_or(false))
    }

    /// Returns whether scratch space can have namespaces on this machine; determined once, by
    /// trying.
    pub(crate) fn work_for_scratch() -> bool {
        static WORK: OnceLock<bool> = OnceLock::new();
        let work = || {
            let folder = c_string(std::env::temp_dir().as_os_str().as_bytes())?;
            Self::of_scratch()?.work(Some((folder, scratch_options(4096)?)))
        };
        *WORK.get_or_init(|| work().unwrap_or(false))
    }

    /// Tests the namespaces by starting a program that does not exist. Only that last step may
    /// fail.
    fn work(self, scratch: Option<(CString, CString)>) -> io::Result<bool> {
        let nothing = File::options().read(true).write(true).open("/dev/null")?;
        let command = sys::Command::new("/dev/null".as_ref(), [], [], "/".as_ref())?;
        let Self { flags: namespaces, maps } = self;
        let confinement = Confinement { namespaces, maps, scratch, ..Confinement::default() };
        let fault = sys::spawn(&command, [nothing.as_fd(); 3], confinement).err();
        Ok(fault.is_some_and(|fault| fault.step == Some(Step::Program)))
    }

    /// Number of processes needed to create them.
    pub(crate) fn own_processes(&self) -> u32 {
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
