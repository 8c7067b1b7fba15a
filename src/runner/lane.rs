//! A lane: one pinned thread that plays one game at a time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use super::cores;
use super::game::{GRACE, Players, Seated, Stopping, play};
use super::ledger::Task;
use crate::bot::{self, Clock, Contender, Launch, LaunchFault};
use crate::games::Game;
use crate::record::{At, BySide, Dialect, Ending, Fault, Limits, Record, RefereeFault, Seed, Side};
use crate::referee::{Referee, SeatSetup, Setup};

/// Makes a bot's command line for a game.
pub type MakeLaunch = dyn Fn(Side, Seed, &Limits) -> Launch + Send + Sync;

/// A bot that takes part.
#[derive(Clone)]
pub struct Entrant {
    /// Who it is.
    pub id: crate::record::BotId,
    /// How it is spoken to.
    pub dialect: Dialect,
    /// Whether its chatter is skipped.
    pub lenient: bool,
    /// How it is started.
    pub launch: Arc<MakeLaunch>,
    /// Why it cannot play at all: its games are forfeits, unplayed.
    pub absent: Option<Fault>,
}

impl std::fmt::Debug for Entrant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { id, absent, .. } = self;
        let mut shown = f.debug_struct("Entrant");
        shown.field("id", id).field("absent", absent).finish_non_exhaustive()
    }
}

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

/// Says goodbye to processes that have served their last game.
pub(super) fn dismiss(seats: impl Iterator<Item = Seated>) {
    let clock = Clock::start();
    let mut seats: Vec<Seated> = seats.collect();
    for seat in &mut seats {
        seat.contender.send(b"quit\n");
        seat.contender.hang_up();
    }
    for mut seat in seats {
        seat.contender.end(&clock, At::START + GRACE);
    }
}

/// Plays a game; a panic in it is a fault of the referee and ends nothing else.
fn play_task(shared: &Shared, task: &Task, kept: &mut Kept) -> Record {
    let played = catch_unwind(AssertUnwindSafe(|| try_task(shared, task, kept)));
    let fault = match played {
        Ok(Ok(record)) => return record,
        Ok(Err(error)) => RefereeFault::System { error },
        Err(panic) => {
            *kept = Kept::default();
            RefereeFault::Panic { message: panic_message(&*panic) }
        }
    };
    Record::unplayed(task.key.clone(), shared.seed, Ending::RefereeError { fault })
}

fn try_task(shared: &Shared, task: &Task, kept: &mut Kept) -> Result<Record, String> {
    let mut seats: BySide<Option<Seated>> = BySide::default();
    let setups = BySide::from_fn(|side| {
        let entrant = &shared.entrants[task.bots[side]];
        seats[side] = kept.take(task.bots[side]);
        let greeted = seats[side].as_ref().and_then(|seat| seat.greeted);
        SeatSetup { dialect: entrant.dialect, lenient: entrant.lenient, greeted }
    });
    let seed = task.key.seed(shared.seed);
    let setup = Setup {
        key: task.key.clone(),
        game: shared.game.clone(),
        seed,
        seats: setups,
        position: None,
    };
    let referee = Referee::new(setup).map_err(|fault| fault.to_string())?;
    let mut players = FromEntrants { shared, task, seed };
    let record = play(referee, &mut seats, &mut players, shared.stopping, |_| {});
    for side in Side::BOTH {
        kept.0.extend(seats[side].take().map(|seat| (task.bots[side], seat)));
    }
    Ok(record)
}

struct FromEntrants<'a> {
    shared: &'a Shared,
    task: &'a Task,
    seed: Seed,
}

impl Players for FromEntrants<'_> {
    fn start(&mut self, side: Side) -> Result<Box<dyn Contender>, LaunchFault> {
        let entrant = &self.shared.entrants[self.task.bots[side]];
        bot::start(&(entrant.launch)(side, self.seed, &self.task.key.limits))
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown".into())
}
