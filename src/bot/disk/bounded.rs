//! Running a command that is not a player, bounded in time and output: builds and questions.
//!
//! Must not know what the command is for.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::bot::worker::Worker;
use crate::bot::{Launch, LaunchFault};
use crate::record::{Exit, RefereeFault};

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
    /// Processes that it started could not be ended.
    LeftProcesses,
}

/// Runs a command in its cage with both outputs going to the end of a log (to be opened for
/// appending), and leaves nothing of it behind.
///
/// # Errors
/// It could not be started, or not be waited for.
pub(super) fn run(launch: &Launch, log: &File, bounds: Bounds) -> Result<Finish, LaunchFault> {
    let start = Instant::now();
    let before = size_of(log);
    let mut worker = Worker::start(launch, log)?;
    let most = before + bounds.output;
    let finish = watch(&mut worker, || size_of(log) > most, start, bounds);
    let exit = worker.end();
    if !worker.is_clean() {
        return Ok(Finish::LeftProcesses);
    }
    if size_of(log) > most {
        log.set_len(most).map_err(|error| own_fault(&error))?;
        return Ok(Finish::TooMuchOutput);
    }
    Ok(finish.map_err(|error| own_fault(&error))?.unwrap_or(Finish::Exited(exit)))
}

/// The same, with the output handed back instead of logged; `scratch` is a folder for it.
pub(super) fn capture(
    launch: &Launch,
    scratch: &Path,
    bounds: Bounds,
) -> Result<(Finish, Vec<u8>), LaunchFault> {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let name =
        format!(".answer-{}-{}", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed));
    let path = scratch.join(name);
    let log = OpenOptions::new().append(true).create_new(true).open(&path);
    let log = log.map_err(|error| own_fault(&error))?;
    let finish = run(launch, &log, bounds);
    let output = fs::read(&path).and_then(|output| fs::remove_file(&path).map(|()| output));
    Ok((finish?, output.map_err(|error| own_fault(&error))?))
}

fn own_fault(error: &io::Error) -> LaunchFault {
    LaunchFault::Referee(RefereeFault::System { error: format!("cannot run a command: {error}") })
}

fn size_of(log: &File) -> u64 {
    log.metadata().map_or(0, |meta| meta.len())
}

/// Waits for its end (`None`), for too much output or for the end of its time.
fn watch(
    worker: &mut Worker,
    too_much: impl Fn() -> bool,
    start: Instant,
    bounds: Bounds,
) -> io::Result<Option<Finish>> {
    let mut pause = Duration::from_millis(1);
    loop {
        if worker.has_ended()? {
            return Ok(None);
        }
        if too_much() {
            return Ok(Some(Finish::TooMuchOutput));
        }
        if start.elapsed() >= bounds.time {
            return Ok(Some(Finish::TooSlow));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::Cage;
    use std::io::Read;
    use std::os::unix::fs::OpenOptionsExt;
    use std::process::Command;

    const LONG: Duration = Duration::from_secs(600);

    fn sh(text: &str, bounds: Bounds) -> (Finish, Vec<u8>) {
        let dir = tempfile::tempdir().unwrap();
        capture(&shell(text), dir.path(), bounds).unwrap()
    }

    fn shell(text: &str) -> Launch {
        Launch {
            program: "/bin/sh".into(),
            name: "sh".into(),
            args: vec!["-c".into(), text.into()],
            environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
            dir: "/".into(),
            cage: Cage::open(),
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
