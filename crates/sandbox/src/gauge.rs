//! Resource usage of a running build: disk space, files, memory and processes, over everything that
//! belongs to it.
//!
//! Must not decide what happens to a build that exceeds a limit.

use std::collections::HashSet;
use std::fs;
use std::os::fd::OwnedFd;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use rustix::fs::{StatVfs, fstatvfs};

use crate::build_limits::{BuildLimits, Overrun};
use crate::folder::{self, Content, DEPTH};

/// Ratio of the pause between two measurements to the duration of one, with lower and upper bounds.
const REST: u32 = 20;
const SHORTEST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_secs(1);

/// Minimum free disk space in bytes, at most a twentieth of the disk.
const FLOOR: u64 = 256 << 20;

/// Watches the resource usage of one build.
#[derive(Debug)]
pub struct Gauge {
    limits: BuildLimits,
    folders: Vec<OwnedFd>,
    whose: Whose,
    /// Free disk space at the start, in bytes.
    free: u64,
    next: Instant,
}

/// Processes that belong to a build.
#[derive(Debug)]
pub(crate) enum Whose {
    /// All processes of a dedicated user.
    User(u32),
    /// A process and its descendants, including earlier ones whose parents have ended.
    Family { first: u32, seen: HashSet<u32> },
}

impl Gauge {
    /// # Errors
    /// The free space of the disk is unknown.
    pub(crate) fn new(
        limits: BuildLimits,
        folders: Vec<OwnedFd>,
        whose: Whose,
    ) -> rustix::io::Result<Self> {
        let free = folders.first().map(fstatvfs).transpose()?.as_ref().map_or(0, free_of);
        Ok(Self { limits, folders, whose, free, next: Instant::now() })
    }

    /// Returns the limit that the build exceeds now, if any. Rests between measurements, so it may
    /// be called often.
    pub fn look(&mut self) -> Option<Overrun> {
        let now = Instant::now();
        if now < self.next {
            return None;
        }
        let overrun = self.processes().or_else(|| self.files());
        let rest = (now.elapsed() * REST).clamp(SHORTEST, LONGEST);
        self.next = Instant::now() + rest;
        overrun
    }

    /// Returns the limit that the build exceeded after all its processes have ended. Files beyond
    /// the limit are removed.
    pub fn settle(&self, found: Option<Overrun>) -> Option<Overrun> {
        let overrun = found.or_else(|| self.files());
        if overrun.is_some_and(Overrun::is_of_files) {
            for folder in &self.folders {
                // Removal is retried before the next build.
                let _ = folder::empty(folder);
            }
        }
        overrun
    }

    fn files(&self) -> Option<Overrun> {
        let BuildLimits { disk, files, .. } = self.limits;
        // Uncounted files are counted at the next measurement.
        let Content { bytes, entries, is_too_deep } = folder::content(&self.folders, files).ok()?;
        let disk = disk.min(self.share().unwrap_or(disk));
        if entries > files {
            Some(Overrun::Files(files))
        } else if is_too_deep {
            Some(Overrun::Depth(DEPTH as u64))
        } else {
            (bytes > disk).then_some(Overrun::Disk(disk))
        }
    }

    /// Share of the initially free space that it may use once the disk is nearly full, because
    /// other builds may run too. `None` while there is space, or if there was none at the start.
    fn share(&self) -> Option<u64> {
        let disk = self.folders.first().and_then(|folder| fstatvfs(folder).ok())?;
        let floor = FLOOR.min(disk.f_blocks.saturating_mul(disk.f_frsize) / 20);
        let all = self.free.checked_sub(floor)?;
        let others = available_parallelism().map_or(1, |count| count.get() as u64);
        (free_of(&disk) < floor).then_some(all / others)
    }

    fn processes(&mut self) -> Option<Overrun> {
        let BuildLimits { memory, processes, .. } = self.limits;
        let mine = self.whose.choose(facts_of_all());
        let threads: u64 = mine.iter().map(|one| one.threads).sum();
        if threads > processes.into() {
            return Some(Overrun::Processes(processes.into()));
        }
        // Resident memory counts shared pages repeatedly, so the exact value is computed only if
        // this one is too high.
        let resident: u64 = mine.iter().map(|one| one.memory).sum();
        let is_too_much = resident > memory && mine.iter().map(Facts::share).sum::<u64>() > memory;
        is_too_much.then_some(Overrun::Memory(memory))
    }
}

fn free_of(disk: &StatVfs) -> u64 {
    disk.f_bavail.saturating_mul(disk.f_frsize)
}

impl Whose {
    fn choose(&mut self, all: Vec<Facts>) -> Vec<Facts> {
        match self {
            Self::User(user) => all.into_iter().filter(|one| one.user == *user).collect(),
            Self::Family { first, seen } => {
                let alive: HashSet<_> = all.iter().map(|one| one.pid).collect();
                seen.retain(|pid| alive.contains(pid));
                seen.insert(*first);
                // Parents may have higher ids than their children, so repeats until nothing is
                // added.
                let mut before = 0;
                while seen.len() > before {
                    before = seen.len();
                    let born = all.iter().filter(|one| seen.contains(&one.parent));
                    let born: Vec<_> = born.map(|one| one.pid).collect();
                    seen.extend(born);
                }
                all.into_iter().filter(|one| seen.contains(&one.pid)).collect()
            }
        }
    }
}

/// Facts about a process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Facts {
    pid: u32,
    parent: u32,
    user: u32,
    threads: u64,
    /// Resident memory without file pages, in bytes.
    memory: u64,
}

impl Facts {
    /// Parses `/proc/PID/status`.
    fn of(pid: u32, status: &str) -> Self {
        let mut facts = Self { pid, ..Self::default() };
        for (key, value) in status.lines().filter_map(|line| line.split_once(':')) {
            let number = || value.split_whitespace().next().and_then(|word| word.parse().ok());
            let number = |otherwise: u64| number().unwrap_or(otherwise);
            match key {
                "PPid" => facts.parent = number(0) as u32,
                // The effective id would be the second, but both are equal here.
                "Uid" => facts.user = number(0) as u32,
                "Threads" => facts.threads = number(1),
                "RssAnon" | "RssShmem" => facts.memory += number(0) << 10,
                _ => {}
            }
        }
        facts
    }

    /// Its memory, with its proportional share of shared pages.
    fn share(&self) -> u64 {
        let rollup = fs::read_to_string(format!("/proc/{}/smaps_rollup", self.pid));
        rollup.ok().and_then(|text| share_in(&text)).unwrap_or(self.memory)
    }
}

/// Parses `/proc/PID/smaps_rollup`. File pages do not count.
fn share_in(rollup: &str) -> Option<u64> {
    let of = |key: &str| {
        let line = rollup.lines().find_map(|line| line.strip_prefix(key))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    Some((of("Pss_Anon:")? + of("Pss_Shmem:")?) << 10)
}

fn facts_of_all() -> Vec<Facts> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let facts = |pid| {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        Some(Facts::of(pid, &status))
    };
    pids.filter_map(facts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn gauge(limits: BuildLimits, folder: &Path) -> Gauge {
        let whose = Whose::Family { first: std::process::id(), seen: HashSet::new() };
        Gauge::new(limits, vec![folder::open(folder).unwrap()], whose).unwrap()
    }

    #[test]
    fn facts_are_read_as_the_kernel_writes_them() {
        let status = "Name:\tx\nPPid:\t12\nUid:\t60001\t60001\t60001\t60001\nRssAnon:\t     100 kB\n\
                      RssFile:\t 999 kB\nRssShmem:\t      28 kB\nThreads:\t3\n";
        let facts = Facts::of(5, status);
        let expected = Facts { pid: 5, parent: 12, user: 60_001, threads: 3, memory: 128 << 10 };
        assert_eq!(facts, expected);
        let rollup = "0-1 ---p [rollup]\nRss: 9 kB\nPss: 8 kB\nPss_Anon: 2 kB\nPss_File: 5 kB\nPss_Shmem: 1 kB\n";
        assert_eq!(share_in(rollup), Some(3 << 10));
        assert_eq!(share_in("Pss: 8 kB\n"), None);
    }

    #[test]
    fn a_family_is_known_by_its_first_even_when_parents_end() {
        let one = |pid, parent| Facts { pid, parent, ..Facts::default() };
        let mut whose = Whose::Family { first: 50, seen: HashSet::new() };
        let mut mine = |all: &[Facts]| {
            let mut pids: Vec<_> = whose.choose(all.to_vec()).iter().map(|one| one.pid).collect();
            pids.sort_unstable();
            pids
        };
        assert_eq!(mine(&[one(1, 0), one(40, 60), one(50, 1), one(60, 50)]), [40, 50, 60]);
        assert_eq!(mine(&[one(1, 0), one(40, 1), one(50, 1), one(70, 40)]), [40, 50, 70]);
        assert_eq!(mine(&[one(1, 0), one(50, 1), one(80, 1)]), [50]);
    }

    #[test]
    fn what_is_too_much_is_found_and_files_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("file"), vec![1; 1 << 20]).unwrap();
        let limits = BuildLimits { disk: 1 << 19, ..BuildLimits::default() };
        let gauge_of = |limits| gauge(limits, dir.path());
        assert_eq!(gauge_of(BuildLimits::default()).look(), None);
        let few = BuildLimits { processes: 0, ..limits };
        assert_eq!(gauge_of(few).look(), Some(Overrun::Processes(0)));
        let little = BuildLimits { memory: 0, ..limits };
        assert_eq!(gauge_of(little).look(), Some(Overrun::Memory(0)));
        let none = BuildLimits { files: 0, ..limits };
        assert_eq!(gauge_of(none).look(), Some(Overrun::Files(0)));
        let mut disk = gauge_of(limits);
        assert_eq!(disk.look(), Some(Overrun::Disk(1 << 19)));
        assert!(dir.path().join("file").exists());
        assert_eq!(disk.settle(Some(Overrun::Memory(1))), Some(Overrun::Memory(1)));
        assert!(dir.path().join("file").exists());
        assert_eq!(disk.settle(None), Some(Overrun::Disk(1 << 19)));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        assert_eq!(disk.settle(None), None);
    }
}
