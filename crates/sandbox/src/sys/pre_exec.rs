//! Setup of a new process between fork and exec.
//!
//! All code here runs like a signal handler: system calls on prepared data, no allocation, no
//! locks, no panics. The memory may be shared with the parent.

use std::ffi::CStr;
use std::os::fd::{AsRawFd as _, RawFd};
use std::ptr;

use libc::{c_int, c_long};

use super::child_setup::{Confinement, Identity, Orders, Pass, ResourceLimit};
use super::init::map_users;
use super::install::install;
use super::notify::{install_with_listener, send_descriptor};
use super::root;
use crate::seccomp::Filter;

/// Setup steps. A failed step is reported by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Step {
    /// Create namespaces.
    Namespaces,
    /// Create a session.
    Session,
    /// Set up standard streams.
    Pipes,
    /// Set resource limits.
    Limits,
    /// Set up the private root.
    Root,
    /// Switch the user.
    Identity,
    /// Tie its life to the parent thread.
    Death,
    /// Change the working folder.
    Folder,
    /// Mark descriptors as close-on-exec.
    Descriptors,
    /// Set `no_new_privs`.
    Privileges,
    /// Install the Landlock ruleset.
    Landlock,
    /// Install the seccomp filter.
    Filter,
    /// Execute the program.
    Program,
}

impl Step {
    /// All steps by number.
    pub const ALL: [Self; 13] = [
        Self::Namespaces,
        Self::Session,
        Self::Pipes,
        Self::Limits,
        Self::Root,
        Self::Identity,
        Self::Death,
        Self::Folder,
        Self::Descriptors,
        Self::Privileges,
        Self::Landlock,
        Self::Filter,
        Self::Program,
    ];

    /// Text to follow "cannot".
    pub(crate) fn doing(self) -> &'static str {
        match self {
            Self::Namespaces => "give a bot namespaces of its own",
            Self::Session => "give a bot a session of its own",
            Self::Pipes => "give a bot its pipes",
            Self::Limits => "limit a bot's resources",
            Self::Root => "give a bot a root folder of its own",
            Self::Identity => "make a bot another user",
            Self::Death => "tie a bot to the referee",
            Self::Folder => "enter a bot's folder",
            Self::Descriptors => "close what a bot would inherit",
            Self::Privileges => "keep a bot from gaining rights",
            Self::Landlock => "confine a bot to its files",
            Self::Filter => "filter a bot's system calls",
            Self::Program => "start a bot",
        }
    }
}

/// Error number of the kernel.
pub(super) type Errno = c_int;

/// Entry point of the new process: runs the setup steps, or reports the failed step and exits.
pub(super) extern "C" fn begin(orders: *mut Orders<'_>) -> ! {
    // SAFETY: the parent passed its only pointer and waits, or has its own copy.
    let orders = unsafe { &mut *orders };
    let Err((step, errno)) = follow(orders);
    complain(orders, step, errno);
    // SAFETY: ends the process without running code of the parent.
    unsafe { libc::_exit(127) }
}

pub(super) fn complain(orders: &Orders<'_>, step: Step, errno: Errno) {
    let errno = errno.to_ne_bytes();
    let words = [step as u8, errno[0], errno[1], errno[2], errno[3]];
    // SAFETY: the buffer is valid; without a reader, the exit code must suffice.
    unsafe { libc::write(orders.complaint.as_raw_fd(), words.as_ptr().cast(), words.len()) };
}

fn follow(orders: &mut Orders<'_>) -> Result<std::convert::Infallible, (Step, Errno)> {
    let at = |step| move |errno| (step, errno);
    default_signals();
    call(libc::SYS_setsid, [0; 5]).map_err(at(Step::Session))?;
    take_pipes(orders.standard).map_err(at(Step::Pipes))?;
    let has_init = orders.stacks.is_some();
    let Confinement {
        maps,
        root,
        scratch,
        limits,
        identity,
        no_new_privileges,
        ruleset,
        granted,
        filter,
        listener,
        ..
    } = &mut orders.confinement;
    limits.iter().try_for_each(limit).map_err(at(Step::Limits))?;
    // With an init, the founder has already done this.
    if let (false, Some(maps)) = (has_init, &*maps) {
        map_users(maps).map_err(at(Step::Namespaces))?;
    }
    if let Some(root) = root {
        root::enter(root).map_err(at(Step::Root))?;
    }
    if let Some((folder, options)) = scratch {
        root::cover(folder, options).map_err(at(Step::Root))?;
    }
    if let Some(identity) = identity {
        become_another(*identity).map_err(at(Step::Identity))?;
    }
    die_with(orders.parent, has_init).map_err(at(Step::Death))?;
    call(libc::SYS_chdir, [address(orders.dir), 0, 0, 0, 0]).map_err(at(Step::Folder))?;
    close_on_exec_from_3().map_err(at(Step::Descriptors))?;
    if *no_new_privileges {
        prctl(libc::PR_SET_NO_NEW_PRIVS, [1, 0]).map_err(at(Step::Privileges))?;
    }
    if let Some(ruleset) = ruleset {
        let fd = c_long::from(ruleset.as_raw_fd());
        if let Some((folder, rights)) = granted {
            grant(fd, folder, *rights).map_err(at(Step::Landlock))?;
        }
        call(libc::SYS_landlock_restrict_self, [fd, 0, 0, 0, 0]).map_err(at(Step::Landlock))?;
    }
    if let Some(filter) = filter {
        let listener = listener.map(|socket| socket.as_raw_fd());
        install_filter(filter, listener).map_err(at(Step::Filter))?;
    }
    let (args, environment) = (orders.args.as_ptr(), orders.environment.as_ptr());
    let program = [address(orders.program), args as c_long, environment as c_long, 0, 0];
    let errno = call(libc::SYS_execve, program).err().unwrap_or(0);
    Err((Step::Program, errno))
}

/// Makes a system call. Returns its result, or the error number.
pub(super) fn call(number: c_long, args: [c_long; 5]) -> Result<c_long, Errno> {
    // SAFETY: all pointer arguments point into the orders.
    let result = unsafe { libc::syscall(number, args[0], args[1], args[2], args[3], args[4]) };
    // SAFETY: reads the error number of this thread.
    if result < 0 { Err(unsafe { *libc::__errno_location() }) } else { Ok(result) }
}

pub(super) fn address(text: &CStr) -> c_long {
    text.as_ptr() as c_long
}

pub(super) fn prctl(option: c_int, args: [c_long; 2]) -> Result<c_long, Errno> {
    call(libc::SYS_prctl, [option.into(), args[0], args[1], 0, 0])
}

/// Resets all signals, so that the new program ignores, handles and blocks none.
fn default_signals() {
    const LAST: c_int = 64;
    // SAFETY: plain values; handlers are per process even if memory is shared.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = libc::SIG_DFL;
        for signal in 1..=LAST {
            // Fails for the two signals that cannot be handled, and for those of the C library.
            libc::sigaction(signal, &raw const action, ptr::null_mut());
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut());
    }
}

/// The pipe ends are above 2, since this program has its standard streams.
fn take_pipes(standard: [c_int; 3]) -> Result<(), Errno> {
    for (target, fd) in (0..).zip(standard) {
        call(libc::SYS_dup3, [fd.into(), target, 0, 0, 0])?;
    }
    Ok(())
}

fn limit(limit: &ResourceLimit) -> Result<(), Errno> {
    match set_limit(limit) {
        // This process already has a lower limit, as on shared machines.
        Err(libc::EPERM) => set_limit(&within_inherited(limit)?),
        result => result,
    }
}

fn set_limit(limit: &ResourceLimit) -> Result<(), Errno> {
    let bounds = [limit.soft, limit.hard];
    let args = [0, limit.resource.into(), bounds.as_ptr() as c_long, 0, 0];
    call(libc::SYS_prlimit64, args).map(drop)
}

/// The limit, or the inherited one if that is lower.
fn within_inherited(limit: &ResourceLimit) -> Result<ResourceLimit, Errno> {
    let mut inherited = [0_u64; 2];
    let args = [0, limit.resource.into(), 0, inherited.as_mut_ptr() as c_long, 0];
    call(libc::SYS_prlimit64, args)?;
    let hard = limit.hard.min(inherited[1]);
    Ok(ResourceLimit { soft: limit.soft.min(hard), hard, ..*limit })
}

/// Switches to another user and keeps at most one capability. Avoids `setuid` of the C library,
/// which would signal all threads of the parent.
fn become_another(identity: Identity) -> Result<(), Errno> {
    const LAST_CAPABILITY: c_long = 63;
    let kept = identity.passes.map(Pass::capability);
    for capability in (0..=LAST_CAPABILITY).filter(|&one| kept.map(c_long::from) != Some(one)) {
        // Fails above the last capability of this kernel.
        let _ = prctl(libc::PR_CAPBSET_DROP, [capability, 0]);
    }
    if kept.is_some() {
        keep_capabilities_in_access();
    }
    prctl(libc::PR_SET_KEEPCAPS, [kept.is_some().into(), 0])?;
    let id = c_long::from(identity.id);
    call(libc::SYS_setgroups, [0; 5])?;
    call(libc::SYS_setresgid, [id, id, id, 0, 0])?;
    call(libc::SYS_setresuid, [id, id, id, 0, 0])?;
    if let Some(kept) = kept {
        keep_only(1 << kept)?;
        let (ambient, raise) = (libc::PR_CAP_AMBIENT.into(), libc::PR_CAP_AMBIENT_RAISE.into());
        call(libc::SYS_prctl, [ambient, raise, kept.into(), 0, 0])?;
    }
    Ok(())
}

/// Makes `access` agree with `open`. By default it ignores the capabilities of other users than
/// root, so linkers would not find files that they could open.
fn keep_capabilities_in_access() {
    const NO_SETUID_FIXUP: c_long = 1 << 2;
    if let Ok(bits) = prctl(libc::PR_GET_SECUREBITS, [0, 0]) {
        // If this is refused, `access` finds fewer files.
        let _ = prctl(libc::PR_SET_SECUREBITS, [bits | NO_SETUID_FIXUP, 0]);
    }
}

fn keep_only(capabilities: u32) -> Result<(), Errno> {
    const VERSION_3: u32 = 0x2008_0522;
    let header = [VERSION_3, 0];
    let sets = [capabilities, capabilities, capabilities, 0, 0, 0];
    let (header, sets) = (header.as_ptr() as c_long, sets.as_ptr() as c_long);
    call(libc::SYS_capset, [header, sets, 0, 0, 0]).map(drop)
}

/// Requests a signal at the death of the parent. Must follow the change of users, which would reset
/// it.
fn die_with(parent: libc::pid_t, has_init: bool) -> Result<(), Errno> {
    prctl(libc::PR_SET_PDEATHSIG, [libc::SIGKILL.into(), 0])?;
    // If the parent died before the line above, no signal is sent. With an init, this process
    // cannot see its parent, but dies with the init.
    if !has_init && call(libc::SYS_getppid, [0; 5])? != c_long::from(parent) {
        return Err(libc::ESRCH);
    }
    Ok(())
}

/// Marks every descriptor except the standard ones as close-on-exec, including those that the
/// parent has inherited.
fn close_on_exec_from_3() -> Result<(), Errno> {
    let flags = libc::CLOSE_RANGE_CLOEXEC.into();
    call(libc::SYS_close_range, [3, c_long::from(u32::MAX), flags, 0, 0]).map(drop)
}

/// Adds a folder to the ruleset of this process.
fn grant(ruleset: c_long, folder: &CStr, rights: u64) -> Result<(), Errno> {
    /// `struct landlock_path_beneath_attr` of the kernel.
    #[repr(C, packed)]
    struct PathBeneath {
        rights: u64,
        folder: i32,
    }
    const PATH_BENEATH: c_long = 1;
    let flags = c_long::from(libc::O_PATH | libc::O_CLOEXEC);
    let here = c_long::from(libc::AT_FDCWD);
    let folder = call(libc::SYS_openat, [here, address(folder), flags, 0, 0])? as i32;
    let rule = PathBeneath { rights, folder };
    let rule = (&raw const rule) as c_long;
    call(libc::SYS_landlock_add_rule, [ruleset, PATH_BENEATH, rule, 0, 0]).map(drop)
}

fn install_filter(filter: &mut Filter, listener: Option<RawFd>) -> Result<(), Errno> {
    filter.set_own_pid(call(libc::SYS_getpid, [0; 5])? as u32);
    let instructions = filter.instructions();
    let installed = match listener {
        None => install(instructions, 0).map(drop),
        Some(socket) => install_with_listener(instructions)
            .and_then(|listener| send_descriptor(socket, listener.as_raw_fd())),
    };
    installed.map_err(|error| error.raw_os_error().unwrap_or(libc::EINVAL))
}
