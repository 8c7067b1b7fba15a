//! The sandbox: what keeps a bot from the machine, from the referee and from other bots.
//!
//! A [`Sandbox`] is chosen once, by trying; a [`Cage`] is what one bot gets of it. Nothing
//! outside of this folder knows which mechanism serves.

mod audit;
mod auditing;
mod cgroup;
mod files;
pub(in crate::bot) mod filter;
mod limits;
mod probe;
mod root;
mod scratch;
mod view;

use std::borrow::Cow;
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::Launch;
use super::sys::{self, Confinement, Identity, PrivateRoot, SpawnFault, Started};
use crate::record::{Isolation, Resources, Tier};
use audit::Auditor;
pub(super) use cgroup::Group;
use cgroup::Groups;
use files::Grant;
use filter::{Filter, Refusal, Rules};
pub use probe::{attempt_all, improvement};
use scratch::Scratch;

/// Users whom nobody else is, for bots that root starts.
const USERS: std::ops::Range<u32> = 60_000..64_000;

/// How bots are contained in a run.
#[derive(Debug)]
pub struct Sandbox {
    tier: Tier,
    resources: Resources,
    groups: Option<Arc<Groups>>,
    /// Used for builds wherever it can be: they start processes.
    groups_for_builds: Option<Arc<Groups>>,
    filter: Option<Filter>,
    /// What its filter refuses to players is told, not only refused.
    audits: bool,
    isolation: Isolation,
    /// Why it is not a stronger one, where that was left open.
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

impl Sandbox {
    /// The tier that is wanted, or the portable one where it works and else the bare one;
    /// found out by a probe that is started the way bots are and tries what bots might.
    ///
    /// # Errors
    /// The tier that is wanted does not work here.
    pub fn choose(wanted: Option<Tier>, resources: &Resources) -> Result<Self, Unavailable> {
        match wanted {
            Some(tier) => Self::examine(tier, resources),
            None => Self::examine(Tier::Portable, resources).or_else(|portable| {
                let bare = Self::examine(Tier::Bare, resources)?;
                Ok(Self { weaker: Some(portable.why), ..bare })
            }),
        }
    }

    /// A tier, with what a probe found that it keeps.
    ///
    /// # Errors
    /// It does not work here.
    pub fn examine(tier: Tier, resources: &Resources) -> Result<Self, Unavailable> {
        let unavailable = |why: String| Unavailable { tier, why };
        let sandbox =
            Self::untried(tier, resources).map_err(|error| unavailable(error.to_string()))?;
        let isolation = probe::examine(&sandbox).map_err(unavailable)?;
        Ok(Self { isolation, ..sandbox })
    }

    /// A tier that promises nothing as long as nobody has tried it.
    fn untried(tier: Tier, resources: &Resources) -> io::Result<Self> {
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
        Ok(Self { tier, groups, groups_for_builds, filter, isolation, ..bare })
    }

    /// The bare tier, which nobody has asked for by name: for programs of one's own.
    pub fn open(resources: &Resources) -> Arc<Self> {
        Arc::new(Self::bare(resources))
    }

    fn bare(resources: &Resources) -> Self {
        let promises = std::collections::BTreeMap::new();
        let isolation = Isolation { tier: Tier::Bare, cgroup: false, promises };
        let (tier, resources) = (Tier::Bare, resources.clone());
        let (groups, groups_for_builds, filter, weaker) = (None, None, None, None);
        let audits = false;
        Self { tier, resources, groups, groups_for_builds, filter, audits, isolation, weaker }
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

/// What there is of control groups, for people.
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

/// What one bot gets of a sandbox.
#[derive(Debug)]
pub struct Cage {
    sandbox: Arc<Sandbox>,
    /// What it may read besides the system's folders.
    reads: Vec<PathBuf>,
    role: Role,
    /// Made when the first process is started.
    made: OnceLock<Made>,
}

/// What somebody is in a cage for.
#[derive(Debug)]
enum Role {
    /// To play: one process, with no place to write.
    Player,
    /// To build a bot: many processes, and folders to write to.
    Builder {
        writes: Vec<PathBuf>,
        /// Who it is, where root has it build.
        user: Option<u32>,
    },
}

/// What serves all processes of a bot.
#[derive(Debug)]
struct Made {
    ruleset: Option<OwnedFd>,
    root: Option<PrivateRoot>,
    /// Its files lie behind folders that are closed to others.
    is_behind_doors: bool,
}

/// What a process has for itself alone, as long as it lives.
#[derive(Debug, Default)]
pub(super) struct Belongings {
    /// Ends with what is in it.
    pub(super) group: Option<Group>,
    scratch: Option<Scratch>,
    auditor: Option<Auditor>,
}

impl Cage {
    /// A bot that reads these files and folders, and the system's.
    pub fn new(sandbox: &Arc<Sandbox>, reads: Vec<PathBuf>) -> Arc<Self> {
        let (sandbox, role) = (Arc::clone(sandbox), Role::Player);
        Arc::new(Self { sandbox, reads, role, made: OnceLock::new() })
    }

    /// For the building of a bot: it reads these and the system's folders and changes those.
    /// What it changes is its own until [`Cage::take_back`].
    ///
    /// # Errors
    /// The folders cannot be handed over.
    pub(super) fn for_building(
        sandbox: &Arc<Sandbox>,
        reads: Vec<PathBuf>,
        writes: Vec<PathBuf>,
    ) -> io::Result<Arc<Self>> {
        // What checks who it is before it opens a file (`access`) passes no closed door, and
        // linkers do: behind doors it is root without its powers.
        let all = reads.iter().chain(&writes);
        let is_open = all.into_iter().all(|path| view::is_open_to_others(path));
        let user = sandbox.next_user().map(|user| if is_open { user } else { 0 });
        if let Some(user) = user {
            writes.iter().try_for_each(|folder| give(folder, user))?;
        }
        let (sandbox, role) = (Arc::clone(sandbox), Role::Builder { writes, user });
        Ok(Arc::new(Self { sandbox, reads, role, made: OnceLock::new() }))
    }

    /// Makes what was built the referee's own.
    ///
    /// # Errors
    /// A file of it cannot be taken.
    pub(super) fn take_back(&self) -> io::Result<()> {
        match &self.role {
            Role::Builder { writes, user: Some(_) } => {
                writes.iter().try_for_each(|folder| give(folder, 0))
            }
            _ => Ok(()),
        }
    }

    /// A cage with open doors, for programs of one's own.
    pub fn open() -> Arc<Self> {
        Self::new(&Sandbox::open(&Resources::default()), Vec::new())
    }

    /// What a bot of it may take.
    pub(super) fn resources(&self) -> &Resources {
        &self.sandbox.resources
    }

    /// Whether a process in it is all there is of a bot.
    pub(super) fn is_tight(&self) -> bool {
        let Sandbox { tier, resources, .. } = &*self.sandbox;
        *tier != Tier::Bare && !resources.processes && matches!(self.role, Role::Player)
    }

    /// When the kernel is to end a process that has used so much CPU time so far, in seconds.
    pub(super) fn cpu_seconds(&self, used: Duration) -> Option<u64> {
        limits::cpu_seconds(&self.sandbox.resources, used)
    }

    /// Starts a process of the bot with these as its standard input, output and error.
    pub(super) fn start(
        &self,
        launch: &Launch,
        mark: impl IntoIterator<Item = (std::ffi::OsString, std::ffi::OsString)>,
        standard: [BorrowedFd<'_>; 3],
    ) -> Result<(Started, Belongings), SpawnFault> {
        let made = self.made(launch)?;
        let identity = self.identity(made);
        let mut belongings = self.belongings(identity)?;
        let scratch = belongings.scratch.as_ref().map(Scratch::seen);
        let command = command_of(launch, mark, scratch.as_deref())?;
        let (own, granted) = self.own_ruleset(launch, made, &belongings)?;
        let (filter, auditor) = (self.filter(), self.auditor(launch, scratch.as_deref())?);
        let door = auditor.as_ref().map(|(_, door)| door.socket());
        let confinement = Confinement {
            namespaces: made.root.as_ref().map_or(0, |root| namespaces(root.maps.is_some())),
            root: made.root.as_ref(),
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

    /// Scratch space is the process's own: so is a ruleset that grants it, here or once the
    /// process is in its own root.
    fn own_ruleset(
        &self,
        launch: &Launch,
        made: &Made,
        belongings: &Belongings,
    ) -> io::Result<(Option<OwnedFd>, Option<(std::ffi::CString, u64)>)> {
        match (&belongings.scratch, &made.ruleset) {
            (None, _) | (_, None) => Ok((None, None)),
            (Some(Scratch::Outside(folder)), _) => {
                Ok((Some(self.ruleset(&launch.dir, Some(folder.path()))?), None))
            }
            (Some(Scratch::Inside), _) => {
                let granted = (sys::c_string(root::SCRATCH)?, files::bits_to_write());
                Ok((Some(self.ruleset(&launch.dir, None)?), Some(granted)))
            }
        }
    }

    fn made(&self, launch: &Launch) -> io::Result<&Made> {
        if let Some(made) = self.made.get() {
            return Ok(made);
        }
        let made = self.make(launch)?;
        Ok(self.made.get_or_init(|| made))
    }

    fn make(&self, launch: &Launch) -> io::Result<Made> {
        let contains = self.sandbox.tier != Tier::Bare;
        let ruleset = contains.then(|| self.ruleset(&launch.dir, None)).transpose()?;
        let root = match (self.sandbox.tier, &self.role) {
            (Tier::Full, Role::Player) => Some(self.root(&launch.dir)?),
            _ => None,
        };
        // A process needs no door to become the program that it is already.
        let all = self.reads.iter().chain([&launch.dir]).filter(|path| *path != THIS_PROGRAM);
        let is_behind_doors = all.into_iter().any(|path| !view::is_open_to_others(path));
        Ok(Made { ruleset, is_behind_doors: is_behind_doors && root.is_none(), root })
    }

    fn ruleset(&self, dir: &Path, scratch: Option<&Path>) -> io::Result<OwnedFd> {
        let (system, devices) = (view::system(), view::devices());
        let reads = system.iter().chain(&self.reads).map(PathBuf::as_path).chain(own(dir));
        let grants = reads
            .map(|path| (path, Grant::Read))
            .chain(devices.iter().map(|path| (path.as_path(), Grant::Device)))
            .chain(scratch.into_iter().chain(self.writes()).map(|path| (path, Grant::Write)));
        files::ruleset(grants)
    }

    fn root(&self, dir: &Path) -> io::Result<PrivateRoot> {
        let reads: Vec<PathBuf> =
            self.reads.iter().map(PathBuf::as_path).chain(own(dir)).map(Path::to_owned).collect();
        let user = rustix::process::geteuid().as_raw();
        let outside = (user != 0).then(|| [user, rustix::process::getegid().as_raw()]);
        root::plan(&reads, self.sandbox.resources.scratch, outside)
    }
}

/// What a filter refuses.
fn rules(processes: bool, building: bool) -> Rules {
    let truncation = sys::landlock_version() < 3;
    Rules { processes, building, truncation, refusal: Refusal::Errno }
}

/// House bots and the probe are this very program, whatever lies at its path by now.
pub(super) const THIS_PROGRAM: &str = "/proc/self/exe";

/// The folder that a bot runs in, unless that is everything.
fn own(dir: &Path) -> Option<&Path> {
    (dir != Path::new("/")).then_some(dir)
}

fn namespaces(of_users: bool) -> u64 {
    let users = if of_users { libc::CLONE_NEWUSER } else { 0 };
    // None of the network: there are no sockets to begin with, and it is the dearest by far.
    let all =
        users | libc::CLONE_NEWNS | libc::CLONE_NEWPID | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;
    all as u64
}

fn command_of(
    launch: &Launch,
    mark: impl IntoIterator<Item = (std::ffi::OsString, std::ffi::OsString)>,
    scratch: Option<&Path>,
) -> io::Result<sys::Command> {
    let args = std::iter::once(&launch.name).chain(&launch.args).map(|arg| arg.as_os_str());
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

impl Cage {
    /// Where it may write for good.
    fn writes(&self) -> impl Iterator<Item = &Path> {
        let writes = match &self.role {
            Role::Player => &[][..],
            Role::Builder { writes, .. } => writes,
        };
        writes.iter().map(PathBuf::as_path)
    }

    fn limits(&self, is_apart: bool) -> Vec<sys::ResourceLimit> {
        match self.role {
            Role::Player => limits::limits(&self.sandbox.resources, is_apart),
            Role::Builder { .. } => limits::limits(&building(), false),
        }
    }

    fn filter(&self) -> Option<Cow<'_, Filter>> {
        match self.role {
            Role::Player => self.sandbox.filter.as_ref().map(Cow::Borrowed),
            Role::Builder { .. } => {
                let contains = self.sandbox.tier != Tier::Bare;
                contains.then(|| Cow::Owned(Filter::new(rules(true, true))))
            }
        }
    }

    /// Whom a process becomes that root starts.
    fn identity(&self, made: &Made) -> Option<Identity> {
        let user = match self.role {
            Role::Player => self.sandbox.next_user(),
            Role::Builder { user, .. } => user,
        };
        let passes = made.is_behind_doors && made.ruleset.is_some();
        user.map(|id| Identity { id, passes: passes && id != 0 })
    }

    fn belongings(&self, identity: Option<Identity>) -> io::Result<Belongings> {
        let Sandbox { tier, resources, groups, .. } = &*self.sandbox;
        if let Role::Builder { .. } = self.role {
            let groups = self.sandbox.groups_for_builds.as_ref();
            let group = groups.map(|groups| groups.take(&building())).transpose()?;
            return Ok(Belongings { group, ..Belongings::default() });
        }
        let group = groups.as_ref().map(|groups| groups.take(resources)).transpose()?;
        let scratch = match (resources.scratch, tier) {
            (0, _) => None,
            (_, Tier::Full) => Some(Scratch::Inside),
            _ => Some(Scratch::outside(identity.map(|identity| identity.id))?),
        };
        Ok(Belongings { group, scratch, auditor: None })
    }
}

/// What a build may take. Its time and what it says are bounded by whoever runs it.
fn building() -> Resources {
    Resources {
        memory: 4 << 30,
        threads: 512,
        file_size: 1 << 30,
        cpu: None,
        processes: true,
        ..Resources::default()
    }
}

/// Makes a folder with all that is in it somebody's. Links are not followed.
fn give(folder: &Path, user: u32) -> io::Result<()> {
    std::os::unix::fs::lchown(folder, Some(user), Some(user))?;
    if folder.symlink_metadata()?.is_dir() {
        for entry in std::fs::read_dir(folder)? {
            give(&entry?.path(), user)?;
        }
    }
    Ok(())
}

impl Sandbox {
    /// A user whom nobody else is, for what root starts.
    fn next_user(&self) -> Option<u32> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        if self.tier == Tier::Bare || !rustix::process::geteuid().is_root() {
            return None;
        }
        let count = USERS.end - USERS.start;
        // Two runs at once begin at different numbers.
        let first = std::process::id().wrapping_mul(61);
        let number = first.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
        Some(USERS.start + number % count)
    }
}
