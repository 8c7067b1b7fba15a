//! Game queue, the interface between a plan and its executors: claim, beat, finish.
//!
//! Lanes depend on this interface only. This module contains the in-process queue. Another
//! implementation may span machines, and an executor cannot tell them apart.

use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use pitmaster_core::{BySide, Ending, GameKey, Ply, Record, Seed};
use pitmaster_games::DynGame;

use super::entrant::Entrant;
use super::game::Stopping;
use super::mailbox::{Message, Sender};

/// Source of games to play, and destination of played games.
pub trait Queue: Debug + Send + Sync {
    /// Waits for the next batch; `None` if there will be no more.
    fn claim(&self) -> Option<Batch>;

    /// Reports before each game that the batch is still being played. Returns whether to continue.
    fn beat(&self, batch: &Batch) -> bool;

    /// Shows the plies of a game that is being played: before each line sent to a bot, and once at
    /// the end. No clock runs meanwhile, but the lane waits, so this must return at once. Nothing
    /// else that a bot wrote is shown.
    fn watch(&self, _: &Batch, _: &ScheduledGame, _: &[Ply]) {}

    /// Hands over a played game of a batch. Games that were not handed over before the next claim,
    /// or before the claimant ends, count as not played.
    fn finish(&self, batch: &Batch, played: Played);
}

/// Games of the same two bots. The two games of a pair are adjacent.
#[derive(Debug, Clone)]
pub struct Batch {
    /// Number of the batch, assigned by the dispatcher.
    pub number: u64,
    /// Settings shared by all its games.
    pub table: Arc<Table>,
    /// Games of the batch.
    pub tasks: Vec<ScheduledGame>,
}

impl Batch {
    /// Pairs of the batch. Some have only one pending game.
    pub fn pairs(&self) -> impl Iterator<Item = &[ScheduledGame]> {
        self.tasks.chunk_by(ScheduledGame::is_paired_with)
    }
}

/// Settings shared by games that are played together.
#[derive(Debug)]
pub struct Table {
    /// The rules.
    pub game: Arc<dyn DynGame>,
    /// The tournament's seed.
    pub seed: Seed,
    /// Suspension of the side not to move.
    pub stopping: Stopping,
    /// The bots, by the numbers that tasks refer to.
    pub entrants: Vec<Entrant>,
}

/// A game to play.
#[derive(Debug, Clone)]
pub struct ScheduledGame {
    /// Number in the plan, from 0.
    pub number: u64,
    /// Key of the game.
    pub key: GameKey,
    /// The numbers of the bots that play it.
    pub bots: BySide<usize>,
}

impl ScheduledGame {
    /// Returns whether both are games of one pair.
    pub fn is_paired_with(&self, other: &Self) -> bool {
        let of = |task: &Self| (task.key.stage, task.key.round, task.key.pair);
        of(self) == of(other) && self.has_bots_of(other)
    }

    /// Returns whether both are games of the same two bots.
    pub fn has_bots_of(&self, other: &Self) -> bool {
        self.bots == other.bots || self.bots == other.bots.swapped()
    }
}

/// A played game.
#[derive(Debug, Clone)]
pub struct Played {
    /// The scheduled game.
    pub task: ScheduledGame,
    /// Record of the game.
    pub record: Record,
    /// Place of the game.
    pub place: Place,
    /// Start time.
    pub started_at: SystemTime,
    /// Time that it occupied its lane, including the start and the end of processes.
    pub took: Duration,
    /// Reason why it does not count, regardless of its record.
    pub void: Option<String>,
}

impl Played {
    /// Returns whether it counts, as far as its executor knows.
    pub(super) fn counts(&self) -> bool {
        self.void.is_none() && !matches!(self.record.ending, Ending::RefereeError { .. })
    }
}

/// Location where a game was played.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// Number of the lane.
    pub lane: usize,
    /// The machine; `None` for this one.
    pub machine: Option<Machine>,
}

/// Another machine that plays games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// Name of the machine.
    pub name: String,
    /// The store's number of the isolation on the machine.
    pub isolation: Option<u32>,
}

/// Callback after the submitted games are safe in the store.
pub type Told = Box<dyn FnOnce() + Send>;

/// One claimant's handle to the in-process queue. Dropping it ends the claims.
#[derive(Debug)]
pub struct LocalQueue {
    id: usize,
    sender: Sender,
    course: Arc<RunProgress>,
    lanes: AtomicUsize,
    far: bool,
}

/// Progress of a run, visible to all claimants.
#[derive(Debug, Default)]
pub(super) struct RunProgress {
    /// Whether no more games should begin.
    pub(super) halt: AtomicBool,
    /// Number of games that count.
    pub(super) done: AtomicU64,
    /// Total number of games, as far as it is known.
    pub(super) games: AtomicU64,
    /// Number of games submitted but not stored yet.
    unstored: Mutex<usize>,
    stored: Condvar,
}

/// Number of unstored games above which lanes wait. It bounds the memory if the store is slower
/// than the lanes.
const MOST_UNSTORED: usize = 1 << 10;

impl RunProgress {
    fn unstored(&self) -> MutexGuard<'_, usize> {
        self.unstored.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until fewer games are unstored.
    fn wait_for_the_store(&self) {
        let is_full = |unstored: &mut usize| *unstored >= MOST_UNSTORED;
        drop(self.stored.wait_while(self.unstored(), is_full));
    }

    /// Records that this number of games was stored or could not be stored.
    pub(super) fn note_stored(&self, games: usize) {
        let mut unstored = self.unstored();
        *unstored = unstored.saturating_sub(games);
        self.stored.notify_all();
    }
}

/// Claim parameters of a claimant.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claimant {
    pub(super) id: usize,
    /// Number of lanes that it claims for.
    pub(super) lanes: usize,
    /// Whether batches go to another machine, and must be large enough to be worth the transfer.
    pub(super) far: bool,
}

impl LocalQueue {
    pub(super) fn new(id: usize, far: bool, sender: Sender, course: Arc<RunProgress>) -> Self {
        Self { id, sender, course, lanes: AtomicUsize::new(1), far }
    }

    /// Sets the number of lanes for further claims.
    pub fn set_lanes(&self, lanes: usize) {
        self.lanes.store(lanes.max(1), Ordering::Relaxed);
    }

    /// Returns whether no more games should begin.
    pub fn is_halted(&self) -> bool {
        self.course.halt.load(Ordering::Relaxed)
    }

    /// Returns whether the store is overloaded.
    pub fn is_behind(&self) -> bool {
        *self.course.unstored() >= MOST_UNSTORED
    }

    /// Number of games that count, and total number of games as far as it is known.
    pub fn progress(&self) -> (u64, u64) {
        (self.course.done.load(Ordering::Relaxed), self.course.games.load(Ordering::Relaxed))
    }

    /// Sends a remark to the run's observers.
    pub fn note(&self, text: String) {
        self.sender.send(Message::Note(text));
    }

    /// Submits games that count together or not at all, such as the two games of a pair. `told` is
    /// called once they are stored, also if the store already has them.
    pub fn finish_together(&self, played: Vec<Played>, told: Told) {
        *self.course.unstored() += played.len();
        // Sending fails only once the run has ended.
        self.sender.send(Message::Played(played, told));
    }
}

impl Queue for LocalQueue {
    fn claim(&self) -> Option<Batch> {
        let (reply, answer) = mpsc::channel();
        let lanes = self.lanes.load(Ordering::Relaxed);
        let claimant = Claimant { id: self.id, lanes, far: self.far };
        if !self.sender.send(Message::Claim(claimant, reply)) {
            return None;
        }
        answer.recv().ok()?
    }

    fn beat(&self, _: &Batch) -> bool {
        !self.is_halted()
    }

    fn finish(&self, _: &Batch, played: Played) {
        self.course.wait_for_the_store();
        self.finish_together(vec![played], Box::new(|| {}));
    }
}

impl Drop for LocalQueue {
    fn drop(&mut self) {
        self.sender.send(Message::Left(self.id));
    }
}
