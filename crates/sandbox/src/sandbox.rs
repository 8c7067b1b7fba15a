//! Sandbox of a run: a tier with its limits and mechanisms. The settings of one bot are a
//! [`crate::SandboxProfile`].

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use pitmaster_core::{Isolation, Resources, Tier};

use crate::cgroup::Groups;
use crate::namespaces::Namespaces;
use crate::seccomp::{Filter, Refusal, Rules};
use crate::sys;

/// Unused user ids for bots that root starts.
const USERS: std::ops::Range<u32> = 60_000..64_000;

/// Isolation of bots in a run.
#[derive(Debug)]
pub struct Sandbox {
    pub(crate) tier: Tier,
    pub(crate) resources: Resources,
    pub(crate) groups: Option<Arc<Groups>>,
    /// Groups for builds wherever possible, because builds start processes.
    pub(crate) groups_for_builds: Option<Arc<Groups>>,
    pub(crate) filter: Option<Filter>,
    /// Whether each step of a build has its own PID namespace.
    pub(crate) builds_apart: bool,
    /// Whether refused calls of players are recorded.
    pub(crate) audits: bool,
    /// Whether builds are supervised, so that they change modes and times of their own files only.
    pub(crate) supervises: bool,
    isolation: Isolation,
    /// Reason why it is not a stronger sandbox, if the choice was left open.
    weaker: Option<String>,
}

impl Sandbox {
    /// Sets up a tier without guarantees. A probe has to test it on this machine.
    ///
    /// # Errors
    /// The system lacks a feature that the tier needs.
    pub fn untested(tier: Tier, resources: &Resources) -> io::Result<Self> {
        let bare = Self::bare(resources);
        if tier == Tier::Bare {
            return Ok(bare);
        }
        let found = Groups::find();
        if let Err(error) = &found
            && resources.processes
        {
            let why = format!("processes = \"allowed\" needs control groups: {error}");
            return Err(io::Error::other(why));
        }
        let groups_for_builds = found.ok();
        let useful = |groups: &&Arc<Groups>| groups.memory || groups.pids || resources.processes;
        let groups = groups_for_builds.as_ref().filter(useful).cloned();
        let isolation = Isolation { tier, cgroup: groups.is_some(), ..bare.isolation };
        let filter = Some(Filter::new(rules(resources.processes, false)));
        let supervises = sys::notify::can_listen();
        let builds_apart = Namespaces::work_for_builds();
        Ok(Self {
            tier,
            groups,
            groups_for_builds,
            filter,
            builds_apart,
            supervises,
            isolation,
            ..bare
        })
    }

    /// The bare tier by default, for trusted programs.
    pub fn open(resources: &Resources) -> Arc<Self> {
        Arc::new(Self::bare(resources))
    }

    fn bare(resources: &Resources) -> Self {
        let promises = std::collections::BTreeMap::new();
        let isolation = Isolation { tier: Tier::Bare, cgroup: false, promises };
        let (tier, resources) = (Tier::Bare, resources.clone());
        let (groups, groups_for_builds, filter, weaker) = (None, None, None, None);
        let (audits, builds_apart, supervises) = (false, false, false);
        Self {
            tier,
            resources,
            groups,
            groups_for_builds,
            filter,
            builds_apart,
            audits,
            supervises,
            isolation,
            weaker,
        }
    }

    /// The same sandbox with the guarantees that a probe found.
    #[must_use]
    pub fn with_isolation(self, isolation: Isolation) -> Self {
        Self { isolation, ..self }
    }

    /// The same sandbox, chosen because a stronger one does not work for that reason.
    #[must_use]
    pub fn in_place_of_stronger(self, why: String) -> Self {
        Self { weaker: Some(why), ..self }
    }

    /// The isolation tier.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// Limits of each process.
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// Whether it records refused system calls.
    pub fn audits(&self) -> bool {
        self.audits
    }

    /// Whether builds are supervised: they change modes and times of their own files only.
    pub fn supervises(&self) -> bool {
        self.supervises
    }

    /// The control groups of each process; `None` if there are none.
    pub fn controllers(&self) -> Option<Controllers> {
        let groups = self.groups.as_ref()?;
        Some(Controllers { memory: groups.memory, pids: groups.pids })
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

/// Controllers of control groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Controllers {
    /// Memory is limited.
    pub memory: bool,
    /// The number of processes is limited.
    pub pids: bool,
}

/// Description of the available control groups.
pub fn control_groups() -> String {
    match Groups::find() {
        Ok(groups) => match (groups.memory, groups.pids) {
            (false, false) => "can be made, without counting memory or processes".to_owned(),
            (true, true) => "can be made, with memory and processes counted".to_owned(),
            (true, false) => "can be made, with memory counted".to_owned(),
            (false, true) => "can be made, with processes counted".to_owned(),
        },
        Err(error) => format!("cannot be made ({error})"),
    }
}

/// Rules of the seccomp filter.
pub(crate) fn rules(processes: bool, building: bool) -> Rules {
    let truncation = sys::landlock_version() < 3;
    Rules { processes, building, truncation, refusal: Refusal::Errno }
}

impl Sandbox {
    /// A dedicated user for processes that root starts.
    pub(crate) fn next_user(&self) -> Option<u32> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        if self.tier == Tier::Bare || !rustix::process::geteuid().is_root() {
            return None;
        }
        let count = USERS.end - USERS.start;
        // Concurrent runs begin at different ids.
        let first = std::process::id().wrapping_mul(61);
        let number = first.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
        Some(USERS.start + number % count)
    }
}
