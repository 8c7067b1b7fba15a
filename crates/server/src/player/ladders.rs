//! Open ladders and running work, shared by the player's threads.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Duration;

use pitmaster_check::Interrupt;
use pitmaster_core::BotId;
use pitmaster_runner::{Batch, Played};
use pitmaster_season::course::{CourseId, GroupId, LadderId, Utc, VersionId};
use pitmaster_season::ladder::{Ladder, Newcomer, Player, Task};
use pitmaster_session::practice::{PracticeBot, PracticeLadder};

use super::Shared;
use super::requests::OpenRequests;
use super::validations::RunningValidation;
use crate::database::Lease;

/// State that all threads share.
#[derive(Debug)]
pub(super) struct Ladders {
    pub(super) open: Vec<OpenLadder>,
    /// Validations that wait for a lane.
    pub(super) validations: VecDeque<RunningValidation>,
    /// Batches that lanes are playing.
    pub(super) running: HashMap<u64, Running>,
    /// Held leases, which the keeper extends.
    pub(super) leases: Vec<Lease>,
    /// Interrupt handles of running checks.
    pub(super) checks: Vec<(Lease, Interrupt)>,
    pub(super) lanes: usize,
    /// Whether work is on hold because of a final.
    pub(super) on_hold: bool,
    /// Number of running builds, checks and settlements.
    work_count: usize,
    /// Number of issued batches.
    batches: u64,
    /// Index of the next ladder in round-robin order.
    next_ladder: usize,
}

/// Ladder that is open for playing.
#[derive(Debug)]
pub(super) struct OpenLadder {
    pub(super) id: LadderId,
    /// Slug of the ladder.
    pub(super) slug: String,
    pub(super) course: CourseId,
    /// Whether pairs are played: neither the ladder nor its course is paused or finished.
    pub(super) plays: bool,
    /// Instant at which the public table is frozen.
    pub(super) frozen_view_at: Option<Utc>,
    /// Slug of the course.
    pub(super) course_slug: String,
    /// Remote entrants, if this ladder is for them.
    pub(super) remote: Option<RemoteEntrants>,
    /// Results folder of the ladder.
    pub(super) folder: PracticeLadder,
    /// Games that groups ask for, once there are any.
    pub(super) requests: Option<OpenRequests>,
    /// Pairing state of the ladder.
    pub(super) ladder: Ladder,
    /// Names and hashes of the ladder's players, by number.
    pub(super) players: BTreeMap<Player, BotId>,
    /// Versions that play.
    pub(super) playing: Vec<PlayingVersion>,
    /// Number of games that count.
    pub(super) games: u64,
    /// Whether the store knows all playing versions.
    pub(super) is_complete: bool,
    /// Whether the playing versions have changed since the last table.
    pub(super) is_dirty: bool,
}

/// Remote entrants of a ladder.
#[derive(Debug)]
pub(super) struct RemoteEntrants {
    /// Entrants that have played here.
    pub(super) bots: Vec<PracticeBot>,
    /// Number of the next pair.
    pub(super) next_pair: u64,
}

impl OpenLadder {
    /// Whether this ladder is for remote entrants.
    pub(super) fn is_remote(&self) -> bool {
        self.remote.is_some()
    }

    /// Results folder of a task's games.
    pub(super) fn folder_of(&self, task: &Task) -> &PracticeLadder {
        match (task, &self.requests) {
            (Task::Asked { .. }, Some(requests)) => &requests.folder,
            _ => &self.folder,
        }
    }
}

/// Version that plays on a ladder.
#[derive(Debug, Clone)]
pub(super) struct PlayingVersion {
    pub(super) newcomer: Newcomer,
    /// Number among the versions of its bot.
    pub(super) number: u32,
    /// Whether people of other groups may play against it.
    pub(super) plays_people: bool,
    pub(super) bot: PracticeBot,
}

impl PlayingVersion {
    pub(super) fn id(&self) -> VersionId {
        self.newcomer.version
    }

    /// Whether a member of a group may play against it.
    pub(super) fn may_meet(&self, group: Option<GroupId>) -> bool {
        self.plays_people || group == Some(self.newcomer.group)
    }
}

/// Batch that a lane is playing.
#[derive(Debug)]
pub(super) enum Running {
    /// Validation games.
    Validation(Box<RunningValidation>),
    /// A pair of a ladder or of a request.
    Pair(Box<RunningPair>),
}

/// Pair that a lane is playing.
#[derive(Debug)]
pub(super) struct RunningPair {
    pub(super) ladder: LadderId,
    /// Task of the ladder.
    pub(super) task: Task,
    pub(super) batch: Batch,
    /// Played games that are not stored yet.
    pub(super) played: Vec<Played>,
    /// Stored games that count.
    pub(super) counted: Vec<Played>,
    /// Number of replays because of the machine.
    pub(super) replays: u32,
    /// Total lane time of the games.
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
            on_hold: false,
            work_count: 0,
            batches: 0,
            next_ladder: 0,
        }
    }

    /// Whether nothing is being played, built, checked or settled.
    pub(super) fn is_quiet(&self) -> bool {
        self.work_count == 0 && self.running.is_empty()
    }

    /// First ladder of a course on which versions play. Versions are built for its game and
    /// validated at its clock.
    pub(super) fn first_of(&mut self, course: CourseId) -> Option<&mut OpenLadder> {
        self.open.iter_mut().find(|open| open.course == course && !open.is_remote())
    }

    pub(super) fn get_mut(&mut self, id: LadderId) -> Option<&mut OpenLadder> {
        self.open.iter_mut().find(|open| open.id == id)
    }

    /// Returns the number of the next batch.
    pub(super) fn next_batch(&mut self) -> u64 {
        self.batches += 1;
        self.batches
    }

    /// Indices of the ladders in round-robin order. Advances the start.
    pub(super) fn round_robin(&mut self) -> impl Iterator<Item = usize> + use<> {
        let count = self.open.len();
        self.next_ladder = (self.next_ladder + 1) % count.max(1);
        let first = self.next_ladder;
        (0..count).map(move |at| (at + first) % count)
    }

    /// Interrupts running checks.
    pub(super) fn interrupt_checks(&self) {
        self.checks.iter().for_each(|(_, interrupt)| interrupt.set());
    }

    /// Closes all ladders. Returns error messages.
    pub(super) fn close(&mut self) -> Vec<String> {
        let folders = self
            .open
            .drain(..)
            .flat_map(|open| [Some(open.folder), open.requests.map(|requests| requests.folder)]);
        let closed = folders.flatten().map(PracticeLadder::close);
        closed.filter_map(Result::err).map(|error| error.to_string()).collect()
    }

    pub(super) fn release(&mut self, lease: Lease) {
        self.leases.retain(|held| *held != lease);
        self.checks.retain(|(held, _)| *held != lease);
    }
}

/// Guard of work that a final waits for.
#[derive(Debug)]
pub(super) struct WorkGuard<'s>(&'s Shared);

impl Shared {
    /// Begins work that a final waits for; `None` while work is on hold.
    pub(super) fn begin_work(&self) -> Option<WorkGuard<'_>> {
        let mut ladders = self.lock();
        (!ladders.on_hold).then(|| {
            ladders.work_count += 1;
            WorkGuard(self)
        })
    }

    /// Begins the continuation of earlier work, even while work is on hold.
    pub(super) fn resume_work(&self) -> WorkGuard<'_> {
        self.lock().work_count += 1;
        WorkGuard(self)
    }
}

impl Drop for WorkGuard<'_> {
    fn drop(&mut self) {
        self.0.lock().work_count -= 1;
    }
}
