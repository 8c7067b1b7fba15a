//! Probe process: a program that harmlessly attempts forbidden operations and reports the outcome.
//! It runs like a bot.

use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::net::{Ipv4Addr, TcpStream, UdpSocket};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::SystemTime;

use rustix::process::{Pid, PidfdFlags, Resource, Rlimit, Signal};
use rustix::thread::futex;

use pitmaster_sandbox::sys::{self, CpuClock};
use pitmaster_sandbox::this_program;

/// Targets of the probe's attempts, passed as one argument each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Targets {
    /// A file outside of the probe's own folders.
    pub(super) canary: PathBuf,
    /// A loopback port with a listener.
    pub(super) port: u16,
    /// The referee's process id.
    pub(super) referee: i32,
    /// Allocation that must fail, in bytes.
    pub(super) memory: u64,
    /// Number of threads that must fail to start.
    pub(super) threads: u32,
    /// File size that must fail, in bytes.
    pub(super) file_size: u64,
}

impl Targets {
    pub(super) fn to_args(&self) -> [String; 6] {
        [
            self.canary.display().to_string(),
            self.port.to_string(),
            self.referee.to_string(),
            self.memory.to_string(),
            self.threads.to_string(),
            self.file_size.to_string(),
        ]
    }

    fn from_args(args: &[String]) -> Option<Self> {
        let [canary, port, referee, memory, threads, file_size] = args else { return None };
        Some(Self {
            canary: canary.into(),
            port: number(port)?,
            referee: number(referee)?,
            memory: number(memory)?,
            threads: number(threads)?,
            file_size: number(file_size)?,
        })
    }
}

fn number<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

/// Last line of the probe. From then on it only uses CPU time until it is killed.
pub(super) const LAST: &str = "spinning";

/// The program `pitmaster probe`. It prints one line for each attempt, `KIND NAME done|refused
/// WHY`. Returns `None` if the arguments are not targets.
///
/// # Errors
/// Writing the output failed.
pub fn attempt_all(args: &[String], out: &mut dyn Write) -> Option<io::Result<()>> {
    let targets = Targets::from_args(args)?;
    sys::outlive_full_files();
    Some(report(&targets, out))
}

fn report(targets: &Targets, out: &mut dyn Write) -> io::Result<()> {
    let mut say = |kind: &str, name: &str, attempt: Result<(), String>| match attempt {
        Ok(()) => writeln!(out, "{kind} {name} done -"),
        Err(why) => writeln!(out, "{kind} {name} refused {}", why.replace('\n', " ")),
    };
    say("fds", "inherited", inherited())?;
    for (name, attempt) in files(targets) {
        say("read", name, attempt)?;
    }
    say("meta", "stat", plain(targets.canary.metadata()))?;
    for (name, attempt) in changes(&targets.canary) {
        say("write", name, attempt)?;
    }
    for (name, attempt) in network(targets.port) {
        say("net", name, attempt)?;
    }
    for (name, attempt) in signals(targets.referee) {
        say("signal", name, attempt)?;
    }
    for (name, attempt) in shared(targets.referee) {
        say("covert", name, attempt)?;
    }
    // On a shared page of a file that two bots may read, as C++ libraries do.
    let futex = futex::wake(&AtomicU32::new(0), futex::Flags::empty(), 1);
    say("talk", "futexes", plain(futex))?;
    say("procs", "start", start_process())?;
    say("fsize", "large-file", large_file(targets.file_size))?;
    say("disk", "many-files", many_files(targets.file_size))?;
    say("mem", "allocate", allocate(targets.memory))?;
    for (name, attempt) in uncounted() {
        say("uncounted", name, attempt)?;
    }
    say("threads", "start", start_threads(targets.threads))?;
    writeln!(out, "{LAST}")?;
    out.flush()?;
    spin()
}

fn plain<T, E: Display>(result: Result<T, E>) -> Result<(), String> {
    result.map(drop).map_err(|error| error.to_string())
}

fn inherited() -> Result<(), String> {
    match sys::open_descriptors() {
        0 => Err("none is open".into()),
        _ => Ok(()),
    }
}

fn files(targets: &Targets) -> [(&'static str, Result<(), String>); 4] {
    let of_referee = |file: &str| format!("/proc/{}/{file}", targets.referee);
    [
        ("canary", read(&targets.canary)),
        ("passwd", read(Path::new("/etc/passwd"))),
        ("environment", read(Path::new(&of_referee("environ")))),
        ("descriptors", plain(fs::read_dir(of_referee("fd")))),
    ]
}

fn read(path: &Path) -> Result<(), String> {
    plain(File::open(path).and_then(|mut file| file.read(&mut [0])))
}

fn changes(canary: &Path) -> [(&'static str, Result<(), String>); 6] {
    let beside = canary.with_file_name("made-by-the-probe");
    let opened = || OpenOptions::new().append(true).open(canary);
    let mode = fs::Permissions::from_mode(0o600);
    let touch = || -> io::Result<()> {
        File::open(canary).or_else(|_| opened())?.set_modified(SystemTime::UNIX_EPOCH)
    };
    [
        ("append", plain(opened().and_then(|mut file| file.write_all(b"x")))),
        ("truncate", plain(OpenOptions::new().write(true).truncate(true).open(canary))),
        ("create", plain(File::create(&beside))),
        ("mode", plain(fs::set_permissions(canary, mode))),
        ("touch", plain(touch())),
        ("link", plain(std::os::unix::fs::symlink("x", canary.with_file_name("link")))),
    ]
}

fn network(port: u16) -> [(&'static str, Result<(), String>); 4] {
    let udp = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|socket| socket.send_to(b"x", (Ipv4Addr::LOCALHOST, port)));
    let vsock = rustix::net::socket(
        rustix::net::AddressFamily::VSOCK,
        rustix::net::SocketType::STREAM,
        None,
    );
    [
        ("tcp", plain(TcpStream::connect((Ipv4Addr::LOCALHOST, port)))),
        ("udp", plain(udp)),
        ("unix", plain(std::os::unix::net::UnixDatagram::unbound())),
        ("vsock", plain(vsock)),
    ]
}

fn signals(referee: i32) -> [(&'static str, Result<(), String>); 5] {
    let Some(pid) = Pid::from_raw(referee) else { return std::array::from_fn(|_| ("pid", Ok(()))) };
    let by_pidfd = || {
        let pidfd = rustix::process::pidfd_open(pid, PidfdFlags::empty())?;
        rustix::process::pidfd_send_signal(pidfd, Signal::CONT)
    };
    // The same value is set, so nothing changes if this succeeds.
    let cores = rustix::thread::sched_getaffinity(Some(pid));
    [
        ("kill", plain(rustix::process::test_kill_process(pid))),
        ("group", plain(rustix::process::test_kill_process_group(pid))),
        ("pidfd", plain(by_pidfd())),
        ("memory", plain(File::open(format!("/proc/{referee}/mem")))),
        ("cores", plain(cores.and_then(|it| rustix::thread::sched_setaffinity(Some(pid), &it)))),
    ]
}

/// Kernel objects through which two bots could communicate.
fn shared(referee: i32) -> [(&'static str, Result<(), String>); 4] {
    // A lock that other processes do not see is harmless.
    let lock = || -> io::Result<()> {
        let exclusively = rustix::fs::FlockOperation::NonBlockingLockExclusive;
        let [first, second] = [File::open("/usr")?, File::open("/usr")?];
        rustix::fs::flock(&first, exclusively)?;
        match rustix::fs::flock(&second, exclusively) {
            Ok(()) => Err(io::Error::other("a lock locks nothing")),
            Err(_) => Ok(()),
        }
    };
    let memory = rustix::fs::memfd_create("probe", rustix::fs::MemfdFlags::CLOEXEC);
    let name = format!("/dev/shm/pitmaster-probe-{}", std::process::id());
    let in_memory = File::create(&name).and_then(|_| fs::remove_file(&name));
    let clock = CpuClock::of(referee.cast_unsigned()).and_then(CpuClock::read);
    [
        ("memfd", plain(memory)),
        ("shm", plain(in_memory)),
        ("lock", plain(lock())),
        ("clock", clock.map(drop).ok_or_else(|| "it cannot be read".to_owned())),
    ]
}

/// Kinds of memory that are not counted for a process, a little of each.
fn uncounted() -> [(&'static str, Result<(), String>); 3] {
    let buffers = || -> io::Result<()> {
        use rustix::net::{AddressFamily, SocketFlags, SocketType};
        let family = AddressFamily::UNIX;
        let (socket, _other) =
            rustix::net::socketpair(family, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
        Ok(rustix::net::sockopt::set_socket_send_buffer_size(&socket, 1 << 20)?)
    };
    [
        ("shared-zeros", plain(sys::share_zeros(1 << 20))),
        ("socket-buffers", plain(buffers())),
        ("page-tables", plain(sys::fill_page_tables(1 << 30))),
    ]
}

/// Writes more files than fit into the scratch space, each of allowed size.
fn many_files(size: u64) -> Result<(), String> {
    let folder = std::env::var_os("TMPDIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let path = |number| folder.join(format!("file-{}-{number}", std::process::id()));
    let content = vec![1; (size / 2) as usize];
    let written = (0..MANY_FILES).try_for_each(|number| fs::write(path(number), &content));
    (0..MANY_FILES).for_each(|number| fs::remove_file(path(number)).unwrap_or_default());
    plain(written)
}

/// Number of files of half the allowed size that exceed a scratch space.
pub(super) const MANY_FILES: u64 = 48;

fn start_process() -> Result<(), String> {
    plain(Command::new(this_program()).arg("--version").output())
}

/// Writes a file beyond the limit, after an attempt to raise the limit.
fn large_file(size: u64) -> Result<(), String> {
    let lifted = Rlimit { current: None, maximum: None };
    let _ = rustix::process::setrlimit(Resource::Fsize, lifted);
    let folder = std::env::var_os("TMPDIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let path = folder.join(format!("large-{}", std::process::id()));
    let write = || -> io::Result<()> {
        let mut file = File::create_new(&path)?;
        file.seek(SeekFrom::Start(size))?;
        file.write_all(b"x")
    };
    let written = write();
    let _ = fs::remove_file(&path);
    plain(written)
}

fn allocate(bytes: u64) -> Result<(), String> {
    let lifted = Rlimit { current: None, maximum: None };
    let _ = rustix::process::setrlimit(Resource::Data, lifted);
    let mut memory: Vec<u8> = Vec::new();
    plain(memory.try_reserve_exact(bytes as usize))?;
    // Pages are touched, because some limits count only resident memory.
    memory.resize(bytes as usize, 1);
    if std::hint::black_box(&memory).len() as u64 == bytes { Ok(()) } else { Err("less".into()) }
}

fn start_threads(count: u32) -> Result<(), String> {
    static DONE: AtomicBool = AtomicBool::new(false);
    let wait = || {
        while !DONE.load(Ordering::Relaxed) {
            std::thread::park_timeout(std::time::Duration::from_millis(5));
        }
    };
    let start = || std::thread::Builder::new().stack_size(32 << 10).spawn(wait);
    let threads: Vec<_> = (0..count).map(|_| start()).collect();
    DONE.store(true, Ordering::Relaxed);
    let mut all = Ok(());
    for thread in threads {
        match thread {
            Ok(thread) => drop(thread.join()),
            Err(error) => all = Err(error.to_string()),
        }
    }
    all
}

/// Uses CPU time on two threads.
fn spin() -> io::Result<()> {
    let burn = || {
        let mut number = 1_u64;
        loop {
            number = std::hint::black_box(number.wrapping_mul(3));
        }
    };
    let _ = std::thread::Builder::new().spawn(burn);
    burn()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_back() {
        let targets = Targets {
            canary: "/a b/c".into(),
            port: 7,
            referee: 1,
            memory: 5,
            threads: 6,
            file_size: 8,
        };
        assert_eq!(Targets::from_args(&targets.to_args()), Some(targets));
        assert_eq!(Targets::from_args(&["x".into()]), None);
        assert!(attempt_all(&[], &mut Vec::new()).is_none());
    }
}
