//! Setup steps of a new process before it executes its program.
//!
//! They are plain data that the parent prepares, so that the new process needs no memory of its
//! own.

use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsRawFd as _, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt as _;
use std::ptr;

use super::clone::Stack;
use crate::sandbox::seccomp::Filter;

/// One bound on a resource, in the resource's own unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ResourceLimit {
    /// `RLIMIT_…`.
    pub(crate) resource: libc::__rlimit_resource_t,
    /// What it begins with.
    pub(crate) soft: u64,
    /// What it can be raised to.
    pub(crate) hard: u64,
}

/// Whom a process started by root becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity {
    /// Its user and group.
    pub(crate) id: u32,
    /// How it passes through folders that are closed to it. What it may read in them is for
    /// Landlock to say; without Landlock this is never set.
    pub(crate) passes: Option<Pass>,
}

/// The one power of root's that a process keeps to pass through closed folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    /// Reading and searching everywhere: `CAP_DAC_READ_SEARCH`.
    Search,
    /// Writing too, where there is nothing weaker, as in containers: `CAP_DAC_OVERRIDE`.
    Override,
}

impl Pass {
    /// Its number.
    pub(crate) const fn capability(self) -> u8 {
        match self {
            Self::Search => 2,
            Self::Override => 1,
        }
    }

    /// The weakest that this process can hand on.
    pub(crate) fn available() -> Option<Self> {
        let own = rustix::thread::capabilities(None).ok()?.permitted;
        [Self::Search, Self::Override]
            .into_iter()
            .find(|pass| own.bits() & (1 << pass.capability()) != 0)
    }
}

/// How a place of the private root comes to be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// A folder, empty.
    Folder,
    /// What is outside under the path of the first text, not to be written to.
    Folders(CString),
    /// The same for a file.
    File(CString),
    /// A link to that text.
    Link(CString),
    /// Space of its own, with these options of tmpfs.
    Scratch(CString),
    /// The processes of its own namespace.
    Processes,
}

/// A root folder of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PrivateRoot {
    /// Where things are, relative to the new root, parents before children.
    pub(crate) places: Vec<(CString, Place)>,
}

/// What to become: a program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Command {
    program: CString,
    args: Vec<CString>,
    environment: Vec<CString>,
    dir: CString,
}

impl Command {
    /// # Errors
    /// A text holds a zero byte, which no system call could tell.
    pub(crate) fn new<'a>(
        program: &OsStr,
        args: impl IntoIterator<Item = &'a OsStr>,
        environment: impl IntoIterator<Item = (&'a OsStr, &'a OsStr)>,
        dir: &OsStr,
    ) -> io::Result<Self> {
        let variable = |(name, value): (&OsStr, &OsStr)| {
            c_string([name.as_bytes(), b"=", value.as_bytes()].concat())
        };
        Ok(Self {
            program: c_string(program.as_bytes())?,
            args: args.into_iter().map(|arg| c_string(arg.as_bytes())).collect::<Result<_, _>>()?,
            environment: environment.into_iter().map(variable).collect::<Result<_, _>>()?,
            dir: c_string(dir.as_bytes())?,
        })
    }
}

/// A text for a system call.
///
/// # Errors
/// It holds a zero byte.
pub(crate) fn c_string(text: impl Into<Vec<u8>>) -> io::Result<CString> {
    CString::new(text).map_err(|_| io::Error::from_raw_os_error(libc::EINVAL))
}

/// A folder that a ruleset grants, and the rights by Landlock's bits.
pub(crate) type Granted = (CString, u64);

/// What confines a process, from its first instruction on.
#[derive(Debug, Default)]
pub(crate) struct Confinement<'a> {
    /// Namespaces of its own, `CLONE_NEW…`.
    pub(crate) namespaces: u64,
    /// In a namespace of users: what stands in `uid_map` and `gid_map`.
    pub(crate) maps: Option<[CString; 2]>,
    /// In namespaces: its root.
    pub(crate) root: Option<&'a PrivateRoot>,
    /// A folder of the machine that is space of its own instead, in a namespace of mounts, and
    /// the options of tmpfs.
    pub(crate) scratch: Option<(CString, CString)>,
    /// Its control group.
    pub(crate) cgroup: Option<BorrowedFd<'a>>,
    /// Bounds.
    pub(crate) limits: Vec<ResourceLimit>,
    /// Whom it becomes.
    pub(crate) identity: Option<Identity>,
    /// It gains no rights by becoming a program.
    pub(crate) no_new_privileges: bool,
    /// A Landlock ruleset.
    pub(crate) ruleset: Option<BorrowedFd<'a>>,
    /// A folder of its own root that the ruleset is to grant too, and which rights.
    pub(crate) granted: Option<Granted>,
    /// A filter of system calls.
    pub(crate) filter: Option<Filter>,
    /// Where the filter's listener goes, if it has one: a socket.
    pub(crate) listener: Option<BorrowedFd<'a>>,
}

/// Everything at once, with the pointers that system calls want. Read by the new process,
/// which may share our memory.
#[derive(Debug)]
pub(super) struct Orders<'a> {
    pub(super) program: &'a CString,
    pub(super) args: Vec<*const libc::c_char>,
    pub(super) environment: Vec<*const libc::c_char>,
    pub(super) dir: &'a CString,
    /// What become its descriptors 0, 1 and 2.
    pub(super) standard: [RawFd; 3],
    /// Where it says which step failed.
    pub(super) complaint: OwnedFd,
    /// The process that starts it.
    pub(super) parent: libc::pid_t,
    /// In a PID namespace: what its init runs on, and the bot until it has become a program.
    pub(super) stacks: Option<[Stack; 2]>,
    pub(super) confinement: Confinement<'a>,
}

impl<'a> Orders<'a> {
    pub(super) fn new(
        command: &'a Command,
        standard: [BorrowedFd<'_>; 3],
        complaint: OwnedFd,
        confinement: Confinement<'a>,
    ) -> Self {
        let pointers = |texts: &[CString]| {
            let ended = [ptr::null()];
            texts.iter().map(|text| text.as_ptr()).chain(ended).collect()
        };
        let is_apart = confinement.namespaces & libc::CLONE_NEWPID as u64 != 0;
        Self {
            program: &command.program,
            args: pointers(&command.args),
            environment: pointers(&command.environment),
            dir: &command.dir,
            standard: standard.map(|fd| fd.as_raw_fd()),
            complaint,
            parent: std::process::id().cast_signed(),
            stacks: is_apart.then(|| [Stack::new(), Stack::new()]),
            confinement,
        }
    }
}
