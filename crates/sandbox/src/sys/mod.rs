//! Unsafe system calls that no safe library offers: setup of a new process, the CPU clock of a
//! process, and ignoring a signal that would end this process. The only module with `unsafe`.
#![expect(unsafe_code, reason = "raw system calls, each explained")]

mod child_setup;
mod clone;
mod init;
pub(crate) mod install;
mod memory;
pub(crate) mod notify;
mod pre_exec;
mod root;
mod spawn;

use std::time::Duration;

use rustix::process::Pid;

pub(crate) use child_setup::{
    Command, Confinement, Granted, Identity, Pass, Place, PrivateRoot, ResourceLimit, c_string,
};
pub use memory::{fill_page_tables, share_zeros};
pub use pre_exec::Step;
pub(crate) use spawn::spawn;
pub use spawn::{Init, SpawnError, Started};

/// Makes a write beyond the maximum file size (`ulimit -f`) fail as on a full disk, so that it does
/// not end this process.
pub fn outlive_full_files() {
    extern "C" fn nothing(_: libc::c_int) {}
    let handler = nothing as extern "C" fn(libc::c_int) as libc::sighandler_t;
    // SAFETY: the handler does nothing, so it may run at any time. A handler is used because child
    // programs would inherit an ignored signal.
    unsafe { libc::signal(libc::SIGXFSZ, handler) };
}

/// CPU clock of a process with all its threads.
#[derive(Debug, Clone, Copy)]
pub struct CpuClock(libc::clockid_t);

impl CpuClock {
    /// The clock of a process.
    pub fn of(pid: u32) -> Option<Self> {
        let mut clock = 0;
        // SAFETY: `clock` is valid for the call, which only writes to it.
        let error = unsafe { libc::clock_getcpuclockid(pid.cast_signed(), &raw mut clock) };
        (error == 0).then_some(Self(clock))
    }

    /// CPU time so far; `None` once the process is gone.
    pub fn read(self) -> Option<Duration> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `time` is valid for the call, which only writes to it.
        let error = unsafe { libc::clock_gettime(self.0, &raw mut time) };
        (error == 0).then(|| Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32))
    }
}

/// Sends a stop signal to one thread of a process, which stops the whole process.
pub fn stop_thread(process: Pid, thread: Pid) {
    let [process, thread] = [process, thread].map(|pid| pid.as_raw_nonzero().get());
    // SAFETY: a system call on numbers. An ended process receives nothing.
    unsafe { libc::syscall(libc::SYS_tgkill, process, thread, libc::SIGSTOP) };
}

/// Number of open descriptors in this process besides the standard ones, of the first thousand.
pub fn open_descriptors() -> usize {
    // SAFETY: asks for the flags of a number, whether it is open or not.
    (3..1024).filter(|&fd| unsafe { libc::fcntl(fd, libc::F_GETFD) } >= 0).count()
}

/// Landlock version of this kernel; 0 for none.
pub fn landlock_version() -> u32 {
    const ASK_VERSION: libc::c_long = 1;
    let (nothing, none) = (0 as libc::c_long, 0 as libc::c_long);
    // SAFETY: without a ruleset's attributes nothing is read or made.
    let version =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, nothing, none, ASK_VERSION) };
    u32::try_from(version).unwrap_or(0)
}

/// Prevents processes of the same user from inspecting or tracing this one.
pub fn shield_this_process() {
    // SAFETY: a system call on numbers.
    unsafe { libc::prctl(libc::PR_SET_DUMPABLE, 0) };
}
