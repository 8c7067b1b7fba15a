//! Validations: what becomes of a version that was built.

use pitmaster_runner::Played;
use pitmaster_season::course::VersionEvent;
use pitmaster_session::practice::{Validation, Verdict};

use super::ladders::Ladders;
use super::{LEASE, PlayerError, Shared, WORKER};
use crate::database::{JobKind, Lease, Outcome, Progress};

/// Number of times that games are played again because of the machine, before the job is given back.
const REPLAYS: u32 = 3;

/// The validation games of a version, and what was played of them.
#[derive(Debug)]
pub(super) struct RunningValidation {
    lease: Lease,
    pub(super) validation: Validation,
    played: Vec<Played>,
    replays: u32,
    /// What the games showed so far, unless all is well.
    failed: Option<Verdict>,
}

impl Ladders {
    /// Number of lanes that may validate: half of them, and at least one.
    fn lanes_for_validations(&self) -> usize {
        (self.lanes / 2).max(1)
    }

    fn validating(&self) -> usize {
        let running = self.running.values();
        let running = running.filter(|it| matches!(it, super::ladders::Running::Validation(_)));
        running.count()
    }

    /// Whether another validation may be leased.
    pub(super) fn wants_validations(&self) -> bool {
        self.validating() + self.validations.len() < self.lanes_for_validations()
    }
}

impl RunningValidation {
    /// Notes a game; returns whether the others are still to be played.
    pub(super) fn add(&mut self, played: Played) {
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
        let job = self.database.lease_job(WORKER, &[JobKind::Validate], LEASE, self.now()).wait()?;
        let Some((lease, job)) = job else { return Ok(false) };
        self.lock().leases.push(lease);
        let prepared = match job.facts.version {
            Some(version) => self.prepare_validation(version),
            None => Ok(Err("a validation is about a version".to_owned())),
        };
        match prepared {
            Ok(Ok(validation)) => {
                let (played, replays, failed) = (Vec::new(), 0, None);
                let running = RunningValidation { lease, validation, played, replays, failed };
                self.lock().validations.push_back(running);
                self.changed.notify_all();
            }
            Ok(Err(why)) => self.end_job(lease, Some(Outcome::Fault(why)))?,
            Err(error) => self.end_job(lease, Some(Outcome::Fault(error.to_string())))?,
        }
        Ok(true)
    }

    fn prepare_validation(
        &self,
        version: pitmaster_season::course::VersionId,
    ) -> Result<Result<Validation, String>, PlayerError> {
        let Some(version) = self.version(version)? else {
            return Ok(Err("the version is gone".into()));
        };
        let Some(hash) = &version.hash else { return Ok(Err("the version has no files".into())) };
        let workshop = {
            let ladders = self.lock();
            ladders.first_of(version.course.id).map(|open| open.ladder.workshop().clone())
        };
        let Some(workshop) = workshop else { return Ok(Err("the course has no ladder".into())) };
        let bot = match workshop.build(hash, &version.name)? {
            Ok(bot) => bot,
            Err(why) => return Ok(Err(why)),
        };
        let ladders = self.lock();
        let Some(open) = ladders.first_of(version.course.id) else {
            return Ok(Err("the course has no ladder".into()));
        };
        Ok(Ok(open.ladder.validation(&bot)?))
    }

    /// Decides about a version whose validation games a lane has ended. Returns the validation if
    /// games of it are to be played again.
    pub(super) fn settle_validation(
        &self,
        mut running: RunningValidation,
    ) -> Result<Option<RunningValidation>, PlayerError> {
        let progress = |event, why| Outcome::Version(Progress { event, hash: None, why });
        let outcome = match running.failed.take() {
            Some(Verdict::Failed(why)) => progress(VersionEvent::ValidationFailed, Some(why)),
            Some(Verdict::Void(_)) if running.replays < REPLAYS => {
                running.replays += 1;
                running.played.clear();
                return Ok(Some(running));
            }
            Some(Verdict::Void(why)) => Outcome::Fault(why),
            Some(Verdict::Passed) | None => {
                // The player is stopping; the next one plays them all.
                if running.played.len() < running.validation.batch.tasks.len() {
                    self.lock().release(running.lease);
                    return Ok(None);
                }
                progress(VersionEvent::Validated, None)
            }
        };
        self.end_job(running.lease, Some(outcome))?;
        Ok(None)
    }
}
