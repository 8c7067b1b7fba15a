//! Build of a snapshot: a fresh copy, the manifest's commands one by one, a log.
//!
//! Must not depend on how the result is run.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pitmaster_core::i18n::said;
use pitmaster_core::{Exit, Untrusted};
use pitmaster_sandbox::{BuildLimits, Launch, Sandbox, SandboxProfile};

use super::argv::Program;
use super::beneath::Folder;
use super::fault::{BotFault, BuildEnd, BuildFailure, SnapshotError, Wrong, shown};
use super::manifest::{BuildStep, Manifest};
use super::result;
use super::snapshot::Snapshot;
use super::tree::{Tree, TreeLimits};
use crate::LaunchError;
use crate::run_limited::{self, Bounds, Finish};
use crate::toolchain::{Asking, Commands, Located, MachinePath, Tools};

/// Limits and tools for preparing bots.
#[derive(Debug, Clone)]
pub struct Options {
    /// The available tools.
    pub tools: Tools,
    /// The sandbox of the bots.
    pub sandbox: Arc<Sandbox>,
    /// Size limits of a submission.
    pub limits: TreeLimits,
    /// Time limit of one build command.
    pub build_time: Duration,
    /// Time limit of all build commands of a bot together.
    pub build_total: Duration,
    /// Output limit of one build command, in bytes.
    pub build_output: u64,
    /// Resource limits of a build.
    pub build_limits: BuildLimits,
}

impl Options {
    /// Options with ten minutes, 16 MiB of log and the tools of this machine.
    pub fn of_this_machine(sandbox: &Arc<Sandbox>) -> Self {
        Self::with(Tools::of_this_machine(), sandbox)
    }

    /// The same options with other tools.
    pub fn with(tools: Tools, sandbox: &Arc<Sandbox>) -> Self {
        Self {
            tools,
            sandbox: Arc::clone(sandbox),
            limits: TreeLimits::default(),
            build_time: Duration::from_mins(10),
            build_total: Duration::from_hours(1),
            build_output: 16 << 20,
            build_limits: BuildLimits::default(),
        }
    }
}

/// Builds a snapshot, unless it is already built. A failed build is retried, because a missing tool
/// may be available now.
///
/// The commands run in the same folder that the bot will run in, because compilers write absolute
/// paths. Afterwards that folder is renamed, and plain files are copied from it into a new one.
pub(super) fn build(
    snapshot: &Snapshot,
    manifest: &Manifest,
    options: &Options,
) -> Result<(), Wrong> {
    let missing = manifest.tools().into_iter().find(|tool| options.tools.find(tool).is_none());
    if let Some(tool) = missing {
        return Err(BotFault::MissingTool { tool: shown(tool) }.into());
    }
    let _lock = snapshot.lock()?;
    if snapshot.is_built() {
        return Ok(());
    }
    let [work, _scratch] = snapshot.clear_for_build()?;
    let mut tree = Tree::of(&snapshot.src(), options.limits)?;
    if goes_by_times(manifest) {
        result::drop_stale(&mut tree);
    }
    tree.copy(&work)?;
    result::restore_run_bits(&tree, &work)?;
    let mut log = Log { path: snapshot.log(), file: snapshot.create_log()? };
    write_versions(snapshot, manifest, options)?;
    if let Err(wrong) = run_steps(snapshot, manifest, options, &mut log) {
        // Files of a failed build are useless and may have filled the disk.
        snapshot.remove_build()?;
        probe_space(&snapshot.open()?)?;
        return Err(wrong);
    }
    snapshot.clean_up()?;
    Ok(snapshot.set_built()?)
}

/// Whether a build tool decides by file times what to rebuild. The copy does not preserve them.
fn goes_by_times(manifest: &Manifest) -> bool {
    let tools = ["make", "cmake"].map(|tool| Program::Command(tool.into()));
    manifest.build.iter().any(|step| tools.contains(&step.program))
}

fn run_steps(
    snapshot: &Snapshot,
    manifest: &Manifest,
    options: &Options,
    log: &mut Log,
) -> Result<(), Wrong> {
    if manifest.build.is_empty() {
        return Ok(());
    }
    let site = Site::new(snapshot, manifest, options)?;
    let until = Instant::now() + options.build_total;
    manifest.build.iter().try_for_each(|step| site.run_step(step, until, log))?;
    take_result(snapshot, log)
}

/// Moves the build's files out of its reach.
fn take_result(snapshot: &Snapshot, log: &mut Log) -> Result<(), Wrong> {
    let [left, work] = snapshot.invalidate()?;
    let left_out = result::copy(&left, &work, result::LIMITS).map_err(|wrong| {
        result::blame(wrong, || {
            let removed = snapshot.remove_build().and_then(|()| snapshot.open());
            removed.is_ok_and(|folder| probe_space(&folder).is_ok())
        })
    })?;
    left_out.iter().try_for_each(|what| Ok(log.say(&format!("-- left out: {what}\n"))?))
}

fn write_versions(
    snapshot: &Snapshot,
    manifest: &Manifest,
    options: &Options,
) -> Result<(), SnapshotError> {
    let asking = asking(snapshot, options);
    let versions = options.tools.versions(&manifest.tools(), &asking);
    let text = serde_json::to_string_pretty(&versions).expect("a map from texts to plain data");
    snapshot.write_versions((text + "\n").as_bytes())
}

/// Commands are queried in a folder that no build can write to.
pub(super) fn asking<'a>(snapshot: &'a Snapshot, options: &'a Options) -> Asking<'a> {
    Asking { sandbox: &options.sandbox, folder: snapshot.folder() }
}

/// Build site: sandbox profile, environment and tools.
struct Site<'a> {
    snapshot: &'a Snapshot,
    options: &'a Options,
    /// Subfolder of the snapshot in which the commands run.
    folder: &'a Path,
    tools: Tools,
    cage: Arc<SandboxProfile>,
    commands: BTreeMap<&'a str, Located>,
}

impl<'a> Site<'a> {
    fn new(
        snapshot: &'a Snapshot,
        manifest: &'a Manifest,
        options: &'a Options,
    ) -> Result<Self, Wrong> {
        let (work, scratch) = (snapshot.work_folder(), snapshot.scratch_folder());
        let mut found = Commands::new(&options.tools, asking(snapshot, options));
        let mut commands = BTreeMap::new();
        for name in manifest.tools() {
            commands.extend(found.add(name).map(|located| (name, located)));
        }
        let tools = options.tools.with_first(&found.ahead);
        let mut reads = found.reads(&work);
        reads.extend(tools.homes_for_builds().into_iter().map(MachinePath::into_grant));
        let path = scratch.path().to_owned();
        let (writes, limits) = (vec![work, scratch], options.build_limits);
        let cage = SandboxProfile::for_building(&options.sandbox, reads, writes, limits)
            .map_err(SnapshotError::at("hand over", &path))?;
        let folder = &*manifest.folder;
        Ok(Self { snapshot, options, folder, tools, cage, commands })
    }

    fn launch(&self, step: &BuildStep) -> Launch {
        let work = self.snapshot.work().join(self.folder);
        let located = match &step.program {
            Program::Command(name) => self.commands.get(name.as_str()).cloned(),
            Program::File(path) => Some(work.join(path).into()),
            Program::OnlyOneIn(folder) => Some(work.join(folder).into()),
        };
        let named = || Located::from(PathBuf::from(words_of(step)));
        let Located { file, name } = located.unwrap_or_else(named);
        Launch {
            program: file,
            name: name.into(),
            args: step.args.iter().map(Into::into).collect(),
            environment: self.tools.environment(self.snapshot.scratch_folder().path()),
            dir: work,
            cage: Arc::clone(&self.cage),
        }
    }

    /// The command as typed in the snapshot's folder.
    fn words_of(&self, step: &BuildStep) -> String {
        let words = words_of(step);
        match self.folder.to_string_lossy() {
            folder if folder.is_empty() => words,
            folder => format!("cd {folder} && {words}"),
        }
    }

    /// Checks that the build folder was not replaced, for example by a link that leads the next
    /// command elsewhere.
    fn check_folder(&self) -> Result<(), Wrong> {
        if self.folder.as_os_str().is_empty() {
            return Ok(());
        }
        let work = self.snapshot.work();
        let found = Folder::open(&work).and_then(|work| work.folder(self.folder));
        found.map(drop).map_err(|error| {
            let what =
                said!("the folder that it is built in cannot be opened: {}", error.to_string());
            Wrong::file(self.folder, what)
        })
    }

    /// Time for the next command, and the limit to report if it takes longer.
    fn time_until(&self, until: Instant) -> (Duration, Duration) {
        let Options { build_time, build_total, .. } = *self.options;
        let left = until.saturating_duration_since(Instant::now());
        if left < build_time { (left, build_total) } else { (build_time, build_time) }
    }

    fn run_step(&self, step: &BuildStep, until: Instant, log: &mut Log) -> Result<(), Wrong> {
        let words = self.words_of(step);
        self.check_folder()?;
        log.say(&format!("$ {words}\n"))?;
        let (output, (time, limit)) = (self.options.build_output, self.time_until(until));
        self.snapshot.reopen_for_build()?;
        let launch = self.launch(step);
        let why = match run_limited::run(&launch, &log.file, Bounds { time, output }) {
            Ok(Finish::Exited(Exit::Code(0))) => return Ok(()),
            Ok(Finish::Exited(exit)) => BuildEnd::Exited(exit),
            Ok(Finish::TooSlow) => BuildEnd::TooSlow(limit),
            Ok(Finish::LeftProcesses) => BuildEnd::LeftProcesses,
            Ok(Finish::TooMuchOutput) => BuildEnd::TooMuchOutput(output),
            Ok(Finish::Overrun(overrun)) => BuildEnd::Overrun(overrun),
            Err(LaunchError::Bot(why)) => BuildEnd::WouldNotStart(why),
            Err(LaunchError::Referee(fault)) => {
                let error = io::Error::other(fault.to_string());
                return Err(SnapshotError { doing: "run", path: launch.program, error }.into());
            }
        };
        let tail = log.tail()?;
        log.say(&format!("-- {}\n", why.describe()))?;
        Err(BotFault::DidNotBuild(BuildFailure {
            command: shown(&words),
            why,
            tail,
            log: self.snapshot.log(),
        })
        .into())
    }
}

/// Checks for free disk space, because a full disk fails every build and no bot is at fault. Writes
/// a new file where no build can write.
fn probe_space(folder: &Folder) -> Result<(), SnapshotError> {
    let name = Path::new(".probe");
    let path = folder.path().join(name);
    folder.remove(name).map_err(SnapshotError::at("remove", &path))?;
    let written = folder
        .create_file(name, false)
        .and_then(|mut file| file.write_all(&vec![0; 64 * 1024]).and_then(|()| file.sync_data()));
    folder.remove(name).map_err(SnapshotError::at("remove", &path))?;
    written.map_err(SnapshotError::at("write", &path))
}

/// Words of the command as its author wrote them.
fn words_of(step: &BuildStep) -> String {
    let program = match &step.program {
        Program::Command(word) | Program::File(word) => word,
        Program::OnlyOneIn(folder) => *folder,
    };
    let words: Vec<_> =
        std::iter::once(program).chain(step.args.iter().map(String::as_str)).collect();
    words.join(" ")
}

/// Log of one build.
struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// Bytes of the log's end shown with a failure.
    const TAIL: u64 = 4096;

    fn say(&mut self, text: &str) -> Result<(), SnapshotError> {
        self.file.write_all(text.as_bytes()).map_err(SnapshotError::at("write", &self.path))
    }

    fn tail(&mut self) -> Result<Untrusted, SnapshotError> {
        read_tail(&mut self.file).map_err(SnapshotError::at("read", &self.path))
    }
}

fn read_tail(file: &mut File) -> io::Result<Untrusted> {
    let start = file.metadata()?.len().saturating_sub(Log::TAIL);
    file.seek(SeekFrom::Start(start))?;
    let mut tail = Vec::new();
    file.take(Log::TAIL).read_to_end(&mut tail)?;
    Ok(Untrusted::new(tail))
}
