//! Lanes of workers: with workers, a thread of the server takes the place of each worker's lane. It
//! claims batches as a lane does, has them played by the worker, and returns the results.
//!
//! A dead worker loses nothing that was confirmed. Its pair is lost to the ladder, which issues
//! another one. Its validation is repeated, and its build or check waits for the next worker.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use pitmaster_runner::Queue as _;
use pitmaster_session::practice::Workers;

use super::Shared;
use super::lane_queue::LaneQueue;

/// Polling interval for workers that joined or left.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Delay of a lane after a lost batch, so that a batch that no worker can play does not fill the
/// log.
const LOSS_DELAY: Duration = Duration::from_secs(5);

/// Maximum number of lanes of all workers.
const MAX_LANES: usize = 1024;

/// Follows the workers until the player stops, and then waits for their lanes.
pub(super) fn run(shared: &Arc<Shared>) {
    let Some(workers) = shared.workers.clone() else { return };
    let mut threads: Vec<JoinHandle<()>> = Vec::new();
    while !shared.is_stopping() {
        workers.notes().iter().for_each(|note| shared.log(note));
        let lanes = workers.lanes().min(MAX_LANES);
        let before = std::mem::replace(&mut shared.lock().lanes, lanes);
        if before != lanes {
            shared.changed.notify_all();
        }
        while threads.len() < lanes {
            let (own, workers, lane) = (Arc::clone(shared), Arc::clone(&workers), threads.len());
            let thread = std::thread::Builder::new().name(format!("far lane {lane}"));
            match thread.spawn(move || run_lane(&own, &*workers, lane)) {
                Ok(thread) => threads.push(thread),
                Err(error) => {
                    shared.log(&format!("a worker's lane: {error}"));
                    break;
                }
            }
        }
        shared.pause(POLL_INTERVAL);
    }
    for thread in threads {
        // A panic is already reported.
        let _ = thread.join();
    }
    workers.notes().iter().for_each(|note| shared.log(note));
}

/// Has the batches of a lane played until the player stops.
fn run_lane(shared: &Arc<Shared>, workers: &dyn Workers, lane: usize) {
    let queue = LaneQueue::new_remote(Arc::clone(shared), lane);
    while let Some(batch) = queue.claim() {
        match workers.play(&batch, &|| queue.beat(&batch)) {
            Ok(played) => played.into_iter().for_each(|played| queue.finish(&batch, played)),
            Err(error) => {
                let why = error.to_string();
                queue.record_lost(&batch, &why);
                if !shared.is_stopping() {
                    shared.log(&format!("games were not played: {why}"));
                    shared.pause(LOSS_DELAY);
                }
            }
        }
    }
}

impl Shared {
    /// Whether workers are enabled and none is connected: then waiting jobs are not faults.
    pub(super) fn is_idle(&self) -> bool {
        self.workers.as_ref().is_some_and(|workers| workers.lanes() == 0)
    }

    /// Whether a lane can play: lanes of this process always can.
    pub(super) fn has_lane(&self, lane: Option<usize>) -> bool {
        match (lane, &self.workers) {
            (Some(lane), Some(workers)) => lane < workers.lanes(),
            _ => true,
        }
    }
}
