//! Build supervisor: changes modes and times of files on behalf of the build's processes, and only
//! of the build's own files.
//!
//! Landlock does not restrict modes, owners and times, and a filter sees addresses of paths but not
//! the paths. So the filter notifies the supervisor, which makes the call itself on a file that it
//! has opened beneath the build's folders. The original call never continues, because the memory of
//! its arguments can change after the check.
//!
//! Must not depend on how a process is started, or on what is built.

mod place;
mod request;
#[cfg(test)]
mod tests;

use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::thread;

use place::Places;
use request::{NAMES, request};

use crate::folder;
use crate::seccomp::Machine;
use crate::sys::notify::{Answer, Listener, Question, receive_descriptor};

/// Where a new process sends the listener of its filter.
#[derive(Debug)]
pub(crate) struct Door(UnixStream);

impl Door {
    /// The end for the process.
    pub(crate) fn socket(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Waits for a process to start, and serves it and its descendants until none is left. The folders
/// belong to the build, and `user` owns their content. The door must be closed here once the
/// process is started, to detect its end.
pub(crate) fn supervise(folders: &[PathBuf], user: u32) -> io::Result<Door> {
    let (inside, door) = UnixStream::pair()?;
    let folders = folders.iter().map(|path| folder::open(path).map_err(io::Error::from));
    let places = Places::new(folders.collect::<io::Result<Vec<OwnedFd>>>()?, user);
    let serve = move || {
        // No listener arrives if the process was not started.
        if let Ok(listener) = receive_descriptor(inside.as_raw_fd()) {
            Supervisor { listener: Listener::new(listener), places }.run();
        }
    };
    thread::Builder::new().name("supervisor".into()).spawn(serve)?;
    Ok(Door(door))
}

struct Supervisor {
    listener: Listener,
    places: Places,
}

impl Supervisor {
    /// Serves notifications. An error of the listener ends it, and later calls fail.
    fn run(&self) {
        while let Ok(Some(question)) = self.listener.next() {
            let answer = match self.serve(&question) {
                Ok(()) => Answer::Done,
                Err(errno) => Answer::Fail(errno.raw_os_error()),
            };
            self.listener.answer(&question, answer);
        }
    }

    /// Makes the requested call if it is permitted.
    fn serve(&self, question: &Question) -> rustix::io::Result<()> {
        let name = NAMES.iter().find(|name| Machine::HERE.number(name) == Some(question.number));
        let name = name.ok_or(rustix::io::Errno::NOSYS)?;
        let request = request(name, question.thread, &question.arguments)?;
        let found = place::found(question.thread, &request.target)?;
        // The memory that was read belongs to the caller only if it still waits.
        if !self.listener.waits(question) {
            return Err(rustix::io::Errno::SRCH);
        }
        request.change.make(&self.places.own(&found)?)
    }
}
