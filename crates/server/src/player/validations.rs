//! Validations: games that decide whether a built version passes.

use std::sync::Arc;
use std::time::Duration;

use pitmaster_runner::{Batch, Played, ScheduledGame};
use pitmaster_season::course::{LadderId, VersionEvent, VersionId};
use pitmaster_season::ladder::Outcome as Recorded;
use pitmaster_session::practice::{Validation, Verdict};

use super::ladders::{Ladders, Running};
use super::{LEASE, PlayerError, Shared, WORKER};
use crate::database::{JobKind, Lease, Outcome, Progress};

/// Maximum number of replays because of the machine, before the job is requeued.
const MAX_REPLAYS: u32 = 3;

/// Validation games of a version, with their results so far.
#[derive(Debug)]
pub(super) struct RunningValidation {
    lease: Lease,
    pub(super) ladder: LadderId,
    pub(super) version: VersionId,
    /// Number of the ladder's task, once a lane has it. A paused ladder issues none.
    pub(super) task: Option<u64>,
    took: Duration,
    pub(super) validation: Validation,
    /// Number of games that a lane has now: one pair, so that others get a turn before the next
    /// one.
    assigned: usize,
    /// Number of these games that were played without a fault.
    clean_games: usize,
    played: Vec<Played>,
    replays: u32,
    /// Verdict of a game that failed; `None` if all are well so far.
    failed: Option<Verdict>,
}

/// Result of a turn on a lane.
#[derive(Debug, PartialEq, Eq)]
enum TurnResult {
    /// More games remain, after a turn of other batches.
    Continues,
    /// Some games were not played, because the player is stopping.
    Interrupted,
    /// There is a verdict.
    Over(Verdict),
}

/// Maximum number of validations that are leased ahead of a free lane. The ladder decides which is
/// next.
const MAX_AHEAD: usize = 2;

impl Ladders {
    /// Whether another validation may be leased.
    fn can_lease_validation(&self) -> bool {
        let running = self.running.values();
        let running = running.filter(|it| matches!(it, Running::Validation(_))).count();
        running + self.validations.len() < self.lanes + MAX_AHEAD
    }

    /// Queues a validation on its ladder.
    fn queue(&mut self, running: RunningValidation) {
        if let Some(open) = self.get_mut(running.ladder) {
            open.ladder.validate(running.version);
        }
        self.validations.push_back(running);
    }
}

impl RunningValidation {
    /// Records a game.
    pub(super) fn add(&mut self, played: Played) {
        self.took += played.took;
        match Validation::judge(&played.task, &played.record) {
            Verdict::Passed => {
                self.played.push(played);
                self.clean_games += 1;
            }
            verdict => self.failed = Some(verdict),
        }
    }

    /// Batch of the next pair, for a lane.
    pub(super) fn next_pair(&mut self, number: u64) -> Batch {
        let left = &self.validation.batch.tasks[self.played.len()..];
        let pair = left.chunk_by(ScheduledGame::is_paired_with).next();
        let tasks = pair.unwrap_or_default().to_vec();
        self.assigned = tasks.len();
        Batch { number, tasks, table: Arc::clone(&self.validation.batch.table) }
    }

    /// Ends a turn on a lane, and returns its result.
    fn end_turn(&mut self) -> TurnResult {
        let before = self.played.len().saturating_sub(self.clean_games);
        let clean_games = std::mem::take(&mut self.clean_games);
        match self.failed.take() {
            Some(Verdict::Void(_)) if self.replays < MAX_REPLAYS => {
                self.replays += 1;
                self.played.truncate(before);
                TurnResult::Continues
            }
            Some(verdict) => TurnResult::Over(verdict),
            None if clean_games < self.assigned => TurnResult::Interrupted,
            None if self.played.len() < self.validation.batch.tasks.len() => TurnResult::Continues,
            None => TurnResult::Over(Verdict::Passed),
        }
    }

    /// Records that the games of a turn were lost.
    pub(super) fn record_lost(&mut self, why: &str) {
        self.failed = Some(Verdict::Void(why.to_owned()));
    }

    /// Whether the remaining games must be played.
    pub(super) fn has_more_games(&self) -> bool {
        self.failed.is_none()
    }
}

impl Shared {
    /// Leases the next validation, if one waits and there is capacity. Returns whether there was
    /// one.
    pub(super) fn lease_validation(&self) -> Result<bool, PlayerError> {
        if self.is_stopping() || self.is_idle() || !self.lock().can_lease_validation() {
            return Ok(false);
        }
        let job =
            self.database.lease_job(WORKER, &[JobKind::Validate], LEASE, self.now()).wait()?;
        let Some((lease, job)) = job else { return Ok(false) };
        self.lock().leases.push(lease);
        match self.prepare_validation(job.version) {
            Ok(Ok((ladder, version, validation))) => {
                let mut ladders = self.lock();
                // A check takes minutes, and its author already has the verdict.
                ladders.interrupt_checks();
                ladders.queue(RunningValidation {
                    lease,
                    ladder,
                    version,
                    task: None,
                    took: Duration::ZERO,
                    validation,
                    assigned: 0,
                    clean_games: 0,
                    played: Vec::new(),
                    replays: 0,
                    failed: None,
                });
                drop(ladders);
                self.changed.notify_all();
            }
            Ok(Err(why)) => self.end_job(lease, Some(Outcome::Fault(why)))?,
            Err(error) => self.end_job(lease, Some(self.failure(&error)))?,
        }
        Ok(true)
    }

    fn prepare_validation(
        &self,
        version: VersionId,
    ) -> Result<Result<(LadderId, VersionId, Validation), String>, PlayerError> {
        let Some(version) = self.version(version)? else {
            return Ok(Err("the version is gone".into()));
        };
        let Some(hash) = &version.hash else { return Ok(Err("the version has no files".into())) };
        let workshop = {
            let mut ladders = self.lock();
            ladders.first_of(version.course.id).map(|open| open.folder.workshop().clone())
        };
        let Some(workshop) = workshop else { return Ok(Err("the course has no ladder".into())) };
        let bot = match workshop.build(hash, &version.name, &|| !self.is_stopping())? {
            Ok(bot) => bot,
            Err(why) => return Ok(Err(why.to_string())),
        };
        let mut ladders = self.lock();
        let Some(open) = ladders.first_of(version.course.id) else {
            return Ok(Err("the course has no ladder".into()));
        };
        Ok(Ok((open.id, version.id, open.folder.validation(&bot)?)))
    }

    /// Decides about a version after a turn on a lane.
    pub(super) fn settle_validation(
        &self,
        mut running: RunningValidation,
    ) -> Result<(), PlayerError> {
        self.record_validation(&mut running);
        let progress = |event, why| Outcome::Version(Progress { event, hash: None, why });
        let outcome = match running.end_turn() {
            TurnResult::Continues => {
                self.lock().queue(running);
                self.changed.notify_all();
                return Ok(());
            }
            // The next player repeats all games.
            TurnResult::Interrupted => {
                self.lock().release(running.lease);
                return Ok(());
            }
            TurnResult::Over(Verdict::Failed(why)) => {
                progress(VersionEvent::ValidationFailed, Some(why))
            }
            TurnResult::Over(Verdict::Void(why)) => Outcome::Fault(why),
            TurnResult::Over(Verdict::Passed) => progress(VersionEvent::Validated, None),
        };
        Ok(self.end_job(running.lease, Some(outcome))?)
    }

    /// Records in the ladder how long the games kept a lane busy.
    fn record_validation(&self, running: &mut RunningValidation) {
        let lane_time = std::mem::take(&mut running.took);
        let Some(number) = running.task.take() else { return };
        if let Some(open) = self.lock().get_mut(running.ladder) {
            // The task was issued, and only to this lane.
            let _ = open.ladder.record(number, Recorded::Unrated { lane_time });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use pitmaster_core::{
        BotHash, BotId, BySide, Ending, GameKey, Limits, Record, RefereeFault, Score, Seed,
    };
    use pitmaster_runner::{Place, Stopping, Table};
    use pitmaster_season::course::JobId;

    use super::*;

    const LADDER: &str = include_str!("../service/ladder.toml");

    /// Validation of two pairs.
    fn validation(number: u8) -> RunningValidation {
        let game = pitmaster_tournament::read(LADDER).expect("it has no errors").game;
        let id = |name: &str| BotId { name: name.parse().unwrap(), hash: BotHash::of(b"x") };
        let task = |([one, two], pair): ([usize; 2], u32)| {
            let key = GameKey {
                rules: game.id(),
                limits: Limits::default(),
                stage: 1,
                round: 0,
                bots: BySide::new(id("a"), id("b")),
                opening: String::new(),
                pair,
            };
            ScheduledGame { number: 0, key, bots: BySide::new(one, two) }
        };
        let tasks = [([0, 2], 1), ([2, 0], 1), ([0, 2], 2), ([2, 0], 2)].map(task).to_vec();
        let (seed, stopping, entrants) = (Seed(1), Stopping::Adaptive, Vec::new());
        let table = Arc::new(Table { game, seed, stopping, entrants });
        RunningValidation {
            lease: Lease { job: JobId::of([number; 12]), number: 1 },
            ladder: LadderId::of([1; 12]),
            version: VersionId::of([number; 12]),
            task: None,
            took: Duration::ZERO,
            validation: Validation { batch: Batch { number: 0, table, tasks } },
            assigned: 0,
            clean_games: 0,
            played: Vec::new(),
            replays: 0,
            failed: None,
        }
    }

    fn played(task: &ScheduledGame, ending: Ending) -> Played {
        Played {
            task: task.clone(),
            record: Record::unplayed(task.key.clone(), Seed(1), ending),
            place: Place::default(),
            started_at: SystemTime::UNIX_EPOCH,
            took: Duration::from_secs(1),
            void: None,
        }
    }

    fn fair() -> Ending {
        Ending::Rules { clause: "49+".into(), winner: None, score: Score::default() }
    }

    /// A slow bot must not occupy the only lane for all of its games.
    #[test]
    fn validations_take_turns_after_each_pair() {
        let mut ladders = Ladders::new(1);
        (1..=2).for_each(|number| ladders.queue(validation(number)));
        let mut order = Vec::new();
        while let Some(version) = ladders.validations.front().map(|it| it.version) {
            let batch = ladders.begin_validation(version, None).expect("it waits");
            assert_eq!(batch.tasks.len(), 2);
            let Some(Running::Validation(mut running)) = ladders.running.remove(&batch.number)
            else {
                panic!("a validation")
            };
            batch.tasks.iter().for_each(|task| running.add(played(task, fair())));
            let pair = batch.tasks[0].key.pair;
            match running.end_turn() {
                TurnResult::Continues => ladders.queue(*running),
                turn => assert_eq!((turn, pair), (TurnResult::Over(Verdict::Passed), 2)),
            }
            order.push((version, pair));
        }
        let [one, two] = [1, 2].map(|number| VersionId::of([number; 12]));
        assert_eq!(order, [(one, 1), (two, 1), (one, 2), (two, 2)]);
    }

    #[test]
    fn a_void_game_repeats_its_pair_and_no_other() {
        let mut running = validation(1);
        let first = running.next_pair(1);
        first.tasks.iter().for_each(|task| running.add(played(task, fair())));
        assert_eq!(running.end_turn(), TurnResult::Continues);
        for replay in 0..=MAX_REPLAYS {
            let second = running.next_pair(2);
            assert_eq!(second.tasks[0].key.pair, 2);
            running.add(played(&second.tasks[0], fair()));
            let fault = RefereeFault::System { error: "no memory".into() };
            running.add(played(&second.tasks[1], Ending::RefereeError { fault }));
            assert!(!running.has_more_games());
            let turn = running.end_turn();
            assert_eq!(turn == TurnResult::Continues, replay < MAX_REPLAYS, "{turn:?}");
        }
    }

    #[test]
    fn a_player_that_stops_gives_no_verdict() {
        let mut running = validation(1);
        let first = running.next_pair(1);
        running.add(played(&first.tasks[0], fair()));
        assert_eq!(running.end_turn(), TurnResult::Interrupted);
    }
}
