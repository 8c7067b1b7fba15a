//! Control groups (version 2) for bots, where this process may create some.
//!
//! A group counts memory and processes of a bot as a whole, and stops or kills all of it at once.
//! Version 1 is treated as absent because its calls take milliseconds.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pitmaster_core::Resources;

/// The parent of the groups.
#[derive(Debug)]
pub(crate) struct Groups {
    base: PathBuf,
    /// Whether memory is counted.
    pub(crate) memory: bool,
    /// Whether processes and threads are counted.
    pub(crate) pids: bool,
    /// Empty groups for reuse.
    free: Mutex<Vec<Room>>,
    made: AtomicU32,
}

/// The folder of one group.
#[derive(Debug)]
struct Room {
    path: PathBuf,
    folder: File,
}

/// A group in use by one bot. Dropping it returns it for reuse.
#[derive(Debug)]
pub struct Group {
    room: Option<Room>,
    cpu_before: Duration,
    groups: Arc<Groups>,
}

/// Time limit for a group to become empty after a kill.
const EMPTYING: Duration = Duration::from_secs(2);

impl Groups {
    /// Checks whether groups can be created beneath the group of this process.
    ///
    /// # Errors
    /// The operation that was refused.
    pub(crate) fn find() -> io::Result<Arc<Self>> {
        let base = own_group()?;
        let groups = Self {
            memory: false,
            pids: false,
            free: Mutex::default(),
            made: AtomicU32::new(0),
            base: base.clone(),
        };
        // Tries to create a group before anything is changed.
        let trial = groups.make()?;
        for needed in ["cgroup.kill", "cgroup.freeze"] {
            trial.path.join(needed).metadata()?;
        }
        drop(trial);
        let has = enable(&base);
        Ok(Arc::new(Self { memory: has("memory"), pids: has("pids"), ..groups }))
    }

    /// Takes a group for one bot. `others` is the number of processes in it that do not belong to
    /// the bot.
    pub(crate) fn take(self: &Arc<Self>, resources: &Resources, others: u32) -> io::Result<Group> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let room = free.map_or_else(|| self.make(), Ok)?;
        let cpu_before = room.cpu().unwrap_or_default();
        let group = Group { room: Some(room), cpu_before, groups: Arc::clone(self) };
        if self.memory {
            group.write("memory.max", &resources.memory.to_string())?;
            group.write("memory.oom.group", "1")?;
            // The file does not exist without swap.
            let _ = group.write("memory.swap.max", "0");
        }
        if self.pids {
            group.write("pids.max", &(resources.threads + others).to_string())?;
        }
        Ok(group)
    }

    fn make(&self) -> io::Result<Room> {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let path = self.base.join(format!("{PREFIX}{}-{number}", std::process::id()));
        match fs::create_dir(&path) {
            // Left by a killed process with the same id.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made?,
        }
        let folder = File::open(&path)?;
        Ok(Room { path, folder })
    }
}

/// Name prefix of the groups of bots, followed by a process id.
const PREFIX: &str = "pitmaster-";

impl Room {
    /// CPU time of all processes that ever ran in it.
    fn cpu(&self) -> Option<Duration> {
        let text = fs::read_to_string(self.path.join("cpu.stat")).ok()?;
        let micros = text.lines().find_map(|line| line.strip_prefix("usage_usec "))?;
        micros.trim().parse().ok().map(Duration::from_micros)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // Fails while it has processes. Then it stays, soon empty and harmless.
        let _ = fs::remove_dir(&self.path);
    }
}

impl Group {
    fn room(&self) -> io::Result<&Room> {
        self.room.as_ref().ok_or_else(|| io::Error::other("the group was given back"))
    }

    fn write(&self, file: &str, text: &str) -> io::Result<()> {
        fs::write(self.room()?.path.join(file), text)
    }

    /// The folder in which a process is created.
    pub(crate) fn folder(&self) -> Option<BorrowedFd<'_>> {
        self.room.as_ref().map(|room| room.folder.as_fd())
    }

    /// Freezes or thaws the group.
    pub fn freeze(&self, stop: bool) -> io::Result<()> {
        self.write("cgroup.freeze", if stop { "1" } else { "0" })
    }

    /// Kills all processes in the group.
    fn kill(&self) -> io::Result<()> {
        self.write("cgroup.kill", "1")
    }

    /// CPU time of all processes that ran in the group since it was taken.
    pub fn cpu(&self) -> Option<Duration> {
        Some(self.room.as_ref()?.cpu()?.saturating_sub(self.cpu_before))
    }

    /// Number of processes in the group.
    pub fn processes(&self) -> usize {
        let text = self.room().and_then(|room| fs::read_to_string(room.path.join("cgroup.procs")));
        text.map_or(0, |text| text.lines().count())
    }

    fn is_empty(&self) -> bool {
        let events = |room: &Room| fs::read_to_string(room.path.join("cgroup.events"));
        let text = self.room.as_ref().and_then(|room| events(room).ok()).unwrap_or_default();
        text.lines().any(|line| line == "populated 0")
    }
}

/// Kills the remaining processes, and returns the group once it is empty.
impl Drop for Group {
    fn drop(&mut self) {
        // Some kernels (such as 6.18) kill every process created in a group that was killed once,
        // so such a group is not reused.
        let is_clean = self.is_empty() && self.freeze(false).is_ok();
        if !is_clean {
            let _ = self.kill();
            let start = Instant::now();
            while !self.is_empty() && start.elapsed() < EMPTYING {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        if let Some(room) = self.room.take().filter(|_| is_clean) {
            self.groups.free.lock().unwrap_or_else(PoisonError::into_inner).push(room);
        }
    }
}

/// Folder of the group of this process.
fn own_group() -> io::Result<PathBuf> {
    let groups = fs::read_to_string("/proc/self/cgroup")?;
    let mounts = fs::read_to_string("/proc/self/mountinfo")?;
    group_in(&groups, &mounts)
        .ok_or_else(|| io::Error::other("there are no control groups of version 2"))
}

/// Finds it in `/proc/self/cgroup` and `/proc/self/mountinfo`.
fn group_in(groups: &str, mounts: &str) -> Option<PathBuf> {
    let group = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let mount = mounts.lines().find(|line| line.contains(" - cgroup2 "))?;
    let mut fields = mount.split(' ').skip(3);
    let (root, point) = (fields.next()?, fields.next()?);
    let beneath = Path::new(group).strip_prefix(root).ok()?;
    Some(Path::new(point).join(beneath))
}

/// Enables the controllers for child groups. Returns a check for enabled controllers. Only leaves
/// may contain processes, so this process moves into its own leaf if necessary.
fn enable(base: &Path) -> impl Fn(&str) -> bool {
    const WANTED: &str = "+memory +pids";
    let control = base.join("cgroup.subtree_control");
    let offered = fs::read_to_string(base.join("cgroup.controllers")).unwrap_or_default();
    if ["memory", "pids"].iter().any(|one| has_word(&offered, one))
        && fs::write(&control, WANTED).is_err()
        && move_to_leaf(base).is_ok()
        && fs::write(&control, WANTED).is_err()
    {
        // The group has other processes, so this one moves back.
        let _ = fs::write(base.join("cgroup.procs"), std::process::id().to_string());
        let _ = fs::remove_dir(leaf(base));
    }
    let enabled = fs::read_to_string(control).unwrap_or_default();
    move |controller| has_word(&enabled, controller)
}

fn has_word(text: &str, word: &str) -> bool {
    text.split_whitespace().any(|one| one == word)
}

fn leaf(base: &Path) -> PathBuf {
    base.join(format!("{PREFIX}referee-{}", std::process::id()))
}

fn move_to_leaf(base: &Path) -> io::Result<()> {
    fs::create_dir_all(leaf(base))?;
    fs::write(leaf(base).join("cgroup.procs"), std::process::id().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_is_found_where_it_is_mounted() {
        let desktop = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";
        let groups = "0::/user.slice/user-1000.slice/run-7.scope\n";
        let there = "/sys/fs/cgroup/user.slice/user-1000.slice/run-7.scope";
        assert_eq!(group_in(groups, desktop), Some(there.into()));
        let hybrid = "9 3 0:5 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n\
                      31 23 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
        let groups = "8:pids:/x\n0::/\n";
        assert_eq!(group_in(groups, hybrid), Some("/sys/fs/cgroup/unified".into()));
        // A container sees its subtree as the root of the mount.
        let container = "40 39 0:27 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
        let inside = "0::/docker/abc/leaf\n";
        assert_eq!(group_in(inside, container), Some("/sys/fs/cgroup/leaf".into()));
        assert_eq!(group_in("8:pids:/x\n", desktop), None);
        assert_eq!(group_in(groups, "9 3 0:5 / /x rw - cgroup cgroup rw\n"), None);
    }

    #[test]
    fn what_is_on_is_what_the_file_says() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("cgroup.controllers"), "cpu\n").unwrap();
        fs::write(dir.path().join("cgroup.subtree_control"), "pids cpu\n").unwrap();
        let has = enable(dir.path());
        assert_eq!((has("pids"), has("memory"), has("pid")), (true, false, false));
    }
}
