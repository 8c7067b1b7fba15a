//! Remote executor: publishes the games that the run's dispatcher assigns.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use pitmaster_runner::{Batch, Executor, LocalQueue, Queue as _, ScheduledGame};

use super::state::CoordinatorState;
use crate::wire::{BROADCAST, Broadcast, encode};

/// Polling interval for free capacity and for the end of the run.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Maximum number of published jobs that no current worker can take. It leaves room for other jobs.
const MAX_UNASSIGNABLE: usize = 256;

/// Executor that runs games on remote workers.
#[derive(Debug)]
pub(super) struct RemoteExecutor(pub(super) Arc<CoordinatorState>);

impl Executor for RemoteExecutor {
    fn lanes(&self) -> usize {
        self.0.registry.lanes()
    }

    fn is_far(&self) -> bool {
        true
    }

    fn begin(self: Box<Self>, queue: &mut dyn FnMut() -> LocalQueue) -> Vec<JoinHandle<()>> {
        let (state, queue) = (self.0, queue());
        let builder = std::thread::Builder::new().name("dispatch".into());
        let thread = builder.spawn(move || dispatch_all(&state, queue));
        // Spawning fails only if the machine is out of resources.
        vec![thread.expect("a thread can be started")]
    }
}

/// Publishes batches while there is capacity, then waits for the jobs in flight.
fn dispatch_all(state: &Arc<CoordinatorState>, queue: LocalQueue) {
    let queue = Arc::new(queue);
    state.set_queue(&queue);
    loop {
        wait_for_capacity(state, &queue);
        queue.set_lanes(state.registry.lanes());
        let Some(batch) = queue.claim() else { break };
        state.runtime.block_on(dispatch(state, &batch));
    }
    wait_for_all(state, &queue);
}

fn wait_for_capacity(state: &CoordinatorState, queue: &LocalQueue) {
    while !queue.is_halted() {
        let in_flight = state.in_flight();
        let (mut assignable, mut unassignable) = (0, 0);
        for job in in_flight.jobs.values() {
            let tools = state.manifest.tools_of(&job.job.bots);
            *(if state.registry.any_has_tools(&tools) {
                &mut assignable
            } else {
                &mut unassignable
            }) += 1;
        }
        let max = 2 * state.registry.lanes() + 2;
        if assignable < max && unassignable < MAX_UNASSIGNABLE {
            return;
        }
        state.wait(in_flight, POLL_INTERVAL);
    }
}

/// Publishes a batch, except for pairs that an earlier coordinator has published.
async fn dispatch(state: &Arc<CoordinatorState>, batch: &Batch) {
    let mut new: Vec<ScheduledGame> = Vec::new();
    for pair in batch.pairs() {
        let adopted = state.in_flight().adopted_job(pair);
        match adopted {
            Some((id, job, sequence)) => state.in_flight().insert(id, job, sequence, pair.to_vec()),
            None => new.extend_from_slice(pair),
        }
    }
    if let Some(job) = state.games_job(&new) {
        state.publish_job(job, new).await;
    }
    let early = state.in_flight().take_early(&batch.tasks);
    for pair in early {
        state.deliver_pair(pair).await;
    }
}

/// Waits until no jobs are in flight, or after a halt until no worker plays.
fn wait_for_all(state: &Arc<CoordinatorState>, queue: &LocalQueue) {
    let (mut halted, mut idle_since) = (false, None);
    loop {
        let in_flight = state.in_flight();
        if in_flight.jobs.is_empty() {
            return;
        }
        state.wait(in_flight, POLL_INTERVAL);
        if !queue.is_halted() {
            continue;
        }
        if !std::mem::replace(&mut halted, true) {
            state.registry.reset_heartbeat_counts();
            state.runtime.block_on(halt(state));
        } else if state.registry.is_idle() {
            let since = *idle_since.get_or_insert_with(Instant::now);
            if state.results_are_drained() || since.elapsed() > state.patience {
                return;
            }
        }
    }
}

/// Deletes queued jobs and lets workers finish their current pairs.
async fn halt(state: &CoordinatorState) {
    state.ended.store(true, Ordering::SeqCst);
    state.broker.purge_jobs(&state.contest).await;
    state.broker.notify(BROADCAST, encode(&Broadcast::Halt(state.contest.clone()))).await;
}
