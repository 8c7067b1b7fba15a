//! Auditing sandbox: the portable one, with an auditor for every process.

use std::io;
use std::path::Path;

use pitmaster_core::Resources;

use super::{Auditor, Door, usual_files};
use crate::audit::Audit;
use crate::grant::ReadGrant;
use crate::profile::{ProcessResources, Role, SandboxProfile};
use crate::sandbox::{Sandbox, rules};
use crate::seccomp::{Filter, Refusal, Rules};
use crate::system_paths;

impl Sandbox {
    /// The same sandbox, recording what it refuses. For examining one bot, not for games that
    /// count, because recording takes time.
    #[must_use]
    pub fn audited(mut self) -> Self {
        self.filter = Some(Filter::new(audited(&self.resources)));
        self.audits = true;
        self
    }
}

impl SandboxProfile {
    /// Creates the auditor of a process and the door through which its listener is sent.
    pub(crate) fn auditor(&self, scratch: Option<&Path>) -> io::Result<Option<(Auditor, Door)>> {
        let Sandbox { audits, resources, .. } = &*self.sandbox;
        if !audits || !matches!(self.role, Role::Player) {
            return Ok(None);
        }
        let own = self.reads.iter().map(ReadGrant::path).chain(scratch);
        let machine = system_paths::system().into_iter().chain(system_paths::devices(false));
        let usual = usual_files(machine.chain(own.map(Path::to_owned)));
        Auditor::start(audited(resources), usual).map(Some)
    }
}

impl ProcessResources {
    /// The refused calls that the process tried, if it was audited. Waits for the end of the
    /// process.
    pub fn audit(&mut self) -> Option<Audit> {
        self.auditor.take().map(Auditor::finish)
    }
}

/// Rules of an audited player.
fn audited(resources: &Resources) -> Rules {
    Rules { refusal: Refusal::Notify, ..rules(resources.processes, false) }
}
