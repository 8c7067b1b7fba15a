//! What one bot gets of a sandbox: what each of its processes may read, take and ask for.

use std::borrow::Cow;
use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::audit::Auditor;
use super::cgroup::Group;
use super::files::{self, Grant};
use super::filter::Filter;
use super::namespaces::Namespaces;
use super::scratch::Scratch;
use super::{Sandbox, THIS_PROGRAM, limits, root, rules, view};
use crate::bot::Launch;
use crate::bot::sys::{self, Confinement, Identity, PrivateRoot, SpawnFault, Started};
use crate::record::{Resources, Tier};

/// What one bot gets of a sandbox.
#[derive(Debug)]
pub struct Cage {
    pub(super) sandbox: Arc<Sandbox>,
    /// What it may read besides the system's folders.
    pub(super) reads: Vec<PathBuf>,
    pub(super) role: Role,
    /// Made when the first process is started.
    made: OnceLock<Made>,
}

/// What somebody is in a cage for.
#[derive(Debug)]
pub(super) enum Role {
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
    namespaces: Namespaces,
    /// Its files lie behind folders that are closed to others.
    is_behind_doors: bool,
}

/// What a process has for itself alone, as long as it lives.
#[derive(Debug, Default)]
pub(in crate::bot) struct Belongings {
    /// Ends with what is in it.
    pub(in crate::bot) group: Option<Group>,
    scratch: Option<Scratch>,
    pub(super) auditor: Option<Auditor>,
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
    pub(in crate::bot) fn for_building(
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
    pub(in crate::bot) fn take_back(&self) -> io::Result<()> {
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
    pub(in crate::bot) fn resources(&self) -> &Resources {
        &self.sandbox.resources
    }

    /// Whether a process in it is all there is of a bot.
    pub(in crate::bot) fn is_tight(&self) -> bool {
        let Sandbox { tier, resources, .. } = &*self.sandbox;
        *tier != Tier::Bare && !resources.processes && matches!(self.role, Role::Player)
    }

    /// Whether nothing that was started in it lives once its first process is reaped.
    pub(in crate::bot) fn leaves_nothing(&self) -> bool {
        let apart = match self.role {
            Role::Player => self.sandbox.tier == Tier::Full,
            Role::Builder { .. } => self.sandbox.builds_apart,
        };
        apart || self.is_tight()
    }

    /// When the kernel is to end a process that has used so much CPU time so far, in seconds.
    pub(in crate::bot) fn cpu_seconds(&self, used: Duration) -> Option<u64> {
        limits::cpu_seconds(&self.sandbox.resources, used)
    }

    /// Starts a process of the bot with these as its standard input, output and error.
    pub(in crate::bot) fn start(
        &self,
        launch: &Launch,
        mark: impl IntoIterator<Item = (std::ffi::OsString, std::ffi::OsString)>,
        standard: [BorrowedFd<'_>; 3],
    ) -> Result<(Started, Belongings), SpawnFault> {
        let made = self.made(launch)?;
        let identity = self.identity(made);
        let mut belongings = self.belongings(identity, &made.namespaces)?;
        let scratch = belongings.scratch.as_ref().map(Scratch::seen);
        let command = command_of(launch, mark, scratch.as_deref())?;
        let (own, granted) = self.own_ruleset(launch, made, &belongings)?;
        let (filter, auditor) = (self.filter(), self.auditor(launch, scratch.as_deref())?);
        let door = auditor.as_ref().map(|(_, door)| door.socket());
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

    /// Scratch space is the process's own: so is a ruleset that grants it, here or once the
    /// process is in its own root.
    fn own_ruleset(
        &self,
        launch: &Launch,
        made: &Made,
        belongings: &Belongings,
    ) -> io::Result<(Option<OwnedFd>, Option<sys::Granted>)> {
        match (&belongings.scratch, &made.ruleset) {
            (None, _) | (_, None) => Ok((None, None)),
            (Some(Scratch::Outside(folder)), _) if self.covers_scratch() => {
                let path = sys::c_string(folder.path().as_os_str().as_bytes())?;
                Ok((Some(self.ruleset(&launch.dir, None)?), Some((path, files::bits_to_write()))))
            }
            (Some(Scratch::Outside(folder)), _) => {
                Ok((Some(self.ruleset(&launch.dir, Some(folder.path()))?), None))
            }
            (Some(Scratch::Inside), _) => {
                let granted = (sys::c_string(root::SCRATCH)?, files::bits_to_write());
                Ok((Some(self.ruleset(&launch.dir, None)?), Some(granted)))
            }
        }
    }

    /// Whether its scratch space is a mount that nobody else sees.
    fn covers_scratch(&self) -> bool {
        let Sandbox { tier, resources, .. } = &*self.sandbox;
        let has_scratch = matches!(self.role, Role::Player) && resources.scratch > 0;
        *tier == Tier::Portable && has_scratch && Namespaces::work_for_scratch()
    }

    /// Where that is mounted, and how.
    fn cover(&self, belongings: &Belongings) -> io::Result<Option<(CString, CString)>> {
        match &belongings.scratch {
            Some(Scratch::Outside(folder)) if self.covers_scratch() => {
                let options = root::scratch_options(self.sandbox.resources.scratch)?;
                Ok(Some((sys::c_string(folder.path().as_os_str().as_bytes())?, options)))
            }
            _ => Ok(None),
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
        let (root, namespaces) = match (self.sandbox.tier, &self.role) {
            (Tier::Full, Role::Player) => (Some(self.root(&launch.dir)?), Namespaces::of_player()?),
            (_, Role::Builder { .. }) if self.sandbox.builds_apart => {
                (None, Namespaces::of_builder()?)
            }
            (Tier::Portable, Role::Player) if self.covers_scratch() => {
                (None, Namespaces::of_scratch()?)
            }
            _ => (None, Namespaces::default()),
        };
        // A process needs no door to become the program that it is already.
        let all = self.reads.iter().chain([&launch.dir]).filter(|path| *path != THIS_PROGRAM);
        let is_behind_doors = all.into_iter().any(|path| !view::is_open_to_others(path));
        Ok(Made { ruleset, is_behind_doors: is_behind_doors && root.is_none(), root, namespaces })
    }

    fn ruleset(&self, dir: &Path, scratch: Option<&Path>) -> io::Result<OwnedFd> {
        let builds = matches!(self.role, Role::Builder { .. });
        let (system, devices) = (view::system(), view::devices(builds));
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
        root::plan(&reads, self.sandbox.resources.scratch)
    }
}

/// The folder that a bot runs in, unless that is everything.
pub(super) fn own(dir: &Path) -> Option<&Path> {
    (dir != Path::new("/")).then_some(dir)
}

fn command_of(
    launch: &Launch,
    mark: impl IntoIterator<Item = (std::ffi::OsString, std::ffi::OsString)>,
    scratch: Option<&Path>,
) -> io::Result<sys::Command> {
    let args = std::iter::once(&launch.name).chain(&launch.args).map(std::ffi::OsString::as_os_str);
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

    fn belongings(
        &self,
        identity: Option<Identity>,
        namespaces: &Namespaces,
    ) -> io::Result<Belongings> {
        let others = namespaces.own_processes();
        let Sandbox { tier, resources, groups, .. } = &*self.sandbox;
        if let Role::Builder { .. } = self.role {
            let groups = self.sandbox.groups_for_builds.as_ref();
            let group = groups.map(|groups| groups.take(&building(), others)).transpose()?;
            return Ok(Belongings { group, ..Belongings::default() });
        }
        let group = groups.as_ref().map(|groups| groups.take(resources, others)).transpose()?;
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
