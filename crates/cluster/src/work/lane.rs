//! Remote queue of a lane: the lane's access to the cluster's games.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use pitmaster_runner::{Batch, Played, Queue};
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::lease::{Held, Holding};
use super::suspend_detector::Alive;

/// Upper bound on results in flight; while the server is unreachable, lanes wait.
const ON_THE_WAY: usize = 64;

/// Pairs that are over sooner than this travel together.
const TOGETHER: Duration = Duration::from_millis(200);

/// Upper bound on results sent together.
const MOST_TOGETHER: usize = 64;

/// State shared by all lanes of a worker.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) holding: Holding,
    pub(super) alive: Arc<Alive>,
    /// Take no more, and end with the pair that is being played.
    pub(super) draining: AtomicBool,
    /// The contest of which no more games are begun.
    pub(super) halted: Mutex<Option<String>>,
    /// Games that were played.
    pub(super) games: AtomicU64,
    /// Results that are on their way.
    pub(super) sending: AtomicU64,
    /// Results that have arrived since somebody has asked.
    pub(super) arrived: AtomicU64,
    way: Arc<Semaphore>,
}

impl Shared {
    pub(super) fn new() -> Self {
        Self {
            holding: Holding::default(),
            alive: Alive::watch(),
            draining: AtomicBool::new(false),
            halted: Mutex::default(),
            games: AtomicU64::new(0),
            sending: AtomicU64::new(0),
            arrived: AtomicU64::new(0),
            way: Arc::new(Semaphore::new(ON_THE_WAY)),
        }
    }

    /// Whether results are on their way and none has arrived since this was asked last.
    pub(super) fn take_is_stuck(&self) -> bool {
        let arrived = self.arrived.swap(0, Ordering::SeqCst);
        arrived == 0 && self.sending.load(Ordering::SeqCst) > 0
    }

    /// Lets nobody wait for room on the way any more.
    pub(super) fn close(&self) {
        self.way.close();
    }

    /// Whether no more games of a contest are begun.
    pub(super) fn is_halted(&self, contest: &str) -> bool {
        let halted = self.halted.lock().unwrap_or_else(PoisonError::into_inner);
        halted.as_deref() == Some(contest)
    }

    pub(super) fn halt(&self, contest: Option<String>) {
        *self.halted.lock().unwrap_or_else(PoisonError::into_inner) = contest;
    }

    /// Whether no more of a job is to be begun.
    fn stops(&self, held: &Held) -> bool {
        held.is_lost() || self.draining.load(Ordering::SeqCst) || self.is_halted(&held.job.contest)
    }
}

/// Message from a lane, or notice of a released job.
#[derive(Debug)]
pub(super) enum FromLane {
    /// A job is done with.
    Free,
    /// The lane has nothing to do.
    Claim { lane: usize, reply: mpsc::Sender<Option<Batch>> },
    /// The lane has played all that it had of some pairs.
    Pairs { held: Arc<Held>, pairs: Vec<Vec<Played>>, permit: OwnedSemaphorePermit },
    /// The lane is done with a job; `whole`: all of it was played.
    Left { held: Arc<Held>, whole: bool },
}

/// The queue of all machines, for one lane.
#[derive(Debug)]
pub(super) struct LaneQueue {
    pub(super) lane: usize,
    pub(super) tell: UnboundedSender<FromLane>,
    pub(super) shared: Arc<Shared>,
    pub(super) runtime: Handle,
    /// Games played of a pair that is not whole.
    pub(super) pair: Mutex<Vec<(Instant, Played)>>,
    /// Whole pairs that wait for others, and when the first of them was begun.
    pub(super) ready: Mutex<(Option<Instant>, Vec<Vec<Played>>)>,
}

impl Queue for LaneQueue {
    fn claim(&self) -> Option<Batch> {
        let (reply, answer) = mpsc::channel();
        self.tell.send(FromLane::Claim { lane: self.lane, reply }).ok()?;
        answer.recv().ok()?
    }

    fn beat(&self, batch: &Batch) -> bool {
        let Some(held) = self.shared.holding.find(batch.number) else { return false };
        held.beat();
        let in_a_pair = !self.pair.lock().unwrap_or_else(PoisonError::into_inner).is_empty();
        if in_a_pair || !self.shared.stops(&held) {
            return true;
        }
        self.leave(held, false);
        false
    }

    fn finish(&self, batch: &Batch, played: Played) {
        let Some(held) = self.shared.holding.find(batch.number) else { return };
        let Some(tasks) = batch.pairs().find(|pair| pair.iter().any(|task| is(task, &played)))
        else {
            return;
        };
        let began = Instant::now().checked_sub(played.took).unwrap_or_else(Instant::now);
        let mut pair = self.pair.lock().unwrap_or_else(PoisonError::into_inner);
        pair.push((began, played));
        if pair.len() < tasks.len() {
            return;
        }
        let games = std::mem::take(&mut *pair);
        drop(pair);
        let is_last =
            batch.tasks.last().zip(tasks.last()).is_some_and(|(a, b)| a.number == b.number);
        self.send(held, games, is_last);
    }
}

fn is(task: &pitmaster_runner::ScheduledGame, played: &Played) -> bool {
    task.number == played.task.number
}

impl LaneQueue {
    /// Takes a whole pair. One over which the process was stopped is dropped: it is played again.
    fn send(&self, held: Arc<Held>, games: Vec<(Instant, Played)>, is_last: bool) {
        let stopped =
            games.iter().any(|(began, _)| self.shared.alive.stopped_since(*began).is_some());
        if stopped || held.is_lost() {
            held.tear();
        } else {
            self.keep(&held, games);
        }
        if is_last {
            let whole = !held.is_torn();
            self.leave(held, whole);
        }
    }

    fn keep(&self, held: &Arc<Held>, games: Vec<(Instant, Played)>) {
        self.shared.games.fetch_add(games.len() as u64, Ordering::Relaxed);
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let began = *ready.0.get_or_insert(games[0].0);
        ready.1.push(games.into_iter().map(|(_, played)| played).collect());
        let is_full = ready.1.len() >= MOST_TOGETHER || began.elapsed() >= TOGETHER;
        drop(ready);
        if is_full {
            self.flush(held);
        }
    }

    /// Sends the results that are ready.
    fn flush(&self, held: &Arc<Held>) {
        let ready = std::mem::take(&mut *self.ready.lock().unwrap_or_else(PoisonError::into_inner));
        let (held, pairs) = (Arc::clone(held), ready.1);
        if pairs.is_empty() || held.is_lost() {
            return;
        }
        let way = Arc::clone(&self.shared.way);
        let Ok(permit) = self.runtime.block_on(way.acquire_owned()) else { return };
        // Sending fails only once the worker ends at once.
        let _ = self.tell.send(FromLane::Pairs { held, pairs, permit });
    }

    fn leave(&self, held: Arc<Held>, whole: bool) {
        self.flush(&held);
        let _ = self.tell.send(FromLane::Left { held, whole });
    }
}
