//! Worker registry: the admitted workers and the jobs that they hold.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pitmaster_core::Isolation;
use pitmaster_runner::Machine;

use crate::wire::{Heartbeat, Ready, WorkerInfo};

/// An admitted worker.
#[derive(Debug, Clone)]
pub(crate) struct RegisteredWorker {
    pub(crate) info: WorkerInfo,
    /// Isolation of bots on the worker.
    pub(crate) isolation: Isolation,
    /// Tools that the worker lacks.
    pub(crate) missing: Vec<String>,
    /// The worker's machine, as stored with its games.
    pub(super) machine: Machine,
    /// Ids of the jobs that it holds, each with its delivery.
    pub(crate) held: HashMap<String, u32>,
    /// Number of games that it has played since it started.
    pub(crate) games: u64,
    pub(crate) draining: bool,
    last_heartbeat: Instant,
    /// Number of heartbeats since the counts were reset. Only later heartbeats reflect a halt.
    pub(super) heartbeats: u64,
}

/// Admitted workers, by instance.
#[derive(Debug, Default)]
pub(super) struct WorkerRegistry {
    workers: Mutex<BTreeMap<String, RegisteredWorker>>,
    history: Mutex<History>,
}

/// Data that is kept after workers have left.
#[derive(Debug, Default)]
struct History {
    /// Highest sequence number that each worker has signed, so that replayed messages are ignored.
    sequences: HashMap<String, u64>,
    /// Banned workers, with the reasons.
    banned: HashMap<String, String>,
}

/// Maximum number of recorded missing tools of a worker.
const MAX_MISSING_TOOLS: usize = 1 << 12;

/// Maximum number of workers.
const MAX_WORKERS: usize = 1 << 12;

impl WorkerRegistry {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, RegisteredWorker>> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the sequence number of a signed message. Returns whether it is the highest so far.
    pub(super) fn accept_sequence(&self, instance: &str, sequence: u64) -> bool {
        let mut history = self.history();
        let last = history.sequences.entry(instance.to_owned()).or_default();
        let is_fresh = sequence > *last;
        *last = sequence.max(*last);
        is_fresh
    }

    /// Reason for which a worker is banned, if it is.
    pub(super) fn ban_reason(&self, instance: &str) -> Option<String> {
        self.history().banned.get(instance).cloned()
    }

    /// Bans a worker. Returns whether it was not banned before.
    pub(super) fn ban(&self, instance: &str, reason: &str) -> bool {
        self.lock().remove(instance);
        self.history().banned.insert(instance.to_owned(), reason.to_owned()).is_none()
    }

    /// Returns whether the registry is full.
    pub(super) fn is_full(&self) -> bool {
        self.lock().len() >= MAX_WORKERS
    }

    /// Adds a worker. Returns whether it is new.
    pub(super) fn insert(&self, ready: Ready, machine: Machine) -> bool {
        let Ready { worker: info, missing, isolation, .. } = ready;
        let instance = info.instance.clone();
        let worker = RegisteredWorker {
            info,
            isolation,
            missing,
            machine,
            held: HashMap::new(),
            games: 0,
            draining: false,
            last_heartbeat: Instant::now(),
            heartbeats: 0,
        };
        self.lock().insert(instance, worker).is_none()
    }

    /// Removes a worker. Returns its name, if it was registered.
    pub(super) fn remove(&self, instance: &str) -> Option<String> {
        self.lock().remove(instance).map(|worker| worker.info.name)
    }

    /// Returns whether a worker is registered.
    pub(super) fn contains(&self, instance: &str) -> bool {
        self.lock().contains_key(instance)
    }

    /// Records a heartbeat. Returns whether its worker is registered.
    pub(super) fn record_heartbeat(&self, instance: &str, heartbeat: Heartbeat) -> bool {
        let mut workers = self.lock();
        let Some(worker) = workers.get_mut(instance) else { return false };
        worker.last_heartbeat = Instant::now();
        worker.held =
            heartbeat.claims.into_iter().map(|claim| (claim.job, claim.delivery)).collect();
        (worker.games, worker.draining) = (heartbeat.games, heartbeat.draining);
        worker.heartbeats += 1;
        true
    }

    /// Removes workers without a heartbeat for the given time. Returns their names.
    pub(super) fn expire(&self, silence: Duration) -> Vec<String> {
        let mut workers = self.lock();
        let silent: Vec<String> = workers
            .iter()
            .filter(|(_, worker)| worker.last_heartbeat.elapsed() > silence)
            .map(|(instance, _)| instance.clone())
            .collect();
        silent.iter().filter_map(|instance| Some(workers.remove(instance)?.info.name)).collect()
    }

    /// Resets the heartbeat counts of all workers.
    pub(super) fn reset_heartbeat_counts(&self) {
        self.lock().values_mut().for_each(|worker| worker.heartbeats = 0);
    }

    /// Returns whether no worker holds a job, according to heartbeats since the last reset. The first
    /// one may have been sent before.
    pub(super) fn is_idle(&self) -> bool {
        self.lock().values().all(|worker| worker.heartbeats > 1 && worker.held.is_empty())
    }

    /// Returns whether a worker holds a job.
    pub(super) fn is_held(&self, job: &str) -> bool {
        self.lock().values().any(|worker| worker.held.contains_key(job))
    }

    /// Last delivery of a job to another worker that holds it now.
    pub(super) fn delivery_elsewhere(&self, job: &str, instance: &str) -> Option<u32> {
        let workers = self.lock();
        let others = workers.iter().filter(|(other, _)| *other != instance);
        others.filter_map(|(_, worker)| worker.held.get(job).copied()).max()
    }

    /// All workers.
    pub(super) fn all(&self) -> Vec<RegisteredWorker> {
        self.lock().values().cloned().collect()
    }

    pub(super) fn count(&self) -> usize {
        self.lock().len()
    }

    /// Number of lanes of all workers that take more jobs.
    pub(super) fn lanes(&self) -> usize {
        let workers = self.lock();
        let active = workers.values().filter(|worker| !worker.draining);
        active.fold(0, |sum, worker| sum.saturating_add(worker.info.lanes as usize))
    }

    /// Machine of a registered worker.
    pub(super) fn machine(&self, instance: &str) -> Option<Machine> {
        self.lock().get(instance).map(|worker| worker.machine.clone())
    }

    /// Workers that take jobs and have all of these tools, with their numbers of lanes.
    pub(super) fn with_tools(&self, tools: &BTreeSet<&str>) -> Vec<(String, u32)> {
        let workers = self.lock();
        let has_all = |worker: &RegisteredWorker| {
            worker.missing.iter().all(|tool| !tools.contains(tool.as_str()))
        };
        let able = workers.iter().filter(|(_, worker)| !worker.draining && has_all(worker));
        able.map(|(instance, worker)| (instance.clone(), worker.info.lanes)).collect()
    }

    /// Records tools that a worker lacks, in addition to those that it reported on admission.
    pub(super) fn add_missing_tools(&self, instance: &str, tools: &[String]) {
        if let Some(worker) = self.lock().get_mut(instance) {
            let known: BTreeSet<&String> = worker.missing.iter().collect();
            let room = MAX_MISSING_TOOLS.saturating_sub(known.len());
            let new = tools.iter().filter(|tool| !known.contains(tool)).take(room);
            let new: Vec<String> = new.cloned().collect();
            worker.missing.extend(new);
        }
    }

    /// Jobs that a worker holds and its number of lanes, if it is registered.
    pub(super) fn jobs_held_by(&self, instance: &str) -> Option<(HashMap<String, u32>, u32)> {
        let workers = self.lock();
        workers.get(instance).map(|worker| (worker.held.clone(), worker.info.lanes))
    }

    /// Returns whether a worker has all of these tools.
    pub(super) fn any_has_tools(&self, tools: &BTreeSet<&str>) -> bool {
        let has_all = |worker: &RegisteredWorker| {
            worker.missing.iter().all(|tool| !tools.contains(tool.as_str()))
        };
        self.lock().values().any(has_all)
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Tier;

    use super::*;
    use crate::wire::Claim;

    fn ready(instance: &str, lanes: u32, missing: &[&str]) -> Ready {
        let worker = WorkerInfo {
            instance: instance.into(),
            name: format!("pc-{instance}"),
            host: "pc".into(),
            kernel: "6".into(),
            cores: 2,
            lanes,
            speed: 1,
        };
        let isolation =
            Isolation { tier: Tier::Bare, cgroup: false, promises: BTreeMap::default() };
        let missing = missing.iter().map(|&tool| tool.to_owned()).collect();
        let (contest, coordinator) = ("x".into(), "c".into());
        Ready { contest, coordinator, sequence: 1, worker, missing, isolation }
    }

    fn registry() -> WorkerRegistry {
        let registry = WorkerRegistry::default();
        for worker in [ready("1", 2, &["java"]), ready("2", 3, &["node"])] {
            let machine = Machine { name: worker.worker.name.clone(), isolation: Some(1) };
            assert!(registry.insert(worker, machine));
        }
        registry
    }

    fn heartbeat(held: &[&str], draining: bool) -> Heartbeat {
        let claim = |&job: &&str| Claim { job: job.into(), delivery: 1 };
        let (claims, contest) = (held.iter().map(claim).collect(), "x".into());
        Heartbeat { sequence: 1, contest, claims, games: 5, draining, gone: false }
    }

    #[test]
    fn a_bot_needs_one_worker_with_all_of_its_tools() {
        let registry = registry();
        for (tools, can) in [
            (vec![], true),
            (vec!["java"], true),
            (vec!["node"], true),
            (vec!["java", "python3"], true),
            (vec!["java", "node"], false),
        ] {
            assert_eq!(registry.any_has_tools(&tools.iter().copied().collect()), can, "{tools:?}");
        }
    }

    #[test]
    fn workers_without_a_tool_or_draining_are_not_selected() {
        let registry = registry();
        let with_tools = |tools: &[&str]| {
            let with_tools = registry.with_tools(&tools.iter().copied().collect());
            with_tools.into_iter().map(|(instance, lanes)| format!("{instance}:{lanes}")).collect()
        };
        let all: Vec<String> = with_tools(&["go"]);
        assert_eq!(all, ["1:2", "2:3"]);
        registry.add_missing_tools("1", &["go".into(), "go".into(), "ruby".into()]);
        let others: Vec<String> = with_tools(&["go"]);
        assert_eq!(others, ["2:3"]);
        assert!(registry.record_heartbeat("2", heartbeat(&["j"], true)));
        let nobody: Vec<String> = with_tools(&["go"]);
        assert!(nobody.is_empty(), "it is draining");
        assert_eq!(registry.jobs_held_by("2").unwrap().0.len(), 1);
        assert!(registry.jobs_held_by("3").is_none());
    }

    #[test]
    fn draining_workers_have_no_lanes_and_silent_workers_expire() {
        let registry = registry();
        assert_eq!((registry.lanes(), registry.count()), (5, 2));
        assert!(registry.record_heartbeat("1", heartbeat(&["j"], true)));
        assert_eq!(registry.lanes(), 3);
        assert!(registry.is_held("j") && !registry.is_held("k"));
        assert!(!registry.record_heartbeat("3", heartbeat(&[], false)), "not registered");
        assert_eq!(registry.remove("1").as_deref(), Some("pc-1"));
        assert_eq!(registry.expire(Duration::ZERO), ["pc-2"]);
        assert_eq!((registry.count(), registry.machine("2")), (0, None));
    }

    #[test]
    fn replayed_messages_are_ignored() {
        let registry = registry();
        assert!(
            registry.accept_sequence("1", 1)
                && registry.accept_sequence("1", 7)
                && registry.accept_sequence("2", 1)
        );
        assert!(!registry.accept_sequence("1", 7) && !registry.accept_sequence("1", 2));
        registry.remove("1");
        assert!(!registry.accept_sequence("1", 7), "remembered after it has left");
        assert!(
            registry.accept_sequence("1", u64::MAX) && !registry.accept_sequence("1", u64::MAX)
        );
    }

    #[test]
    fn a_banned_worker_is_not_registered() {
        let registry = registry();
        assert!(registry.record_heartbeat("1", heartbeat(&["j"], false)));
        assert_eq!(registry.delivery_elsewhere("j", "2"), Some(1));
        assert_eq!(registry.delivery_elsewhere("j", "1"), None);
        assert!(registry.ban("1", "false result") && !registry.ban("1", "false result"));
        assert_eq!(registry.ban_reason("1").as_deref(), Some("false result"));
        assert!(!registry.contains("1") && registry.contains("2"));
        assert_eq!((registry.delivery_elsewhere("j", "2"), registry.ban_reason("2")), (None, None));
    }

    #[test]
    fn after_a_reset_only_new_heartbeats_show_idleness() {
        let registry = registry();
        registry.reset_heartbeat_counts();
        for instance in ["1", "2"] {
            assert!(!registry.is_idle());
            assert!(registry.record_heartbeat(instance, heartbeat(&[], false)));
            assert!(registry.record_heartbeat(instance, heartbeat(&[], false)));
        }
        assert!(registry.is_idle());
        assert!(registry.record_heartbeat("2", heartbeat(&["j"], false)));
        assert!(!registry.is_idle());
    }
}
