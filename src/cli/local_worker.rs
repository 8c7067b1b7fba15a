//! The lanes of the machine that coordinates: a worker of its own, like all others.

use std::process::{Child, ChildStdin, Command, Stdio};

use super::cluster_flags::{AccessFlags, Consent};
use super::cores::CoreFlags;
use super::worker::SERVER;
use super::{Exit, Failure};

/// A worker beside the coordinator; let go, it ends with the pairs it is at.
#[derive(Debug)]
pub(super) struct LocalWorker {
    process: Child,
    pipe: Option<ChildStdin>,
}

impl LocalWorker {
    /// Starts one with so many lanes, if any are wanted, for the server at this address.
    ///
    /// # Errors
    /// This program cannot be started once more.
    pub(super) fn start(
        lanes: Option<u16>,
        cores: &CoreFlags,
        server: &str,
        access: &AccessFlags,
        consent: Consent,
    ) -> Result<Option<Self>, Failure> {
        let Some(lanes) = lanes else { return Ok(None) };
        let cannot = |error| Failure::fault(format!("cannot start a worker here: {error}"));
        let mut command = Command::new(std::env::current_exe().map_err(cannot)?);
        command.args(["worker", "--quiet", "--once", "--tied", "--lanes", &lanes.to_string()]);
        // Not on its command line, which everybody can read: a password may stand in it.
        command.args(cores.words());
        command.args(access.words()).args(consent.words()).env(SERVER, server);
        // Ctrl-C is for the coordinator, which tells its workers.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.stdin(Stdio::piped()).stdout(Stdio::null());
        let mut process = command.spawn().map_err(cannot)?;
        Ok(Some(Self { pipe: process.stdin.take(), process }))
    }
}

impl LocalWorker {
    /// That it has not ended.
    ///
    /// # Errors
    /// It has; it has said why on standard error.
    pub(super) fn look(&mut self) -> Result<(), Failure> {
        match self.process.try_wait() {
            Ok(Some(status)) => {
                let exit = match status.code() {
                    Some(3) => Exit::Missing,
                    _ => Exit::Stopped,
                };
                let message = "the worker of this machine has ended, see above".to_owned();
                Err(Failure { exit, message })
            }
            Ok(None) | Err(_) => Ok(()),
        }
    }
}

impl Drop for LocalWorker {
    fn drop(&mut self) {
        self.pipe = None;
        // It has ended by itself, or cannot be waited for.
        let _ = self.process.wait();
    }
}
