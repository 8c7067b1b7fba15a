//! Core layout: the cores that lanes play on, and those left for everything else.

#[cfg_attr(target_os = "macos", path = "affinity_macos.rs")]
mod affinity;
mod holders;
mod locks;
mod reserve;

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use self::affinity::allowed;
pub(super) use self::affinity::move_all_to;
pub use self::affinity::move_to;
pub use self::holders::Holder;
use self::locks::Lock;
pub use self::reserve::{CoreList, Held, Wish, WishError, held, reserve};

/// Cores of the lanes and of all other threads.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The core of each lane.
    pub lanes: Vec<usize>,
    /// The cores of all other threads.
    pub rest: Vec<usize>,
    /// Conditions that impair fair timing, in sentences.
    pub warnings: Vec<String>,
    /// Cores of lanes that are not reserved for this process.
    pub shared: Vec<usize>,
    /// Locks that keep other processes off the reserved cores as long as any copy of the layout
    /// lives.
    reserved: Arc<Vec<Lock>>,
}

/// Cores that this process may use.
#[derive(Debug, Clone, PartialEq)]
struct Machine {
    /// The cores that may be used.
    cores: Vec<Core>,
    /// CPU quota of the control group, in cores.
    quota: Option<f64>,
}

/// A physical core.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Core {
    /// Name shared by all processes: its first logical core, whether that may be used or not.
    name: usize,
    /// Logical cores of it that may be used.
    logical: Vec<usize>,
}

/// Lanes of this machine: as many as requested, or one per physical core, less one for the
/// referee's other work, but at least one. The layout respects the affinity and the quota of this
/// process. It reserves nothing: see [`reserve`].
pub fn layout(requested: Option<usize>) -> Layout {
    let machine = Machine::here();
    let count = machine.lanes(requested);
    let order = machine.order();
    let lanes = (0..count).map(|lane| order[lane % order.len()]).collect();
    machine.layout(lanes, &[])
}

impl Layout {
    /// All cores of this process, for a process that plays nothing.
    pub fn without_lanes() -> Self {
        let machine = Machine::here();
        Self { warnings: Vec::new(), ..machine.layout(Vec::new(), &[]) }
    }

    /// Number of physical cores reserved for this process.
    pub fn reserved(&self) -> usize {
        self.reserved.len()
    }

    /// Moves the calling thread and its children off cores that other processes have reserved.
    pub fn stay_within(&self) {
        move_to(&[&self.lanes[..], &self.rest].concat());
    }
}

impl Machine {
    fn here() -> Self {
        let mut cores: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for core in allowed() {
            cores.entry(name_of(core)).or_default().push(core);
        }
        if cores.is_empty() {
            cores.insert(0, vec![0]);
        }
        let cores = cores.into_iter().map(|(name, logical)| Core { name, logical }).collect();
        Self { cores, quota: quota() }
    }

    /// Logical cores in the order in which lanes take them: one of each physical core, then their
    /// siblings. From the last core down, because the system's own work tends to be on the first.
    fn order(&self) -> Vec<usize> {
        let first = self.cores.iter().rev().map(|core| core.logical[0]);
        let others = self.cores.iter().flat_map(|core| &core.logical[1..]).copied();
        first.chain(others).collect()
    }

    /// Number of physical cores within the quota.
    fn usable(&self) -> usize {
        let physical = self.cores.len();
        self.quota.map_or(physical, |quota| physical.min((quota.floor() as usize).max(1)))
    }

    /// Number of lanes.
    fn lanes(&self, requested: Option<usize>) -> usize {
        requested.unwrap_or_else(|| self.usable().saturating_sub(1)).max(1)
    }

    /// Physical core of a logical core.
    fn core_of(&self, logical: usize) -> Option<&Core> {
        self.cores.iter().find(|core| core.logical.contains(&logical))
    }

    /// Layout with lanes on these cores. Other threads also avoid cores reserved by other
    /// processes.
    fn layout(&self, lanes: Vec<usize>, others: &[usize]) -> Layout {
        let free = |core: &usize| !lanes.contains(core) && !others.contains(core);
        let all = self.cores.iter().flat_map(|core| &core.logical).copied();
        let mut rest: Vec<usize> = all.clone().filter(free).collect();
        if rest.is_empty() {
            rest = all.filter(|core| !others.contains(core) || lanes.contains(core)).collect();
        }
        rest.sort_unstable();
        let warnings = self.warnings(lanes.len());
        Layout { lanes, rest, warnings, shared: Vec::new(), reserved: Arc::default() }
    }

    fn warnings(&self, count: usize) -> Vec<String> {
        let (usable, most) = (self.usable(), self.lanes(None));
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
        if let Some(quota) = self.quota.filter(|&quota| quota < self.cores.len() as f64) {
            warnings.push(format!(
                "this process may use {quota:.1} cores' worth of time: when that is used up, \
                 everything pauses, bots too"
            ));
        }
        warnings
    }
}

/// First logical core of the same physical core.
fn name_of(core: usize) -> usize {
    let path = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
    let siblings = fs::read_to_string(path).unwrap_or_default();
    let first = siblings.trim().split([',', '-']).next().and_then(|first| first.parse().ok());
    first.unwrap_or(core)
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

    /// Machine with this many physical cores, the first `siblings` of which have a sibling.
    pub(super) fn machine(physical: usize, siblings: usize, quota: Option<f64>) -> Machine {
        let core = |name| {
            let sibling = (name < siblings).then_some(physical + name);
            Core { name, logical: [name].into_iter().chain(sibling).collect() }
        };
        Machine { cores: (0..physical).map(core).collect(), quota }
    }

    fn layout_of(machine: &Machine, requested: Option<usize>) -> Layout {
        let (count, order) = (machine.lanes(requested), machine.order());
        machine.layout((0..count).map(|lane| order[lane % order.len()]).collect(), &[])
    }

    #[test]
    fn one_physical_core_is_left_for_the_rest() {
        let layout = layout_of(&machine(4, 4, None), None);
        assert_eq!(layout.lanes, [3, 2, 1]);
        assert_eq!(layout.rest, [0, 4, 5, 6, 7]);
        assert!(layout.warnings.is_empty());
    }

    #[test]
    fn siblings_come_last() {
        assert_eq!(machine(3, 2, None).order(), [2, 1, 0, 3, 4]);
    }

    #[test]
    fn one_core_is_shared() {
        let layout = layout_of(&machine(1, 0, None), None);
        assert_eq!((layout.lanes, layout.rest), (vec![0], vec![0]));
    }

    #[test]
    fn other_threads_stay_off_cores_that_others_have_reserved() {
        let machine = machine(3, 0, None);
        assert_eq!(machine.layout(vec![1], &[2]).rest, [0]);
        assert_eq!(machine.layout(vec![0], &[1, 2]).rest, [0]);
        assert_eq!(machine.layout(vec![2], &[2]).rest, [0, 1], "shared");
    }

    #[test]
    fn a_quota_counts_like_missing_cores_and_is_said() {
        let layout = layout_of(&machine(8, 0, Some(2.5)), None);
        assert_eq!(layout.lanes.len(), 1);
        assert_eq!(layout.warnings.len(), 1);
    }

    #[test]
    fn more_lanes_than_is_fair_are_given_with_a_warning() {
        for (lanes, warned) in [(1, false), (2, true), (5, true)] {
            let layout = layout_of(&machine(2, 0, None), Some(lanes));
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
