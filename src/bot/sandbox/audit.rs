//! The audit: what a bot tried that it is refused, by name and count.
//!
//! The filter asks instead of refusing, and a thread here counts, answers as the filter would
//! have, and lets calls with a path go on, because Landlock refuses those. What it tells is
//! evidence: runtimes reach for things too, and a program can change a path after it was read.
//!
//! It must not know how a process is started, or what is made of the evidence.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use super::filter::{Call, Machine, Rules, calls};
use crate::bot::audit::{Audit, AuditedCall, Class};
use crate::bot::sys::notify::{Answer, Listener, Question, receive_descriptor};
use crate::record::Untrusted;

/// How many examples of a call are kept, and how long each may be.
const EXAMPLES: usize = 8;
const EXAMPLE_LENGTH: usize = 256;

/// The longest path that the kernel takes, with its end.
const PATH_LENGTH: usize = 4096;

/// Waits for a process to be started, and watches it until it has ended. It is ready before
/// the process is born, so that nothing can fail when there is one. Dropped, it goes on until
/// the process has ended: without answers a call would never return.
#[derive(Debug)]
pub(in crate::bot) struct Auditor {
    thread: JoinHandle<Audit>,
    tell: Sender<u32>,
}

/// Where a new process sends the listener of its filter.
#[derive(Debug)]
pub(in crate::bot) struct Door(UnixStream);

impl Door {
    /// What the process is given.
    pub(in crate::bot) fn socket(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Auditor {
    /// Watches the process whose filter, made of these rules, asks here. Opening, making or
    /// removing files is told of outside of `usual`: what the bot may read, and what runtimes
    /// look at anyway, links followed. The door must be closed here once the process is
    /// started: then it is known that nothing more comes.
    pub(in crate::bot) fn start(rules: Rules, usual: Vec<PathBuf>) -> io::Result<(Self, Door)> {
        let (inside, door) = UnixStream::pair()?;
        let (tell, told) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("audit".into())
            .spawn(move || watched(&inside, &told, rules, usual).unwrap_or_default())?;
        Ok((Self { thread, tell }, Door(door)))
    }

    /// It is this process: until that is known, its questions wait.
    pub(in crate::bot) fn watching(self, pid: u32) -> Self {
        // Nobody hears it only if the watch is over.
        let _ = self.tell.send(pid);
        self
    }

    /// What was seen. Waits for the end of the process.
    pub(in crate::bot) fn finish(self) -> Audit {
        drop(self.tell);
        self.thread.join().unwrap_or_default()
    }
}

/// `None`: there was no process to watch.
fn watched(
    door: &UnixStream,
    told: &Receiver<u32>,
    rules: Rules,
    usual: Vec<PathBuf>,
) -> Option<Audit> {
    let listener = Listener::new(receive_descriptor(door.as_raw_fd()).ok()?);
    let (pid, calls) = (told.recv().ok()?, calls(Machine::HERE, rules));
    let mut watch = Watch { listener, pid, calls, usual, seen: BTreeMap::new() };
    watch.run();
    Some(watch.into_audit())
}

struct Watch {
    listener: Listener,
    pid: u32,
    calls: Vec<Call>,
    usual: Vec<PathBuf>,
    seen: BTreeMap<(Class, &'static str), AuditedCall>,
}

impl Watch {
    /// An error of the listener ends the watch: what asks then finds that nobody answers.
    fn run(&mut self) {
        while let Ok(Some(question)) = self.listener.next() {
            let answer = self.judge(&question);
            self.listener.answer(&question, answer);
        }
    }

    fn judge(&mut self, question: &Question) -> Answer {
        let Some(call) = self.calls.iter().find(|call| call.number == question.number) else {
            return Answer::Fail(libc::ENOSYS);
        };
        let name = call.name;
        if let Some(group) = call.refused_by(&question.arguments, self.pid) {
            let example = self.example(name, question);
            self.see(group.class, name, group.why, &example);
            return Answer::Fail(group.errno);
        }
        for path in self.paths(name, question) {
            if self.is_foreign(&path) {
                let why = "a file that is not the bot's";
                self.see(Class::ForeignFiles, name, why, path.as_os_str().as_bytes());
            }
        }
        Answer::GoOn
    }

    fn see(&mut self, class: Class, name: &'static str, why: &'static str, example: &[u8]) {
        let new = || AuditedCall { name, class, why, count: 0, examples: Vec::new() };
        let AuditedCall { count, examples, .. } =
            self.seen.entry((class, name)).or_insert_with(new);
        *count += 1;
        let example = Untrusted::capped(example, EXAMPLE_LENGTH);
        if !example.is_empty() && examples.len() < EXAMPLES && !examples.contains(&example) {
            examples.push(example);
        }
    }

    fn example(&self, name: &str, question: &Question) -> Vec<u8> {
        let [first, second, ..] = question.arguments.map(|argument| argument as i32);
        match name {
            "socket" | "socketpair" => socket(first, second).into_bytes(),
            "kill" | "tkill" => format!("process {first}, signal {second}").into_bytes(),
            "tgkill" | "rt_sigqueueinfo" | "rt_tgsigqueueinfo" | "pidfd_open" | "ptrace" => {
                format!("process {}", if name == "ptrace" { second } else { first }).into_bytes()
            }
            _ => {
                let path = self.paths(name, question).into_iter().next();
                path.map(|path| path.into_os_string().as_bytes().to_vec()).unwrap_or_default()
            }
        }
    }

    /// The paths that a call names, made absolute; none if they cannot be read, or if who
    /// asked is gone: then what was read may be somebody else's.
    fn paths(&self, name: &str, question: &Question) -> Vec<PathBuf> {
        let read = |(folder, path): &_| absolute(question, *folder, *path);
        let paths = places(name).iter().filter_map(read).collect();
        if self.listener.waits(question) { paths } else { Vec::new() }
    }

    fn is_foreign(&self, path: &Path) -> bool {
        if is_own_entry(path, self.pid) {
            return false;
        }
        // What a link leads to counts. What does not exist is judged by its folder.
        let real = fs::canonicalize(path).or_else(|_| {
            let parent = path.parent().unwrap_or(path);
            fs::canonicalize(parent).map(|parent| parent.join(path.file_name().unwrap_or_default()))
        });
        let real = real.unwrap_or_else(|_| path.to_owned());
        !self.usual.iter().any(|folder| real.starts_with(folder))
    }

    fn into_audit(self) -> Audit {
        Audit { calls: self.seen.into_values().collect() }
    }
}

/// Which arguments of a call are paths, each with the one that says relative to which folder.
fn places(name: &str) -> &'static [(Option<usize>, usize)] {
    match name {
        "chmod" | "chown" | "chroot" | "creat" | "lchown" | "lremovexattr" | "lsetxattr"
        | "mkdir" | "mknod" | "open" | "removexattr" | "rmdir" | "setxattr" | "truncate"
        | "umount2" | "unlink" | "utime" | "utimes" => &[(None, 0)],
        "symlink" => &[(None, 1)],
        "link" | "rename" => &[(None, 0), (None, 1)],
        "fchmodat" | "fchmodat2" | "fchownat" | "futimesat" | "mkdirat" | "mknodat"
        | "name_to_handle_at" | "openat" | "openat2" | "unlinkat" | "utimensat" => &[(Some(0), 1)],
        "symlinkat" => &[(Some(1), 2)],
        "linkat" | "renameat" | "renameat2" => &[(Some(0), 1), (Some(2), 3)],
        _ => &[],
    }
}

/// A path of who asked. Without dots: they are resolved as they are written.
fn absolute(question: &Question, folder: Option<usize>, path: usize) -> Option<PathBuf> {
    let thread = question.thread;
    let text = read_text(thread, question.arguments[path])?;
    let path = PathBuf::from(std::ffi::OsStr::from_bytes(&text));
    if path.is_absolute() {
        return Some(without_dots(&path));
    }
    let folder = folder.map_or(libc::AT_FDCWD, |argument| question.arguments[argument] as i32);
    let mut entry = format!("/proc/{thread}/");
    match folder {
        libc::AT_FDCWD => entry.push_str("cwd"),
        descriptor => write!(entry, "fd/{descriptor}").ok()?,
    }
    Some(without_dots(&fs::read_link(entry).ok()?.join(path)))
}

/// The text at an address of another process, up to its NUL.
fn read_text(thread: u32, address: u64) -> Option<Vec<u8>> {
    let memory = File::open(format!("/proc/{thread}/mem")).ok()?;
    let mut text = vec![0; PATH_LENGTH];
    let length = memory.read_at(&mut text, address).ok()?;
    let end = text[..length].iter().position(|&byte| byte == 0)?;
    text.truncate(end);
    Some(text)
}

fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            component => plain.push(component),
        }
    }
    plain
}

/// Whether a path is what the kernel tells a process about itself, and leads nowhere else.
fn is_own_entry(path: &Path, pid: u32) -> bool {
    let own = format!("/proc/{pid}");
    let own = ["/proc/self", "/proc/thread-self", &own];
    let Some(rest) = own.iter().find_map(|entry| path.strip_prefix(entry).ok()) else {
        return false;
    };
    !rest.components().any(|one| matches!(one.as_os_str().as_bytes(), b"root" | b"cwd"))
}

/// What a socket would have been, in words where there are some.
fn socket(family: i32, kind: i32) -> String {
    let family = match family {
        libc::AF_UNIX => "AF_UNIX, programs of this machine".into(),
        libc::AF_INET => "AF_INET, the network".into(),
        libc::AF_INET6 => "AF_INET6, the network".into(),
        libc::AF_NETLINK => "AF_NETLINK, the kernel".into(),
        libc::AF_VSOCK => "AF_VSOCK, the machine's host".into(),
        other => format!("family {other}"),
    };
    let kind = match kind & 0xF {
        libc::SOCK_STREAM => "stream".into(),
        libc::SOCK_DGRAM => "datagrams".into(),
        other => format!("type {other}"),
    };
    format!("{family}, {kind}")
}

#[cfg(test)]
mod tests {
    use std::net::UdpSocket;
    use std::os::unix::fs::PermissionsExt as _;

    use super::super::filter::{Filter, Refusal};
    use super::*;
    use crate::bot::sys::install::gain_no_privileges;
    use crate::bot::sys::notify::{install_with_listener, send_descriptor};

    const RULES: Rules =
        Rules { processes: false, building: false, truncation: false, refusal: Refusal::Notify };

    /// What is seen of something that a thread of its own does.
    fn audit(usual: Vec<PathBuf>, tried: impl FnOnce() + Send + 'static) -> Audit {
        let (auditor, door) = Auditor::start(RULES, usual).unwrap();
        let auditor = auditor.watching(std::process::id());
        let thread = thread::spawn(move || {
            let mut filter = Filter::new(RULES);
            filter.set_own_pid(std::process::id());
            gain_no_privileges().unwrap();
            let listener = install_with_listener(filter.instructions()).unwrap();
            send_descriptor(door.socket().as_raw_fd(), listener.as_raw_fd()).unwrap();
            drop((door, listener));
            tried();
        });
        // The thread's panic is told after the audit has let it end.
        let audit = auditor.finish();
        thread.join().unwrap();
        audit
    }

    fn told(audit: &Audit) -> Vec<String> {
        let told = audit.calls.iter().map(|call| {
            let examples: Vec<_> = call.examples.iter().map(|example| example.shown(99)).collect();
            format!("{}: {} x{} {}", call.class, call.name, call.count, examples.join(" | "))
        });
        told.collect()
    }

    #[test]
    fn refused_calls_are_counted_and_still_refused() {
        let audit = audit(Vec::new(), || {
            for _ in 0..3 {
                assert!(UdpSocket::bind("127.0.0.1:0").is_err());
            }
            let init = rustix::process::Pid::INIT;
            assert!(rustix::process::test_kill_process(init).is_err());
            assert!(rustix::process::test_kill_process(rustix::process::getpid()).is_ok());
            assert_eq!(thread::spawn(|| 7).join().unwrap(), 7);
        });
        assert_eq!(
            told(&audit),
            [
                "network: socket x3 AF_INET, the network, datagrams",
                "other bots or the referee: kill x1 process 1, signal 0",
            ]
        );
    }

    #[test]
    fn processes_are_seen() {
        let audit = audit(vec!["/".into()], || {
            assert!(std::process::Command::new("/bin/true").spawn().is_err());
        });
        let classes: Vec<_> = audit.calls.iter().map(|call| call.class).collect();
        assert_eq!(classes, [Class::Processes], "{audit:?}");
    }

    #[test]
    fn paths_outside_of_the_usual_are_told_and_go_on() {
        let folder = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(folder.path()).unwrap();
        let (own, foreign) = (home.join("own"), home.join("foreign"));
        fs::create_dir_all(&own).unwrap();
        fs::create_dir_all(&foreign).unwrap();
        fs::write(foreign.join("results"), "theirs").unwrap();
        std::os::unix::fs::symlink(foreign.join("results"), own.join("link")).unwrap();
        let inside = own.clone();
        let audit = audit(vec![own.clone()], move || {
            fs::write(inside.join("mine"), "mine").unwrap();
            assert_eq!(fs::read(inside.join("../foreign/results")).unwrap(), b"theirs");
            assert_eq!(fs::read(inside.join("link")).unwrap(), b"theirs");
            fs::remove_file(inside.join("mine")).unwrap();
            let mode = fs::Permissions::from_mode(0o600);
            assert!(fs::set_permissions(inside.join("link"), mode).is_err());
            drop(fs::read("/proc/self/status"));
        });
        let (opened, link) = (foreign.join("results"), own.join("link"));
        let (opened, link) = (opened.display(), link.display());
        assert_eq!(
            told(&audit),
            [
                format!("foreign files: chmod x1 {link}"),
                format!("foreign files: openat x2 {opened} | {link}"),
            ]
        );
    }

    #[test]
    fn examples_are_bounded() {
        let audit = audit(Vec::new(), || {
            for number in 0..50 {
                drop(File::open(format!("/nowhere/{number}/{}", "x".repeat(2000))));
            }
        });
        let [opened] = audit.calls.as_slice() else { panic!("{audit:?}") };
        assert_eq!((opened.count, opened.examples.len()), (50, EXAMPLES));
        assert!(opened.examples.iter().all(|one| one.as_bytes().len() == EXAMPLE_LENGTH));
    }
}
