//! Worker process, not a player: one step of a build, or a query to a tool. It gets no input, and
//! its output goes into a pipe.

use std::fs::File;
use std::io::{self, PipeWriter};
use std::os::fd::AsFd as _;

use pitmaster_core::Exit;
use pitmaster_sandbox::sys::Started;
use pitmaster_sandbox::{Gauge, Launch, Overrun, ProcessResources, orphans};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process_group, pidfd_send_signal, waitid,
};

use super::launch::{LaunchError, referee_fault};
use super::process::{exit_of, start_with};

/// A worker and its descendants. Dropping it ends them all.
#[derive(Debug)]
pub(super) struct Worker {
    started: Started,
    belongings: ProcessResources,
    stray: orphans::ProcessTag,
    leaves_nothing: bool,
    reaped: Option<Exit>,
    is_clean: bool,
    gauge: Option<Gauge>,
}

impl Worker {
    /// Starts it with both outputs going to a pipe.
    pub(super) fn start(launch: &Launch, output: &PipeWriter) -> Result<Self, LaunchError> {
        let stray = orphans::ProcessTag::of(&launch.cage);
        let nothing =
            File::open("/dev/null").map_err(|error| referee_fault("open /dev/null", &error))?;
        let standard = [nothing.as_fd(), output.as_fd(), output.as_fd()];
        let (started, belongings) = start_with(launch, &stray, standard)?;
        let leaves_nothing = launch.cage.leaves_nothing();
        let gauge = launch.cage.gauge(&started);
        let (reaped, is_clean) = (None, true);
        let mut worker =
            Self { started, belongings, stray, leaves_nothing, reaped, is_clean, gauge: None };
        // If this fails, dropping `worker` ends it.
        worker.gauge = gauge.map_err(|error| referee_fault("watch a build", &error))?;
        Ok(worker)
    }

    /// Resource limit that it exceeds, if it is measured.
    pub(super) fn overrun(&mut self) -> Option<Overrun> {
        self.gauge.as_mut().and_then(Gauge::look)
    }

    /// Ends all its processes. Returns the exceeded limit, or `found` if that was noticed before.
    /// Removes excess output files.
    pub(super) fn settle(&mut self, found: Option<Overrun>) -> Option<Overrun> {
        self.end();
        self.gauge.as_ref().map_or(found, |gauge| gauge.settle(found))
    }

    /// Whether it has ended. It is not reaped, so that its process id stays valid and its group can
    /// still be killed.
    pub(super) fn has_ended(&mut self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::PidFd(self.started.pidfd.as_fd()), options)?.is_some())
    }

    /// Whether all of its processes have ended. Valid once it was ended.
    pub(super) fn is_clean(&self) -> bool {
        self.is_clean
    }

    /// Ends all its processes. Returns its exit.
    pub(super) fn end(&mut self) -> Exit {
        if let Some(exit) = self.reaped {
            return exit;
        }
        let mut status = None;
        if let Some(pid) = Pid::from_raw(self.started.pid.cast_signed()) {
            // No error if all processes have already exited.
            let _ = kill_process_group(pid, Signal::KILL);
            let _ = pidfd_send_signal(&self.started.pidfd, Signal::KILL);
            let Started { pidfd, init, .. } = &self.started;
            status = orphans::reap_all_of(pid, pidfd, init.as_ref());
        }
        self.belongings.group = None;
        if !self.leaves_nothing {
            self.is_clean = self.stray.sweep().is_complete;
        }
        let exit = status.map_or(Exit::Unknown, exit_of);
        self.reaped = Some(exit);
        exit
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}
