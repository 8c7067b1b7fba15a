//! Games in flight: dispatched, without a result yet.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use pitmaster_core::GameId;
use pitmaster_runner::ScheduledGame;

use crate::broker::AckHandle;
use crate::wire::{Claim, Job, WireGame};

/// Maximum number of kept pairs whose games are not dispatched yet. Further ones are redelivered
/// later.
const MAX_EARLY: usize = 1 << 12;

/// A published job.
#[derive(Debug)]
pub(super) struct InFlightJob {
    pub(super) job: Job,
    /// Games without a result, by their numbers in the plan.
    pub(super) pending: BTreeMap<u64, ScheduledGame>,
    /// Stream sequence; 0 while the job is being published.
    pub(super) sequence: u64,
    /// Time of the last message about the job.
    pub(super) last_update: Instant,
    /// Workers that have held the job, each with its last delivery.
    holders: HashMap<String, u32>,
}

impl InFlightJob {
    fn is_leased_to(&self, instance: &str) -> bool {
        let last = self.holders.values().max();
        self.holders.get(instance).is_some_and(|delivery| Some(delivery) == last)
    }
}

/// Lease of a worker on a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LeaseStatus {
    /// The worker holds the job.
    Current,
    /// The worker held the job, which another worker holds now.
    Former,
    /// Another worker holds the job.
    HeldElsewhere,
    /// The job is not in flight.
    NotInFlight,
}

/// A received pair with its worker and its message.
#[derive(Debug)]
pub(super) struct ReceivedPair {
    pub(super) games: Vec<WireGame>,
    pub(super) instance: String,
    pub(super) message: Arc<ResultMessage>,
}

/// A result message with pairs, acknowledged when all of them are stored.
#[derive(Debug)]
pub(super) struct ResultMessage {
    pub(super) ack: AckHandle,
    /// Name of the object with its content, if that was too long for a message.
    pub(super) object: Option<String>,
    /// Number of pairs that are not stored yet.
    pub(super) unstored: AtomicUsize,
}

impl ResultMessage {
    /// Marks one pair as stored. Returns whether all pairs are.
    pub(super) fn mark_stored(&self) -> bool {
        self.unstored.fetch_sub(1, Ordering::SeqCst) == 1
    }
}

/// Jobs and games in flight.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    pub(super) jobs: HashMap<String, InFlightJob>,
    games: HashMap<GameId, (String, u64)>,
    /// Ids of jobs that an earlier coordinator has published, by game.
    adopted: HashMap<GameId, String>,
    /// The adopted jobs, with their stream sequences.
    adopted_jobs: HashMap<String, (Job, u64)>,
    /// Pairs whose games are not dispatched yet, by their first game. They were played for an earlier
    /// coordinator.
    early: HashMap<GameId, ReceivedPair>,
}

impl InFlight {
    /// Adds a job that is published, with its pending games.
    pub(super) fn insert(
        &mut self,
        id: String,
        job: Job,
        sequence: u64,
        games: Vec<ScheduledGame>,
    ) {
        for task in &games {
            self.games.insert(task.key.id(), (id.clone(), task.number));
        }
        let (last_update, holders) = (Instant::now(), HashMap::new());
        let new = InFlightJob { job, pending: BTreeMap::new(), sequence, last_update, holders };
        let job = self.jobs.entry(id).or_insert(new);
        job.pending.extend(games.into_iter().map(|task| (task.number, task)));
    }

    /// Adds a job that an earlier coordinator has published.
    pub(super) fn adopt(&mut self, id: String, job: Job, sequence: u64, games: Vec<GameId>) {
        self.adopted.extend(games.into_iter().map(|game| (game, id.clone())));
        self.adopted_jobs.insert(id, (job, sequence));
    }

    /// Returns the adopted job that contains all of these games, if there is one.
    pub(super) fn adopted_job(&self, tasks: &[ScheduledGame]) -> Option<(String, Job, u64)> {
        let id = self.adopted.get(&tasks.first()?.key.id())?;
        let contains = |task: &ScheduledGame| self.adopted.get(&task.key.id()) == Some(id);
        let (job, sequence) = self.adopted_jobs.get(id)?;
        tasks.iter().all(contains).then(|| (id.clone(), job.clone(), *sequence))
    }

    /// Returns whether a game is in flight.
    pub(super) fn contains(&self, game: &GameId) -> bool {
        self.games.contains_key(game)
    }

    /// Removes games that have results. Returns their tasks if all of them are in flight in one job.
    pub(super) fn take(&mut self, ids: &[GameId]) -> Option<Vec<ScheduledGame>> {
        let (job_id, _) = self.games.get(ids.first()?)?.clone();
        let number = |id: &GameId| {
            let (other, number) = self.games.get(id)?;
            (*other == job_id).then_some(*number)
        };
        let numbers: Vec<u64> = ids.iter().map(number).collect::<Option<_>>()?;
        let job = self.jobs.get_mut(&job_id)?;
        job.last_update = Instant::now();
        let taken = numbers.iter().filter_map(|number| job.pending.remove(number)).collect();
        if job.pending.is_empty() {
            self.jobs.remove(&job_id);
        }
        for id in ids {
            self.games.remove(id);
        }
        Some(taken)
    }

    /// Number of pairs whose games are not dispatched yet.
    pub(super) fn early_count(&self) -> usize {
        self.early.len()
    }

    /// Removes all adopted jobs.
    pub(super) fn clear_adopted(&mut self) {
        self.adopted.clear();
        self.adopted_jobs.clear();
    }

    /// Sets the stream sequence of a job.
    pub(super) fn set_sequence(&mut self, job: &str, sequence: u64) {
        if let Some(job) = self.jobs.get_mut(job) {
            job.sequence = sequence;
        }
    }

    /// Removes a job. Returns it with its pending games.
    pub(super) fn remove(&mut self, id: &str) -> Option<InFlightJob> {
        self.adopted_jobs.remove(id);
        let job = self.jobs.remove(id)?;
        for task in job.pending.values() {
            self.games.remove(&task.key.id());
        }
        Some(job)
    }

    /// Records a worker's claim to a job. `elsewhere` is the last delivery to another worker that
    /// claims the job now.
    pub(super) fn claim(
        &mut self,
        claim: &Claim,
        instance: &str,
        elsewhere: Option<u32>,
    ) -> LeaseStatus {
        let Some(job) = self.jobs.get_mut(&claim.job) else { return LeaseStatus::NotInFlight };
        let is_known = job.holders.contains_key(instance);
        if !is_known && elsewhere.is_some_and(|delivery| delivery >= claim.delivery) {
            return LeaseStatus::HeldElsewhere;
        }
        job.last_update = Instant::now();
        let delivery = job.holders.entry(instance.to_owned()).or_default();
        *delivery = (*delivery).max(claim.delivery);
        if job.is_leased_to(instance) { LeaseStatus::Current } else { LeaseStatus::Former }
    }

    /// Id of the job of a game in flight.
    pub(super) fn job_of(&self, game: &GameId) -> Option<String> {
        self.games.get(game).map(|(job, _)| job.clone())
    }

    /// Removes the jobs that a worker holds. Returns them with their pending games.
    pub(super) fn remove_leased_to(&mut self, instance: &str) -> Vec<InFlightJob> {
        let held = self.jobs.iter().filter(|(_, job)| job.is_leased_to(instance));
        let ids: Vec<String> = held.map(|(id, _)| id.clone()).collect();
        self.early.retain(|_, early| early.instance != instance);
        ids.iter().filter_map(|id| self.remove(id)).collect()
    }

    /// Keeps a pair until its games are dispatched, if there is room.
    pub(super) fn keep_early(&mut self, early: ReceivedPair) {
        let first = early.games.first().map(|game| game.record.id());
        if let Some(first) = first.filter(|_| self.early.len() < MAX_EARLY) {
            self.early.insert(first, early);
        }
    }

    /// Removes and returns the kept pairs of these games.
    pub(super) fn take_early(&mut self, tasks: &[ScheduledGame]) -> Vec<ReceivedPair> {
        tasks.iter().filter_map(|task| self.early.remove(&task.key.id())).collect()
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{BotHash, BotId, BySide, GameKey, Limits};

    use super::*;

    fn pair(number: u32) -> Vec<ScheduledGame> {
        let bot = |name: &str| BotId { name: name.parse().unwrap(), hash: BotHash::of(b"x") };
        let bots = BySide::new(bot("a"), bot("b"));
        let key = |bots| GameKey {
            rules: "kalah@1".into(),
            limits: Limits::default(),
            stage: 1,
            round: 0,
            bots,
            opening: String::new(),
            pair: number,
        };
        let task = |at: u64, bots, seats| ScheduledGame {
            number: u64::from(number) * 2 + at,
            key: key(bots),
            bots: seats,
        };
        let one = task(0, bots.clone(), BySide::new(0, 1));
        vec![one, task(1, bots.swapped(), BySide::new(1, 0))]
    }

    fn ids(tasks: &[ScheduledGame]) -> Vec<GameId> {
        tasks.iter().map(|task| task.key.id()).collect()
    }

    fn job(attempt: u32) -> Job {
        Job { contest: "x".into(), attempt, bots: vec![0, 1], games: Vec::new(), practice: None }
    }

    #[test]
    fn games_are_taken_once() {
        let mut in_flight = InFlight::default();
        let all = [pair(1), pair(2)];
        in_flight.insert("j".into(), job(1), 1, all.concat());
        let first = ids(&all[0]);
        assert!(
            in_flight
                .take(&[first[0].clone(), ids(&all[1])[0].clone()])
                .is_some_and(|t| t.len() == 2)
        );
        assert!(in_flight.take(&first).is_none(), "half of it is gone");
        assert_eq!(in_flight.jobs["j"].pending.len(), 2);
        assert!(in_flight.contains(&first[1]) && !in_flight.contains(&first[0]));
    }

    #[test]
    fn a_removed_job_has_its_pending_games() {
        let mut in_flight = InFlight::default();
        let all = [pair(1), pair(2)];
        in_flight.insert("j".into(), job(1), 1, all.concat());
        assert!(in_flight.take(&ids(&all[0])).is_some());
        let removed = in_flight.remove("j").unwrap();
        let left: Vec<ScheduledGame> = removed.pending.into_values().collect();
        assert_eq!(ids(&left), ids(&all[1]));
        assert!(in_flight.remove("j").is_none() && !in_flight.contains(&ids(&all[1])[0]));
        in_flight.insert("k".into(), job(2), 2, left);
        assert!(in_flight.take(&ids(&all[1])).is_some());
        assert!(in_flight.jobs.is_empty(), "completed jobs are removed");
    }

    #[test]
    fn a_job_is_leased_to_its_last_receiver() {
        let mut in_flight = InFlight::default();
        in_flight.insert("j".into(), job(1), 1, pair(1));
        let claim = |delivery| Claim { job: "j".into(), delivery };
        assert_eq!(in_flight.claim(&claim(1), "a", None), LeaseStatus::Current);
        assert_eq!(
            in_flight.claim(&claim(1), "b", Some(1)),
            LeaseStatus::HeldElsewhere,
            "a holds it"
        );
        assert_eq!(
            in_flight.claim(&claim(2), "b", Some(1)),
            LeaseStatus::Current,
            "a was considered dead"
        );
        assert_eq!(
            in_flight.claim(&claim(1), "a", Some(2)),
            LeaseStatus::Former,
            "a was suspended"
        );
        assert_eq!(in_flight.claim(&claim(1), "c", Some(2)), LeaseStatus::HeldElsewhere);
        let other = Claim { job: "k".into(), delivery: 1 };
        assert_eq!(in_flight.claim(&other, "a", None), LeaseStatus::NotInFlight);
        assert!(in_flight.remove_leased_to("a").is_empty());
        assert_eq!(in_flight.remove_leased_to("b").len(), 1);
        assert!(!in_flight.contains(&ids(&pair(1))[0]));
    }

    #[test]
    fn only_complete_pairs_are_found_in_adopted_jobs() {
        let mut in_flight = InFlight::default();
        let all = [pair(1), pair(2)];
        in_flight.adopt(
            "old".into(),
            job(9),
            5,
            [ids(&all[0]), vec![ids(&all[1])[0].clone()]].concat(),
        );
        let (id, _, sequence) = in_flight.adopted_job(&all[0]).unwrap();
        assert_eq!((id.as_str(), sequence), ("old", 5));
        assert!(
            in_flight.adopted_job(&all[1]).is_none() && in_flight.adopted_job(&pair(3)).is_none()
        );
    }
}
