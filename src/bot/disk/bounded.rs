//! Running a command that is not a player, bounded in time and output: builds and questions.
//!
//! Must not know what the command is for.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::record::Exit;

/// How long a command may run and how much it may say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) time: Duration,
    /// In bytes, on both outputs together.
    pub(super) output: u64,
}

/// How a command came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finish {
    /// By itself.
    Exited(Exit),
    /// It was killed when its time was over.
    TooSlow,
    /// It was killed because it said too much.
    TooMuchOutput,
}

/// Runs a command in a process group of its own with both outputs going to the end of a log
/// (to be opened for appending), and leaves nothing of the group behind.
///
/// # Errors
/// It could not be started, or not be waited for.
pub(super) fn run(mut command: Command, log: &File, bounds: Bounds) -> io::Result<Finish> {
    let start = Instant::now();
    let before = log.metadata()?.len();
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log.try_clone()?);
    let mut group = Group { leader: spawn(command.process_group(0))?, reaped: false };
    let most = before + bounds.output;
    let finish =
        group.watch(|| log.metadata().map_or(0, |meta| meta.len()) > most, start, bounds)?;
    group.end()?;
    if log.metadata()?.len() > most {
        log.set_len(most)?;
        return Ok(Finish::TooMuchOutput);
    }
    Ok(finish)
}

/// The same, with the output handed back instead of logged; `scratch` is a folder for it.
pub(super) fn capture(
    command: Command,
    scratch: &Path,
    bounds: Bounds,
) -> io::Result<(Finish, Vec<u8>)> {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let name =
        format!(".answer-{}-{}", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed));
    let path = scratch.join(name);
    let log = OpenOptions::new().append(true).create_new(true).open(&path)?;
    let finish = run(command, &log, bounds);
    let output = fs::read(&path);
    fs::remove_file(&path)?;
    Ok((finish?, output?))
}

/// Starts a command. A file that was just written can be busy for a moment, when another
/// thread forked while it was open.
fn spawn(command: &mut Command) -> io::Result<Child> {
    for _ in 0..100 {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                thread::sleep(Duration::from_millis(10));
            }
            result => return result,
        }
    }
    command.spawn()
}

/// A command and the process group it leads; dropped, all of it is killed.
struct Group {
    leader: Child,
    reaped: bool,
}

impl Group {
    /// Waits for the leader's end, for too much output or for the end of its time.
    fn watch(
        &mut self,
        too_much: impl Fn() -> bool,
        start: Instant,
        bounds: Bounds,
    ) -> io::Result<Finish> {
        let mut pause = Duration::from_millis(1);
        loop {
            if self.has_ended()? {
                return self.end().map(|status| Finish::Exited(exit_of(status)));
            }
            if too_much() {
                return Ok(Finish::TooMuchOutput);
            }
            if start.elapsed() >= bounds.time {
                return Ok(Finish::TooSlow);
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(50));
        }
    }

    /// Whether the leader has ended. It is not reaped by this, so its number stays taken and
    /// the group can still be killed by it.
    fn has_ended(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(Pid::from_child(&self.leader)), options)?.is_some())
    }

    /// Kills what is left of the group, then reaps the leader.
    fn end(&mut self) -> io::Result<ExitStatus> {
        if !self.reaped {
            // Nothing to kill is no fault: the group may have ended by itself.
            let _ = kill_process_group(Pid::from_child(&self.leader), Signal::KILL);
            self.reaped = true;
        }
        self.leader.wait()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

fn exit_of(status: ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, Some(signal)) => Exit::Signal(signal),
        (None, None) => Exit::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::os::unix::fs::OpenOptionsExt;

    const LONG: Duration = Duration::from_secs(600);

    fn sh(text: &str, bounds: Bounds) -> (Finish, Vec<u8>) {
        let dir = tempfile::tempdir().unwrap();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", text]);
        capture(command, dir.path(), bounds).unwrap()
    }

    #[test]
    fn both_outputs_and_the_exit_are_kept() {
        let bounds = Bounds { time: LONG, output: 1000 };
        let (finish, output) = sh("read x; echo out; echo err >&2; exit 3", bounds);
        assert_eq!((finish, &output[..]), (Finish::Exited(Exit::Code(3)), &b"out\nerr\n"[..]));
        let (finish, _) = sh("kill -9 $$", bounds);
        assert_eq!(finish, Finish::Exited(Exit::Signal(9)));
    }

    #[test]
    fn what_takes_or_says_too_much_is_killed() {
        let slow = Bounds { time: Duration::from_millis(20), output: 1000 };
        assert_eq!(sh("sleep 600 & sleep 600", slow).0, Finish::TooSlow);
        let loud = Bounds { time: LONG, output: 1000 };
        let (finish, output) = sh("while :; do echo aaaaaaaaaaaaaaaa; done", loud);
        assert_eq!((finish, output.len()), (Finish::TooMuchOutput, 1000));
        let (finish, output) = sh("printf %2000d 1", loud);
        assert_eq!((finish, output.len()), (Finish::TooMuchOutput, 1000));
    }

    #[test]
    fn what_was_left_running_is_killed_too() {
        let dir = tempfile::tempdir().unwrap();
        let fifo = dir.path().join("fifo");
        Command::new("mkfifo").arg(&fifo).status().unwrap();
        let mut reader =
            OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(&fifo).unwrap();
        let text = format!("exec 3>'{}'; sleep 600 & exit 0", fifo.display());
        let (finish, _) = sh(&text, Bounds { time: LONG, output: 1000 });
        assert_eq!(finish, Finish::Exited(Exit::Code(0)));
        // While anybody holds the other end, reading says "not yet" instead of "the end".
        let start = Instant::now();
        while reader.read(&mut [0]).is_err() {
            assert!(start.elapsed() < Duration::from_secs(60), "a process was left");
            thread::sleep(Duration::from_millis(1));
        }
    }
}
