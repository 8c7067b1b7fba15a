//! Worker registry: the workers of this contest and the jobs that they hold.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pitmaster_core::Isolation;
use pitmaster_runner::Machine;

use crate::wire::{About, Pulse, Ready};

/// An admitted worker.
#[derive(Debug, Clone)]
pub(crate) struct Guest {
    pub(crate) about: About,
    /// Isolation of bots on the worker.
    pub(crate) isolation: Isolation,
    /// Tools that it lacks.
    pub(crate) missing: Vec<String>,
    /// Machine, as attempts name it.
    pub(super) machine: Machine,
    /// Jobs that it holds, each with the last delivery that it got.
    pub(crate) held: HashMap<String, u32>,
    /// Number of games that it has played since it started.
    pub(crate) games: u64,
    pub(crate) draining: bool,
    heard: Instant,
    /// Number of heartbeats since a halt was announced. What it holds is known only after one.
    pub(super) pulses: u64,
}

/// All workers, by instance.
#[derive(Debug, Default)]
pub(super) struct Roster {
    guests: Mutex<BTreeMap<String, Guest>>,
    history: Mutex<History>,
}

/// Data about all workers, including those that are gone.
#[derive(Debug, Default)]
struct History {
    /// The last number that each worker has signed, so that replayed messages are ignored.
    numbers: HashMap<String, u64>,
    /// Dismissed workers, with the reasons.
    dismissed: HashMap<String, String>,
}

/// Maximum number of tools that a worker is known to lack.
const MOST_LACKS: usize = 1 << 12;

/// Maximum number of workers.
const MOST_GUESTS: usize = 1 << 12;

impl Roster {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Guest>> {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a signed message is newer than all earlier ones of its sender.
    pub(super) fn is_fresh(&self, instance: &str, sequence: u64) -> bool {
        let mut history = self.history();
        let last = history.numbers.entry(instance.to_owned()).or_default();
        let is_fresh = sequence > *last;
        *last = sequence.max(*last);
        is_fresh
    }

    /// Why a worker was dismissed, if it was.
    pub(super) fn dismissed(&self, instance: &str) -> Option<String> {
        self.history().dismissed.get(instance).cloned()
    }

    /// Bans a worker that sent false results; returns whether that is new.
    pub(super) fn ban(&self, instance: &str, why: &str) -> bool {
        self.lock().remove(instance);
        self.history().dismissed.insert(instance.to_owned(), why.to_owned()).is_none()
    }

    /// Whether there is no room for another worker.
    pub(super) fn is_full(&self) -> bool {
        self.lock().len() >= MOST_GUESTS
    }

    /// Lets a worker in; whether it is new.
    pub(super) fn admit(&self, ready: Ready, machine: Machine) -> bool {
        let Ready { worker: about, missing, isolation, .. } = ready;
        let instance = about.instance.clone();
        let guest = Guest {
            about,
            isolation,
            missing,
            machine,
            held: HashMap::new(),
            games: 0,
            draining: false,
            heard: Instant::now(),
            pulses: 0,
        };
        self.lock().insert(instance, guest).is_none()
    }

    /// Removes a worker that disconnects; returns its name, if it was known.
    pub(super) fn dismiss(&self, instance: &str) -> Option<String> {
        self.lock().remove(instance).map(|guest| guest.about.name)
    }

    /// Whether a worker is here.
    pub(super) fn knows(&self, instance: &str) -> bool {
        self.lock().contains_key(instance)
    }

    /// Hears that a worker lives; whether it is known.
    pub(super) fn hear(&self, instance: &str, pulse: Pulse) -> bool {
        let mut guests = self.lock();
        let Some(guest) = guests.get_mut(instance) else { return false };
        guest.heard = Instant::now();
        guest.held = pulse.held.into_iter().map(|claim| (claim.job, claim.delivery)).collect();
        (guest.games, guest.draining) = (pulse.games, pulse.draining);
        guest.pulses += 1;
        true
    }

    /// Removes workers that have been silent for this long; returns their names.
    pub(super) fn expire(&self, silence: Duration) -> Vec<String> {
        let mut guests = self.lock();
        let silent: Vec<String> = guests
            .iter()
            .filter(|(_, guest)| guest.heard.elapsed() > silence)
            .map(|(instance, _)| instance.clone())
            .collect();
        silent.iter().filter_map(|one| Some(guests.remove(one)?.about.name)).collect()
    }

    /// Counts pulses from here on.
    pub(super) fn count_pulses(&self) {
        self.lock().values_mut().for_each(|guest| guest.pulses = 0);
    }

    /// Whether nobody holds anything, by their messages since pulses are counted.
    pub(super) fn holds_nothing(&self) -> bool {
        self.lock().values().all(|guest| guest.pulses > 1 && guest.held.is_empty())
    }

    /// Whether somebody holds a job.
    pub(super) fn holds(&self, job: &str) -> bool {
        self.lock().values().any(|guest| guest.held.contains_key(job))
    }

    /// The last delivery of a job that another worker holds just now.
    pub(super) fn held_elsewhere(&self, job: &str, instance: &str) -> Option<u32> {
        let guests = self.lock();
        let others = guests.iter().filter(|(other, _)| *other != instance);
        others.filter_map(|(_, guest)| guest.held.get(job).copied()).max()
    }

    /// Everybody.
    pub(super) fn all(&self) -> Vec<Guest> {
        self.lock().values().cloned().collect()
    }

    pub(super) fn count(&self) -> usize {
        self.lock().len()
    }

    /// Number of lanes of the workers that take more work.
    pub(super) fn lanes(&self) -> usize {
        let guests = self.lock();
        let working = guests.values().filter(|guest| !guest.draining);
        working.fold(0, |sum, guest| sum.saturating_add(guest.about.lanes as usize))
    }

    /// The machine of a worker that is here.
    pub(super) fn machine(&self, instance: &str) -> Option<Machine> {
        self.lock().get(instance).map(|guest| guest.machine.clone())
    }

    /// Workers that take work and have all of these tools, with their numbers of lanes.
    pub(super) fn able(&self, tools: &BTreeSet<&str>) -> Vec<(String, u32)> {
        let guests = self.lock();
        let has_all =
            |guest: &Guest| guest.missing.iter().all(|tool| !tools.contains(tool.as_str()));
        let able = guests.iter().filter(|(_, guest)| !guest.draining && has_all(guest));
        able.map(|(instance, guest)| (instance.clone(), guest.about.lanes)).collect()
    }

    /// Notes that a worker lacks tools that it was not asked about when it came.
    pub(super) fn lack(&self, instance: &str, tools: &[String]) {
        if let Some(guest) = self.lock().get_mut(instance) {
            let known: BTreeSet<&String> = guest.missing.iter().collect();
            let room = MOST_LACKS.saturating_sub(known.len());
            let new = tools.iter().filter(|tool| !known.contains(tool)).take(room);
            let new: Vec<String> = new.cloned().collect();
            guest.missing.extend(new);
        }
    }

    /// The jobs that a worker holds and its number of lanes, if it is here.
    pub(super) fn held_by(&self, instance: &str) -> Option<(HashMap<String, u32>, u32)> {
        let guests = self.lock();
        guests.get(instance).map(|guest| (guest.held.clone(), guest.about.lanes))
    }

    /// Whether somebody has all of these tools.
    pub(super) fn can_serve(&self, tools: &BTreeSet<&str>) -> bool {
        let has_all =
            |guest: &Guest| guest.missing.iter().all(|tool| !tools.contains(tool.as_str()));
        self.lock().values().any(has_all)
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Tier;

    use super::*;
    use crate::wire::Claim;

    fn ready(instance: &str, lanes: u32, missing: &[&str]) -> Ready {
        let worker = About {
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

    fn roster() -> Roster {
        let roster = Roster::default();
        for guest in [ready("1", 2, &["java"]), ready("2", 3, &["node"])] {
            let machine = Machine { name: guest.worker.name.clone(), isolation: Some(1) };
            assert!(roster.admit(guest, machine));
        }
        roster
    }

    fn pulse(held: &[&str], draining: bool) -> Pulse {
        let claim = |&job: &&str| Claim { job: job.into(), delivery: 1 };
        let (held, contest) = (held.iter().map(claim).collect(), "x".into());
        Pulse { sequence: 1, contest, held, games: 5, draining, gone: false }
    }

    #[test]
    fn a_bot_is_served_only_by_one_who_has_all_of_its_tools() {
        let roster = roster();
        for (tools, can) in [
            (vec![], true),
            (vec!["java"], true),
            (vec!["node"], true),
            (vec!["java", "python3"], true),
            (vec!["java", "node"], false),
        ] {
            assert_eq!(roster.can_serve(&tools.iter().copied().collect()), can, "{tools:?}");
        }
    }

    #[test]
    fn a_worker_that_lacks_a_tool_is_not_asked_again() {
        let roster = roster();
        let able = |tools: &[&str]| {
            let able = roster.able(&tools.iter().copied().collect());
            able.into_iter().map(|(instance, lanes)| format!("{instance}:{lanes}")).collect()
        };
        let all: Vec<String> = able(&["go"]);
        assert_eq!(all, ["1:2", "2:3"]);
        roster.lack("1", &["go".into(), "go".into(), "ruby".into()]);
        let others: Vec<String> = able(&["go"]);
        assert_eq!(others, ["2:3"]);
        assert!(roster.hear("2", pulse(&["j"], true)));
        let nobody: Vec<String> = able(&["go"]);
        assert!(nobody.is_empty(), "it ends");
        assert_eq!(roster.held_by("2").unwrap().0.len(), 1);
        assert!(roster.held_by("3").is_none());
    }

    #[test]
    fn who_ends_takes_no_more_and_who_is_silent_is_forgotten() {
        let roster = roster();
        assert_eq!((roster.lanes(), roster.count()), (5, 2));
        assert!(roster.hear("1", pulse(&["j"], true)));
        assert_eq!(roster.lanes(), 3);
        assert!(roster.holds("j") && !roster.holds("k"));
        assert!(!roster.hear("3", pulse(&[], false)), "nobody knows it");
        assert_eq!(roster.dismiss("1").as_deref(), Some("pc-1"));
        assert_eq!(roster.expire(Duration::ZERO), ["pc-2"]);
        assert_eq!((roster.count(), roster.machine("2")), (0, None));
    }

    #[test]
    fn nobody_says_again_what_a_worker_has_said() {
        let roster = roster();
        assert!(roster.is_fresh("1", 1) && roster.is_fresh("1", 7) && roster.is_fresh("2", 1));
        assert!(!roster.is_fresh("1", 7) && !roster.is_fresh("1", 2));
        roster.dismiss("1");
        assert!(!roster.is_fresh("1", 7), "remembered when it is gone");
        assert!(roster.is_fresh("1", u64::MAX) && !roster.is_fresh("1", u64::MAX));
    }

    #[test]
    fn a_worker_that_was_dismissed_stays_out() {
        let roster = roster();
        assert!(roster.hear("1", pulse(&["j"], false)));
        assert_eq!(roster.held_elsewhere("j", "2"), Some(1));
        assert_eq!(roster.held_elsewhere("j", "1"), None);
        assert!(roster.ban("1", "it lies") && !roster.ban("1", "it lies"));
        assert_eq!(roster.dismissed("1").as_deref(), Some("it lies"));
        assert!(!roster.knows("1") && roster.knows("2"));
        assert_eq!((roster.held_elsewhere("j", "2"), roster.dismissed("2")), (None, None));
    }

    #[test]
    fn after_a_halt_only_new_pulses_tell_that_nothing_is_held() {
        let roster = roster();
        roster.count_pulses();
        for instance in ["1", "2"] {
            assert!(!roster.holds_nothing());
            assert!(roster.hear(instance, pulse(&[], false)));
            assert!(roster.hear(instance, pulse(&[], false)));
        }
        assert!(roster.holds_nothing());
        assert!(roster.hear("2", pulse(&["j"], false)));
        assert!(!roster.holds_nothing());
    }
}
