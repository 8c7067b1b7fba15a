//! Process creation by `clone3`, or by `clone` where a container refuses that.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a new process shares with this one, and what it has for itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Birth<'fd> {
    /// `CLONE_NEW…`, none of processes: without any, memory is shared until the process has
    /// become a program, which spares the copying of page tables; this thread sleeps meanwhile.
    pub(super) namespaces: u64,
    /// Memory is not shared, whatever the namespaces are.
    pub(super) has_own_memory: bool,
    /// The control group that it is born into.
    pub(super) cgroup: Option<BorrowedFd<'fd>>,
}

/// What a new process runs on, and until it has become a program all that it may touch
/// besides its orders.
const STACK: usize = 64 * 1024;

/// The stack of a process that shares memory with the one that starts it.
#[derive(Debug)]
pub(super) struct Stack(Box<[MaybeUninit<u8>]>);

impl Stack {
    pub(super) fn new() -> Self {
        Self(Box::new_uninit_slice(STACK))
    }
}

/// `struct clone_args` of the kernel.
#[repr(C)]
#[derive(Default)]
struct CloneArgs {
    flags: u64,
    pidfd: u64,
    child_tid: u64,
    parent_tid: u64,
    exit_signal: u64,
    stack: u64,
    stack_size: u64,
    tls: u64,
    set_tid: u64,
    set_tid_size: u64,
    cgroup: u64,
}

const PIDFD: u64 = libc::CLONE_PIDFD as u64;
const SHARED: u64 = (libc::CLONE_VM | libc::CLONE_VFORK) as u64;
const INTO_CGROUP: u64 = 0x2_0000_0000;

/// Whether `clone3` was refused: by a container's filter, for the whole life of this process.
static NO_CLONE3: AtomicBool = AtomicBool::new(false);

/// Starts a process that runs `work(argument)`, which never returns; its number and a
/// descriptor of it.
///
/// # Safety
/// `work` may only make system calls and touch its own stack and what `argument` points to,
/// which nobody else touches meanwhile: it runs like a signal handler, in memory that it may
/// share with this process.
pub(super) unsafe fn clone<T>(
    birth: &Birth<'_>,
    work: extern "C" fn(*mut T) -> !,
    argument: *mut T,
) -> io::Result<(u32, OwnedFd)> {
    let shares = birth.namespaces == 0 && !birth.has_own_memory;
    let mut stack = shares.then(Stack::new);
    let base = stack.as_mut().map_or(ptr::null_mut(), |stack| stack.0.as_mut_ptr());
    let size = if shares { STACK } else { 0 };
    let mut pidfd: libc::c_int = -1;
    let args = CloneArgs {
        flags: PIDFD
            | birth.namespaces
            | if shares { SHARED } else { 0 }
            | if birth.cgroup.is_some() { INTO_CGROUP } else { 0 },
        pidfd: &raw mut pidfd as u64,
        exit_signal: libc::SIGCHLD as u64,
        stack: base as u64,
        stack_size: size as u64,
        cgroup: birth.cgroup.map_or(0, |fd| fd.as_raw_fd() as u64),
        ..CloneArgs::default()
    };
    let signals = BlockedSignals::all();
    // SAFETY: the arguments are valid for the call. The new process runs `work` on a stack of
    // its own and never comes back here; what it is handed is the caller's promise.
    let pid = unsafe { call(&args, work as *const () as usize, argument as usize) };
    drop(signals);
    let pid = u32::try_from(pid).map_err(|_| io::Error::from_raw_os_error(-pid as i32))?;
    // SAFETY: the kernel has just made this descriptor for us.
    Ok((pid, unsafe { OwnedFd::from_raw_fd(pidfd) }))
}

/// Shares memory with the one that starts it, and is its parent's child like itself.
const BESIDE: u64 = (libc::CLONE_VM | libc::CLONE_PARENT) as u64;

/// Starts a sibling that shares the memory of this process, which is a new one itself; its
/// number as seen from here. Allocates nothing and takes no lock.
///
/// # Safety
/// As of [`clone`]; without `CLONE_VFORK` the stack is the new process's for as long as it
/// shares memory.
pub(super) unsafe fn clone_beside<T>(
    flags: u64,
    stack: &mut Stack,
    work: extern "C" fn(*mut T) -> !,
    argument: *mut T,
) -> Result<u32, libc::c_int> {
    let args = CloneArgs {
        flags: BESIDE | flags,
        stack: stack.0.as_mut_ptr() as u64,
        stack_size: STACK as u64,
        ..CloneArgs::default()
    };
    // SAFETY: as of the caller.
    let pid = unsafe { clone2(&args, work as *const () as usize, argument as usize) };
    u32::try_from(pid).map_err(|_| -pid as libc::c_int)
}

unsafe fn call(args: &CloneArgs, work: usize, argument: usize) -> isize {
    if !NO_CLONE3.load(Ordering::Relaxed) {
        // SAFETY: as of the caller.
        let result = unsafe { clone3(args, work, argument) };
        if result != -(libc::ENOSYS as isize) || args.cgroup != 0 {
            return result;
        }
        NO_CLONE3.store(true, Ordering::Relaxed);
    }
    // SAFETY: as of the caller.
    unsafe { clone2(args, work, argument) }
}

#[cfg(target_arch = "x86_64")]
unsafe fn clone3(args: &CloneArgs, work: usize, argument: usize) -> isize {
    let result: isize;
    // SAFETY: a system call. In the new process, which is told by 0, nothing of this function
    // is used any more: it goes on with `work` on its own stack, or on a copy of this one.
    unsafe {
        std::arch::asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp",
            "and rsp, -16",
            "mov rdi, r12",
            "call r13",
            "ud2",
            "2:",
            inlateout("rax") libc::SYS_clone3 as isize => result,
            in("rdi") ptr::from_ref(args),
            in("rsi") size_of::<CloneArgs>(),
            in("r12") argument,
            in("r13") work,
            out("rcx") _,
            out("r11") _,
        );
    }
    result
}

#[cfg(target_arch = "x86_64")]
unsafe fn clone2(args: &CloneArgs, work: usize, argument: usize) -> isize {
    let top = if args.stack == 0 { 0 } else { args.stack + args.stack_size };
    let result: isize;
    // SAFETY: as in `clone3`.
    unsafe {
        std::arch::asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp",
            "and rsp, -16",
            "mov rdi, r12",
            "call r13",
            "ud2",
            "2:",
            inlateout("rax") libc::SYS_clone as isize => result,
            in("rdi") args.flags | args.exit_signal,
            in("rsi") top,
            in("rdx") args.pidfd,
            in("r10") 0,
            in("r8") 0,
            in("r12") argument,
            in("r13") work,
            out("rcx") _,
            out("r11") _,
        );
    }
    result
}

#[cfg(target_arch = "aarch64")]
unsafe fn clone3(args: &CloneArgs, work: usize, argument: usize) -> isize {
    let result: isize;
    // SAFETY: a system call. In the new process, which is told by 0, nothing of this function
    // is used any more: it goes on with `work` on its own stack, or on a copy of this one.
    unsafe {
        std::arch::asm!(
            "svc 0",
            "cbnz x0, 2f",
            "mov x29, xzr",
            "mov x0, x20",
            "blr x21",
            "brk 0",
            "2:",
            in("x8") libc::SYS_clone3,
            inlateout("x0") ptr::from_ref(args) as isize => result,
            in("x1") size_of::<CloneArgs>(),
            in("x20") argument,
            in("x21") work,
        );
    }
    result
}

#[cfg(target_arch = "aarch64")]
unsafe fn clone2(args: &CloneArgs, work: usize, argument: usize) -> isize {
    let top = if args.stack == 0 { 0 } else { args.stack + args.stack_size };
    let result: isize;
    // SAFETY: as in `clone3`.
    unsafe {
        std::arch::asm!(
            "svc 0",
            "cbnz x0, 2f",
            "mov x29, xzr",
            "mov x0, x20",
            "blr x21",
            "brk 0",
            "2:",
            in("x8") libc::SYS_clone,
            inlateout("x0") (args.flags | args.exit_signal).cast_signed() as isize => result,
            in("x1") top,
            in("x2") args.pidfd,
            in("x3") 0,
            in("x4") 0,
            in("x20") argument,
            in("x21") work,
        );
    }
    result
}

/// No signal is handled on this thread while this lives: a new process that shares our memory
/// must not run our handlers.
struct BlockedSignals(libc::sigset_t);

impl BlockedSignals {
    fn all() -> Self {
        let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: both sets are valid for the calls, which fill them.
        unsafe {
            libc::sigfillset(all.as_mut_ptr());
            libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
            Self(before.assume_init())
        }
    }
}

impl Drop for BlockedSignals {
    fn drop(&mut self) {
        // SAFETY: the set is the one that the call in `all` has filled.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, ptr::null_mut()) };
    }
}
