//! Game queue, the interface between a plan and its executors: claim, beat, finish.
//!
//! Lanes depend on this interface only. This module contains the in-process queue. Another
//! implementation may span machines, and an executor cannot tell them apart.

use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use pitmaster_core::{BySide, Ending, GameKey, Record, Seed};
use pitmaster_games::DynGame;

use super::entrant::Entrant;
use super::game::Stopping;
use super::mailbox::{Message, Sender};

/// Where games to be played come from, and where they go when they were.
pub trait Queue: Debug + Send + Sync {
    /// The next batch; waits for it. `None`: there will be no more.
    fn claim(&self) -> Option<Batch>;

    /// Says, before each game of a batch, that it is still being played; whether to go on with
    /// it.
    fn beat(&self, batch: &Batch) -> bool;

    /// Hands over a game of a batch. What was not handed over when the next batch is claimed,
    /// or nobody claims any more, was not played.
    fn finish(&self, batch: &Batch, played: Played);
}

/// Games of the same two bots, both games of a pair one after the other.
#[derive(Debug, Clone)]
pub struct Batch {
    /// Which, for whoever handed it out.
    pub number: u64,
    /// What all its games have in common.
    pub table: Arc<Table>,
    /// The games.
    pub tasks: Vec<ScheduledGame>,
}

impl Batch {
    /// Its pairs; of some only one game is left to be played.
    pub fn pairs(&self) -> impl Iterator<Item = &[ScheduledGame]> {
        self.tasks.chunk_by(ScheduledGame::is_paired_with)
    }
}

/// What games have in common that are played together.
#[derive(Debug)]
pub struct Table {
    /// The rules.
    pub game: Arc<dyn DynGame>,
    /// The tournament's seed.
    pub seed: Seed,
    /// How the side not to move is kept from thinking.
    pub stopping: Stopping,
    /// The bots that the tasks' numbers mean.
    pub entrants: Vec<Entrant>,
}

/// A game to be played.
#[derive(Debug, Clone)]
pub struct ScheduledGame {
    /// Its number in the plan, from 0.
    pub number: u64,
    /// Which game.
    pub key: GameKey,
    /// The numbers of the bots that play it.
    pub bots: BySide<usize>,
}

impl ScheduledGame {
    /// Whether both are games of one pair.
    pub fn is_paired_with(&self, other: &Self) -> bool {
        let of = |task: &Self| (task.key.stage, task.key.round, task.key.pair);
        of(self) == of(other) && self.has_bots_of(other)
    }

    /// Whether both are games of the same two bots.
    pub fn has_bots_of(&self, other: &Self) -> bool {
        self.bots == other.bots || self.bots == other.bots.swapped()
    }
}

/// A game that was played.
#[derive(Debug, Clone)]
pub struct Played {
    /// Which.
    pub task: ScheduledGame,
    /// What came of it.
    pub record: Record,
    /// Where.
    pub place: Place,
    /// When it was begun.
    pub started_at: SystemTime,
    /// How long it kept its lane, with the start and the end of processes.
    pub took: Duration,
    /// Why it does not count, whatever its record says.
    pub void: Option<String>,
}

impl Played {
    /// Whether it counts, as far as whoever played it knows.
    pub(super) fn counts(&self) -> bool {
        self.void.is_none() && !matches!(self.record.ending, Ending::RefereeError { .. })
    }
}

/// Where a game was played.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// Which lane.
    pub lane: usize,
    /// On which machine; `None`: here.
    pub machine: Option<Machine>,
}

/// Another machine that plays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// What it is called.
    pub name: String,
    /// The store's number of what contains bots there.
    pub isolation: Option<u32>,
}

/// Told when what was handed over is safe in the store.
pub type Told = Box<dyn FnOnce() + Send>;

/// One claimant's hold on the queue of this process. Let go, it claims no more.
#[derive(Debug)]
pub struct LocalQueue {
    who: usize,
    tell: Sender,
    course: Arc<RunProgress>,
    lanes: AtomicUsize,
    far: bool,
}

/// How far a run is, for everybody who claims.
#[derive(Debug, Default)]
pub(super) struct RunProgress {
    /// Begin no more games.
    pub(super) halt: AtomicBool,
    /// Games that count.
    pub(super) done: AtomicU64,
    /// Games in all, as far as that is known.
    pub(super) games: AtomicU64,
    /// Games that were handed over and are not stored.
    unstored: Mutex<usize>,
    stored: Condvar,
}

/// So many games wait for the store at most before a lane waits with them: a store that is
/// slower than the lanes must not fill the memory.
const MOST_UNSTORED: usize = 1 << 10;

impl RunProgress {
    fn unstored(&self) -> MutexGuard<'_, usize> {
        self.unstored.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is room for a game.
    fn wait_for_the_store(&self) {
        let is_full = |unstored: &mut usize| *unstored >= MOST_UNSTORED;
        drop(self.stored.wait_while(self.unstored(), is_full));
    }

    /// Notes that so many games were stored, or could not be.
    pub(super) fn note_stored(&self, games: usize) {
        let mut unstored = self.unstored();
        *unstored = unstored.saturating_sub(games);
        self.stored.notify_all();
    }
}

/// What a claimant says of itself when it claims.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claimant {
    pub(super) who: usize,
    /// For how many lanes it claims.
    pub(super) lanes: usize,
    /// Batches go far: they are to be worth the way.
    pub(super) far: bool,
}

impl LocalQueue {
    pub(super) fn new(who: usize, far: bool, tell: Sender, course: Arc<RunProgress>) -> Self {
        Self { who, tell, course, lanes: AtomicUsize::new(1), far }
    }

    /// Says for how many lanes batches are claimed from now on.
    pub fn set_lanes(&self, lanes: usize) {
        self.lanes.store(lanes.max(1), Ordering::Relaxed);
    }

    /// Whether no more games are to be begun.
    pub fn is_halted(&self) -> bool {
        self.course.halt.load(Ordering::Relaxed)
    }

    /// Whether the store has more to do than it should.
    pub fn is_behind(&self) -> bool {
        *self.course.unstored() >= MOST_UNSTORED
    }

    /// How many games count, and how many there are in all, as far as that is known.
    pub fn progress(&self) -> (u64, u64) {
        (self.course.done.load(Ordering::Relaxed), self.course.games.load(Ordering::Relaxed))
    }

    /// Says something to whoever watches the run.
    pub fn note(&self, text: String) {
        self.tell.send(Message::Note(text));
    }

    /// Hands over games that count together or not at all: the two of a pair. `told` is called
    /// when they are safe; games that the store has already are as safe.
    pub fn finish_together(&self, played: Vec<Played>, told: Told) {
        *self.course.unstored() += played.len();
        // Nobody hears it only when the run is over anyway.
        self.tell.send(Message::Played(played, told));
    }
}

impl Queue for LocalQueue {
    fn claim(&self) -> Option<Batch> {
        let (reply, answer) = mpsc::channel();
        let lanes = self.lanes.load(Ordering::Relaxed);
        let claimant = Claimant { who: self.who, lanes, far: self.far };
        if !self.tell.send(Message::Claim(claimant, reply)) {
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
        self.tell.send(Message::Left(self.who));
    }
}
