//! Builder thread: unpacks uploads, takes snapshots and builds them.

use std::path::Path;
use std::time::Duration;

use pitmaster_core::i18n::Message;
use pitmaster_season::course::{VersionEvent, VersionId, VersionState};
use pitmaster_session::practice::{self, Workshop};
use pitmaster_store::{Readers, make_folder};

use super::{LEASE, PlayerError, Shared, WORKER, catch_panic, server};
use crate::database::{DatabaseError, JobKind, Lease, Outcome, Progress, Refusal, Version};

/// Polling interval while nothing waits to be built.
const IDLE_POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Folder for unpacked uploads, in the course's folder.
const STAGING: &str = "staging";

/// Builds until the player stops.
pub(super) fn run(shared: &Shared) {
    while !shared.is_stopping() {
        match shared.build_next() {
            Ok(true) => {}
            Ok(false) => shared.pause(IDLE_POLL_INTERVAL),
            Err(error) => {
                shared.log(&format!("building: {error}"));
                shared.pause(Duration::from_secs(5));
            }
        }
    }
}

/// Removes everything that a killed player had unpacked. It is unpacked again.
pub(crate) fn clear_staging(folder: &Path) -> Result<(), pitmaster_session::Error> {
    let staging = folder.join(STAGING);
    let Ok(entries) = std::fs::read_dir(&staging) else { return Ok(()) };
    for name in entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()) {
        practice::remove_unpacked(&staging, &name)?;
    }
    Ok(())
}

impl Shared {
    /// Runs the next build job. Returns whether there was one.
    fn build_next(&self) -> Result<bool, PlayerError> {
        // Without a worker, uploads remain in the queue.
        if self.is_idle() {
            return Ok(false);
        }
        let Some(_work) = self.begin_work() else { return Ok(false) };
        let job = self.database.lease_job(WORKER, &[JobKind::Build], LEASE, self.now()).wait()?;
        let Some((lease, job)) = job else { return Ok(false) };
        self.lock().leases.push(lease);
        let outcome = catch_panic(|| self.examine_upload(lease, job.version));
        let outcome = outcome.unwrap_or_else(|error| {
            self.log(&format!("building: {error}"));
            Some(self.failure(&error))
        });
        self.end_job(lease, outcome)?;
        Ok(true)
    }

    /// Outcome of a job that could not be done. If there is no worker any more, or the player
    /// stops, it is not a fault: the next worker or player repeats it.
    pub(super) fn failure(&self, error: &PlayerError) -> Outcome {
        if self.is_idle() || (self.workers.is_some() && self.is_stopping()) {
            return Outcome::Interrupted;
        }
        Outcome::Fault(error.to_string())
    }

    /// Ends a job. A lost lease is not an error: the version was withdrawn or superseded in the
    /// meantime.
    pub(super) fn end_job(
        &self,
        lease: Lease,
        outcome: Option<Outcome>,
    ) -> Result<(), DatabaseError> {
        self.lock().release(lease);
        let Some(outcome) = outcome else { return Ok(()) };
        match self.database.finish_job(lease, outcome, self.now()).wait() {
            Err(DatabaseError::Refused(Refusal::LeaseLost)) => Ok(()),
            done => done,
        }
    }

    /// Looks up a version with the permissions of the server.
    pub(super) fn version(&self, id: VersionId) -> Result<Option<Version>, DatabaseError> {
        let found = self.database.version(id).wait()?;
        Ok(found.open(&server(), pitmaster_season::course::Action::ViewResults).ok())
    }

    /// Unpacks and builds a version. Returns the outcome of its job; `None` if the job has already
    /// ended.
    fn examine_upload(
        &self,
        lease: Lease,
        version: VersionId,
    ) -> Result<Option<Outcome>, PlayerError> {
        let Some(version) = self.version(version)? else {
            return Ok(Some(Outcome::Fault("the version is gone".into())));
        };
        let workshop = {
            let mut ladders = self.lock();
            ladders.first_of(version.course.id).map(|open| open.folder.workshop().clone())
        };
        let Some(workshop) = workshop else {
            let why = "the course has no ladder, whose game and clock a version is built for";
            return Ok(Some(Outcome::Fault(why.into())));
        };
        let staging = self.settings.folder.join(STAGING);
        make_folder(&staging, Readers::Owner).map_err(pitmaster_session::Error::from)?;
        let name = version.id.to_string();
        // Left by a killed player.
        practice::remove_unpacked(&staging, &name)?;
        let outcome = self.stage_and_build(lease, &version, &workshop, &staging.join(&name));
        practice::remove_unpacked(&staging, &name)?;
        outcome
    }

    fn stage_and_build(
        &self,
        lease: Lease,
        version: &Version,
        workshop: &Workshop,
        stage: &Path,
    ) -> Result<Option<Outcome>, PlayerError> {
        let refused = |why: Message| Ok(Some(refusal(version, why)));
        let upload = self.uploads.path(version.upload);
        if let Err(why) = practice::unpack(&upload, &version.file_name, stage)? {
            return refused(why);
        }
        let hash = match workshop.admit(stage, &version.name)? {
            Ok(hash) => hash,
            Err(why) => return refused(why),
        };
        let (event, hash_of) = (VersionEvent::Unpacked, Some(hash.clone()));
        let unpacked = Progress { event, hash: hash_of, why: None };
        match self.database.advance(lease, unpacked, self.now()).wait() {
            // The files are those of an older version, which the new one now refers to.
            Ok(Some(_)) | Err(DatabaseError::Refused(Refusal::LeaseLost)) => return Ok(None),
            done => done?,
        };
        let built = workshop.build(&hash, &version.name, &|| !self.is_stopping())?;
        Ok(Some(build_outcome(built.map(drop))))
    }
}

fn build_outcome(built: Result<(), Message>) -> Outcome {
    let (event, why) = match built {
        Ok(()) => (VersionEvent::Built, None),
        Err(why) => (VersionEvent::BuildFailed, Some(why)),
    };
    Outcome::Version(Progress { event, hash: None, why })
}

/// Outcome for refused files. The files of a version that was unpacked before were accepted then,
/// so this is a failed build.
fn refusal(version: &Version, why: Message) -> Outcome {
    let event = match version.state {
        VersionState::Staged => VersionEvent::BuildFailed,
        _ => VersionEvent::Refused,
    };
    Outcome::Version(Progress { event, hash: None, why: Some(why) })
}
