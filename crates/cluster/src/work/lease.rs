//! Leases: the jobs that this worker holds.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::AckKind;
use tokio::task::JoinHandle;

use crate::broker::AckHandle;
use crate::wire::{Claim, Job};

/// A held job.
#[derive(Debug)]
pub(super) struct Lease {
    /// Number of the lease in this process.
    pub(super) number: u64,
    /// Claim of this worker to the job.
    pub(super) claim: Claim,
    pub(super) job: Job,
    ack: AckHandle,
    /// Whether the job went or will go to another worker. Its further games do not count.
    lost: AtomicBool,
    /// Whether a pair was dropped and has to be played again.
    incomplete: AtomicBool,
    /// Time of the last progress of a lane.
    last_progress: Mutex<Instant>,
    /// Tasks that send results.
    sending: Mutex<Vec<JoinHandle<()>>>,
}

impl Lease {
    pub(super) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::SeqCst)
    }

    /// Records that a pair was dropped.
    pub(super) fn mark_incomplete(&self) {
        self.incomplete.store(true, Ordering::SeqCst);
    }

    pub(super) fn is_incomplete(&self) -> bool {
        self.incomplete.load(Ordering::SeqCst)
    }

    /// Records progress of a lane.
    pub(super) fn record_progress(&self) {
        *lock(&self.last_progress) = Instant::now();
    }

    /// Adds a task that sends a result.
    pub(super) fn track_send(&self, task: JoinHandle<()>) {
        lock(&self.sending).push(task);
    }

    /// Waits until all results have been sent.
    pub(super) async fn wait_for_sends(&self) {
        let sending = std::mem::take(&mut *lock(&self.sending));
        for task in sending {
            // The task is aborted only with the runtime.
            let _ = task.await;
        }
    }

    /// Acknowledges the job, unless the lease is lost.
    pub(super) async fn acknowledge(&self, kind: AckKind) {
        if !self.is_lost() {
            self.ack.acknowledge(kind).await;
        }
    }
}

/// All jobs that this worker holds.
#[derive(Debug, Default)]
pub(super) struct Leases {
    jobs: Mutex<HashMap<u64, Arc<Lease>>>,
    next: AtomicU64,
}

impl Leases {
    pub(super) fn add(&self, claim: Claim, job: Job, ack: AckHandle) -> Arc<Lease> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (lost, incomplete) = (AtomicBool::new(false), AtomicBool::new(false));
        let (last_progress, sending) = (Mutex::new(Instant::now()), Mutex::default());
        let lease =
            Arc::new(Lease { number, claim, job, ack, lost, incomplete, last_progress, sending });
        lock(&self.jobs).insert(number, Arc::clone(&lease));
        lease
    }

    pub(super) fn get(&self, number: u64) -> Option<Arc<Lease>> {
        lock(&self.jobs).get(&number).cloned()
    }

    pub(super) fn remove(&self, number: u64) {
        lock(&self.jobs).remove(&number);
    }

    pub(super) fn is_empty(&self) -> bool {
        lock(&self.jobs).is_empty()
    }

    pub(super) fn all(&self) -> Vec<Arc<Lease>> {
        lock(&self.jobs).values().cloned().collect()
    }

    /// Marks all leases as lost: the process was suspended for longer than the server's patience, or
    /// the contest has ended.
    pub(super) fn revoke_all(&self) {
        for lease in self.all() {
            lease.lost.store(true, Ordering::SeqCst);
        }
    }

    /// Extends the leases of all jobs on the server, except those whose lane has made no progress for
    /// the given time.
    pub(super) async fn extend_all(&self, timeout: impl Fn(&Job) -> Duration) {
        for lease in self.all() {
            let has_progress = || lock(&lease.last_progress).elapsed() < timeout(&lease.job);
            let is_alive = lease.job.is_examination() || has_progress();
            if is_alive && !lease.is_lost() {
                lease.acknowledge(AckKind::Progress).await;
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
