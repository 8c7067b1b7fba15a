//! A lane: one pinned thread that plays one game at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use super::cores;
use super::entrant::Entrant;
use super::game::{Seated, Stopping, dismiss};
use super::ledger::Task;
use super::one::OneGame;
use crate::games::Game;
use crate::record::{Record, Seed, Side};

/// What all lanes share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) game: Arc<dyn Game>,
    pub(super) seed: Seed,
    pub(super) entrants: Vec<Entrant>,
    pub(super) stopping: Stopping,
    /// Begin no more games.
    pub(super) halt: AtomicBool,
}

/// What a lane says.
#[derive(Debug)]
pub(super) enum FromLane {
    /// It has nothing to do.
    Free(usize),
    /// A game has ended.
    Played(Box<Played>),
}

/// A game that was played.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) lane: usize,
    pub(super) task: Task,
    pub(super) record: Record,
    pub(super) started_at: SystemTime,
}

/// Plays what it is given until there is nothing more.
pub(super) fn run_lane(
    lane: usize,
    core: usize,
    shared: &Shared,
    work: &std::sync::mpsc::Receiver<Vec<Task>>,
    tell: &dyn Fn(FromLane) -> bool,
) {
    cores::move_to(&[core]);
    while tell(FromLane::Free(lane)) {
        let Ok(batch) = work.recv() else { return };
        let mut kept = Kept::default();
        for task in batch {
            if shared.halt.load(Ordering::Relaxed) {
                break;
            }
            let started_at = SystemTime::now();
            let record = play_task(shared, &task, &mut kept);
            if !tell(FromLane::Played(Box::new(Played { lane, task, record, started_at }))) {
                break;
            }
        }
        dismiss(kept.0.into_iter().map(|(_, seat)| seat));
    }
}

/// Processes that serve the next game of a batch, by the bot's index.
#[derive(Debug, Default)]
struct Kept(Vec<(usize, Seated)>);

impl Kept {
    fn take(&mut self, bot: usize) -> Option<Seated> {
        let place = self.0.iter().position(|(kept, _)| *kept == bot)?;
        Some(self.0.swap_remove(place).1)
    }
}

fn play_task(shared: &Shared, task: &Task, kept: &mut Kept) -> Record {
    let mut seats = task.bots.map(|bot| kept.take(bot));
    let one = OneGame {
        key: task.key.clone(),
        game: &shared.game,
        seed: shared.seed,
        entrants: task.bots.map(|bot| &shared.entrants[bot]),
        stopping: shared.stopping,
    };
    let record = one.play_with(&mut seats, |_| {});
    for side in Side::BOTH {
        kept.0.extend(seats[side].take().map(|seat| (task.bots[side], seat)));
    }
    record
}
