//! Worker process on macOS, on the standard library only: one step of a build, or a query to a
//! tool. It gets no input, and its output goes into a pipe.

use std::io::{self, PipeWriter};
use std::process::{Child, Command, Stdio};

use pitmaster_core::Exit;
use pitmaster_sandbox::{Launch, Overrun, orphans};

use super::exit::exit_of;
use super::launch::{LaunchError, blame_for, referee_fault};

/// A worker. Dropping it ends it, but not its descendants.
#[derive(Debug)]
pub(super) struct Worker {
    child: Child,
    reaped: Option<Exit>,
}

impl Worker {
    /// Starts it with both outputs going to a pipe.
    pub(super) fn start(launch: &Launch, output: &PipeWriter) -> Result<Self, LaunchError> {
        let copy = || output.try_clone().map_err(|error| referee_fault("share a pipe", &error));
        let mut command = Command::new(&launch.program);
        command
            .args(&launch.args)
            .env_clear()
            .envs(launch.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&launch.dir)
            .stdin(Stdio::null())
            .stdout(copy()?)
            .stderr(copy()?);
        let child = orphans::spawn(&mut command).map_err(|error| blame_for(launch, &error))?;
        Ok(Self { child, reaped: None })
    }

    /// Whether it has ended.
    pub(super) fn has_ended(&mut self) -> io::Result<bool> {
        let status = self.child.try_wait()?;
        self.reaped = self.reaped.or(status.map(exit_of));
        Ok(status.is_some())
    }

    /// Returns `None`: nothing counts its resource usage.
    #[expect(clippy::unused_self, reason = "as on Linux")]
    pub(super) fn overrun(&mut self) -> Option<Overrun> {
        None
    }

    /// Ends it. Returns `found`.
    pub(super) fn settle(&mut self, found: Option<Overrun>) -> Option<Overrun> {
        self.end();
        found
    }

    /// Returns true: orphan processes cannot be found.
    #[expect(clippy::unused_self, reason = "as on Linux")]
    pub(super) fn is_clean(&self) -> bool {
        true
    }

    /// Ends it. Returns its exit.
    pub(super) fn end(&mut self) -> Exit {
        if let Some(exit) = self.reaped {
            return exit;
        }
        // The process may have ended by itself.
        let _ = self.child.kill();
        let exit = self.child.wait().map_or(Exit::Unknown, exit_of);
        self.reaped = Some(exit);
        exit
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}
