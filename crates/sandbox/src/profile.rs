//! Sandbox profile: what each process of one bot may read, use and request.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ffi::{CString, OsString};
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use pitmaster_core::{Resources, Tier};

use crate::auditor::Auditor;
use crate::build_limits::BuildLimits;
use crate::cgroup::Group;
use crate::folder;
use crate::gauge::{Gauge, Whose};
use crate::grant::{ReadGrant, WorkFolder};
use crate::landlock::{self, Grant};
use crate::launch::{Launch, this_program};
use crate::namespaces::Namespaces;
use crate::sandbox::{Sandbox, rules};
use crate::scratch::Scratch;
use crate::seccomp::{Filter, Refusal, Rules};
use crate::sys::{self, Confinement, Identity, Pass, PrivateRoot, SpawnError, Started};
use crate::{limits, rootfs, supervisor, system_paths};

/// Sandbox settings of one bot.
#[derive(Debug)]
pub struct SandboxProfile {
    pub(crate) sandbox: Arc<Sandbox>,
    /// Files it may read in addition to the system's folders.
    pub(crate) reads: Vec<ReadGrant>,
    pub(crate) role: Role,
    /// Created when the first process is started.
    made: OnceLock<Made>,
}

/// Purpose of the sandboxed processes.
#[derive(Debug)]
pub(crate) enum Role {
    /// Playing: a single process without write access.
    Player,
    /// Answering a query: a command of the machine, sandboxed like a player except that it may
    /// start processes.
    Asked,
    /// Building a bot: many processes and writable folders.
    Builder {
        writes: Vec<WorkFolder>,
        /// The same folders, opened before the build can close them to this program.
        watched: Vec<OwnedFd>,
        /// User of the build, if root runs it.
        user: Option<u32>,
        limits: BuildLimits,
    },
}

/// Resources shared by all processes of a bot.
#[derive(Debug)]
struct Made {
    ruleset: Option<OwnedFd>,
    root: Option<PrivateRoot>,
    namespaces: Namespaces,
    /// Whether its files are in folders that are closed to other users.
    is_behind_doors: bool,
}

/// Resources of one process during its lifetime.
#[derive(Debug, Default)]
pub struct ProcessResources {
    /// The control group. Dropping it kills all processes in it.
    pub group: Option<Group>,
    scratch: Option<Scratch>,
    pub(crate) auditor: Option<Auditor>,
}

impl SandboxProfile {
    /// Profile of a bot that reads these files and folders, and the system's.
    pub fn new(sandbox: &Arc<Sandbox>, reads: Vec<ReadGrant>) -> Arc<Self> {
        let (sandbox, role) = (Arc::clone(sandbox), Role::Player);
        Arc::new(Self { sandbox, reads, role, made: OnceLock::new() })
    }

    /// Profile of a command of the machine that is queried for its installation folder or version.
    pub fn for_questions(sandbox: &Arc<Sandbox>, reads: Vec<ReadGrant>) -> Arc<Self> {
        let (sandbox, role) = (Arc::clone(sandbox), Role::Asked);
        Arc::new(Self { sandbox, reads, role, made: OnceLock::new() })
    }

    /// Profile for building a bot. The build reads these and the system's folders, changes the
    /// given folders, and stays within the limits. If root builds, the changed folders belong to a
    /// dedicated user. Until the build starts, no other process may write to them.
    ///
    /// # Errors
    /// The folders cannot be handed over.
    pub fn for_building(
        sandbox: &Arc<Sandbox>,
        reads: Vec<ReadGrant>,
        writes: Vec<WorkFolder>,
        limits: BuildLimits,
    ) -> io::Result<Arc<Self>> {
        let user = sandbox.next_user();
        if let Some(user) = user {
            writes.iter().try_for_each(|folder| folder::give(folder.path(), user))?;
        }
        let watched = writes.iter().map(|folder| folder::open(folder.path()));
        let watched = watched.collect::<rustix::io::Result<_>>()?;
        let (sandbox, role) =
            (Arc::clone(sandbox), Role::Builder { writes, watched, user, limits });
        Ok(Arc::new(Self { sandbox, reads, role, made: OnceLock::new() }))
    }

    /// The resource usage of a build, from its first process on. `None` for players, whose limits
    /// the kernel enforces.
    pub fn gauge(&self, started: &Started) -> io::Result<Option<Gauge>> {
        let Role::Builder { watched, user, limits, .. } = &self.role else { return Ok(None) };
        // Processes whose parents have ended are children of the init, if there is one.
        let seen: HashSet<_> = started.init.iter().map(|init| init.pid).collect();
        let family = Whose::Family { first: started.pid, seen };
        let whose = user.map_or(family, Whose::User);
        let folders = watched.iter().map(OwnedFd::try_clone).collect::<io::Result<_>>()?;
        Ok(Some(Gauge::new(*limits, folders, whose)?))
    }

    /// Profile without a sandbox; for trusted programs.
    pub fn open() -> Arc<Self> {
        Self::new(&Sandbox::open(&Resources::default()), Vec::new())
    }

    /// Limits of a bot with this profile.
    pub fn resources(&self) -> &Resources {
        &self.sandbox.resources
    }

    /// Returns whether a bot consists of only one process.
    pub fn is_tight(&self) -> bool {
        let Sandbox { tier, resources, .. } = &*self.sandbox;
        *tier != Tier::Bare && !resources.processes && matches!(self.role, Role::Player)
    }

    /// Returns whether no process started under the profile survives once its first process is
    /// reaped.
    pub fn leaves_nothing(&self) -> bool {
        let apart = match self.role {
            Role::Player => self.sandbox.tier == Tier::Full,
            Role::Asked | Role::Builder { .. } => self.sandbox.builds_apart,
        };
        apart || self.is_tight()
    }

    /// CPU time limit of the kernel for a process that has used this much so far, in seconds.
    pub fn cpu_seconds(&self, used: Duration) -> Option<u64> {
        limits::cpu_seconds(&self.sandbox.resources, used)
    }

    /// Starts a process of the bot with these standard streams.
    pub fn start(
        &self,
        launch: &Launch,
        mark: impl IntoIterator<Item = (OsString, OsString)>,
        standard: [BorrowedFd<'_>; 3],
    ) -> Result<(Started, ProcessResources), SpawnError> {
        let made = self.made()?;
        let identity = self.identity(made);
        let mut belongings = self.belongings(identity, &made.namespaces)?;
        let scratch = belongings.scratch.as_ref().map(Scratch::seen);
        let command = command_of(launch, mark, scratch.as_deref())?;
        let (own, granted) = self.own_ruleset(made, &belongings)?;
        let auditor = self.auditor(scratch.as_deref())?;
        let supervisor = self.supervisor(identity)?;
        let door = auditor.as_ref().map(|(_, door)| door.socket());
        let door = door.or(supervisor.as_ref().map(supervisor::Door::socket));
        let filter = self.filter(supervisor.is_some());
        let confinement = Confinement {
            namespaces: made.namespaces.flags,
            maps: made.namespaces.maps.clone(),
            root: made.root.as_ref(),
            scratch: self.cover(&belongings)?,
            cgroup: belongings.group.as_ref().and_then(Group::folder),
            limits: self.limits(identity.is_some()),
            identity,
            no_new_privileges: self.sandbox.tier != Tier::Bare,
            ruleset: own.as_ref().or(made.ruleset.as_ref()).map(|fd| fd.as_fd()),
            granted,
            filter: filter.map(Cow::into_owned),
            listener: door,
        };
        let started = sys::spawn(&command, standard, confinement)?;
        belongings.auditor = auditor.map(|(auditor, _)| auditor.watching(started.pid));
        Ok((started, belongings))
    }

    /// Ruleset of a single process. Scratch space is separate for each process, so a ruleset that
    /// grants it is too.
    fn own_ruleset(
        &self,
        made: &Made,
        belongings: &ProcessResources,
    ) -> io::Result<(Option<OwnedFd>, Option<sys::Granted>)> {
        match (&belongings.scratch, &made.ruleset) {
            (None, _) | (_, None) => Ok((None, None)),
            (Some(Scratch::Outside(folder)), _) if self.covers_scratch() => {
                let path = sys::c_string(folder.path().as_os_str().as_bytes())?;
                Ok((Some(self.ruleset(None)?), Some((path, landlock::bits_to_write()))))
            }
            (Some(Scratch::Outside(folder)), _) => {
                Ok((Some(self.ruleset(Some(folder.path()))?), None))
            }
            (Some(Scratch::Inside), _) => {
                let granted = (sys::c_string(rootfs::SCRATCH)?, landlock::bits_to_write());
                Ok((Some(self.ruleset(None)?), Some(granted)))
            }
        }
    }

    /// Whether its scratch space is a private mount.
    fn covers_scratch(&self) -> bool {
        let Sandbox { tier, resources, .. } = &*self.sandbox;
        let has_scratch = matches!(self.role, Role::Player) && resources.scratch > 0;
        *tier == Tier::Portable && has_scratch && Namespaces::work_for_scratch()
    }

    /// Mount point and options of the private scratch space.
    fn cover(&self, belongings: &ProcessResources) -> io::Result<Option<(CString, CString)>> {
        match &belongings.scratch {
            Some(Scratch::Outside(folder)) if self.covers_scratch() => {
                let options = rootfs::scratch_options(self.sandbox.resources.scratch)?;
                Ok(Some((sys::c_string(folder.path().as_os_str().as_bytes())?, options)))
            }
            _ => Ok(None),
        }
    }

    fn made(&self) -> io::Result<&Made> {
        if let Some(made) = self.made.get() {
            return Ok(made);
        }
        let made = self.make()?;
        Ok(self.made.get_or_init(|| made))
    }

    fn make(&self) -> io::Result<Made> {
        let contains = self.sandbox.tier != Tier::Bare;
        let ruleset = contains.then(|| self.ruleset(None)).transpose()?;
        let (root, namespaces) = match (self.sandbox.tier, &self.role) {
            (Tier::Full, Role::Player) => (Some(self.root()?), Namespaces::of_player()?),
            (_, Role::Asked | Role::Builder { .. }) if self.sandbox.builds_apart => {
                (None, Namespaces::of_builder()?)
            }
            (Tier::Portable, Role::Player) if self.covers_scratch() => {
                (None, Namespaces::of_scratch()?)
            }
            _ => (None, Namespaces::default()),
        };
        // A process needs no access to the program that it already runs.
        let all = self.reads.iter().map(ReadGrant::path).filter(|path| *path != this_program());
        let is_behind_doors = all.into_iter().any(|path| !system_paths::is_open_to_others(path));
        Ok(Made { ruleset, is_behind_doors: is_behind_doors && root.is_none(), root, namespaces })
    }

    /// Builds the ruleset: system paths and granted paths. No other function grants access to
    /// files.
    fn ruleset(&self, scratch: Option<&Path>) -> io::Result<OwnedFd> {
        let builds = matches!(self.role, Role::Builder { .. });
        let (system, devices) = (system_paths::system(), system_paths::devices(builds));
        let writes = self.writes().iter().map(WorkFolder::path);
        let reads =
            system.iter().map(PathBuf::as_path).chain(self.reads.iter().map(ReadGrant::path));
        let grants = reads
            .map(|path| (path, Grant::Read))
            .chain(devices.iter().map(|path| (path.as_path(), Grant::Device)))
            .chain(scratch.into_iter().chain(writes).map(|path| (path, Grant::Write)));
        landlock::ruleset(grants)
    }

    fn root(&self) -> io::Result<PrivateRoot> {
        let reads: Vec<PathBuf> = self.reads.iter().map(|grant| grant.path().to_owned()).collect();
        rootfs::plan(&reads, self.sandbox.resources.scratch)
    }
}

fn command_of(
    launch: &Launch,
    mark: impl IntoIterator<Item = (OsString, OsString)>,
    scratch: Option<&Path>,
) -> io::Result<sys::Command> {
    let args = std::iter::once(&launch.name).chain(&launch.args).map(OsString::as_os_str);
    let mark: Vec<_> = mark.into_iter().collect();
    let homes = scratch.map(|path| [("HOME", path), ("TMPDIR", path)]);
    let homes = homes.iter().flatten().map(|(name, path)| (name.as_ref(), path.as_os_str()));
    let is_home =
        |name: &std::ffi::OsStr| scratch.is_some() && (name == "HOME" || name == "TMPDIR");
    let environment = launch
        .environment
        .iter()
        .chain(&mark)
        .map(|(name, value)| (name.as_os_str(), value.as_os_str()))
        .filter(|(name, _)| !is_home(name))
        .chain(homes);
    sys::Command::new(launch.program.as_os_str(), args, environment, launch.dir.as_os_str())
}

impl SandboxProfile {
    /// Folders with permanent write access.
    fn writes(&self) -> &[WorkFolder] {
        match &self.role {
            Role::Player | Role::Asked => &[],
            Role::Builder { writes, .. } => writes,
        }
    }

    fn limits(&self, is_apart: bool) -> Vec<sys::ResourceLimit> {
        match &self.role {
            Role::Player => limits::limits(&self.sandbox.resources, is_apart),
            Role::Asked => limits::of_builds(&building(&BuildLimits::default()), is_apart),
            Role::Builder { limits, .. } => limits::of_builds(&building(limits), is_apart),
        }
    }

    fn filter(&self, is_supervised: bool) -> Option<Cow<'_, Filter>> {
        match self.role {
            Role::Player => self.sandbox.filter.as_ref().map(Cow::Borrowed),
            Role::Asked => self.contains().then(|| Cow::Owned(Filter::new(rules(true, false)))),
            Role::Builder { .. } => {
                let refusal = if is_supervised { Refusal::Supervise } else { Refusal::Errno };
                let rules = Rules { refusal, ..rules(true, true) };
                self.contains().then(|| Cow::Owned(Filter::new(rules)))
            }
        }
    }

    fn contains(&self) -> bool {
        self.sandbox.tier != Tier::Bare
    }

    /// Supervisor that changes modes and times of a build's own files.
    fn supervisor(&self, identity: Option<Identity>) -> io::Result<Option<supervisor::Door>> {
        if !self.sandbox.supervises || !matches!(self.role, Role::Builder { .. }) {
            return Ok(None);
        }
        let own = || rustix::process::geteuid().as_raw();
        let user = identity.map_or_else(own, |identity| identity.id);
        supervisor::supervise(&paths(self.writes()), user).map(Some)
    }

    /// User of a process that root starts.
    fn identity(&self, made: &Made) -> Option<Identity> {
        let is_closed = made.is_behind_doors && made.ruleset.is_some();
        match self.role {
            Role::Player => {
                let passes = is_closed.then_some(Pass::Search);
                self.sandbox.next_user().map(|id| Identity { id, passes })
            }
            Role::Asked | Role::Builder { .. } => {
                let user = match self.role {
                    Role::Builder { user, .. } => user,
                    _ => self.sandbox.next_user(),
                };
                // A container may lack the weaker capability.
                let passes = Pass::available().filter(|_| is_closed);
                user.map(|id| Identity { id, passes })
            }
        }
    }

    fn belongings(
        &self,
        identity: Option<Identity>,
        namespaces: &Namespaces,
    ) -> io::Result<ProcessResources> {
        let others = namespaces.own_processes();
        let Sandbox { tier, resources, groups, .. } = &*self.sandbox;
        if !matches!(self.role, Role::Player) {
            let groups = self.sandbox.groups_for_builds.as_ref();
            let usual = BuildLimits::default();
            let limits =
                if let Role::Builder { limits, .. } = &self.role { limits } else { &usual };
            let group = groups.map(|groups| groups.take(&building(limits), others)).transpose()?;
            return Ok(ProcessResources { group, ..ProcessResources::default() });
        }
        let group = groups.as_ref().map(|groups| groups.take(resources, others)).transpose()?;
        let scratch = match (resources.scratch, tier) {
            (0, _) => None,
            (_, Tier::Full) => Some(Scratch::Inside),
            _ => Some(Scratch::outside(identity.map(|identity| identity.id))?),
        };
        Ok(ProcessResources { group, scratch, auditor: None })
    }
}

fn paths(folders: &[WorkFolder]) -> Vec<PathBuf> {
    folders.iter().map(|folder| folder.path().to_owned()).collect()
}

/// Limits of a build that the kernel enforces, some of them per process. The caller limits its time
/// and output.
fn building(limits: &BuildLimits) -> Resources {
    Resources {
        memory: limits.memory,
        threads: limits.processes,
        file_size: limits.disk.min(1 << 30),
        cpu: None,
        processes: true,
        ..Resources::default()
    }
}
