//! Auditor: records the refused calls that a bot tried, by name and count.
//!
//! The filter notifies instead of refusing. A thread here counts the calls, answers as the filter
//! would have, and lets calls with a path continue, because Landlock refuses those. The result is
//! evidence, not proof: runtimes make such calls too, and a program can change a path after it was
//! read.
//!
//! Must not depend on how a process is started, or on how the evidence is used.

mod attach;
mod paths;
mod usual;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use paths::{absolute, is_own_entry, places};
use pitmaster_core::Untrusted;
use usual::{Asked, LookUps, is_usual_refusal, usual_files};

use crate::audit::{Audit, AuditedCall, Class};
use crate::seccomp::{Call, Machine, Rules, calls};
use crate::sys::notify::{Answer, Listener, Question, receive_descriptor};

/// Maximum number of examples per call, and maximum length of each.
const EXAMPLES: usize = 8;
const EXAMPLE_LENGTH: usize = 256;

/// Waits for a process to start, and watches it until it has ended. It is ready before the process
/// exists, so nothing can fail afterwards. Dropping it does not end the watch, because unanswered
/// calls would never return.
#[derive(Debug)]
pub(crate) struct Auditor {
    thread: JoinHandle<Audit>,
    tell: Sender<u32>,
}

/// Socket to which a new process sends the listener of its filter.
#[derive(Debug)]
pub(crate) struct Door(UnixStream);

impl Door {
    /// The end for the process.
    pub(crate) fn socket(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Auditor {
    /// Watches the process with a notifying filter of these rules. Accesses to files outside of
    /// `usual` are recorded: paths that the bot may read and that runtimes usually access, links
    /// followed. The door must be closed here once the process is started, to detect its end.
    pub(crate) fn start(rules: Rules, usual: Vec<PathBuf>) -> io::Result<(Self, Door)> {
        let (inside, door) = UnixStream::pair()?;
        let (tell, told) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("audit".into())
            .spawn(move || watched(&inside, &told, rules, usual).unwrap_or_default())?;
        Ok((Self { thread, tell }, Door(door)))
    }

    /// Sets the process id. Until then, the process's notifications wait.
    pub(crate) fn watching(self, pid: u32) -> Self {
        // Sending fails only if the watch has ended.
        let _ = self.tell.send(pid);
        self
    }

    /// Waits for the end of the process and returns the audit.
    pub(crate) fn finish(self) -> Audit {
        drop(self.tell);
        self.thread.join().unwrap_or_default()
    }
}

/// Watches the process; `None` if there was no process to watch.
fn watched(
    door: &UnixStream,
    told: &Receiver<u32>,
    rules: Rules,
    usual: Vec<PathBuf>,
) -> Option<Audit> {
    let listener = Listener::new(receive_descriptor(door.as_raw_fd()).ok()?);
    let (pid, calls) = (told.recv().ok()?, calls(Machine::HERE, rules));
    let (look_ups, seen) = (LookUps::default(), BTreeMap::new());
    let mut watch = Watch { listener, pid, calls, usual, look_ups, seen };
    watch.run();
    Some(watch.into_audit())
}

struct Watch {
    listener: Listener,
    pid: u32,
    calls: Vec<Call>,
    usual: Vec<PathBuf>,
    look_ups: LookUps,
    seen: BTreeMap<(Class, &'static str), AuditedCall>,
}

impl Watch {
    /// Serves questions. An error of the listener ends the watch, and later calls fail.
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
        let (name, arguments) = (call.name, &question.arguments);
        let paths = self.paths(name, question);
        let asked = match paths.as_slice() {
            [path] => Asked::of_path(path),
            _ if name == "socket" => Asked::of_socket(arguments),
            _ => Asked::Other,
        };
        let refused = call.refused_by(arguments, self.pid);
        let (is_look_up, sockets) = self.look_ups.next(question.thread, asked);
        self.see_sockets(sockets);
        let is_usual = is_look_up || is_usual_refusal(name, arguments, self.pid);
        match refused {
            Some(group) if !is_usual => {
                self.see(group.class, name, group.why, &example(name, arguments, &paths));
            }
            None if !is_usual => self.see_foreign(name, &paths),
            _ => {}
        }
        refused.map_or(Answer::GoOn, |group| Answer::Fail(group.errno))
    }

    fn see_foreign(&mut self, name: &'static str, paths: &[PathBuf]) {
        for path in paths.iter().filter(|path| self.is_foreign(path)).collect::<Vec<_>>() {
            let why = "a file that is not the bot's";
            self.see(Class::ForeignFiles, name, why, path.as_os_str().as_bytes());
        }
    }

    /// Counts sockets that were not part of a user lookup.
    fn see_sockets(&mut self, count: u64) {
        let arguments = [libc::AF_UNIX as u64, libc::SOCK_STREAM as u64, 0, 0, 0, 0];
        let call = self.calls.iter().find(|call| call.name == "socket");
        let Some(group) = call.and_then(|call| call.refused_by(&arguments, self.pid)) else {
            return;
        };
        for _ in 0..count {
            self.see(group.class, "socket", group.why, &example("socket", &arguments, &[]));
        }
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

    /// Absolute paths in a call's arguments. Empty if they cannot be read or the caller is gone,
    /// because then the memory may belong to another process.
    fn paths(&self, name: &str, question: &Question) -> Vec<PathBuf> {
        let read = |(folder, path): &_| absolute(question, *folder, *path);
        let paths = places(name).iter().filter_map(read).collect();
        if self.listener.waits(question) { paths } else { Vec::new() }
    }

    fn is_foreign(&self, path: &Path) -> bool {
        if is_own_entry(path, self.pid) {
            return false;
        }
        // The target of a link counts. A missing file is judged by its folder.
        let real = fs::canonicalize(path).or_else(|_| {
            let parent = path.parent().unwrap_or(path);
            fs::canonicalize(parent).map(|parent| parent.join(path.file_name().unwrap_or_default()))
        });
        let real = real.unwrap_or_else(|_| path.to_owned());
        !self.usual.iter().any(|folder| real.starts_with(folder))
    }

    fn into_audit(mut self) -> Audit {
        self.see_sockets(self.look_ups.rest());
        Audit { calls: self.seen.into_values().collect() }
    }
}

/// Target of a refused call.
fn example(name: &str, arguments: &[u64; 6], paths: &[PathBuf]) -> Vec<u8> {
    let [first, second, ..] = arguments.map(|argument| argument as i32);
    match name {
        "socket" | "socketpair" => socket(first, second).into_bytes(),
        "kill" | "tkill" => format!("process {first}, signal {second}").into_bytes(),
        "ptrace" => format!("process {second}").into_bytes(),
        "tgkill" | "rt_sigqueueinfo" | "rt_tgsigqueueinfo" | "pidfd_open" => {
            format!("process {first}").into_bytes()
        }
        _ => paths.first().map(|path| path.as_os_str().as_bytes().to_vec()).unwrap_or_default(),
    }
}

/// Kind of a socket, by name if known.
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
mod tests;
