//! PID namespaces: a process that creates one, its init, and the bot as its second process.
//!
//! The first process of a PID namespace ignores signals with default action from itself and its
//! namespace: no CPU limit ends it, and it cannot abort. So the bot is not the first process. The
//! referee starts a *founder*, which creates the namespace, starts the init and the bot in it as
//! children of the referee (`CLONE_PARENT`), reports their process ids and exits. When the init
//! dies, the kernel kills the whole namespace. The end of the init is reported only once the
//! namespace is empty.
//!
//! Like everything before the exec, this uses only system calls on prepared data.

use std::ffi::CString;
use std::os::fd::AsRawFd as _;
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use libc::{c_int, c_long};

use super::child_setup::Orders;
use super::clone::clone_beside;
use super::pre_exec::{Errno, Step, begin, call, complain, prctl};
use super::root::write;

/// Tags of the founder's two reports. Error reports begin with the number of a step.
pub(super) const INIT: u8 = 0xFE;
pub(super) const BOT: u8 = 0xFF;

/// State shared by the founder and the init.
struct Handshake {
    /// Its end of file means that the founder and the bot no longer use the memory shared with the
    /// init.
    done: c_int,
    /// 0 until the init is ready; then 1, or the number of an error plus 1.
    ready: AtomicU32,
}

/// Entry point of the founder: creates the namespace with its processes, and exits.
pub(super) extern "C" fn found(orders: *mut Orders<'_>) -> ! {
    // SAFETY: this process has a copy of its own of all memory.
    if let Err(errno) = unsafe { make_namespace(orders) } {
        // SAFETY: as above.
        complain(unsafe { &*orders }, Step::Namespaces, errno);
    }
    // SAFETY: ends the process without running code of the parent.
    unsafe { libc::_exit(0) }
}

/// # Safety
/// The orders are valid and not accessed by any other thread.
unsafe fn make_namespace(orders: *mut Orders<'_>) -> Result<(), Errno> {
    // SAFETY: by the caller's contract; the accesses of the two new processes are described below.
    let (complaint, parent, maps, [init_stack, bot_stack]) = unsafe {
        let orders = &mut *orders;
        let stacks = orders.stacks.as_mut().ok_or(libc::EINVAL)?;
        let maps = orders.confinement.maps.as_ref();
        (orders.complaint.as_raw_fd(), orders.parent, maps, stacks)
    };
    if let Some(maps) = maps {
        map_users(maps)?;
    }
    call(libc::SYS_unshare, [libc::CLONE_NEWPID.into(), 0, 0, 0, 0])?;
    let mut ends: [c_int; 2] = [-1; 2];
    call(libc::SYS_pipe2, [ends.as_mut_ptr() as c_long, libc::O_CLOEXEC.into(), 0, 0, 0])?;
    let mut handshake = Handshake { done: ends[0], ready: AtomicU32::new(0) };
    // SAFETY: the init accesses only its stack and the handshake. Both live until this process has
    // ended, which the init waits for.
    let init = unsafe { clone_beside(0, init_stack, serve, &raw mut handshake) }?;
    report(complaint, INIT, init);
    // If the referee died before the init was tied to it, the init would never end.
    let started = wait_for(&handshake.ready, parent).and_then(|()| require_parent(parent));
    // SAFETY: this process sleeps until the bot no longer uses their shared memory.
    let bot = started
        .and_then(|()| unsafe { clone_beside(libc::CLONE_VFORK as u64, bot_stack, begin, orders) });
    match bot {
        Ok(bot) => report(complaint, BOT, bot),
        Err(_) => drop(call(libc::SYS_kill, [init.into(), libc::SIGKILL.into(), 0, 0, 0])),
    }
    bot.map(drop)
}

/// Writes the user and group mappings of the new user namespace.
pub(super) fn map_users([users, groups]: &[CString; 2]) -> Result<(), Errno> {
    // The referee is not dumpable. Without this, the files below would belong to root.
    prctl(libc::PR_SET_DUMPABLE, [1, 0])?;
    write(c"/proc/self/setgroups", c"deny")?;
    write(c"/proc/self/uid_map", users)?;
    write(c"/proc/self/gid_map", groups)?;
    prctl(libc::PR_SET_DUMPABLE, [0, 0]).map(drop)
}

fn report(complaint: c_int, tag: u8, pid: u32) {
    let pid = pid.to_ne_bytes();
    let words = [tag, pid[0], pid[1], pid[2], pid[3]];
    // SAFETY: the buffer is valid; without a reader, no report is needed.
    unsafe { libc::write(complaint, words.as_ptr().cast(), words.len()) };
}

/// Fails if the referee has died.
fn require_parent(parent: libc::pid_t) -> Result<(), Errno> {
    let is_alone = call(libc::SYS_getppid, [0; 5])? != c_long::from(parent);
    if is_alone { Err(libc::ESRCH) } else { Ok(()) }
}

/// Waits until the init is ready or has failed. If the referee dies, the init may die before it
/// reports. So the referee is checked once a second; waiting forever would hold the referee's files
/// and locks.
fn wait_for(ready: &AtomicU32, parent: libc::pid_t) -> Result<(), Errno> {
    let second = libc::timespec { tv_sec: 1, tv_nsec: 0 };
    loop {
        match ready.load(Ordering::Acquire) {
            0 => {
                let wait = c_long::from(libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG);
                let (word, limit) = (ready.as_ptr() as c_long, &raw const second as c_long);
                // Returns at once if it is no longer 0.
                let _ = call(libc::SYS_futex, [word, wait, 0, limit, 0]);
                require_parent(parent)?;
            }
            1 => return Ok(()),
            failed => return Err(failed.cast_signed() - 1),
        }
    }
}

/// Entry point of the init.
extern "C" fn serve(handshake: *mut Handshake) -> ! {
    // SAFETY: the founder keeps it until the end of `done`.
    let Handshake { done, ready } = unsafe { &*handshake };
    let outcome = match become_init(*done) {
        Ok(()) => 1,
        Err(errno) => errno.cast_unsigned() + 1,
    };
    let (done, ready) = (*done, ready.as_ptr() as c_long);
    // SAFETY: as above. From here on, `errno`, which is shared with the founder, is not accessed.
    unsafe { (*handshake).ready.store(outcome, Ordering::Release) };
    let wake = c_long::from(libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG);
    let _ = call(libc::SYS_futex, [ready, wake, 1, 0, 0]);
    wait_for_ever(done)
}

fn become_init(done: c_int) -> Result<(), Errno> {
    // SAFETY: plain values. The kernel reaps ignored children. The init adopts the orphans of the
    // namespace.
    unsafe {
        let mut ignored: libc::sigaction = std::mem::zeroed();
        ignored.sa_sigaction = libc::SIG_IGN;
        libc::sigaction(libc::SIGCHLD, &raw const ignored, ptr::null_mut());
    }
    prctl(libc::PR_SET_PDEATHSIG, [libc::SIGKILL.into(), 0])?;
    prctl(libc::PR_SET_NAME, [c"pitmaster-init".as_ptr() as c_long, 0])?;
    call(libc::SYS_setsid, [0; 5])?;
    // The bot changes the root for both, but a working folder would still reach the machine's
    // files.
    call(libc::SYS_chdir, [c"/".as_ptr() as c_long, 0, 0, 0, 0])?;
    let done = c_long::from(done);
    call(libc::SYS_close_range, [0, done - 1, 0, 0, 0])?;
    call(libc::SYS_close_range, [done + 1, c_long::from(u32::MAX), 0, 0, 0]).map(drop)
}

/// Bytes kept mapped around the last instructions: more than their size, for any page size.
const KEPT: usize = 128 << 10;

/// End of the user address space on x86-64.
#[cfg(target_arch = "x86_64")]
const END: usize = 0x7FFF_FFFF_F000;

/// Waits until the memory is no longer shared, closes its last descriptor, unmaps the memory (a
/// copy of the referee's) and sleeps.
#[cfg(target_arch = "x86_64")]
fn wait_for_ever(done: c_int) -> ! {
    // SAFETY: system calls from code that stays mapped. The stack is not used after the first.
    unsafe {
        std::arch::asm!(
            "mov edi, r12d",
            "mov rsi, rsp",
            "mov edx, 1",
            "mov eax, {read}",
            "syscall",
            "xor edi, edi",
            "mov esi, -1",
            "xor edx, edx",
            "mov eax, {close_range}",
            "syscall",
            "lea r13, [rip]",
            "and r13, -65536",
            "xor edi, edi",
            "mov rsi, r13",
            "mov eax, {munmap}",
            "syscall",
            "lea rdi, [r13 + {kept}]",
            "mov rsi, {end}",
            "sub rsi, rdi",
            "mov eax, {munmap}",
            "syscall",
            "2:",
            "xor edi, edi",
            "xor esi, esi",
            "xor edx, edx",
            "xor r10d, r10d",
            "mov eax, {ppoll}",
            "syscall",
            "jmp 2b",
            in("r12") done,
            read = const libc::SYS_read,
            close_range = const libc::SYS_close_range,
            munmap = const libc::SYS_munmap,
            ppoll = const libc::SYS_ppoll,
            kept = const KEPT,
            end = const END,
            options(noreturn),
        );
    }
}

/// The same. Memory may end at 2^48, 2^42 or 2^39; larger ends than the actual one are refused.
#[cfg(target_arch = "aarch64")]
fn wait_for_ever(done: c_int) -> ! {
    // SAFETY: as on x86-64.
    unsafe {
        std::arch::asm!(
            "mov w0, w20",
            "mov x1, sp",
            "mov x2, 1",
            "mov x8, {read}",
            "svc 0",
            "mov x0, 0",
            "mov w1, -1",
            "mov x2, 0",
            "mov x8, {close_range}",
            "svc 0",
            "adr x21, .",
            "and x21, x21, -65536",
            "mov x0, 0",
            "mov x1, x21",
            "mov x8, {munmap}",
            "svc 0",
            "add x22, x21, {kept}",
            "mov x23, 1",
            "mov x0, x22",
            "lsl x1, x23, 48",
            "sub x1, x1, x22",
            "svc 0",
            "mov x0, x22",
            "lsl x1, x23, 42",
            "sub x1, x1, x22",
            "svc 0",
            "mov x0, x22",
            "lsl x1, x23, 39",
            "sub x1, x1, x22",
            "svc 0",
            "2:",
            "mov x0, 0",
            "mov x1, 0",
            "mov x2, 0",
            "mov x3, 0",
            "mov x8, {ppoll}",
            "svc 0",
            "b 2b",
            in("w20") done,
            read = const libc::SYS_read,
            close_range = const libc::SYS_close_range,
            munmap = const libc::SYS_munmap,
            ppoll = const libc::SYS_ppoll,
            kept = const KEPT,
            options(noreturn),
        );
    }
}
