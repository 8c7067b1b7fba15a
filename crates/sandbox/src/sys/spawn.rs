//! Process creation with setup steps: the parent's side.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};

use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process, pidfd_open,
    pidfd_send_signal, waitid, waitpid,
};

use super::child_setup::{Command, Confinement, Orders};
use super::clone::{Birth, clone};
use super::init::{BOT, INIT, found};
use super::pre_exec::{Step, begin};

/// A process that executes its program.
#[derive(Debug)]
pub struct Started {
    /// Process id.
    pub pid: u32,
    /// Its pidfd.
    pub pidfd: OwnedFd,
    /// The init of its PID namespace, if it has one of its own.
    pub init: Option<Init>,
}

/// Init of a PID namespace. When it dies, all processes of the namespace die.
#[derive(Debug)]
pub struct Init {
    /// Process id.
    pub(crate) pid: u32,
    pidfd: OwnedFd,
}

impl Init {
    fn of(pid: Pid) -> io::Result<Self> {
        Ok(Self { pid: number(pid), pidfd: open(pid)? })
    }

    /// Kills everything in its namespace.
    pub(crate) fn kill(&self) {
        // It is not reaped yet, so its id is still valid.
        let _ = pidfd_send_signal(&self.pidfd, Signal::KILL);
    }

    /// Waits until its namespace is empty. The init must have been killed and the process in it
    /// reaped; otherwise this waits forever.
    pub(crate) fn reap(&self) {
        let _ = waitid(WaitId::PidFd(self.pidfd.as_fd()), WaitIdOptions::EXITED);
    }
}

/// Failed process start.
#[derive(Debug)]
pub struct SpawnError {
    /// The failed step. `None` if no process was created.
    pub step: Option<Step>,
    /// The system's error.
    pub error: io::Error,
}

impl fmt::Display for SpawnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let doing = self.step.map_or("start a process", Step::doing);
        write!(f, "cannot {doing}: {}", self.error)
    }
}

impl From<io::Error> for SpawnError {
    fn from(error: io::Error) -> Self {
        Self { step: None, error }
    }
}

impl From<rustix::io::Errno> for SpawnError {
    fn from(error: rustix::io::Errno) -> Self {
        Self { step: None, error: error.into() }
    }
}

/// Starts a process with these standard streams. It dies with the calling thread. Only the caller
/// may reap it.
pub(crate) fn spawn(
    command: &Command,
    standard: [BorrowedFd<'_>; 3],
    confinement: Confinement<'_>,
) -> Result<Started, SpawnError> {
    let (complaints, complaint) = pipe_with(PipeFlags::CLOEXEC)?;
    let (namespaces, cgroup) = (confinement.namespaces, confinement.cgroup);
    let mut orders = Orders::new(command, standard, complaint, confinement);
    if orders.stacks.is_some() {
        let others = namespaces & !(libc::CLONE_NEWPID as u64);
        let birth = Birth { namespaces: others, has_own_memory: true, cgroup };
        // SAFETY: as below.
        let (founder, _) = unsafe { clone(&birth, found, &raw mut orders) }?;
        drop(orders);
        return of_founder(founder, complaints);
    }
    let birth = Birth { namespaces, has_own_memory: false, cgroup };
    // SAFETY: `begin` makes system calls on what its orders hold and on its own stack; this thread
    // accesses the orders again only after the new process no longer uses them.
    let (pid, pidfd) = unsafe { clone(&birth, begin, &raw mut orders) }?;
    drop(orders);
    match Reports::read(complaints).complaint {
        None => Ok(Started { pid, pidfd, init: None }),
        Some(fault) => {
            let _ = waitpid(Pid::from_raw(pid.cast_signed()), WaitOptions::empty());
            Err(fault)
        }
    }
}

/// Processes started by a founder. Reaps the founder, and after an error also its processes.
fn of_founder(founder: u32, reports: OwnedFd) -> Result<Started, SpawnError> {
    let Reports { complaint, init, bot } = Reports::read(reports);
    let _ = waitpid(Pid::from_raw(founder.cast_signed()), WaitOptions::empty());
    // No other code reaps them, so the ids are valid.
    let [init, bot] = [init, bot].map(|pid| pid.and_then(|pid| Pid::from_raw(pid.cast_signed())));
    let fault = match (complaint, init, bot) {
        (None, Some(init), Some(bot)) => match (Init::of(init), open(bot)) {
            (Ok(init), Ok(pidfd)) => {
                return Ok(Started { pid: number(bot), pidfd, init: Some(init) });
            }
            (Err(error), _) | (_, Err(error)) => error.into(),
        },
        (Some(complaint), ..) => complaint,
        (None, ..) => io::Error::other("the process that was to make it was killed").into(),
    };
    if let Some(init) = init {
        let _ = kill_process(init, Signal::KILL);
    }
    // The init ends after all others are reaped, so it follows the bot.
    for pid in [bot, init].into_iter().flatten() {
        let _ = waitpid(Some(pid), WaitOptions::empty());
    }
    Err(fault)
}

fn open(pid: Pid) -> io::Result<OwnedFd> {
    Ok(pidfd_open(pid, PidfdFlags::empty())?)
}

fn number(pid: Pid) -> u32 {
    pid.as_raw_nonzero().get().cast_unsigned()
}

/// Reports from the pipe that closes on exec.
#[derive(Debug, Default)]
struct Reports {
    complaint: Option<SpawnError>,
    init: Option<u32>,
    bot: Option<u32>,
}

impl Reports {
    fn read(pipe: OwnedFd) -> Self {
        let (mut pipe, mut reports, mut words) = (File::from(pipe), Self::default(), [0; 5]);
        while pipe.read_exact(&mut words).is_ok() {
            let [tag, word @ ..] = words;
            match tag {
                INIT => reports.init = Some(u32::from_ne_bytes(word)),
                BOT => reports.bot = Some(u32::from_ne_bytes(word)),
                step => {
                    let error = io::Error::from_raw_os_error(i32::from_ne_bytes(word));
                    let step = Step::ALL.get(usize::from(step)).copied();
                    // The first one is the cause.
                    reports.complaint.get_or_insert(SpawnError { step, error });
                }
            }
        }
        reports
    }
}
