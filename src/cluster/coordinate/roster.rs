//! Who plays for this contest, and what they hold.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::cluster::wire::{About, Pulse, Ready};
use crate::record::Isolation;
use crate::runner::Machine;

/// A worker that was let in.
#[derive(Debug, Clone)]
pub(in crate::cluster) struct Guest {
    pub(in crate::cluster) about: About,
    /// What contains bots there.
    pub(in crate::cluster) isolation: Isolation,
    /// Tools that it does not have.
    pub(in crate::cluster) missing: Vec<String>,
    /// As attempts name it.
    pub(super) machine: Machine,
    /// The jobs that it holds.
    pub(in crate::cluster) held: HashSet<String>,
    /// Games that it has played since it started.
    pub(in crate::cluster) games: u64,
    pub(in crate::cluster) draining: bool,
    heard: Instant,
    /// Pulses since a halt was said; what it holds is known only after one.
    pub(super) pulses: u64,
}

/// All of them, by instance.
#[derive(Debug, Default)]
pub(super) struct Roster(Mutex<BTreeMap<String, Guest>>);

impl Roster {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Guest>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
            held: HashSet::new(),
            games: 0,
            draining: false,
            heard: Instant::now(),
            pulses: 0,
        };
        self.lock().insert(instance, guest).is_none()
    }

    /// Forgets a worker that says goodbye; its name, if it was known.
    pub(super) fn dismiss(&self, instance: &str) -> Option<String> {
        self.lock().remove(instance).map(|guest| guest.about.name)
    }

    /// Hears that a worker lives; whether it is known.
    pub(super) fn hear(&self, pulse: Pulse) -> bool {
        let mut guests = self.lock();
        let Some(guest) = guests.get_mut(&pulse.instance) else { return false };
        guest.heard = Instant::now();
        guest.held = pulse.held.into_iter().collect();
        (guest.games, guest.draining) = (pulse.games, pulse.draining);
        guest.pulses += 1;
        true
    }

    /// Forgets who has been silent for so long; their names.
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

    /// Whether, by what they have said since pulses are counted, nobody holds anything.
    pub(super) fn holds_nothing(&self) -> bool {
        self.lock().values().all(|guest| guest.pulses > 1 && guest.held.is_empty())
    }

    /// Whether somebody holds a job.
    pub(super) fn holds(&self, job: &str) -> bool {
        self.lock().values().any(|guest| guest.held.contains(job))
    }

    /// Everybody.
    pub(super) fn all(&self) -> Vec<Guest> {
        self.lock().values().cloned().collect()
    }

    pub(super) fn count(&self) -> usize {
        self.lock().len()
    }

    /// Lanes of those who take more work.
    pub(super) fn lanes(&self) -> usize {
        let guests = self.lock();
        let working = guests.values().filter(|guest| !guest.draining);
        working.map(|guest| guest.about.lanes as usize).sum()
    }

    /// The machine of a worker that is here.
    pub(super) fn machine(&self, instance: &str) -> Option<Machine> {
        self.lock().get(instance).map(|guest| guest.machine.clone())
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
    use super::*;
    use crate::record::Tier;

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
        Ready { contest: "x".into(), worker, missing, isolation }
    }

    fn roster() -> Roster {
        let roster = Roster::default();
        for guest in [ready("1", 2, &["java"]), ready("2", 3, &["node"])] {
            let machine = Machine { name: guest.worker.name.clone(), isolation: Some(1) };
            assert!(roster.admit(guest, machine));
        }
        roster
    }

    fn pulse(instance: &str, held: &[&str], draining: bool) -> Pulse {
        let held = held.iter().map(|&job| job.to_owned()).collect();
        let (instance, contest) = (instance.into(), "x".into());
        Pulse { instance, contest, held, games: 5, draining, gone: false }
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
    fn who_ends_takes_no_more_and_who_is_silent_is_forgotten() {
        let roster = roster();
        assert_eq!((roster.lanes(), roster.count()), (5, 2));
        assert!(roster.hear(pulse("1", &["j"], true)));
        assert_eq!(roster.lanes(), 3);
        assert!(roster.holds("j") && !roster.holds("k"));
        assert!(!roster.hear(pulse("3", &[], false)), "nobody knows it");
        assert_eq!(roster.dismiss("1").as_deref(), Some("pc-1"));
        assert_eq!(roster.expire(Duration::ZERO), ["pc-2"]);
        assert_eq!((roster.count(), roster.machine("2")), (0, None));
    }

    #[test]
    fn after_a_halt_only_new_pulses_tell_that_nothing_is_held() {
        let roster = roster();
        roster.count_pulses();
        for instance in ["1", "2"] {
            assert!(!roster.holds_nothing());
            assert!(roster.hear(pulse(instance, &[], false)));
            assert!(roster.hear(pulse(instance, &[], false)));
        }
        assert!(roster.holds_nothing());
        assert!(roster.hear(pulse("2", &["j"], false)));
        assert!(!roster.holds_nothing());
    }
}
