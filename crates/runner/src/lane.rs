//! Lane: a pinned thread that plays one game at a time.

use std::thread::JoinHandle;
use std::time::{Instant, SystemTime};

use pitmaster_core::{Ply, Record, Side};

use super::cores::{self, Layout};
use super::game::{Seated, dismiss};
use super::queue::{Batch, LocalQueue, Place, Played, Queue, ScheduledGame};
use super::single_game::OneGame;

/// Executor of a run's games.
pub trait Executor: std::fmt::Debug {
    /// Number of games played at once, as far as it is known.
    fn lanes(&self) -> usize;

    /// Returns whether other machines play the games.
    fn is_far(&self) -> bool {
        false
    }

    /// Starts threads that claim until there are no more games. `queue` makes one queue per thread.
    fn begin(self: Box<Self>, queue: &mut dyn FnMut() -> LocalQueue) -> Vec<JoinHandle<()>>;
}

impl Executor for Layout {
    fn lanes(&self) -> usize {
        self.lanes.len()
    }

    fn begin(self: Box<Self>, queue: &mut dyn FnMut() -> LocalQueue) -> Vec<JoinHandle<()>> {
        start_lanes(&self, || Box::new(queue()))
    }
}

/// Starts the lanes of this machine, after moving all other threads off their cores. Lanes end when
/// their queues have no more games, and then free their cores.
pub fn start_lanes(
    layout: &Layout,
    mut queue: impl FnMut() -> Box<dyn Queue>,
) -> Vec<JoinHandle<()>> {
    cores::move_all_to(&layout.rest);
    let start = |(lane, &core): (usize, &usize)| {
        let (queue, reserved) = (queue(), layout.clone());
        let body = move || {
            run_lane(lane, core, &*queue);
            drop(reserved);
        };
        let thread = std::thread::Builder::new().name(format!("lane {lane}")).spawn(body);
        // A run needs threads; the system is out of resources.
        thread.expect("a thread can be started")
    };
    layout.lanes.iter().enumerate().map(start).collect()
}

/// Plays the queue's games until there are no more.
fn run_lane(lane: usize, core: usize, queue: &dyn Queue) {
    cores::move_to(&[core]);
    while let Some(batch) = queue.claim() {
        let mut kept = Kept::default();
        for task in &batch.tasks {
            if !queue.beat(&batch) {
                break;
            }
            let watch = |plies: &[Ply]| queue.watch(&batch, task, plies);
            queue.finish(&batch, play_task(&batch, task, lane, &mut kept, watch));
        }
        dismiss(kept.0.into_iter().map(|(_, seat)| seat));
    }
}

/// Processes that can serve the next game of a batch, by the bot's index.
#[derive(Debug, Default)]
struct Kept(Vec<(usize, Seated)>);

impl Kept {
    fn take(&mut self, bot: usize) -> Option<Seated> {
        let place = self.0.iter().position(|(kept, _)| *kept == bot)?;
        Some(self.0.swap_remove(place).1)
    }
}

fn play_task(
    batch: &Batch,
    task: &ScheduledGame,
    lane: usize,
    kept: &mut Kept,
    watch: impl Fn(&[Ply]),
) -> Played {
    let (started_at, began) = (SystemTime::now(), Instant::now());
    let record = record_of(batch, task, kept, watch);
    let (task, place) = (task.clone(), Place { lane, machine: None });
    Played { task, record, place, started_at, took: began.elapsed(), void: None }
}

fn record_of(
    batch: &Batch,
    task: &ScheduledGame,
    kept: &mut Kept,
    watch: impl Fn(&[Ply]),
) -> Record {
    let table = &batch.table;
    let mut seats = task.bots.map(|bot| kept.take(bot));
    let one = OneGame {
        key: task.key.clone(),
        game: &table.game,
        seed: table.seed,
        entrants: task.bots.map(|bot| &table.entrants[bot]),
        stopping: table.stopping,
    };
    let record = one.play_with(&mut seats, |referee| watch(referee.plies()));
    for side in Side::BOTH {
        kept.0.extend(seats[side].take().map(|seat| (task.bots[side], seat)));
    }
    record
}
