//! Ladders that are open, and what is being played.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Duration;

use pitmaster_check::Interrupt;
use pitmaster_core::BotId;
use pitmaster_runner::{Batch, Played};
use pitmaster_season::course::{CourseId, LadderId, Utc, VersionId};
use pitmaster_season::ladder::{Ladder, Newcomer, Pair, Player};
use pitmaster_session::practice::{PracticeBot, PracticeLadder};

use super::Shared;
use super::validations::RunningValidation;
use crate::database::Lease;

/// The state that all threads share.
#[derive(Debug)]
pub(super) struct Ladders {
    pub(super) open: Vec<OpenLadder>,
    /// Validations that wait for a lane.
    pub(super) validations: VecDeque<RunningValidation>,
    /// Batches that lanes have.
    pub(super) running: HashMap<u64, Running>,
    /// Leases that are held, which the keeper extends.
    pub(super) leases: Vec<Lease>,
    /// Interrupts of running checks.
    pub(super) checks: Vec<(Lease, Interrupt)>,
    pub(super) lanes: usize,
    /// Whether everybody waits for a final: nothing begins.
    pub(super) held: bool,
    /// Builds, checks and settlements that run.
    works: usize,
    /// Number of batches handed out.
    batches: u64,
    /// The ladder whose turn it is.
    turn: usize,
}

/// A ladder that is open for playing.
#[derive(Debug)]
pub(super) struct OpenLadder {
    pub(super) id: LadderId,
    /// Its name in addresses.
    pub(super) slug: String,
    pub(super) course: CourseId,
    /// Whether pairs are played: neither the ladder nor its course is paused or over.
    pub(super) plays: bool,
    /// From then on the public table stands still.
    pub(super) frozen_view_at: Option<Utc>,
    /// Name of the course in addresses.
    pub(super) course_slug: String,
    /// What is known of remote entrants, if they play here, and nobody else but house bots.
    pub(super) remote: Option<RemoteField>,
    /// Its results folder.
    pub(super) folder: PracticeLadder,
    /// Decides who meets whom.
    pub(super) ladder: Ladder,
    /// Names and hashes of the ladder's players, by their numbers.
    pub(super) players: BTreeMap<Player, BotId>,
    /// The versions that play.
    pub(super) playing: Vec<PlayingVersion>,
    /// Number of games that count.
    pub(super) games: u64,
    /// Whether the store knows the versions that play.
    pub(super) is_complete: bool,
    /// Whether the versions that play have changed since the last table.
    pub(super) is_dirty: bool,
}

/// The remote entrants of a ladder.
#[derive(Debug)]
pub(super) struct RemoteField {
    /// Those that have played here.
    pub(super) bots: Vec<PracticeBot>,
    /// Number of the next pair.
    pub(super) next_pair: u64,
}

impl OpenLadder {
    /// Whether remote entrants play here.
    pub(super) fn is_remote(&self) -> bool {
        self.remote.is_some()
    }
}

/// A version that plays on a ladder.
#[derive(Debug, Clone)]
pub(super) struct PlayingVersion {
    pub(super) newcomer: Newcomer,
    /// Its number among the versions of its bot.
    pub(super) number: u32,
    pub(super) bot: PracticeBot,
}

impl PlayingVersion {
    pub(super) fn id(&self) -> VersionId {
        self.newcomer.version
    }
}

/// A batch that a lane has.
#[derive(Debug)]
pub(super) enum Running {
    /// Validation games.
    Validation(Box<RunningValidation>),
    /// A pair of a ladder.
    Pair(Box<RunningPair>),
}

/// A pair that a lane has.
#[derive(Debug)]
pub(super) struct RunningPair {
    pub(super) ladder: LadderId,
    pub(super) pair: Pair,
    pub(super) batch: Batch,
    /// Games that a lane has played and that are not stored.
    pub(super) played: Vec<Played>,
    /// Games that count and are stored.
    pub(super) counted: Vec<Played>,
    /// How often games of it had to be played again.
    pub(super) replays: u32,
    /// Lane time of all its games.
    pub(super) took: Duration,
}

impl Ladders {
    pub(super) fn new(lanes: usize) -> Self {
        Self {
            open: Vec::new(),
            validations: VecDeque::new(),
            running: HashMap::new(),
            leases: Vec::new(),
            checks: Vec::new(),
            lanes,
            held: false,
            works: 0,
            batches: 0,
            turn: 0,
        }
    }

    /// Whether nothing is played, built, checked or settled.
    pub(super) fn is_quiet(&self) -> bool {
        self.works == 0 && self.running.is_empty()
    }

    /// The first ladder of a course on which versions play: they are built for it, and validated at
    /// its clock.
    pub(super) fn first_of(&mut self, course: CourseId) -> Option<&mut OpenLadder> {
        self.open.iter_mut().find(|open| open.course == course && !open.is_remote())
    }

    pub(super) fn get_mut(&mut self, id: LadderId) -> Option<&mut OpenLadder> {
        self.open.iter_mut().find(|open| open.id == id)
    }

    /// Number of the next batch.
    pub(super) fn next_batch(&mut self) -> u64 {
        self.batches += 1;
        self.batches
    }

    /// Ladders, beginning with the one whose turn it is, which is then another's.
    pub(super) fn in_turn(&mut self) -> impl Iterator<Item = usize> + use<> {
        let count = self.open.len();
        self.turn = (self.turn + 1) % count.max(1);
        let first = self.turn;
        (0..count).map(move |at| (at + first) % count)
    }

    /// Ends running checks early.
    pub(super) fn interrupt_checks(&self) {
        self.checks.iter().for_each(|(_, interrupt)| interrupt.set());
    }

    /// Closes all ladders; returns what went wrong.
    pub(super) fn close(&mut self) -> Vec<String> {
        let closed = self.open.drain(..).map(|open| open.folder.close());
        closed.filter_map(Result::err).map(|error| error.to_string()).collect()
    }

    pub(super) fn release(&mut self, lease: Lease) {
        self.leases.retain(|held| *held != lease);
        self.checks.retain(|(held, _)| *held != lease);
    }
}

/// Something that a final waits for; it ends when it is dropped.
#[derive(Debug)]
pub(super) struct Work<'s>(&'s Shared);

impl Shared {
    /// Begins something that a final waits for; `None` while everybody waits for one.
    pub(super) fn begin_work(&self) -> Option<Work<'_>> {
        let mut ladders = self.lock();
        (!ladders.held).then(|| {
            ladders.works += 1;
            Work(self)
        })
    }

    /// Goes on with what was begun before.
    pub(super) fn go_on(&self) -> Work<'_> {
        self.lock().works += 1;
        Work(self)
    }
}

impl Drop for Work<'_> {
    fn drop(&mut self) {
        self.0.lock().works -= 1;
    }
}
