//! Remote queue: the source of a lane's games.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use pitmaster_runner::{Batch, Played, Queue};
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::lease::{Lease, Leases};
use super::suspend_detector::SuspendDetector;

/// Maximum number of unsent results. Lanes wait when it is reached.
const MAX_UNSENT: usize = 64;

/// Time for which completed pairs are collected into one message.
const BATCH_INTERVAL: Duration = Duration::from_millis(200);

/// Maximum number of pairs in a message.
const MAX_BATCH: usize = 64;

/// State shared by all lanes of a worker.
#[derive(Debug)]
pub(super) struct SharedState {
    pub(super) leases: Leases,
    pub(super) suspend_detector: Arc<SuspendDetector>,
    /// Whether the worker takes no more jobs and exits after the current pairs.
    pub(super) draining: AtomicBool,
    /// Contest of which no further games are started.
    pub(super) halted: Mutex<Option<String>>,
    /// Number of played games.
    pub(super) games: AtomicU64,
    /// Number of results being sent.
    pub(super) sending: AtomicU64,
    /// Number of results sent since the last call of [`Self::take_is_stalled`].
    pub(super) sent: AtomicU64,
    /// Limits the number of unsent results.
    send_permits: Arc<Semaphore>,
}

impl SharedState {
    pub(super) fn new() -> Self {
        Self {
            leases: Leases::default(),
            suspend_detector: SuspendDetector::start(),
            draining: AtomicBool::new(false),
            halted: Mutex::default(),
            games: AtomicU64::new(0),
            sending: AtomicU64::new(0),
            sent: AtomicU64::new(0),
            send_permits: Arc::new(Semaphore::new(MAX_UNSENT)),
        }
    }

    /// Returns whether results are being sent and none has been sent since the last call.
    pub(super) fn take_is_stalled(&self) -> bool {
        let sent = self.sent.swap(0, Ordering::SeqCst);
        sent == 0 && self.sending.load(Ordering::SeqCst) > 0
    }

    /// Wakes lanes that wait for a permit to send. Their results are dropped.
    pub(super) fn close(&self) {
        self.send_permits.close();
    }

    /// Returns whether no further games of a contest are started.
    pub(super) fn is_halted(&self, contest: &str) -> bool {
        let halted = self.halted.lock().unwrap_or_else(PoisonError::into_inner);
        halted.as_deref() == Some(contest)
    }

    /// Starts no further games of a contest, or of none.
    pub(super) fn halt(&self, contest: Option<String>) {
        *self.halted.lock().unwrap_or_else(PoisonError::into_inner) = contest;
    }

    /// Returns whether no further games of a job are started.
    fn is_stopping(&self, lease: &Lease) -> bool {
        lease.is_lost()
            || self.draining.load(Ordering::SeqCst)
            || self.is_halted(&lease.job.contest)
    }
}

/// Event for the session, mostly from lanes.
#[derive(Debug)]
pub(super) enum LaneEvent {
    /// A job was released.
    Released,
    /// The lane is idle.
    Claim { lane: usize, reply: mpsc::Sender<Option<Batch>> },
    /// The lane has completed pairs.
    Pairs { lease: Arc<Lease>, pairs: Vec<Vec<Played>>, permit: OwnedSemaphorePermit },
    /// The lane has finished a job. `complete` is whether all of its games were played.
    Finished { lease: Arc<Lease>, complete: bool },
}

/// Queue of one lane.
#[derive(Debug)]
pub(super) struct LaneQueue {
    pub(super) lane: usize,
    pub(super) events: UnboundedSender<LaneEvent>,
    pub(super) shared: Arc<SharedState>,
    pub(super) runtime: Handle,
    /// Played games of an incomplete pair, with their start times.
    pub(super) pair: Mutex<Vec<(Instant, Played)>>,
    /// Completed pairs that are not sent yet, and the start time of the first one.
    pub(super) completed: Mutex<(Option<Instant>, Vec<Vec<Played>>)>,
}

impl Queue for LaneQueue {
    fn claim(&self) -> Option<Batch> {
        let (reply, batch) = mpsc::channel();
        self.events.send(LaneEvent::Claim { lane: self.lane, reply }).ok()?;
        batch.recv().ok()?
    }

    fn beat(&self, batch: &Batch) -> bool {
        let Some(lease) = self.shared.leases.get(batch.number) else { return false };
        lease.record_progress();
        let is_in_a_pair = !self.pair.lock().unwrap_or_else(PoisonError::into_inner).is_empty();
        if is_in_a_pair || !self.shared.is_stopping(&lease) {
            return true;
        }
        self.finish_job(lease, false);
        false
    }

    fn finish(&self, batch: &Batch, played: Played) {
        let Some(lease) = self.shared.leases.get(batch.number) else { return };
        let Some(tasks) =
            batch.pairs().find(|pair| pair.iter().any(|task| is_task_of(task, &played)))
        else {
            return;
        };
        let start = Instant::now().checked_sub(played.took).unwrap_or_else(Instant::now);
        let mut pair = self.pair.lock().unwrap_or_else(PoisonError::into_inner);
        pair.push((start, played));
        if pair.len() < tasks.len() {
            return;
        }
        let games = std::mem::take(&mut *pair);
        drop(pair);
        let is_last =
            batch.tasks.last().zip(tasks.last()).is_some_and(|(a, b)| a.number == b.number);
        self.complete_pair(lease, games, is_last);
    }
}

fn is_task_of(task: &pitmaster_runner::ScheduledGame, played: &Played) -> bool {
    task.number == played.task.number
}

impl LaneQueue {
    /// Handles a complete pair. If the process was suspended meanwhile, the pair is dropped and played
    /// again.
    fn complete_pair(&self, lease: Arc<Lease>, games: Vec<(Instant, Played)>, is_last: bool) {
        let detector = &self.shared.suspend_detector;
        let is_suspended = |(start, _): &(Instant, _)| detector.suspended_since(*start).is_some();
        if games.iter().any(is_suspended) || lease.is_lost() {
            lease.mark_incomplete();
        } else {
            self.add(&lease, games);
        }
        if is_last {
            let complete = !lease.is_incomplete();
            self.finish_job(lease, complete);
        }
    }

    fn add(&self, lease: &Arc<Lease>, games: Vec<(Instant, Played)>) {
        self.shared.games.fetch_add(games.len() as u64, Ordering::Relaxed);
        let mut completed = self.completed.lock().unwrap_or_else(PoisonError::into_inner);
        let start = *completed.0.get_or_insert(games[0].0);
        completed.1.push(games.into_iter().map(|(_, played)| played).collect());
        let is_full = completed.1.len() >= MAX_BATCH || start.elapsed() >= BATCH_INTERVAL;
        drop(completed);
        if is_full {
            self.flush(lease);
        }
    }

    /// Sends the completed pairs.
    fn flush(&self, lease: &Arc<Lease>) {
        let completed =
            std::mem::take(&mut *self.completed.lock().unwrap_or_else(PoisonError::into_inner));
        let (lease, pairs) = (Arc::clone(lease), completed.1);
        if pairs.is_empty() || lease.is_lost() {
            return;
        }
        let permits = Arc::clone(&self.shared.send_permits);
        let Ok(permit) = self.runtime.block_on(permits.acquire_owned()) else { return };
        // Sending fails only once the session has ended.
        let _ = self.events.send(LaneEvent::Pairs { lease, pairs, permit });
    }

    fn finish_job(&self, lease: Arc<Lease>, complete: bool) {
        self.flush(&lease);
        let _ = self.events.send(LaneEvent::Finished { lease, complete });
    }
}
