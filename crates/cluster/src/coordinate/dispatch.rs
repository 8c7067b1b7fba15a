//! Remote executor: publishes the games that the run's dispatcher assigns, for a run on many
//! machines.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use pitmaster_runner::{Batch, Executor, LocalQueue, Queue as _, ScheduledGame};

use super::state::Desk;
use crate::wire::{Broadcast, WORD, encode};

/// Polling interval for free capacity, and for the end of all work.
const LOOK: Duration = Duration::from_millis(250);

/// Maximum number of jobs that no worker can take now, so that jobs that can be taken continue.
const MOST_STUCK: usize = 256;

/// Executor that runs games on remote workers.
#[derive(Debug)]
pub(super) struct Others(pub(super) Arc<Desk>);

impl Executor for Others {
    fn lanes(&self) -> usize {
        self.0.roster.lanes()
    }

    fn is_far(&self) -> bool {
        true
    }

    fn begin(self: Box<Self>, queue: &mut dyn FnMut() -> LocalQueue) -> Vec<JoinHandle<()>> {
        let (desk, queue) = (self.0, queue());
        let feeder = std::thread::Builder::new().name("feeder".into());
        let thread = feeder.spawn(move || feed(&desk, queue));
        // Without threads there is no run; the machine is out of something.
        vec![thread.expect("a thread can be started")]
    }
}

/// Claims as long as there is room, then waits for jobs in flight.
fn feed(desk: &Arc<Desk>, queue: LocalQueue) {
    let queue = Arc::new(queue);
    desk.set_queue(&queue);
    loop {
        wait_for_room(desk, &queue);
        queue.set_lanes(desk.roster.lanes());
        let Some(batch) = queue.claim() else { break };
        desk.runtime.block_on(hand_out(desk, &batch));
    }
    wait_for_all(desk, &queue);
}

fn wait_for_room(desk: &Desk, queue: &LocalQueue) {
    while !queue.is_halted() {
        let book = desk.book();
        let (mut waiting, mut stuck) = (0, 0);
        for posted in book.jobs.values() {
            let tools = desk.card.tools_of(&posted.job.bots);
            *(if desk.roster.can_serve(&tools) { &mut waiting } else { &mut stuck }) += 1;
        }
        let most = 2 * desk.roster.lanes() + 2;
        if waiting < most && stuck < MOST_STUCK {
            return;
        }
        desk.wait(book, LOOK);
    }
}

/// Publishes a batch, except for pairs that an earlier coordinator has published; those are
/// awaited.
async fn hand_out(desk: &Arc<Desk>, batch: &Batch) {
    let mut new: Vec<ScheduledGame> = Vec::new();
    for pair in batch.pairs() {
        let adopted = desk.book().adopted(pair);
        match adopted {
            Some((id, job, place)) => desk.book().enter(id, job, place, pair.to_vec()),
            None => new.extend_from_slice(pair),
        }
    }
    if let Some(job) = desk.job(&new) {
        desk.enter(job, new).await;
    }
    let early = desk.book().take_early(&batch.tasks);
    for pair in early {
        desk.pair(pair).await;
    }
}

/// Waits until all jobs have returned, or after a halt until nobody plays any more.
fn wait_for_all(desk: &Arc<Desk>, queue: &LocalQueue) {
    let (mut halted, mut idle_since) = (false, None);
    loop {
        let book = desk.book();
        if book.jobs.is_empty() {
            return;
        }
        desk.wait(book, LOOK);
        if !queue.is_halted() {
            continue;
        }
        if !std::mem::replace(&mut halted, true) {
            desk.roster.count_pulses();
            desk.runtime.block_on(halt(desk));
        } else if desk.roster.holds_nothing() {
            let since = *idle_since.get_or_insert_with(Instant::now);
            if desk.is_still() || since.elapsed() > desk.patience {
                return;
            }
        }
    }
}

/// Withdraws jobs that nobody has begun, and lets workers finish their current pairs.
async fn halt(desk: &Desk) {
    desk.over.store(true, Ordering::SeqCst);
    desk.post.clear(&desk.contest).await;
    desk.post.say(WORD, encode(&Broadcast::Halt(desk.contest.clone()))).await;
}
