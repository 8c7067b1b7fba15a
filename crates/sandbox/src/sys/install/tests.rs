//! Tests of the filter as the kernel runs it, each on its own thread.

use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::process::Command;
use std::ptr::null_mut;
use std::thread;
use std::time::SystemTime;

use libc::{c_int, c_long};

use super::*;
use crate::seccomp::{Refusal, Rules};

const PLAYER: Rules =
    Rules { processes: false, building: false, truncation: true, refusal: Refusal::Errno };

/// Runs a test on a thread with the filter installed, in its own scratch folder.
fn filtered(rules: Rules, test: fn(&std::path::Path)) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    let thread = thread::spawn(move || {
        let mut filter = Filter::new(rules);
        filter.set_own_pid(std::process::id());
        install_on_this_thread(&filter).unwrap();
        test(&path);
    });
    thread.join().unwrap();
}

/// A system call's error, 0 if there is none.
fn errno(result: c_long) -> c_int {
    if result < 0 { io::Error::last_os_error().raw_os_error().unwrap() } else { 0 }
}

/// Makes a call with arguments that are harmless if it is allowed.
macro_rules! errno_of {
    ($number:expr $(, $argument:expr)*) => {
        // SAFETY: pointers are valid for the call or null, other arguments concern this process.
        errno(unsafe { libc::syscall($number $(, $argument)*) })
    };
}

fn is_refused<T>(result: io::Result<T>) -> bool {
    result.is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
}

#[test]
fn threads_start_and_processes_do_not() {
    filtered(PLAYER, |_| {
        assert_eq!(thread::spawn(|| 7).join().unwrap(), 7);
        assert!(is_refused(Command::new("/bin/true").spawn()));
        assert_eq!(errno_of!(libc::SYS_clone3, null_mut::<u8>(), 0), libc::ENOSYS);
        // SAFETY: a child, if created, ends at once.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // SAFETY: it ends the child, without running code of this process.
            unsafe { libc::_exit(0) };
        }
        assert_eq!(errno(child.into()), libc::EPERM);
    });
}

#[test]
fn who_may_start_processes_starts_them() {
    filtered(Rules { processes: true, ..PLAYER }, |_| {
        assert!(Command::new("/bin/true").status().unwrap().success());
        let namespace = Command::new("unshare").args(["-U", "/bin/true"]).output();
        assert!(!namespace.is_ok_and(|output| output.status.success()));
    });
}

#[test]
fn sockets_reach_nobody_but_oneself() {
    filtered(PLAYER, |folder| {
        assert!(is_refused(TcpListener::bind("127.0.0.1:0")));
        assert!(is_refused(UdpSocket::bind("127.0.0.1:0")));
        assert!(is_refused(UnixListener::bind(folder.join("socket"))));
        assert!(is_refused(UnixDatagram::pair()));
        let (mut one, mut other) = UnixStream::pair().unwrap();
        io::Write::write_all(&mut one, b"x").unwrap();
        let mut byte = [0];
        io::Read::read_exact(&mut other, &mut byte).unwrap();
        assert_eq!(byte, *b"x");
        assert_eq!(errno_of!(libc::SYS_io_uring_setup, 0, null_mut::<u8>()), libc::EPERM);
    });
}

#[test]
fn signals_reach_nobody_but_oneself() {
    filtered(PLAYER, |_| {
        let own = std::process::id();
        // SAFETY: it has no arguments and no effect.
        let parent = unsafe { libc::getppid() };
        let thread = rustix::thread::gettid().as_raw_nonzero().get();
        assert_eq!(errno_of!(libc::SYS_kill, own, 0), 0);
        assert_eq!(errno_of!(libc::SYS_tgkill, own, thread, 0), 0);
        for pid in [parent, 0, -1] {
            assert_eq!(errno_of!(libc::SYS_kill, pid, 0), libc::EPERM, "{pid}");
        }
        assert_eq!(errno_of!(libc::SYS_tgkill, parent, parent, 0), libc::EPERM);
        assert_eq!(errno_of!(libc::SYS_pidfd_open, own, 0), libc::EPERM);
        let (reader, _writer) = io::pipe().unwrap();
        let descriptor = reader.as_raw_fd();
        assert_eq!(errno_of!(libc::SYS_fcntl, descriptor, libc::F_SETOWN, own), libc::EPERM);
        assert_eq!(errno_of!(libc::SYS_fcntl, descriptor, libc::F_GETFL), 0);
        let (socket, _other) = UnixStream::pair().unwrap();
        let fiosetown = 0x8901;
        let set = &raw const parent;
        assert_eq!(errno_of!(libc::SYS_ioctl, socket.as_raw_fd(), fiosetown, set), libc::EPERM);
        assert_eq!(errno_of!(libc::SYS_prctl, libc::PR_SET_PDEATHSIG, 0), libc::EPERM);
    });
}

#[test]
fn files_keep_their_mode_times_and_contents() {
    filtered(PLAYER, |folder| {
        let path = folder.join("file");
        fs::write(&path, "kept").unwrap();
        fs::write(&path, "kept").unwrap();
        assert!(is_refused(fs::set_permissions(&path, fs::Permissions::from_mode(0o777))));
        let file = File::open(&path).unwrap();
        assert!(is_refused(file.set_modified(SystemTime::UNIX_EPOCH)));
        // Locking seems to succeed, but there is no lock.
        file.lock().unwrap();
        File::open(&path).unwrap().try_lock().unwrap();
        let mut emptying = OpenOptions::new();
        emptying.read(true).custom_flags(libc::O_TRUNC);
        assert!(is_refused(emptying.open(&path)));
        let name = std::ffi::CString::new(path.as_os_str().as_encoded_bytes()).unwrap();
        let flags = libc::O_ACCMODE | libc::O_TRUNC;
        let number = libc::SYS_openat;
        assert_eq!(errno_of!(number, libc::AT_FDCWD, name.as_ptr(), flags), libc::EPERM);
        assert_eq!(errno_of!(libc::SYS_truncate, name.as_ptr(), 0), libc::EPERM);
        assert_eq!(fs::read(&path).unwrap(), b"kept");
    });
}

#[test]
fn memory_that_nobody_counts_is_refused() {
    fn map(flags: c_int) -> c_int {
        let number = libc::SYS_mmap;
        errno_of!(number, null_mut::<u8>(), 4096_usize, libc::PROT_READ, flags, -1, 0_usize)
    }
    filtered(PLAYER, |_| {
        assert_eq!(map(libc::MAP_PRIVATE | libc::MAP_ANONYMOUS), 0);
        assert_eq!(map(libc::MAP_SHARED | libc::MAP_ANONYMOUS), libc::EPERM);
        let stack = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_GROWSDOWN;
        assert_eq!(map(stack), libc::EPERM);
        assert_eq!(errno_of!(libc::SYS_memfd_create, c"x".as_ptr(), 0), libc::EPERM);
        assert_eq!(errno_of!(libc::SYS_shmget, libc::IPC_PRIVATE, 4096_usize, 0), libc::EPERM);
    });
}

#[test]
fn limits_are_read_and_not_set() {
    filtered(PLAYER, |_| {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        let files = c_long::from(libc::RLIMIT_NOFILE);
        let number = libc::SYS_prlimit64;
        assert_eq!(errno_of!(number, 0, files, null_mut::<u8>(), &raw mut limit), 0);
        assert!(limit.rlim_max > 0);
        let new = &raw const limit;
        assert_eq!(errno_of!(number, 0, files, new, null_mut::<u8>()), libc::EPERM);
        // SAFETY: it has no arguments and no effect.
        let parent = unsafe { libc::getppid() };
        assert_eq!(errno_of!(number, parent, files, null_mut::<u8>(), &raw mut limit), libc::EPERM);
        assert_eq!(errno_of!(libc::SYS_setpriority, 0, 0, 0), libc::EPERM);
    });
}
