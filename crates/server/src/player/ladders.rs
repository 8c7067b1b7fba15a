//! Ladders that are open, and what is being played.

use std::collections::{HashMap, VecDeque};

use pitmaster_check::Interrupt;
use pitmaster_core::{BotId, BySide};
use pitmaster_runner::{Batch, Played};
use pitmaster_season::course::{CourseId, EntryId, GroupId, LadderId, VersionId};
use pitmaster_session::practice::{PracticeBot, PracticeLadder, RatedGame};

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
    pub(super) checks: Vec<Interrupt>,
    pub(super) lanes: usize,
    /// Number of batches handed out.
    pub(super) batches: u64,
    /// The ladder whose turn it is.
    turn: usize,
}

/// A ladder that is open for playing.
#[derive(Debug)]
pub(super) struct OpenLadder {
    pub(super) id: LadderId,
    pub(super) course: CourseId,
    /// Whether pairs are played: neither the ladder nor its course is paused or over.
    pub(super) plays: bool,
    pub(super) ladder: PracticeLadder,
    /// The versions that play.
    pub(super) playing: Vec<PlayingVersion>,
    /// Whether its store knows the versions that play.
    pub(super) is_complete: bool,
    pub(super) history: History,
    /// Pairs that lanes have.
    pub(super) out: Vec<[BotId; 2]>,
    /// Forfeits in a row without a move of its own, by bot.
    pub(super) forfeits: HashMap<BotId, u32>,
    /// Whether results or versions have changed since the last table.
    pub(super) is_dirty: bool,
}

/// A version that plays on a ladder.
#[derive(Debug, Clone)]
pub(super) struct PlayingVersion {
    pub(super) id: VersionId,
    pub(super) number: u32,
    pub(super) entry: EntryId,
    pub(super) group: GroupId,
    /// Whether it is the one of its group that is in rank.
    pub(super) is_ranked: bool,
    pub(super) bot: PracticeBot,
}

/// All games of a ladder that count, with bots as numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct History {
    numbers: HashMap<BotId, u32>,
    pub(super) bots: Vec<BotId>,
    pub(super) games: Vec<RatedGame>,
}

/// A batch that a lane has.
#[derive(Debug)]
pub(super) enum Running {
    /// Validation games.
    Validation(Box<RunningValidation>),
    /// A pair of a ladder.
    Pair(RunningPair),
}

/// A pair that a lane has.
#[derive(Debug)]
pub(super) struct RunningPair {
    pub(super) ladder: LadderId,
    pub(super) batch: Batch,
    pub(super) played: Vec<Played>,
    /// How often games of it had to be played again.
    pub(super) replays: u32,
}

impl History {
    /// Number of a bot.
    pub(super) fn number(&mut self, bot: &BotId) -> u32 {
        if let Some(number) = self.numbers.get(bot) {
            return *number;
        }
        let number = self.bots.len() as u32;
        self.numbers.insert(bot.clone(), number);
        self.bots.push(bot.clone());
        number
    }

    /// Numbers of the two bots of a game.
    pub(super) fn seats(&mut self, bots: &BySide<BotId>) -> BySide<u32> {
        let one = self.number(&bots.one);
        BySide::new(one, self.number(&bots.two))
    }
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
            batches: 0,
            turn: 0,
        }
    }

    /// The first ladder of a course: versions are built for it, and validated at its clock.
    pub(super) fn first_of(&self, course: CourseId) -> Option<&OpenLadder> {
        self.open.iter().find(|open| open.course == course)
    }

    pub(super) fn get_mut(&mut self, id: LadderId) -> Option<&mut OpenLadder> {
        self.open.iter_mut().find(|open| open.id == id)
    }

    /// Number of the next batch.
    pub(super) fn next_batch(&mut self) -> u64 {
        self.batches += 1;
        self.batches
    }

    /// Ladders that play, beginning with the one whose turn it is, which is then another's.
    pub(super) fn in_turn(&mut self) -> Vec<usize> {
        let count = self.open.len();
        self.turn = (self.turn + 1) % count.max(1);
        let all = (0..count).map(|at| (at + self.turn) % count);
        all.filter(|&at| self.open[at].plays).collect()
    }

    /// Ends running checks early.
    pub(super) fn interrupt_checks(&self) {
        self.checks.iter().for_each(Interrupt::set);
    }

    /// Closes all ladders; returns what went wrong.
    pub(super) fn close(&mut self) -> Vec<String> {
        let closed = self.open.drain(..).map(|open| open.ladder.close());
        closed.filter_map(Result::err).map(|error| error.to_string()).collect()
    }

    pub(super) fn release(&mut self, lease: Lease) {
        self.leases.retain(|held| *held != lease);
    }
}
