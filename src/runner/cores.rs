//! Which cores the lanes play on, and which are left for everything else.

use std::collections::BTreeMap;
use std::fs;

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Where lanes run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The core of each lane.
    pub lanes: Vec<usize>,
    /// The cores of all other threads.
    pub rest: Vec<usize>,
    /// What is not as it should be for fair timing, in sentences.
    pub warnings: Vec<String>,
}

/// What a machine offers to this process.
#[derive(Debug, Clone, PartialEq)]
struct Machine {
    /// One logical core of each physical one that may be used, then their siblings.
    cores: Vec<usize>,
    /// How many of them are physical.
    physical: usize,
    /// How many cores' worth of time the quota of the control group allows.
    quota: Option<f64>,
}

/// The lanes of this machine: as many as it has physical cores, less one for the referee's
/// other work, but at least one; within the cores and the quota given to this process. Or as
/// many as requested.
pub fn layout(requested: Option<usize>) -> Layout {
    Machine::here().layout(requested)
}

/// Takes the calling thread, and those that it will start, to these cores.
pub fn move_to(cores: &[usize]) {
    // Where it is refused, threads go on running where they may.
    let _ = sched_setaffinity(None, &set_of(cores));
}

/// Takes every thread of this process to these cores, and so all that they will start.
pub(super) fn move_all_to(cores: &[usize]) {
    let set = set_of(cores);
    let Ok(threads) = fs::read_dir("/proc/self/task") else { return move_to(cores) };
    threads
        .filter_map(|thread| thread.ok()?.file_name().to_str()?.parse().ok())
        .filter_map(Pid::from_raw)
        // A thread that has just ended needs no core.
        .for_each(|thread| sched_setaffinity(Some(thread), &set).unwrap_or_default());
}

fn set_of(cores: &[usize]) -> CpuSet {
    let mut set = CpuSet::new();
    for &core in cores {
        set.set(core);
    }
    set
}

impl Machine {
    fn here() -> Self {
        let allowed = sched_getaffinity(None).unwrap_or_default();
        let allowed: Vec<usize> =
            (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
        let mut siblings: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for &core in &allowed {
            let path = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
            let name = fs::read_to_string(path).unwrap_or_else(|_| core.to_string());
            siblings.entry(name).or_default().push(core);
        }
        let physical = siblings.len();
        let first = siblings.values().map(|cores| cores[0]);
        let others = siblings.values().flat_map(|cores| &cores[1..]).copied();
        let mut cores: Vec<usize> = first.collect();
        cores.sort_unstable();
        cores.extend(others);
        Self { cores, physical, quota: quota() }
    }

    fn layout(&self, requested: Option<usize>) -> Layout {
        let usable = match self.quota {
            Some(quota) => self.physical.min((quota.floor() as usize).max(1)),
            None => self.physical,
        };
        let most = usable.saturating_sub(1).max(1);
        let count = requested.unwrap_or(most).max(1);
        // From the last core down: the system's own work tends to be on the first.
        let lanes: Vec<usize> = (0..count)
            .map(|lane| {
                let slot = lane % self.cores.len().max(1);
                let order = if slot < self.physical { self.physical - 1 - slot } else { slot };
                self.cores.get(order).copied().unwrap_or(0)
            })
            .collect();
        let mut rest: Vec<usize> =
            self.cores.iter().copied().filter(|core| !lanes.contains(core)).collect();
        if rest.is_empty() {
            rest.clone_from(&self.cores);
        }
        Layout { warnings: self.warnings(count, usable, most), lanes, rest }
    }

    fn warnings(&self, count: usize, usable: usize, most: usize) -> Vec<String> {
        let mut warnings = Vec::new();
        if count > usable {
            warnings.push(format!(
                "{count} lanes on {usable} cores: bots take time from each other, forfeits by \
                 time mean little; --lanes {most} would be fair"
            ));
        } else if count > most {
            warnings.push(format!(
                "{count} lanes on {usable} cores leave none for the referee's other work: times \
                 are a little less sure than with --lanes {most}"
            ));
        }
        if let Some(quota) = self.quota.filter(|&quota| quota < self.physical as f64) {
            warnings.push(format!(
                "this process may use {quota:.1} cores' worth of time: when that is used up, \
                 everything pauses, bots too"
            ));
        }
        warnings
    }
}

/// The CPU quota of this process's control group, in cores.
fn quota() -> Option<f64> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    groups
        .lines()
        .filter_map(|line| line.rsplit_once(':'))
        .filter_map(|(_, path)| quota_v2(path).or_else(|| quota_v1(path)))
        .min_by(f64::total_cmp)
}

fn quota_v2(path: &str) -> Option<f64> {
    let text = fs::read_to_string(format!("/sys/fs/cgroup{path}/cpu.max"))
        .or_else(|_| fs::read_to_string("/sys/fs/cgroup/cpu.max"))
        .ok()?;
    let (quota, period) = text.trim().split_once(' ')?;
    Some(quota.parse::<f64>().ok()? / period.parse::<f64>().ok()?)
}

fn quota_v1(path: &str) -> Option<f64> {
    let read = |file: &str| -> Option<f64> {
        fs::read_to_string(format!("/sys/fs/cgroup/cpu{path}/{file}"))
            .or_else(|_| fs::read_to_string(format!("/sys/fs/cgroup/cpu/{file}")))
            .ok()?
            .trim()
            .parse()
            .ok()
    };
    let quota = read("cpu.cfs_quota_us")?;
    (quota > 0.0).then(|| read("cpu.cfs_period_us").map(|period| quota / period)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(physical: usize, siblings: usize, quota: Option<f64>) -> Machine {
        Machine { cores: (0..physical + siblings).collect(), physical, quota }
    }

    #[test]
    fn one_physical_core_is_left_for_the_rest() {
        let layout = machine(4, 4, None).layout(None);
        assert_eq!(layout.lanes, [3, 2, 1]);
        assert_eq!(layout.rest, [0, 4, 5, 6, 7]);
        assert!(layout.warnings.is_empty());
    }

    #[test]
    fn one_core_is_shared() {
        let layout = machine(1, 0, None).layout(None);
        assert_eq!((layout.lanes, layout.rest), (vec![0], vec![0]));
    }

    #[test]
    fn a_quota_counts_like_missing_cores_and_is_said() {
        let layout = machine(8, 0, Some(2.5)).layout(None);
        assert_eq!(layout.lanes.len(), 1);
        assert_eq!(layout.warnings.len(), 1);
    }

    #[test]
    fn more_lanes_than_is_fair_are_given_with_a_warning() {
        for (lanes, warned) in [(1, false), (2, true), (5, true)] {
            let layout = machine(2, 0, None).layout(Some(lanes));
            assert_eq!(layout.lanes.len(), lanes);
            assert_eq!(!layout.warnings.is_empty(), warned, "{lanes}");
        }
    }

    #[test]
    fn this_machine_has_a_lane() {
        let layout = layout(None);
        assert!(!layout.lanes.is_empty() && !layout.rest.is_empty());
    }
}
