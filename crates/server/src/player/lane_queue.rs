//! Queue of a lane: issues batches to it, and settles played ones.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pitmaster_core::i18n::said;
use pitmaster_core::{BySide, GameId, Ply, Side};
use pitmaster_runner::{Batch, Played, Queue, ScheduledGame};
use pitmaster_season::course::{Utc, VersionId};
use pitmaster_season::ladder::{Outcome, Pair, PlayedGame, Recorded, Task};
use pitmaster_session::practice::Kept;

use super::ladders::{Ladders, OpenLadder, Running, RunningPair};
use super::live_pair::LivePair;
use super::{PlayerError, Shared};
use crate::database::{Act, By, DatabaseError};

/// Longest wait before a lane polls again.
const MAX_WAIT: Duration = Duration::from_millis(200);

/// Longest wait while work is on hold for a final.
const HOLD_WAIT: Duration = Duration::from_secs(5);

/// Delay after an error of the store or the database.
const ERROR_DELAY: Duration = Duration::from_secs(5);

/// Round of the games of a ladder. Those of requests have their request's number.
const LADDER_ROUND: u32 = 0;

/// Maximum number of replays of a pair's games because of the machine.
const MAX_REPLAYS: u32 = 3;

/// Number of a lane's batches between two checks, while there are games to play.
const BATCHES_BETWEEN_CHECKS: u32 = 8;

/// Polling interval for checks, while there are no games to play.
const CHECK_POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Queue of one lane.
#[derive(Debug)]
pub(super) struct LaneQueue {
    shared: Arc<Shared>,
    /// Number among the workers' lanes; `None` for a lane of this process.
    remote_lane: Option<usize>,
    state: Mutex<LaneState>,
}

/// State of this lane.
#[derive(Debug)]
struct LaneState {
    /// Batch that the lane is playing.
    batch: Option<u64>,
    /// Games of the batch, if spectators may watch them.
    live: Option<LivePair>,
    /// Number of batches since the last check.
    since_check: u32,
    last_check_poll: Instant,
}

impl LaneQueue {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let state =
            LaneState { batch: None, live: None, since_check: 0, last_check_poll: Instant::now() };
        Self { shared, remote_lane: None, state: Mutex::new(state) }
    }

    /// Creates the queue of a worker's lane.
    pub(super) fn new_remote(shared: Arc<Shared>, lane: usize) -> Self {
        Self { remote_lane: Some(lane), ..Self::new(shared) }
    }

    /// Records that a batch was lost. A pair is lost together with its claim.
    pub(super) fn record_lost(&self, batch: &Batch, why: &str) {
        if self.shared.is_stopping() {
            return;
        }
        if let Some(Running::Validation(validation)) =
            self.shared.lock().running.get_mut(&batch.number)
        {
            validation.record_lost(why);
        }
    }

    /// Records the batch that the lane plays now.
    fn begin(&self, state: &mut LaneState, batch: Batch) -> Batch {
        state.live = self.shared.live_pair(&batch);
        state.take(batch)
    }

    fn state(&self) -> MutexGuard<'_, LaneState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next batch, and runs checks in the meantime.
    fn next(&self, state: &mut LaneState) -> Option<Batch> {
        if let Some(number) = state.batch.take()
            && let Some(replays) = self.shared.settle(number)
        {
            return Some(self.begin(state, replays));
        }
        loop {
            if self.shared.is_stopping() {
                return None;
            }
            if !self.shared.has_lane(self.remote_lane) {
                self.wait();
                continue;
            }
            let is_due = state.since_check >= BATCHES_BETWEEN_CHECKS;
            let batch = self.shared.lock().take(!is_due, self.shared.now());
            match batch {
                Ok(Some(batch)) => return Some(self.begin(state, batch)),
                Ok(None) => {}
                Err(error) => self.shared.fail(&error),
            }
            if (is_due || state.last_check_poll.elapsed() >= CHECK_POLL_INTERVAL)
                && !self.shared.is_stopping()
            {
                state.since_check = 0;
                state.last_check_poll = Instant::now();
                match self.shared.check_next() {
                    Ok(true) => continue,
                    Ok(false) => {}
                    Err(error) => self.shared.fail(&error),
                }
            }
            self.wait();
        }
    }

    /// Waits until there may be something to play.
    fn wait(&self) {
        let ladders = self.shared.lock();
        // The lanes of a final use the same cores.
        let wait = if ladders.on_hold { HOLD_WAIT } else { MAX_WAIT };
        // The caller polls again after a wakeup.
        drop(self.shared.changed.wait_timeout(ladders, wait));
    }
}

impl LaneState {
    fn take(&mut self, batch: Batch) -> Batch {
        self.batch = Some(batch.number);
        self.since_check += 1;
        batch
    }
}

impl Queue for LaneQueue {
    fn claim(&self) -> Option<Batch> {
        self.next(&mut self.state())
    }

    /// The games of a pair are finished even if the player stops. Validations are not, because the
    /// next player can repeat them.
    fn beat(&self, batch: &Batch) -> bool {
        match self.shared.lock().running.get(&batch.number) {
            Some(Running::Validation(validation)) => {
                validation.has_more_games() && !self.shared.is_stopping()
            }
            Some(Running::Pair(_)) => true,
            None => false,
        }
    }

    fn watch(&self, _: &Batch, task: &ScheduledGame, plies: &[Ply]) {
        // The lane is the only one that takes this lock.
        if let Some(live) = &mut self.state().live {
            live.watch(task, plies, self.shared.settings.now);
        }
    }

    fn finish(&self, batch: &Batch, played: Played) {
        if let Some(live) = &mut self.state().live {
            live.end(&played.record.plies);
        }
        match self.shared.lock().running.get_mut(&batch.number) {
            Some(Running::Validation(validation)) => validation.add(played),
            Some(Running::Pair(pair)) => pair.played.push(played),
            None => {}
        }
    }
}

impl Ladders {
    /// Takes the next batch for a lane. A lane that is due for a check gets only validations.
    fn take(&mut self, pairs: bool, now: Utc) -> Result<Option<Batch>, PlayerError> {
        if self.on_hold {
            return Ok(None);
        }
        for at in self.round_robin() {
            if self.open[at].is_remote() {
                continue;
            }
            if !pairs || !self.open[at].plays {
                if let Some(batch) = self.take_validation(at) {
                    return Ok(Some(batch));
                }
                continue;
            }
            let batch = match self.open[at].ladder.next(now) {
                None => None,
                Some(Task::Validation { number, version }) => {
                    self.begin_validation(version, Some(number))
                }
                Some(Task::Pair(pair)) => self.begin_pair(at, pair)?,
                Some(Task::Asked { number, id }) => self.begin_requested(at, number, id)?,
            };
            if batch.is_some() {
                return Ok(batch);
            }
        }
        Ok(None)
    }

    /// Takes a validation on a ladder whose pairing is paused.
    fn take_validation(&mut self, at: usize) -> Option<Batch> {
        let open = &mut self.open[at];
        let waiting = self.validations.iter().find(|it| it.ladder == open.id)?;
        let version = waiting.version;
        // The version is not a player: this only removes it from the queue.
        open.ladder.remove(version);
        self.begin_validation(version, None)
    }

    /// Issues the next pair of a validation to a lane.
    pub(super) fn begin_validation(
        &mut self,
        version: VersionId,
        task: Option<u64>,
    ) -> Option<Batch> {
        let place = self.validations.iter().position(|it| it.version == version)?;
        let mut validation = self.validations.remove(place)?;
        validation.task = task;
        let number = self.next_batch();
        let batch = validation.next_pair(number);
        self.running.insert(number, Running::Validation(Box::new(validation)));
        Some(batch)
    }

    pub(super) fn begin_pair(
        &mut self,
        at: usize,
        pair: Pair,
    ) -> Result<Option<Batch>, PlayerError> {
        let number = self.next_batch();
        let open = &mut self.open[at];
        let ids = [pair.a, pair.b].map(|player| open.players.get(&player));
        let begun = match ids {
            [Some(a), Some(b)] => open.folder.pair([a, b], LADDER_ROUND, number),
            _ => Ok(None),
        };
        self.issue(at, Task::Pair(pair), begun)
    }

    /// Issues the games of a task to a lane, unless they could not be begun.
    pub(super) fn issue(
        &mut self,
        at: usize,
        task: Task,
        begun: Result<Option<Batch>, pitmaster_session::Error>,
    ) -> Result<Option<Batch>, PlayerError> {
        let open = &mut self.open[at];
        let Ok(Some(batch)) = begun else {
            open.record_failed(&task);
            return Ok(begun?);
        };
        let number = batch.number;
        let running = RunningPair {
            ladder: open.id,
            task,
            batch: batch.clone(),
            played: Vec::new(),
            counted: Vec::new(),
            replays: 0,
            took: Duration::ZERO,
        };
        self.running.insert(number, Running::Pair(Box::new(running)));
        Ok(Some(batch))
    }

    /// Issues games of a pair again.
    fn replay(&mut self, running: RunningPair, tasks: Vec<ScheduledGame>) -> Batch {
        let number = self.next_batch();
        let batch = Batch { number, tasks, table: Arc::clone(&running.batch.table) };
        let replays = running.replays + 1;
        let running = RunningPair { batch: batch.clone(), replays, ..running };
        self.running.insert(number, Running::Pair(Box::new(running)));
        batch
    }
}

impl Shared {
    /// Logs an error and waits, so that a full disk does not fill the log.
    fn fail(&self, error: &PlayerError) {
        self.log(&error.to_string());
        self.pause(ERROR_DELAY);
    }

    /// Settles a batch that a lane has ended. Returns the games of it to replay.
    pub(super) fn settle(&self, number: u64) -> Option<Batch> {
        let _work = self.resume_work();
        let running = self.lock().running.remove(&number)?;
        let settled = match running {
            Running::Validation(validation) => self.settle_validation(*validation).map(|()| None),
            Running::Pair(pair) => self.settle_pair(*pair),
        };
        settled.unwrap_or_else(|error| {
            self.fail(&error);
            None
        })
    }

    /// Settles a pair. Games that are not stored in the end are void for spectators.
    fn settle_pair(&self, running: RunningPair) -> Result<Option<Batch>, PlayerError> {
        let ids: Vec<GameId> = running.played.iter().map(|played| played.record.id()).collect();
        let settled = self.store_pair(running);
        for id in &ids {
            self.exchange.live.void(id);
        }
        settled
    }

    fn store_pair(&self, mut running: RunningPair) -> Result<Option<Batch>, PlayerError> {
        let mut ladders = self.lock();
        let Some(open) = ladders.get_mut(running.ladder) else { return Ok(None) };
        let is_remote = open.is_remote();
        let played = std::mem::take(&mut running.played);
        running.took += played.iter().map(|played| played.took).sum::<Duration>();
        let folder = open.folder_of(&running.task);
        let Kept { counted, again, fault } = match folder.keep(&running.batch, played) {
            Ok(kept) => kept,
            Err(error) => {
                open.record_failed(&running.task);
                return Err(error.into());
            }
        };
        for played in &counted {
            self.exchange.live.over(&played.record);
        }
        if matches!(running.task, Task::Pair(_)) {
            open.games += counted.len() as u64;
        }
        running.counted.extend(counted);
        let mut recorded = Recorded::default();
        let mut batch = None;
        if again.is_empty() {
            recorded = open.record(&running);
        } else if running.replays < MAX_REPLAYS {
            batch = Some(ladders.replay(running, again));
        } else {
            recorded = open.record_lost(&running.task);
        }
        drop(ladders);
        if let Some(fault) = fault {
            self.log(&format!("a game is void: {fault}"));
        }
        self.end_recorded_request(&recorded)?;
        // A remote entrant that returns may play: the database has no version of it to suspend.
        let mut suspended = recorded.suspended;
        suspended.retain(|_| !is_remote);
        suspended.into_iter().try_for_each(|version| self.suspend(version))?;
        Ok(batch)
    }

    /// Suspends a version that only forfeits, and notifies its group.
    fn suspend(&self, version: VersionId) -> Result<(), PlayerError> {
        let act = Act { by: By::Server, at: self.now(), address: None };
        let why = said!("it forfeited one game after the other without a move");
        match self.database.suspend_version(act, version, why).wait() {
            // The group itself was faster.
            Err(DatabaseError::Refused(_)) => Ok(()),
            done => Ok(done?),
        }
    }
}

impl OpenLadder {
    /// Marks a pair as lost.
    pub(super) fn record_lost(&mut self, task: &Task) -> Recorded {
        // The pair was issued, and only to this lane.
        self.ladder.record(task.number(), Outcome::Lost).unwrap_or_default()
    }

    /// Records a pair in the ladder.
    fn record(&mut self, running: &RunningPair) -> Recorded {
        let Task::Pair(pair) = &running.task else {
            let outcome = Outcome::Unrated { lane_time: running.took };
            return self.ladder.record(running.task.number(), outcome).unwrap_or_default();
        };
        let first = self.players.get(&pair.a);
        let is_first = |played: &Played| Some(&played.record.key.bots.one) == first;
        let mut games: Vec<&Played> = running.counted.iter().collect();
        games.sort_by_key(|played| !is_first(played));
        let games: Vec<PlayedGame> = games.into_iter().filter_map(counted).collect();
        let Ok(games) = games.try_into() else { return self.record_lost(&running.task) };
        let outcome = Outcome::Pair { games, lane_time: running.took };
        self.ladder.record(pair.number, outcome).unwrap_or_default()
    }
}

/// Converts a game for the ladder.
fn counted(Played { record, .. }: &Played) -> Option<PlayedGame> {
    let moved = BySide::from_fn(|side: Side| record.plies.iter().any(|ply| ply.by == Some(side)));
    PlayedGame::new(&record.ending, record.fingerprint(), moved)
}
