//! Validations: what becomes of a version that was built.

use std::time::Duration;

use pitmaster_runner::Played;
use pitmaster_season::course::{LadderId, VersionEvent, VersionId};
use pitmaster_season::ladder::Outcome as Recorded;
use pitmaster_session::practice::{Validation, Verdict};

use super::ladders::{Ladders, Running};
use super::{LEASE, PlayerError, Shared, WORKER};
use crate::database::{JobKind, Lease, Outcome, Progress};

/// Number of times that games are played again because of the machine, before the job is given back.
const REPLAYS: u32 = 3;

/// The validation games of a version, and what was played of them.
#[derive(Debug)]
pub(super) struct RunningValidation {
    lease: Lease,
    pub(super) ladder: LadderId,
    pub(super) version: VersionId,
    /// Number of the task of the ladder, once a lane has it. A ladder that is paused gives none.
    pub(super) task: Option<u64>,
    took: Duration,
    pub(super) validation: Validation,
    played: Vec<Played>,
    replays: u32,
    /// What the games showed so far, unless all is well.
    failed: Option<Verdict>,
}

/// Validations that are leased ahead of a free lane: the ladder decides which is next.
const AHEAD: usize = 2;

impl Ladders {
    /// Whether another validation may be leased.
    fn wants_validations(&self) -> bool {
        let running = self.running.values();
        let running = running.filter(|it| matches!(it, Running::Validation(_))).count();
        running + self.validations.len() < self.lanes + AHEAD
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
    /// Notes a game.
    pub(super) fn add(&mut self, played: Played) {
        self.took += played.took;
        match Validation::judge(&played.task, &played.record) {
            Verdict::Passed => self.played.push(played),
            verdict => self.failed = Some(verdict),
        }
    }

    /// Whether the remaining games are to be played.
    pub(super) fn goes_on(&self) -> bool {
        self.failed.is_none()
    }
}

impl Shared {
    /// Leases the next validation, if one waits and a lane may have it. Returns whether there was
    /// one.
    pub(super) fn lease_validation(&self) -> Result<bool, PlayerError> {
        if self.is_stopping() || !self.lock().wants_validations() {
            return Ok(false);
        }
        let job =
            self.database.lease_job(WORKER, &[JobKind::Validate], LEASE, self.now()).wait()?;
        let Some((lease, job)) = job else { return Ok(false) };
        self.lock().leases.push(lease);
        let prepared = match job.facts.version {
            Some(version) => self.prepare_validation(version),
            None => Ok(Err("a validation is about a version".to_owned())),
        };
        match prepared {
            Ok(Ok((ladder, version, validation))) => {
                let mut ladders = self.lock();
                // A check takes minutes, and its author has the verdict already.
                ladders.interrupt_checks();
                ladders.queue(RunningValidation {
                    lease,
                    ladder,
                    version,
                    task: None,
                    took: Duration::ZERO,
                    validation,
                    played: Vec::new(),
                    replays: 0,
                    failed: None,
                });
                drop(ladders);
                self.changed.notify_all();
            }
            Ok(Err(why)) => self.end_job(lease, Some(Outcome::Fault(why)))?,
            Err(error) => self.end_job(lease, Some(Outcome::Fault(error.to_string())))?,
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
        let bot = match workshop.build(hash, &version.name)? {
            Ok(bot) => bot,
            Err(why) => return Ok(Err(why)),
        };
        let mut ladders = self.lock();
        let Some(open) = ladders.first_of(version.course.id) else {
            return Ok(Err("the course has no ladder".into()));
        };
        Ok(Ok((open.id, version.id, open.folder.validation(&bot)?)))
    }

    /// Decides about a version whose validation games a lane has ended.
    pub(super) fn settle_validation(
        &self,
        mut running: RunningValidation,
    ) -> Result<(), PlayerError> {
        self.record_validation(&mut running);
        let progress = |event, why| Outcome::Version(Progress { event, hash: None, why });
        let outcome = match running.failed.take() {
            Some(Verdict::Failed(why)) => progress(VersionEvent::ValidationFailed, Some(why)),
            Some(Verdict::Void(_)) if running.replays < REPLAYS => {
                running.replays += 1;
                running.played.clear();
                self.lock().queue(running);
                return Ok(());
            }
            Some(Verdict::Void(why)) => Outcome::Fault(why),
            // The player is stopping; the next one plays them all.
            _ if running.played.len() < running.validation.batch.tasks.len() => {
                self.lock().release(running.lease);
                return Ok(());
            }
            Some(Verdict::Passed) | None => progress(VersionEvent::Validated, None),
        };
        Ok(self.end_job(running.lease, Some(outcome))?)
    }

    /// Tells the ladder how long the games kept a lane busy.
    fn record_validation(&self, running: &mut RunningValidation) {
        let lane_time = std::mem::take(&mut running.took);
        let Some(number) = running.task.take() else { return };
        if let Some(open) = self.lock().get_mut(running.ladder) {
            // It was given out, and nobody else has it.
            let _ = open.ladder.record(number, Recorded::Validation { lane_time });
        }
    }
}
