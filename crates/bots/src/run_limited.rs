//! Runs a build or a query with limits on time and output.
//!
//! Must not depend on the purpose of the command.

use std::fs::File;
use std::io::{self, PipeReader, Read as _, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use pitmaster_core::{Exit, RefereeFault};
use pitmaster_sandbox::{Launch, Overrun};

use crate::LaunchError;
use crate::worker::Worker;

/// Limits on the duration and the output of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) time: Duration,
    /// Maximum output in bytes, on both streams together.
    pub(crate) output: u64,
}

/// End of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finish {
    /// It exited by itself.
    Exited(Exit),
    /// It was killed at its time limit.
    TooSlow,
    /// It was killed for too much output.
    TooMuchOutput,
    /// It exceeded a resource limit.
    Overrun(Overrun),
    /// Some of its processes could not be killed.
    LeftProcesses,
}

/// Runs a command under its sandbox profile with both outputs appended to a log, and kills all its
/// processes at the end. The command holds a pipe, not the log, so it can neither empty nor
/// overwrite the log.
///
/// # Errors
/// The command could not be started, or waiting for it failed.
pub(super) fn run(launch: &Launch, mut log: &File, bounds: Bounds) -> Result<Finish, LaunchError> {
    run_into(launch, &mut log, bounds)
}

/// Runs a command like `run`, but returns the output instead of logging it.
pub(super) fn capture(launch: &Launch, bounds: Bounds) -> Result<(Finish, Vec<u8>), LaunchError> {
    let mut output = Vec::new();
    let finish = run_into(launch, &mut output, bounds)?;
    Ok((finish, output))
}

fn run_into(launch: &Launch, into: &mut dyn Write, bounds: Bounds) -> Result<Finish, LaunchError> {
    let start = Instant::now();
    let (reader, writer) = io::pipe().map_err(|error| own_fault(&error))?;
    let mut worker = Worker::start(launch, &writer)?;
    // The output ends when the last holder closes this end.
    drop(writer);
    let mut output = Output { chunks: chunks_of(reader), into, left: bounds.output };
    let finish = watch(&mut worker, &mut output, start, bounds);
    let found = match finish {
        Ok(Some(Finish::Overrun(overrun))) => Some(overrun),
        _ => None,
    };
    let overrun = worker.settle(found);
    let exit = worker.end();
    let is_too_much = output.drain().map_err(|error| own_fault(&error))?;
    let finish = finish.map_err(|error| own_fault(&error))?;
    Ok(match (finish, overrun) {
        _ if !worker.is_clean() => Finish::LeftProcesses,
        _ if is_too_much => Finish::TooMuchOutput,
        (_, Some(overrun)) => Finish::Overrun(overrun),
        (Some(finish), None) => finish,
        (None, None) => Finish::Exited(exit),
    })
}

fn own_fault(error: &io::Error) -> LaunchError {
    LaunchError::Referee(RefereeFault::System { error: format!("cannot run a command: {error}") })
}

/// Time limit for the rest of the output once no writer is left: only an orphan process could block
/// it.
const REST: Duration = Duration::from_secs(1);

/// Maximum number of chunks in flight.
const UNDER_WAY: usize = 4;

/// Output of a command with its destination.
struct Output<'a> {
    chunks: Receiver<Vec<u8>>,
    into: &'a mut dyn Write,
    /// Remaining bytes of the output limit.
    left: u64,
}

impl Output<'_> {
    /// Forwards output for a time. Returns whether it exceeds the limit.
    fn pass_on(&mut self, within: Duration) -> io::Result<bool> {
        match self.chunks.recv_timeout(within) {
            Ok(chunk) => self.write(&chunk),
            Err(RecvTimeoutError::Timeout) => Ok(false),
            Err(RecvTimeoutError::Disconnected) => {
                // The command closed its output and continues.
                thread::sleep(within);
                Ok(false)
            }
        }
    }

    fn write(&mut self, chunk: &[u8]) -> io::Result<bool> {
        let fits = usize::try_from(self.left).map_or(chunk.len(), |left| left.min(chunk.len()));
        self.into.write_all(&chunk[..fits])?;
        self.left -= fits as u64;
        Ok(fits < chunk.len())
    }

    /// Forwards the rest. Returns whether it exceeds the limit.
    fn drain(&mut self) -> io::Result<bool> {
        while let Ok(chunk) = self.chunks.recv_timeout(REST) {
            if self.write(&chunk)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Chunks read from a pipe by a thread, which ends with the last writer or when the receiver is
/// dropped.
fn chunks_of(mut pipe: PipeReader) -> Receiver<Vec<u8>> {
    let (sender, chunks) = mpsc::sync_channel(UNDER_WAY);
    thread::spawn(move || {
        let mut buffer = vec![0; 64 << 10];
        while let Ok(length @ 1..) = pipe.read(&mut buffer) {
            if sender.send(buffer[..length].to_vec()).is_err() {
                return;
            }
        }
    });
    chunks
}

/// Waits for its end (`None`), an exceeded limit or the end of its time.
fn watch(
    worker: &mut Worker,
    output: &mut Output<'_>,
    start: Instant,
    bounds: Bounds,
) -> io::Result<Option<Finish>> {
    let mut pause = Duration::from_millis(1);
    loop {
        if worker.has_ended()? {
            return Ok(None);
        }
        if let Some(overrun) = worker.overrun() {
            return Ok(Some(Finish::Overrun(overrun)));
        }
        if start.elapsed() >= bounds.time {
            return Ok(Some(Finish::TooSlow));
        }
        if output.pass_on(pause)? {
            return Ok(Some(Finish::TooMuchOutput));
        }
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::os::unix::fs::OpenOptionsExt;
    use std::process::Command;

    use pitmaster_sandbox::SandboxProfile;

    use super::*;

    const LONG: Duration = Duration::from_mins(10);

    fn sh(text: &str, bounds: Bounds) -> (Finish, Vec<u8>) {
        capture(&shell(text), bounds).unwrap()
    }

    fn shell(text: &str) -> Launch {
        Launch {
            program: "/bin/sh".into(),
            name: "sh".into(),
            args: vec!["-c".into(), text.into()],
            environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
            dir: "/".into(),
            cage: SandboxProfile::open(),
        }
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
    fn nobody_empties_or_overwrites_what_was_said() {
        let bounds = Bounds { time: LONG, output: 1000 };
        let text = "echo said; exec 2>/dev/null; /usr/bin/truncate -s 0 /proc/self/fd/1; \
                    echo over > /proc/self/fd/1; exit 0";
        let (_, output) = sh(text, bounds);
        assert_eq!(output, b"said\nover\n");
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        std::fs::write(&path, "before\n").unwrap();
        let log = OpenOptions::new().append(true).open(&path).unwrap();
        run(&shell(text), &log, bounds).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"before\nsaid\nover\n");
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
        // While a writer holds the other end, reading returns "not yet" instead of "the end".
        let start = Instant::now();
        while reader.read(&mut [0]).is_err() {
            assert!(start.elapsed() < Duration::from_mins(1), "a process was left");
            thread::sleep(Duration::from_millis(1));
        }
    }
}
