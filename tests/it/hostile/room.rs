//! Environment of a game, which must not change: files, processes, the referee itself.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::Pid;

use super::header;
use crate::contest::Running;
use crate::scratch::Scratch;

/// Foreign files that a bot can find: their paths and metadata.
#[derive(Debug)]
pub(super) struct Canaries {
    files: BTreeMap<PathBuf, Facts>,
    shared: Vec<PathBuf>,
}

/// Content (of files), mode, owner, times of modification and of status change.
#[derive(Debug, PartialEq, Eq)]
struct Facts {
    content: Vec<u8>,
    mode: u32,
    owner: [u32; 2],
    written: (i64, i64),
    changed: (i64, i64),
}

impl Canaries {
    /// Creates the files: in the folder of the tournament, in a home, and in folders that are
    /// writable for all, with names that a bot of this tournament can guess.
    pub(super) fn new(scratch: &Scratch) -> Self {
        for name in ["canary/file", "canary/other", "canary/third", "home/secret"] {
            scratch.write(name, format!("nobody writes to {name}"));
        }
        let folder = scratch.path(".").canonicalize().expect("it is there");
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let shared = ["/tmp", "/dev/shm"].map(|all| Path::new(all).join(format!("{name}.canary")));
        let shared: Vec<_> =
            shared.into_iter().filter(|path| fs::write(path, "shared").is_ok()).collect();
        Self { files: BTreeMap::new(), shared }.noted(scratch)
    }

    /// Records their current state.
    pub(super) fn noted(mut self, scratch: &Scratch) -> Self {
        let own = ["canary", "home", "own"].map(|folder| scratch.path(folder));
        let paths = own.iter().flat_map(|folder| all_in(folder)).chain(self.shared.clone());
        let paths = paths.chain([scratch.path("cup.toml")]).filter(|path| path.is_file());
        let paths = paths.chain([scratch.path("canary")]);
        self.files = paths.map(|path| (path.clone(), facts(&path))).collect();
        self
    }

    /// Changes since the state was recorded.
    pub(super) fn disturbed(&self, scratch: &Scratch) -> Vec<String> {
        let changed =
            self.files.iter().filter(|(path, noted)| !path.exists() || facts(path) != **noted);
        let changed = changed.map(|(path, _)| format!("{} was changed", path.display()));
        let known = |path: &PathBuf| self.files.contains_key(path);
        let made = ["canary", "own"].into_iter().flat_map(|folder| all_in(&scratch.path(folder)));
        let made = made.filter(|path| !known(path));
        let made = made.map(|path| format!("{} was made", path.display()));
        changed.chain(made).chain(in_results(scratch)).collect()
    }
}

impl Drop for Canaries {
    fn drop(&mut self) {
        for path in &self.shared {
            let _ = fs::remove_file(path);
        }
    }
}

/// Changes of bots to the results: each bot must equal its submission and build.
fn in_results(scratch: &Scratch) -> Vec<String> {
    let made = all_in(&scratch.path("results")).into_iter().filter(|path| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("hostile") || name == "core")
    });
    let made = made.map(|path| format!("{} was made", path.display()));
    let snapshots = fs::read_dir(scratch.path("results/cup/bots")).expect("snapshots").flatten();
    let snapshots = snapshots.map(|entry| entry.path()).filter(|path| path.is_dir());
    made.chain(snapshots.filter_map(|snapshot| differs(scratch, &snapshot))).collect()
}

/// Whether a snapshot differs from the submission.
fn differs(scratch: &Scratch, snapshot: &Path) -> Option<String> {
    let source = snapshot.join("src");
    let handed_in = |own: &PathBuf| contents(own) == contents(&source);
    let own = fs::read_dir(scratch.path("own")).expect("bots").flatten();
    let found = own.map(|entry| entry.path()).find(handed_in);
    let Some(own) = found else { return Some(format!("{} was changed", source.display())) };
    let work = snapshot.join("work");
    if !work.is_dir() {
        return None;
    }
    let (now, before) = (contents(&work), contents(&own));
    let built = fs::read_to_string(own.join("bot.toml")).is_ok_and(|text| text.contains("build"));
    // A build may write another manifest, which nobody reads.
    let kept = |name: &PathBuf| !(built && name == Path::new("bot.toml"));
    let mut to_keep = before.iter().filter(|(name, _)| kept(name));
    let same = to_keep.all(|(name, content)| now.get(name) == Some(content));
    let right = same && (built || now.len() == before.len());
    (!right).then(|| format!("{} was changed", work.display()))
}

fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let relative = |path: &PathBuf| path.strip_prefix(folder).expect("inside").to_owned();
    let files = all_in(folder).into_iter();
    files.map(|path| (relative(&path), fs::read(&path).unwrap_or_default())).collect()
}

/// All files below a folder; links are not followed.
fn all_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let below = |entry: fs::DirEntry| {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder { all_in(&entry.path()) } else { vec![entry.path()] }
    };
    entries.flat_map(below).collect()
}

fn facts(path: &Path) -> Facts {
    let meta = fs::metadata(path).expect("facts");
    let content = if meta.is_dir() { Vec::new() } else { fs::read(path).expect("reads") };
    Facts {
        content,
        mode: meta.mode(),
        owner: [meta.uid(), meta.gid()],
        written: (meta.mtime(), meta.mtime_nsec()),
        changed: (meta.ctime(), meta.ctime_nsec()),
    }
}

/// Submits a copy of a hostile bot and a correct one.
pub(super) fn hand_in(scratch: &Scratch, bot: &str) {
    scratch.sample(&format!("hostile/{bot}"));
    // One that would be overtaken by a thread of its opponent: it takes its time, far more than a
    // theft needs, since others may be on the core.
    let style = if is_thief(bot) { "slow 60" } else { "random" };
    scratch.fast("good", style);
    assert!(header::folder(bot).is_dir());
}

/// Whether a bot uses CPU time in its opponent's turn.
fn is_thief(bot: &str) -> bool {
    bot == "thinks-ahead" || bot.starts_with("steals-") || {
        ["resumes-itself-by-signal", "resumes-itself-by-timer", "works-where-no-stop-reaches"]
            .contains(&bot)
    }
}

/// Resource usage of the referee, polled repeatedly.
#[derive(Debug, Default)]
pub(super) struct Health {
    looks: u32,
    /// Peak memory in bytes.
    memory: u64,
    /// Peak number of open descriptors.
    descriptors: usize,
}

/// Far more than a referee needs.
const MEMORY: u64 = 256 << 20;
/// Far more descriptors than a referee needs.
const DESCRIPTORS: usize = 64;

impl Health {
    /// Polls once; ignores a referee that has ended.
    pub(super) fn look(&mut self, referee: Pid) {
        let folder = PathBuf::from(format!("/proc/{}", referee.as_raw_nonzero()));
        let Ok(status) = fs::read_to_string(folder.join("status")) else { return };
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let Some(peak) = peak.and_then(|line| line.split_whitespace().next()) else { return };
        self.looks += 1;
        self.memory = self.memory.max(peak.parse::<u64>().expect("a number") << 10);
        // Only root may count those of a process that has closed itself to others.
        let descriptors = fs::read_dir(folder.join("fd")).map_or(0, Iterator::count);
        self.descriptors = self.descriptors.max(descriptors);
    }

    /// Describes an exceeded limit.
    pub(super) fn wrong(&self) -> Option<String> {
        let Self { looks, memory, descriptors } = self;
        if *looks == 0 {
            return Some("the referee was never looked at".to_owned());
        }
        let too_much = *memory > MEMORY || *descriptors > DESCRIPTORS;
        too_much.then(|| format!("the referee takes {memory} bytes and {descriptors} descriptors"))
    }

    /// Peak number of descriptors.
    pub(super) fn descriptors(&self) -> usize {
        self.descriptors
    }
}

/// Waits a moment until all processes that have the mark of a run or work in its folder are gone.
/// Returns those that remain. Abandoned bots live longer than this wait.
pub(crate) fn left_behind(run: Pid, scratch: &Scratch) -> Option<String> {
    let folder = scratch.path(".").canonicalize().expect("it is there");
    let began = Instant::now();
    loop {
        let left = crate::contest::marked(run).into_iter().chain(standing_in(&folder)).next()?;
        if began.elapsed() > Duration::from_secs(15) {
            return Some(format!("{left} is left behind"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Processes whose working folder is below this one.
fn standing_in(folder: &Path) -> Vec<String> {
    let processes = fs::read_dir("/proc").expect("these tests need /proc").flatten();
    let stands = |process: &PathBuf| {
        fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder))
    };
    let found = processes.map(|entry| entry.path()).filter(stands);
    found.map(|process| process.display().to_string()).collect()
}

/// Reads a run's events to its end and polls the referee meanwhile.
pub(super) fn follow(run: &mut Running) -> Health {
    let mut health = Health::default();
    // On a busy machine the referee may have ended before its first event is read.
    health.look(run.pid());
    while let Some(event) = run.event() {
        health.look(run.pid());
        if event["event"] == "ended" {
            break;
        }
    }
    health
}

#[test]
fn whatever_is_changed_or_made_is_seen() {
    use std::fs::File;
    use std::os::unix::fs::PermissionsExt as _;
    let scratch = Scratch::new();
    hand_in(&scratch, "hang");
    for folder in ["src", "work"] {
        for file in ["bot.py", "bot.toml"] {
            let text = fs::read(header::folder("hang").join(file)).expect("reads");
            scratch.write(&format!("results/cup/bots/0/{folder}/{file}"), text);
        }
    }
    let canaries = Canaries::new(&scratch);
    assert_eq!(canaries.disturbed(&scratch), [""; 0]);
    let readable = fs::Permissions::from_mode(0o600);
    fs::set_permissions(scratch.path("canary/file"), readable).expect("sets");
    let other = File::options().append(true).open(scratch.path("home/secret")).expect("opens");
    other.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("sets");
    fs::remove_file(scratch.path("canary/third")).expect("removes");
    for made in ["canary/new", "results/cup/hostile", "results/cup/bots/0/work/new"] {
        scratch.write(made, "");
    }
    fs::write(&canaries.shared[0], "").expect("writes");
    // The folder in which one was removed and one made is not what it was either.
    assert_eq!(canaries.disturbed(&scratch).len(), 8);
}
