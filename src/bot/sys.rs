//! The calls that no safe library offers: what a new process does before it becomes the
//! bot, a process's CPU clock, and a signal that is not to end this process. The only module
//! with `unsafe`.
#![expect(unsafe_code, reason = "raw system calls, each explained")]

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::time::Duration;

pub(in crate::bot) mod install;
#[cfg_attr(not(test), expect(dead_code, reason = "nothing is started with a listener yet"))]
pub(in crate::bot) mod notify;

/// Makes the process that `command` will start die with the thread that starts it, and
/// inherit no descriptor, no core dumps and no place in this process's group.
///
/// The starting thread must live as long as the bot: the kernel ties the signal to it.
pub(super) fn harden(command: &mut Command) {
    let parent = std::process::id();
    command.process_group(0);
    // SAFETY: the closure runs between fork and exec, where only async-signal-safe calls are
    // allowed: it makes system calls and touches nothing but its own stack and `parent`.
    unsafe {
        command.pre_exec(move || before_exec(parent));
    }
}

/// Runs in the new process. Allocates nothing and takes no lock.
fn before_exec(parent: u32) -> io::Result<()> {
    // SAFETY: plain system calls with constant arguments; `limit` outlives the call.
    unsafe {
        check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0))?;
        // The parent may have died before the line above: then nobody will send the signal.
        if libc::getppid().cast_unsigned() != parent {
            libc::_exit(127);
        }
        let limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        check(libc::setrlimit(libc::RLIMIT_CORE, &raw const limit))?;
        close_on_exec_from_3()
    }
}

/// Marks every descriptor but the standard ones to be closed by exec, also those that this
/// process itself inherited from a careless parent.
unsafe fn close_on_exec_from_3() -> io::Result<()> {
    // SAFETY: a system call on numbers; marking is undone by nothing and harms nothing.
    let result =
        unsafe { libc::syscall(libc::SYS_close_range, 3_u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    check(result as libc::c_int)
}

fn check(result: libc::c_int) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// From now on a write beyond the largest size that a file may have (`ulimit -f`) fails, as
/// on a full disk, and does not end this process.
pub fn outlive_full_files() {
    extern "C" fn nothing(_: libc::c_int) {}
    let handler = nothing as extern "C" fn(libc::c_int) as libc::sighandler_t;
    // SAFETY: the handler does nothing, so it may run at any time. It is a handler because
    // programs that are started would inherit that a signal is ignored.
    unsafe { libc::signal(libc::SIGXFSZ, handler) };
}

/// The clock that counts the CPU time of a process with all its threads.
#[derive(Debug, Clone, Copy)]
pub(super) struct CpuClock(libc::clockid_t);

impl CpuClock {
    pub(super) fn of(pid: u32) -> Option<Self> {
        let mut clock = 0;
        // SAFETY: `clock` is valid for the call, which only writes to it.
        let error = unsafe { libc::clock_getcpuclockid(pid.cast_signed(), &raw mut clock) };
        (error == 0).then_some(Self(clock))
    }

    /// The CPU time so far; `None` once the process is gone.
    pub(super) fn read(self) -> Option<Duration> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `time` is valid for the call, which only writes to it.
        let error = unsafe { libc::clock_gettime(self.0, &raw mut time) };
        (error == 0).then(|| Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32))
    }
}
