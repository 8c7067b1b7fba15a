//! Sandbox of a run on macOS: the bare tier, with the limits that the referee itself enforces.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use pitmaster_core::{Isolation, Resources, Tier};

use crate::build_limits::BuildLimits;
use crate::grant::{ReadGrant, WorkFolder};

/// Isolation of bots in a run: none on this system.
#[derive(Debug)]
pub struct Sandbox {
    resources: Resources,
    isolation: Isolation,
    weaker: Option<String>,
}

impl Sandbox {
    /// Returns the bare tier, without guarantees.
    ///
    /// # Errors
    /// Another tier is requested.
    pub fn untested(tier: Tier, resources: &Resources) -> io::Result<Self> {
        if tier == Tier::Bare {
            Ok(Self::bare(resources))
        } else {
            Err(io::Error::other("it needs Linux"))
        }
    }

    /// The bare tier by default, for trusted programs.
    pub fn open(resources: &Resources) -> Arc<Self> {
        Arc::new(Self::bare(resources))
    }

    fn bare(resources: &Resources) -> Self {
        let isolation = Isolation { tier: Tier::Bare, cgroup: false, promises: BTreeMap::new() };
        Self { resources: resources.clone(), isolation, weaker: None }
    }

    /// The same sandbox with these guarantees.
    #[must_use]
    pub fn with_isolation(self, isolation: Isolation) -> Self {
        Self { isolation, ..self }
    }

    /// The same sandbox, chosen because a stronger one does not work for that reason.
    #[must_use]
    pub fn in_place_of_stronger(self, why: String) -> Self {
        Self { weaker: Some(why), ..self }
    }

    /// The same sandbox: there are no refused calls to record.
    #[must_use]
    pub fn audited(self) -> Self {
        self
    }

    /// The isolation guarantees.
    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// Reason why it is not the portable tier, unless a weaker one was requested.
    pub fn weaker(&self) -> Option<&str> {
        self.weaker.as_deref()
    }
}

/// Profile of one bot, without any restrictions.
#[derive(Debug)]
pub struct SandboxProfile(Arc<Sandbox>);

impl SandboxProfile {
    /// Profile of a bot, which may read everything.
    pub fn new(sandbox: &Arc<Sandbox>, _reads: Vec<ReadGrant>) -> Arc<Self> {
        Arc::new(Self(Arc::clone(sandbox)))
    }

    /// Profile without a sandbox; for trusted programs.
    pub fn open() -> Arc<Self> {
        Self::new(&Sandbox::open(&Resources::default()), Vec::new())
    }

    /// Profile for building a bot.
    ///
    /// # Errors
    /// Never on this system.
    pub fn for_building(
        sandbox: &Arc<Sandbox>,
        reads: Vec<ReadGrant>,
        _writes: Vec<WorkFolder>,
        _limits: BuildLimits,
    ) -> io::Result<Arc<Self>> {
        Ok(Self::new(sandbox, reads))
    }

    /// Profile for a query to a command.
    pub fn for_questions(sandbox: &Arc<Sandbox>, reads: Vec<ReadGrant>) -> Arc<Self> {
        Self::new(sandbox, reads)
    }

    /// Limits of a bot with this profile.
    pub fn resources(&self) -> &Resources {
        &self.0.resources
    }
}

/// Description of control groups: there are none on this system.
pub fn control_groups() -> String {
    "do not exist on this system".to_owned()
}

/// Does nothing: on this system a full disk is an ordinary error.
pub fn outlive_full_files() {}

/// Returns 0: this system has no Landlock.
pub fn landlock_version() -> u32 {
    0
}

/// Does nothing: no protection against inspection is known on this system.
pub fn shield_this_process() {}
