//! Queue of a lane: what it plays next, and what becomes of what it has played.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pitmaster_core::{BotId, BySide, Side};
use pitmaster_runner::{Batch, Played, Queue};
use pitmaster_season::course::{LadderId, VersionId};
use pitmaster_session::practice::{Kept, RatedGame};

use super::ladders::{Ladders, OpenLadder, Running, RunningPair};
use super::pairing::next_pair;
use super::{PlayerError, Shared};
use crate::database::{Act, By};

/// Longest wait before a lane looks again.
const WAIT: Duration = Duration::from_millis(200);

/// Pause after the store or the database has failed.
const AFTER_ERROR: Duration = Duration::from_secs(5);

/// Number of times that games of a pair are played again because of the machine.
const REPLAYS: u32 = 3;

/// Number of forfeits in a row, without a move, after which a version is stopped.
const SUSPEND_AFTER: u32 = 10;

/// Batches of a lane between two checks, while there is something to play.
const BETWEEN_CHECKS: u32 = 8;

/// Pause between two looks for a check, while there is nothing to play.
const LOOK_FOR_CHECKS: Duration = Duration::from_secs(1);

/// The queue of one lane.
#[derive(Debug)]
pub(super) struct LaneQueue {
    shared: Arc<Shared>,
    own: Mutex<Own>,
}

/// What only this lane knows.
#[derive(Debug)]
struct Own {
    /// The batch that it has.
    batch: Option<u64>,
    /// Batches since its last check.
    since_check: u32,
    looked: Instant,
}

impl LaneQueue {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let own = Own { batch: None, since_check: 0, looked: Instant::now() };
        Self { shared, own: Mutex::new(own) }
    }

    /// Waits for something to play, and checks versions meanwhile.
    fn next(&self, own: &mut Own) -> Option<Batch> {
        if let Some(number) = own.batch.take()
            && let Some(again) = self.shared.settle(number)
        {
            return Some(own.take(again));
        }
        loop {
            if self.shared.is_stopping() {
                return None;
            }
            let is_due = own.since_check >= BETWEEN_CHECKS;
            let batch = self.shared.lock().take(!is_due);
            match batch {
                Ok(Some(batch)) => return Some(own.take(batch)),
                Ok(None) => {}
                Err(error) => self.shared.fail(&error),
            }
            if (is_due || own.looked.elapsed() >= LOOK_FOR_CHECKS) && !self.shared.is_stopping() {
                own.since_check = 0;
                own.looked = Instant::now();
                if let Err(error) = self.shared.check_next() {
                    self.shared.fail(&error);
                }
                continue;
            }
            let ladders = self.shared.lock();
            // Whoever is woken looks again.
            drop(self.shared.changed.wait_timeout(ladders, WAIT));
        }
    }
}

impl Own {
    fn take(&mut self, batch: Batch) -> Batch {
        self.batch = Some(batch.number);
        self.since_check += 1;
        batch
    }
}

impl Queue for LaneQueue {
    fn claim(&self) -> Option<Batch> {
        self.next(&mut self.own.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Games of a pair are played out even if the player stops; validations are not, because the
    /// next player can play them.
    fn beat(&self, batch: &Batch) -> bool {
        match self.shared.lock().running.get(&batch.number) {
            Some(Running::Validation(validation)) => {
                validation.goes_on() && !self.shared.is_stopping()
            }
            Some(Running::Pair(_)) => true,
            None => false,
        }
    }

    fn finish(&self, batch: &Batch, played: Played) {
        match self.shared.lock().running.get_mut(&batch.number) {
            Some(Running::Validation(validation)) => validation.add(played),
            Some(Running::Pair(pair)) => pair.played.push(played),
            None => {}
        }
    }
}

impl Ladders {
    /// The next batch of a lane: validations first, then pairs.
    fn take(&mut self, pairs: bool) -> Result<Option<Batch>, PlayerError> {
        if let Some(validation) = self.validations.pop_front() {
            let number = self.next_batch();
            let batch = Batch { number, ..validation.validation.batch.clone() };
            self.running.insert(number, Running::Validation(Box::new(validation)));
            return Ok(Some(batch));
        }
        if !pairs {
            return Ok(None);
        }
        for at in self.in_turn() {
            let number = self.next_batch();
            let open = &mut self.open[at];
            let Some(bots) = next_pair(open) else { continue };
            let Some(batch) = open.ladder.pair(bots.each_ref(), number)? else { continue };
            let (ladder, played, replays) = (open.id, Vec::new(), 0);
            open.out.push(bots);
            let pair = RunningPair { ladder, batch: batch.clone(), played, replays };
            self.running.insert(number, Running::Pair(pair));
            return Ok(Some(batch));
        }
        Ok(None)
    }
}

impl Ladders {
    /// Gives out games of a pair once more.
    fn replay(&mut self, ladder: LadderId, batch: Batch, replays: u32) -> Batch {
        let number = self.next_batch();
        let batch = Batch { number, ..batch };
        let pair = RunningPair { ladder, batch: batch.clone(), played: Vec::new(), replays };
        self.running.insert(number, Running::Pair(pair));
        batch
    }
}

impl Shared {
    /// Reports an error and waits a moment, so that a full disk does not fill the log.
    fn fail(&self, error: &PlayerError) {
        self.log(&error.to_string());
        self.pause(AFTER_ERROR);
    }

    /// Settles a batch that a lane has ended. Returns games of it that are to be played again.
    fn settle(&self, number: u64) -> Option<Batch> {
        let running = self.lock().running.remove(&number)?;
        let settled = match running {
            Running::Validation(validation) => self.settle_validation(*validation).map(|again| {
                let mut ladders = self.lock();
                ladders.validations.extend(again);
                None
            }),
            Running::Pair(pair) => self.settle_pair(pair),
        };
        settled.unwrap_or_else(|error| {
            self.fail(&error);
            None
        })
    }

    fn settle_pair(&self, pair: RunningPair) -> Result<Option<Batch>, PlayerError> {
        let mut ladders = self.lock();
        let Some(open) = ladders.get_mut(pair.ladder) else { return Ok(None) };
        open.release(&pair.batch);
        let Kept { counted, again, fault } = open.ladder.keep(&pair.batch, pair.played)?;
        let stopped = open.add(&counted);
        let can_replay = !again.is_empty() && pair.replays < REPLAYS;
        let tasks = again;
        let replayed = can_replay.then(|| Batch { number: 0, tasks, ..pair.batch });
        open.out.extend(replayed.as_ref().map(bots_of));
        let batch = replayed.map(|batch| ladders.replay(pair.ladder, batch, pair.replays + 1));
        drop(ladders);
        if let Some(fault) = fault {
            self.log(&format!("a game is void: {fault}"));
        }
        stopped.into_iter().try_for_each(|version| self.suspend(version))?;
        Ok(batch)
    }

    /// Stops a version that only forfeits, and tells its group.
    fn suspend(&self, version: VersionId) -> Result<(), PlayerError> {
        let act = Act { by: By::Server, at: self.now(), address: None };
        let why = format!("it forfeited {SUSPEND_AFTER} games in a row without a move");
        match self.database.suspend_version(act, version, &why).wait() {
            // Its group was faster.
            Err(crate::database::DatabaseError::Refused(_)) => Ok(()),
            done => Ok(done?),
        }
    }
}

impl OpenLadder {
    /// A pair is not out any more.
    fn release(&mut self, batch: &Batch) {
        let bots = bots_of(batch);
        if let Some(at) = self.out.iter().position(|out| *out == bots) {
            self.out.swap_remove(at);
        }
    }

    /// Adds games that count. Returns versions that are to be stopped.
    fn add(&mut self, counted: &[Played]) -> Vec<VersionId> {
        let mut stopped = Vec::new();
        for Played { record, .. } in counted {
            let seats = self.history.seats(&record.key.bots);
            self.history.games.extend(RatedGame::played(record, seats));
            self.is_dirty = true;
            for side in Side::BOTH {
                let bot = &record.key.bots[side];
                let has_moved = record.plies.iter().any(|ply| ply.by == Some(side));
                if record.ending.fault_of(side).is_none() || has_moved {
                    self.forfeits.remove(bot);
                    continue;
                }
                let count = self.forfeits.entry(bot.clone()).or_default();
                *count += 1;
                if *count == SUSPEND_AFTER {
                    let version = self.playing.iter().find(|playing| playing.bot.id() == bot);
                    stopped.extend(version.map(|version| version.id));
                }
            }
        }
        stopped
    }
}

/// The two bots of a pair, in the order of its first game.
fn bots_of(batch: &Batch) -> [BotId; 2] {
    let bots: &BySide<usize> = &batch.tasks[0].bots;
    [bots.one, bots.two].map(|bot| batch.table.entrants[bot].id.clone())
}
