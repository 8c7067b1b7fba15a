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
use crate::seccomp::Filter;

/// Number of a resource. Its type differs between C libraries.
#[cfg(not(target_env = "musl"))]
pub(crate) type Resource = libc::__rlimit_resource_t;
/// Number of a resource. Its type differs between C libraries.
#[cfg(target_env = "musl")]
pub(crate) type Resource = libc::c_int;

/// A resource limit, in the resource's own unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ResourceLimit {
    /// `RLIMIT_…`.
    pub(crate) resource: Resource,
    /// The initial limit.
    pub(crate) soft: u64,
    /// The value to which it can be raised.
    pub(crate) hard: u64,
}

/// Identity of a process started by root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity {
    /// User id and group id.
    pub(crate) id: u32,
    /// Capability to pass through folders that are closed to it. Landlock restricts what it may
    /// read in them; without Landlock this is never set.
    pub(crate) passes: Option<Pass>,
}

/// The one capability of root that a process keeps to pass through closed folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    /// Reading and searching everywhere: `CAP_DAC_READ_SEARCH`.
    Search,
    /// Writing too, where nothing weaker is available, as in containers: `CAP_DAC_OVERRIDE`.
    Override,
}

impl Pass {
    /// Number of the capability.
    pub(crate) const fn capability(self) -> u8 {
        match self {
            Self::Search => 2,
            Self::Override => 1,
        }
    }

    /// Weakest capability that this process can pass on.
    pub(crate) fn available() -> Option<Self> {
        let own = rustix::thread::capabilities(None).ok()?.permitted;
        [Self::Search, Self::Override]
            .into_iter()
            .find(|pass| own.bits() & (1 << pass.capability()) != 0)
    }
}

/// Content of a path in the private root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// An empty folder.
    Folder,
    /// The folder outside with that path, read-only.
    Folders(CString),
    /// The file outside with that path, read-only.
    File(CString),
    /// A link with that target.
    Link(CString),
    /// A separate file system, with these tmpfs options.
    Scratch(CString),
    /// The `proc` file system of its own namespace.
    Processes,
}

/// A private root folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PrivateRoot {
    /// Entries relative to the new root, parents before children.
    pub(crate) places: Vec<(CString, Place)>,
}

/// A program to execute, with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Command {
    program: CString,
    args: Vec<CString>,
    environment: Vec<CString>,
    dir: CString,
}

impl Command {
    /// # Errors
    /// A text contains a NUL byte.
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

/// Converts a text for a system call.
///
/// # Errors
/// The text contains a NUL byte.
pub(crate) fn c_string(text: impl Into<Vec<u8>>) -> io::Result<CString> {
    CString::new(text).map_err(|_| io::Error::from_raw_os_error(libc::EINVAL))
}

/// A folder that a ruleset grants, and the rights by Landlock's bits.
pub(crate) type Granted = (CString, u64);

/// Restrictions of a process from its first instruction on.
#[derive(Debug, Default)]
pub(crate) struct Confinement<'a> {
    /// Its own namespaces, `CLONE_NEW…`.
    pub(crate) namespaces: u64,
    /// Content of `uid_map` and `gid_map` in a user namespace.
    pub(crate) maps: Option<[CString; 2]>,
    /// Its root, in namespaces.
    pub(crate) root: Option<&'a PrivateRoot>,
    /// A folder of the machine that is covered by separate space in a mount namespace, and the
    /// tmpfs options.
    pub(crate) scratch: Option<(CString, CString)>,
    /// Its control group.
    pub(crate) cgroup: Option<BorrowedFd<'a>>,
    /// Resource limits.
    pub(crate) limits: Vec<ResourceLimit>,
    /// User that it becomes.
    pub(crate) identity: Option<Identity>,
    /// Whether executing a program cannot give it privileges.
    pub(crate) no_new_privileges: bool,
    /// A Landlock ruleset.
    pub(crate) ruleset: Option<BorrowedFd<'a>>,
    /// A folder in its private root that the ruleset must also grant, with the rights.
    pub(crate) granted: Option<Granted>,
    /// A filter of system calls.
    pub(crate) filter: Option<Filter>,
    /// Socket to which the filter's listener is sent, if there is one.
    pub(crate) listener: Option<BorrowedFd<'a>>,
}

/// All setup data with pointers for system calls. Read by the new process, which may share this
/// process's memory.
#[derive(Debug)]
pub(super) struct Orders<'a> {
    pub(super) program: &'a CString,
    pub(super) args: Vec<*const libc::c_char>,
    pub(super) environment: Vec<*const libc::c_char>,
    pub(super) dir: &'a CString,
    /// Its standard streams, as descriptors of the parent.
    pub(super) standard: [RawFd; 3],
    /// Pipe for the report of a failed step.
    pub(super) complaint: OwnedFd,
    /// Process id of the parent.
    pub(super) parent: libc::pid_t,
    /// In a PID namespace: stacks of its init, and of the bot until the exec.
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
