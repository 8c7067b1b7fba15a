//! Process creation by `clone3`, or by `clone` where a container refuses that.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

/// Sharing and isolation of a new process.
#[derive(Debug, Clone, Copy)]
pub(super) struct Birth<'fd> {
    /// `CLONE_NEW…`, except `CLONE_NEWPID`. Without any, memory is shared until the exec, which
    /// avoids copying page tables. This thread sleeps meanwhile.
    pub(super) namespaces: u64,
    /// Whether memory is copied regardless of the namespaces.
    pub(super) has_own_memory: bool,
    /// Control group in which it is created.
    pub(super) cgroup: Option<BorrowedFd<'fd>>,
}

/// Stack size of a new process. Until the exec it may access only its stack and its orders.
const STACK: usize = 64 * 1024;

/// Stack of a process that shares memory with its creator.
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

/// Whether a container's filter refuses `clone3`, which never changes.
static NO_CLONE3: AtomicBool = AtomicBool::new(false);

/// Starts a process that runs `work(argument)`, which never returns. Returns its process id and a
/// pidfd.
///
/// # Safety
/// `work` may only make system calls and access its own stack and the target of `argument`, which
/// no other code accesses meanwhile. It runs like a signal handler, in memory that it may share
/// with this process.
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
    // SAFETY: the arguments are valid for the call. The new process runs `work` on its own stack
    // and never returns here. The caller guarantees the argument.
    let pid = unsafe { call(&args, work as *const () as usize, argument as usize) };
    drop(signals);
    let pid = u32::try_from(pid).map_err(|_| io::Error::from_raw_os_error(-pid as i32))?;
    // SAFETY: the kernel has just created this descriptor for this process.
    Ok((pid, unsafe { OwnedFd::from_raw_fd(pidfd) }))
}

/// Shares memory with its creator and has the same parent.
const BESIDE: u64 = (libc::CLONE_VM | libc::CLONE_PARENT) as u64;

/// Starts a sibling that shares the memory of this process, itself a new one. Returns its process
/// id in this namespace. Allocates nothing and takes no lock.
///
/// # Safety
/// As for [`clone`]. Without `CLONE_VFORK`, the stack belongs to the new process as long as it
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
    // SAFETY: by the caller's contract.
    let pid = unsafe { clone2(&args, work as *const () as usize, argument as usize) };
    u32::try_from(pid).map_err(|_| -pid as libc::c_int)
}

unsafe fn call(args: &CloneArgs, work: usize, argument: usize) -> isize {
    if !NO_CLONE3.load(Ordering::Relaxed) {
        // SAFETY: by the caller's contract.
        let result = unsafe { clone3(args, work, argument) };
        if result != -(libc::ENOSYS as isize) || args.cgroup != 0 {
            return result;
        }
        NO_CLONE3.store(true, Ordering::Relaxed);
    }
    // SAFETY: by the caller's contract.
    unsafe { clone2(args, work, argument) }
}

#[cfg(target_arch = "x86_64")]
unsafe fn clone3(args: &CloneArgs, work: usize, argument: usize) -> isize {
    let result: isize;
    // SAFETY: a system call. The new process, where the result is 0, no longer uses this function's
    // state: it continues with `work` on its own stack, or on a copy of this one.
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
    // SAFETY: a system call. The new process, where the result is 0, no longer uses this function's
    // state: it continues with `work` on its own stack, or on a copy of this one.
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

/// Blocks all signals on this thread until dropped, because a new process with shared memory must
/// not run this program's handlers.
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
        // SAFETY: the set was filled by the call in `all`.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, ptr::null_mut()) };
    }
}
