//! Worker process for the lanes of the coordinating machine.

use std::ffi::OsString;
use std::process::{Child, ChildStdin, Command, Stdio};

use pitmaster_runner::Wish;

use super::SERVER;
use super::login::{Consent, LoginFiles};
use crate::Error;

/// A worker on the coordinating machine. When dropped, it finishes its running pairs and exits.
#[derive(Debug)]
pub(super) struct LocalWorker {
    process: Child,
    pipe: Option<ChildStdin>,
}

impl LocalWorker {
    /// Starts a worker with the requested lanes, or none if no lanes are requested.
    ///
    /// # Errors
    /// The program cannot be started.
    pub(super) fn start(
        words: &[OsString],
        cores: &Wish,
        server: &str,
        login: &LoginFiles,
        consent: Consent,
    ) -> Result<Option<Self>, Error> {
        let (Some(lanes), Some((program, first))) = (cores.lanes, words.split_first()) else {
            return Ok(None);
        };
        let mut command = Command::new(program);
        command.args(first);
        command.args(["--quiet", "--once", "--tied", "--lanes", &lanes.to_string()]);
        command.args(core_args(cores)).args(login.words()).args(consent.words());
        // Not an argument, because all users can read those and it may contain a password.
        command.env(SERVER, server);
        // Ctrl-C is handled by the coordinator, which stops its workers.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.stdin(Stdio::piped()).stdout(Stdio::null());
        let started = command.spawn();
        let mut process = started
            .map_err(|error| Error::Internal(format!("cannot start a worker here: {error}")))?;
        Ok(Some(Self { pipe: process.stdin.take(), process }))
    }

    /// Checks that the worker is running.
    ///
    /// # Errors
    /// It has exited; the reason is on standard error.
    pub(super) fn look(&mut self) -> Result<(), Error> {
        let Ok(Some(status)) = self.process.try_wait() else { return Ok(()) };
        let message = "the worker of this machine has ended, see above".to_owned();
        Err(match status.code() {
            Some(3) => Error::MissingGuarantee(message),
            _ => Error::Stopped(message),
        })
    }
}

/// The requested cores as command-line arguments of a worker.
fn core_args(cores: &Wish) -> Vec<String> {
    let list = cores.cores.as_ref().map(|list| {
        let list: Vec<_> = list.0.iter().map(ToString::to_string).collect();
        format!("--cores={}", list.join(","))
    });
    let share = cores.share.then(|| "--share-cores".to_owned());
    list.into_iter().chain(share).collect()
}

impl Drop for LocalWorker {
    fn drop(&mut self) {
        self.pipe = None;
        // The worker has already ended, or cannot be waited for.
        let _ = self.process.wait();
    }
}
