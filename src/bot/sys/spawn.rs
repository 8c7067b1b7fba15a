//! Starting a process under orders: the parent's side.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, WaitOptions, waitpid};

use super::child::{Step, begin};
use super::clone::{Birth, clone};
use super::orders::{Command, Confinement, Orders};

/// A process that has become its program.
#[derive(Debug)]
pub(in crate::bot) struct Started {
    /// Its number.
    pub(in crate::bot) pid: u32,
    /// A descriptor of it.
    pub(in crate::bot) pidfd: OwnedFd,
}

/// Why there is no process.
#[derive(Debug)]
pub(in crate::bot) struct SpawnFault {
    /// How far it came; `None`: it was not even born.
    pub(in crate::bot) step: Option<Step>,
    /// What the system said.
    pub(in crate::bot) error: io::Error,
}

impl fmt::Display for SpawnFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let doing = self.step.map_or("start a process", Step::doing);
        write!(f, "cannot {doing}: {}", self.error)
    }
}

impl From<io::Error> for SpawnFault {
    fn from(error: io::Error) -> Self {
        Self { step: None, error }
    }
}

impl From<rustix::io::Errno> for SpawnFault {
    fn from(error: rustix::io::Errno) -> Self {
        Self { step: None, error: error.into() }
    }
}

/// Starts a process with these as its standard input, output and error. It dies with the
/// thread that calls this, and is nobody's but the caller's to reap.
pub(in crate::bot) fn spawn(
    command: &Command,
    standard: [BorrowedFd<'_>; 3],
    confinement: Confinement<'_>,
) -> Result<Started, SpawnFault> {
    let birth = Birth { namespaces: confinement.namespaces, cgroup: confinement.cgroup };
    let (complaints, complaint) = pipe_with(PipeFlags::CLOEXEC)?;
    let mut orders = Orders::new(command, standard, complaint, confinement);
    // SAFETY: `begin` makes system calls on what its orders hold and on its own stack; this
    // thread touches the orders again only when the new process is done with them.
    let (pid, pidfd) = unsafe { clone(&birth, begin, &raw mut orders) }?;
    drop(orders);
    match complaint_in(complaints) {
        None => Ok(Started { pid, pidfd }),
        Some(fault) => {
            let _ = waitpid(Pid::from_raw(pid.cast_signed()), WaitOptions::empty());
            Err(fault)
        }
    }
}

/// The pipe closes without a word when the process becomes its program.
fn complaint_in(pipe: OwnedFd) -> Option<SpawnFault> {
    let mut words = [0; 5];
    File::from(pipe).read_exact(&mut words).ok()?;
    let [step, errno @ ..] = words;
    let error = io::Error::from_raw_os_error(i32::from_ne_bytes(errno));
    Some(SpawnFault { step: Step::ALL.get(usize::from(step)).copied(), error })
}
