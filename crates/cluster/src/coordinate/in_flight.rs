//! Games in flight: handed out and not yet returned.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use pitmaster_core::GameId;
use pitmaster_runner::ScheduledGame;

use crate::broker::Receipt;
use crate::wire::{Claim, Job, WireGame};

/// Maximum number of stored results of games that are not handed out yet. Further ones are
/// delivered again later.
const MOST_EARLY: usize = 1 << 12;

/// A published job.
#[derive(Debug)]
pub(super) struct Posted {
    pub(super) job: Job,
    /// Games of it without a result, by their numbers in the plan.
    pub(super) left: BTreeMap<u64, ScheduledGame>,
    /// Position in the stream; 0 while it is being published.
    pub(super) place: u64,
    /// Time of the last message about it.
    pub(super) heard: Instant,
    /// Workers that have held it, each with the last delivery that it got.
    holders: HashMap<String, u32>,
}

impl Posted {
    fn is_with(&self, instance: &str) -> bool {
        let last = self.holders.values().max();
        self.holders.get(instance).is_some_and(|delivery| Some(delivery) == last)
    }
}

/// Relation of a worker to a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// The worker holds the job.
    Current,
    /// The worker held the job, which another worker has now.
    Former,
    /// Another worker holds the job.
    Foreign,
    /// The job is not in flight.
    Gone,
}

/// A pair that arrived before its games were handed out, because it was played for an earlier
/// coordinator.
#[derive(Debug)]
pub(super) struct Early {
    pub(super) games: Vec<WireGame>,
    pub(super) instance: String,
    pub(super) message: Arc<Message>,
}

/// A message with pairs, acknowledged when all of them are safe.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) receipt: Receipt,
    /// The object with its content, if it was too long for a message.
    pub(super) object: Option<String>,
    /// Number of its pairs that are not safe yet.
    pub(super) left: AtomicUsize,
}

impl Message {
    /// Records that a pair of it is safe. Returns whether all are.
    pub(super) fn is_safe(&self) -> bool {
        self.left.fetch_sub(1, Ordering::SeqCst) == 1
    }
}

/// Jobs by their ids, and the job of each game.
#[derive(Debug, Default)]
pub(super) struct Book {
    pub(super) jobs: HashMap<String, Posted>,
    games: HashMap<GameId, (String, u64)>,
    /// Jobs of an earlier coordinator that are still in the stream, by game.
    adopted: HashMap<GameId, String>,
    adoptable: HashMap<String, (Job, u64)>,
    early: HashMap<GameId, Early>,
}

impl Book {
    /// Enters a job that was published.
    pub(super) fn enter(&mut self, id: String, job: Job, place: u64, left: Vec<ScheduledGame>) {
        for task in &left {
            self.games.insert(task.key.id(), (id.clone(), task.number));
        }
        let (heard, holders) = (Instant::now(), HashMap::new());
        let posted = Posted { job, left: BTreeMap::new(), place, heard, holders };
        let entered = self.jobs.entry(id).or_insert(posted);
        entered.left.extend(left.into_iter().map(|task| (task.number, task)));
    }

    /// Notes a job that an earlier coordinator has published.
    pub(super) fn adopt(&mut self, id: String, job: Job, place: u64, games: Vec<GameId>) {
        self.adopted.extend(games.into_iter().map(|game| (game, id.clone())));
        self.adoptable.insert(id, (job, place));
    }

    /// The adopted job that holds all these games, if there is one.
    pub(super) fn adopted(&self, tasks: &[ScheduledGame]) -> Option<(String, Job, u64)> {
        let id = self.adopted.get(&tasks.first()?.key.id())?;
        let holds = |task: &ScheduledGame| self.adopted.get(&task.key.id()) == Some(id);
        let (job, place) = self.adoptable.get(id)?;
        tasks.iter().all(holds).then(|| (id.clone(), job.clone(), *place))
    }

    /// Whether a game is handed out.
    pub(super) fn has(&self, game: &GameId) -> bool {
        self.games.contains_key(game)
    }

    /// Removes games with results: returns their tasks, if all of them were dispatched in one job.
    pub(super) fn take(&mut self, ids: &[GameId]) -> Option<Vec<ScheduledGame>> {
        let (job, _) = self.games.get(ids.first()?)?.clone();
        let number = |id: &GameId| {
            let (of, number) = self.games.get(id)?;
            (*of == job).then_some(*number)
        };
        let numbers: Vec<u64> = ids.iter().map(number).collect::<Option<_>>()?;
        let posted = self.jobs.get_mut(&job)?;
        posted.heard = Instant::now();
        let taken = numbers.iter().filter_map(|number| posted.left.remove(number)).collect();
        if posted.left.is_empty() {
            self.jobs.remove(&job);
        }
        for id in ids {
            self.games.remove(id);
        }
        Some(taken)
    }

    /// Number of pairs that arrived too early.
    pub(super) fn early(&self) -> usize {
        self.early.len()
    }

    /// Forgets the jobs that an earlier coordinator has published: the server has them.
    pub(super) fn forget_adopted(&mut self) {
        self.adopted.clear();
        self.adoptable.clear();
    }

    /// Stores the position of a job in the stream.
    pub(super) fn set_place(&mut self, job: &str, place: u64) {
        if let Some(posted) = self.jobs.get_mut(job) {
            posted.place = place;
        }
    }

    /// Strikes a job out: what of it has not come back.
    pub(super) fn strike(&mut self, job: &str) -> Option<Posted> {
        self.adoptable.remove(job);
        let posted = self.jobs.remove(job)?;
        for task in posted.left.values() {
            self.games.remove(&task.key.id());
        }
        Some(posted)
    }

    /// Records that a worker claims a job; `elsewhere`: the last delivery of it that another worker
    /// claims now.
    pub(super) fn claim(&mut self, claim: &Claim, instance: &str, elsewhere: Option<u32>) -> Hold {
        let Some(posted) = self.jobs.get_mut(&claim.job) else { return Hold::Gone };
        let is_known = posted.holders.contains_key(instance);
        if !is_known && elsewhere.is_some_and(|delivery| delivery >= claim.delivery) {
            return Hold::Foreign;
        }
        posted.heard = Instant::now();
        let delivery = posted.holders.entry(instance.to_owned()).or_default();
        *delivery = (*delivery).max(claim.delivery);
        if posted.is_with(instance) { Hold::Current } else { Hold::Former }
    }

    /// The job that a game is in, if it is handed out.
    pub(super) fn job_of(&self, game: &GameId) -> Option<String> {
        self.games.get(game).map(|(job, _)| job.clone())
    }

    /// Strikes out all jobs that a worker holds: what of them has not come back.
    pub(super) fn strike_all_of(&mut self, instance: &str) -> Vec<Posted> {
        let held = self.jobs.iter().filter(|(_, posted)| posted.is_with(instance));
        let ids: Vec<String> = held.map(|(id, _)| id.clone()).collect();
        self.early.retain(|_, early| early.instance != instance);
        ids.iter().filter_map(|id| self.strike(id)).collect()
    }

    /// Keeps a pair whose games nobody has handed out yet.
    pub(super) fn keep_early(&mut self, early: Early) {
        let first = early.games.first().map(|game| game.record.id());
        if let Some(first) = first.filter(|_| self.early.len() < MOST_EARLY) {
            self.early.insert(first, early);
        }
    }

    /// Pairs among these games that have arrived already.
    pub(super) fn take_early(&mut self, tasks: &[ScheduledGame]) -> Vec<Early> {
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
    fn a_pair_comes_back_once_and_whole() {
        let mut book = Book::default();
        let all = [pair(1), pair(2)];
        book.enter("j".into(), job(1), 1, all.concat());
        let first = ids(&all[0]);
        assert!(
            book.take(&[first[0].clone(), ids(&all[1])[0].clone()]).is_some_and(|t| t.len() == 2)
        );
        assert!(book.take(&first).is_none(), "half of it is gone");
        assert_eq!(book.jobs["j"].left.len(), 2);
        assert!(book.has(&first[1]) && !book.has(&first[0]));
    }

    #[test]
    fn a_job_is_struck_out_with_what_is_left_of_it() {
        let mut book = Book::default();
        let all = [pair(1), pair(2)];
        book.enter("j".into(), job(1), 1, all.concat());
        assert!(book.take(&ids(&all[0])).is_some());
        let struck = book.strike("j").unwrap();
        let left: Vec<ScheduledGame> = struck.left.into_values().collect();
        assert_eq!(ids(&left), ids(&all[1]));
        assert!(book.strike("j").is_none() && !book.has(&ids(&all[1])[0]));
        book.enter("k".into(), job(2), 2, left);
        assert!(book.take(&ids(&all[1])).is_some());
        assert!(book.jobs.is_empty(), "a job that has come back is forgotten");
    }

    #[test]
    fn a_job_is_with_the_worker_that_got_it_last() {
        let mut book = Book::default();
        book.enter("j".into(), job(1), 1, pair(1));
        let claim = |delivery| Claim { job: "j".into(), delivery };
        assert_eq!(book.claim(&claim(1), "a", None), Hold::Current);
        assert_eq!(book.claim(&claim(1), "b", Some(1)), Hold::Foreign, "a holds it");
        assert_eq!(book.claim(&claim(2), "b", Some(1)), Hold::Current, "a was thought dead");
        assert_eq!(book.claim(&claim(1), "a", Some(2)), Hold::Former, "a thaws");
        assert_eq!(book.claim(&claim(1), "c", Some(2)), Hold::Foreign);
        let other = Claim { job: "k".into(), delivery: 1 };
        assert_eq!(book.claim(&other, "a", None), Hold::Gone);
        assert!(book.strike_all_of("a").is_empty());
        assert_eq!(book.strike_all_of("b").len(), 1);
        assert!(!book.has(&ids(&pair(1))[0]));
    }

    #[test]
    fn a_pair_of_an_earlier_coordinator_is_known_when_it_is_whole() {
        let mut book = Book::default();
        let all = [pair(1), pair(2)];
        book.adopt("old".into(), job(9), 5, [ids(&all[0]), vec![ids(&all[1])[0].clone()]].concat());
        let (id, _, place) = book.adopted(&all[0]).unwrap();
        assert_eq!((id.as_str(), place), ("old", 5));
        assert!(book.adopted(&all[1]).is_none() && book.adopted(&pair(3)).is_none());
    }
}
