//! Fallback for `sandbox` on systems without these mechanisms: the bare tier, with the limits that
//! the referee itself enforces.

use std::io;
use std::sync::Arc;

use pitmaster_core::{Isolation, Kept, Level, Promise, Resources, Tier};

use super::BuildLimits;
use crate::grant::ReadGrant;
use crate::grant::WorkFolder;

/// How bots are contained in a run: not at all.
#[derive(Debug)]
pub struct Sandbox {
    resources: Resources,
    isolation: Isolation,
    weaker: Option<String>,
}

/// A sandbox that cannot be had here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{tier} does not work here: {why}")]
pub struct Unavailable {
    /// Which tier.
    pub tier: Tier,
    /// What was refused.
    pub why: String,
}

const WHY: &str = "it is made of what only Linux has";

impl Sandbox {
    /// The bare tier, unless another one is wanted.
    ///
    /// # Errors
    /// Another one is wanted.
    pub fn choose(wanted: Option<Tier>, resources: &Resources) -> Result<Self, Unavailable> {
        let weaker = wanted.is_none().then(|| WHY.to_owned());
        let bare = Self::examine(wanted.unwrap_or(Tier::Bare), resources)?;
        Ok(Self { weaker, ..bare })
    }

    /// A tier, with what it keeps.
    ///
    /// # Errors
    /// It is not the bare one.
    pub fn examine(tier: Tier, resources: &Resources) -> Result<Self, Unavailable> {
        match tier {
            Tier::Bare => Ok(Self::bare(resources)),
            tier => Err(Unavailable { tier, why: WHY.to_owned() }),
        }
    }

    /// The portable tier, which also tells what was tried of what it refuses.
    ///
    /// # Errors
    /// There is none.
    pub fn auditing(resources: &Resources) -> Result<Self, Unavailable> {
        Self::examine(Tier::Portable, resources)
    }

    /// The bare tier, which nobody has asked for by name: for programs of one's own.
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

    /// What is promised.
    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// Why it is not the portable one, if nobody asked for less.
    pub fn weaker(&self) -> Option<&str> {
        self.weaker.as_deref()
    }
}

/// What one bot gets of a sandbox: nothing.
#[derive(Debug)]
pub struct SandboxProfile(Arc<Sandbox>);

impl SandboxProfile {
    /// A bot that reads what it likes.
    pub fn new(sandbox: &Arc<Sandbox>, _reads: Vec<ReadGrant>) -> Arc<Self> {
        Arc::new(Self(Arc::clone(sandbox)))
    }

    /// A cage with open doors, for programs of one's own.
    pub fn open() -> Arc<Self> {
        Self::new(&Sandbox::open(&Resources::default()), Vec::new())
    }

    /// For the building of a bot.
    pub(super) fn for_building(
        sandbox: &Arc<Sandbox>,
        reads: Vec<ReadGrant>,
        _writes: Vec<WorkFolder>,
        _limits: BuildLimits,
    ) -> io::Result<Arc<Self>> {
        Ok(Self::new(sandbox, reads))
    }

    /// For a question to a command.
    pub(super) fn for_questions(sandbox: &Arc<Sandbox>, reads: Vec<ReadGrant>) -> Arc<Self> {
        Self::new(sandbox, reads)
    }

    /// What a bot of it may take.
    pub(super) fn resources(&self) -> &Resources {
        &self.0.resources
    }
}

/// There are none on this system.
pub fn control_groups() -> String {
    "are a thing of Linux".to_owned()
}

/// There is nothing to probe.
pub fn attempt_all(_args: &[String], _out: &mut dyn io::Write) -> Option<io::Result<()>> {
    None
}

/// Nothing would make a promise better kept on this system.
pub fn improvement(_: Promise, _: &Isolation, _full: bool) -> Option<&'static str> {
    Some("Linux")
}
