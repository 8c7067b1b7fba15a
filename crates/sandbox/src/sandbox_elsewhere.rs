//! Fallback for `sandbox` on systems without these mechanisms: the bare tier, with the limits that
//! the referee itself enforces.

use std::io;
use std::sync::Arc;

use pitmaster_core::{Isolation, Kept, Level, Promise, Resources, Tier};

use super::BuildLimits;
use crate::grant::ReadGrant;
use crate::grant::WorkFolder;

/// Isolation of bots in a run: none on this system.
#[derive(Debug)]
pub struct Sandbox {
    resources: Resources,
    isolation: Isolation,
    weaker: Option<String>,
}

/// A sandbox that is not available on this system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{tier} does not work here: {why}")]
pub struct Unavailable {
    /// The tier.
    pub tier: Tier,
    /// The reason.
    pub why: String,
}

const WHY: &str = "it is made of what only Linux has";

impl Sandbox {
    /// Returns the bare tier.
    ///
    /// # Errors
    /// Another tier is requested.
    pub fn choose(wanted: Option<Tier>, resources: &Resources) -> Result<Self, Unavailable> {
        let weaker = wanted.is_none().then(|| WHY.to_owned());
        let bare = Self::examine(wanted.unwrap_or(Tier::Bare), resources)?;
        Ok(Self { weaker, ..bare })
    }

    /// A tier, with its guarantees.
    ///
    /// # Errors
    /// The tier is not the bare one.
    pub fn examine(tier: Tier, resources: &Resources) -> Result<Self, Unavailable> {
        match tier {
            Tier::Bare => Ok(Self::bare(resources)),
            tier => Err(Unavailable { tier, why: WHY.to_owned() }),
        }
    }

    /// The portable tier with an audit.
    ///
    /// # Errors
    /// It does not exist on this system.
    pub fn auditing(resources: &Resources) -> Result<Self, Unavailable> {
        Self::examine(Tier::Portable, resources)
    }

    /// The bare tier when nobody requested it by name, for trusted programs.
    pub fn open(resources: &Resources) -> Arc<Self> {
        Arc::new(Self::bare(resources))
    }

    fn bare(resources: &Resources) -> Self {
        let kept = |&promise| {
            let (level, how) = match promise {
                Promise::Wall => (Level::Enforced, "deadlines on a thread of their own"),
                Promise::Out => (Level::Enforced, "the referee reads within bounds"),
                Promise::Procs => (Level::Limited, "the bot's own process is ended"),
                _ => (Level::Absent, "only Linux has what it takes"),
            };
            (promise, Kept { level, how: how.to_owned() })
        };
        let promises = Promise::ALL.iter().map(kept).collect();
        let isolation = Isolation { tier: Tier::Bare, cgroup: false, promises };
        Self { resources: resources.clone(), isolation, weaker: None }
    }

    /// The isolation guarantees.
    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// Reason why it is not the portable tier, if nobody requested a weaker one.
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
    pub(super) fn for_building(
        sandbox: &Arc<Sandbox>,
        reads: Vec<ReadGrant>,
        _writes: Vec<WorkFolder>,
        _limits: BuildLimits,
    ) -> io::Result<Arc<Self>> {
        Ok(Self::new(sandbox, reads))
    }

    /// Profile for a query to a command.
    pub(super) fn for_questions(sandbox: &Arc<Sandbox>, reads: Vec<ReadGrant>) -> Arc<Self> {
        Self::new(sandbox, reads)
    }

    /// Limits of a bot with this profile.
    pub(super) fn resources(&self) -> &Resources {
        &self.0.resources
    }
}

/// Description of control groups: there are none on this system.
pub fn control_groups() -> String {
    "are a thing of Linux".to_owned()
}

/// Does nothing: there is nothing to probe.
pub fn attempt_all(_args: &[String], _out: &mut dyn io::Write) -> Option<io::Result<()>> {
    None
}

/// Returns no advice: no guarantee can be improved on this system.
pub fn improvement(_: Promise, _: &Isolation, _full: bool) -> Option<&'static str> {
    Some("Linux")
}
