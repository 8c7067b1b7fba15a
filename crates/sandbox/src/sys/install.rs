//! Seccomp filter installation.
//!
//! Must not depend on the content of the filter.

use std::io;

use libc::sock_filter;

use crate::seccomp::Filter;

/// Installs a filter on the calling thread; threads that it starts later inherit it. It cannot be
/// removed.
pub(crate) fn install_on_this_thread(filter: &Filter) -> io::Result<()> {
    gain_no_privileges()?;
    install(filter.instructions(), 0).map(|_| ())
}

/// Sets `no_new_privs` for this thread, as required for a filter. Allocates nothing and takes no
/// lock.
pub(crate) fn gain_no_privileges() -> io::Result<()> {
    // SAFETY: a system call with constant arguments.
    let result = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Installs instructions on the calling thread. Called by a new process before the exec. Allocates
/// nothing and takes no lock.
pub(crate) fn install(
    instructions: &[sock_filter],
    flags: libc::c_ulong,
) -> io::Result<libc::c_int> {
    let program = libc::sock_fprog {
        len: instructions.len() as libc::c_ushort,
        // The kernel only reads the instructions.
        filter: instructions.as_ptr().cast_mut(),
    };
    // SAFETY: `program` and what it points to are valid for the call.
    let result = unsafe {
        libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program)
    };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result as libc::c_int) }
}

#[cfg(test)]
mod tests;
