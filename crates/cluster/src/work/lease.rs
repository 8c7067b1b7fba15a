//! Leases: the jobs that this worker holds.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::AckKind;
use tokio::task::JoinHandle;

use crate::broker::Receipt;
use crate::wire::{Claim, Job};

/// A claimed and unfinished job.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) number: u64,
    /// The claim by which this worker holds it.
    pub(super) claim: Claim,
    pub(super) job: Job,
    receipt: Receipt,
    /// Whether other workers have it or will have it. Games of it that are played from now on do
    /// not count.
    lost: AtomicBool,
    /// Whether a pair of it was dropped and has to be played again.
    torn: AtomicBool,
    /// Last time that a lane reported progress on it.
    beaten: Mutex<Instant>,
    /// Results in transit.
    sending: Mutex<Vec<JoinHandle<()>>>,
}

impl Held {
    pub(super) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::SeqCst)
    }

    /// Notes that a pair of it was dropped.
    pub(super) fn tear(&self) {
        self.torn.store(true, Ordering::SeqCst);
    }

    pub(super) fn is_torn(&self) -> bool {
        self.torn.load(Ordering::SeqCst)
    }

    pub(super) fn beat(&self) {
        *lock(&self.beaten) = Instant::now();
    }

    /// Notes a result that is on its way.
    pub(super) fn sends(&self, result: JoinHandle<()>) {
        lock(&self.sending).push(result);
    }

    /// Waits until all results have arrived.
    pub(super) async fn arrive(&self) {
        let sending = std::mem::take(&mut *lock(&self.sending));
        for result in sending {
            // The task is aborted only when everything is.
            let _ = result.await;
        }
    }

    /// Answers for the job, unless it is with others by now.
    pub(super) async fn answer(&self, kind: AckKind) {
        if !self.is_lost() {
            self.receipt.answer(kind).await;
        }
    }
}

/// All jobs that this worker holds.
#[derive(Debug, Default)]
pub(super) struct Holding {
    jobs: Mutex<HashMap<u64, Arc<Held>>>,
    next: AtomicU64,
}

impl Holding {
    pub(super) fn take(&self, claim: Claim, job: Job, receipt: Receipt) -> Arc<Held> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (lost, torn) = (AtomicBool::new(false), AtomicBool::new(false));
        let (beaten, sending) = (Mutex::new(Instant::now()), Mutex::default());
        let held = Arc::new(Held { number, claim, job, receipt, lost, torn, beaten, sending });
        lock(&self.jobs).insert(number, Arc::clone(&held));
        held
    }

    pub(super) fn find(&self, number: u64) -> Option<Arc<Held>> {
        lock(&self.jobs).get(&number).cloned()
    }

    pub(super) fn let_go(&self, number: u64) {
        lock(&self.jobs).remove(&number);
    }

    pub(super) fn is_empty(&self) -> bool {
        lock(&self.jobs).is_empty()
    }

    pub(super) fn all(&self) -> Vec<Arc<Held>> {
        lock(&self.jobs).values().cloned().collect()
    }

    /// Gives up all jobs: the process was stopped for longer than the server is patient, so that
    /// others have them, or the contest is over.
    pub(super) fn lose_all(&self) {
        for held in self.all() {
            held.lost.store(true, Ordering::SeqCst);
        }
    }

    /// Tells the server that its jobs are being played; but not of those whose lane has not
    /// stirred for longer than any of the job's games takes.
    pub(super) async fn beat(&self, longest: impl Fn(&Job) -> Duration) {
        for held in self.all() {
            let is_quick = || lock(&held.beaten).elapsed() < longest(&held.job);
            let stirs = held.job.is_examination() || is_quick();
            if stirs && !held.is_lost() {
                held.answer(AckKind::Progress).await;
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
