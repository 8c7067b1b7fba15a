//! Job queue: work on versions, leased to workers.
//!
//! A lease carries the number of its attempt. A worker that returns after its lease was lost has an
//! outdated number and changes nothing. The result of a job, the state of its version and the next
//! job are written in one transaction.

mod row;

pub use row::{Examinations, Job, JobKind, JobState, Lease, Outcome, Progress, QueueState};

use std::time::Duration;

use pitmaster_core::i18n::said;
use pitmaster_season::course::{JobId, Utc, VersionEvent, VersionId, VersionState};
use rusqlite::named_params;
use serde_json::json;

use super::columns::{Text, maybe_instant};
use super::connection::{Tx, View};
use super::error::Done;
use super::notes::notify_group;
use super::secret::random;
use super::versions::{Version, activate, apply_event, same_files};
use super::{Answer, Database, Refusal};

/// Delays after each fault. One more fault fails the job. The delays are long enough that an outage
/// of a few minutes fails no job. A restart of the server is no fault.
const RETRY_DELAYS: [Duration; 4] = [
    Duration::from_secs(5),
    Duration::from_secs(30),
    Duration::from_mins(3),
    Duration::from_mins(15),
];

/// Adds a job.
pub(super) fn add(tx: &Tx<'_>, kind: JobKind, version: VersionId, at: Utc) -> Done<JobId> {
    let id = JobId::of(random()?);
    tx.execute(
        "INSERT INTO job (id, kind, version, payload, priority, state, made)
         VALUES (:id, :kind, :version, 'null', :priority, 'waiting', :made)",
        named_params! {
            ":id": Text(id),
            ":kind": kind.name(),
            ":version": Text(version),
            ":priority": kind.priority(),
            ":made": at.0,
        },
    )?;
    Ok(id)
}

/// Cancels the jobs of a version. A worker that runs one finds its lease lost.
pub(super) fn cancel_of(tx: &Tx<'_>, version: VersionId, at: Utc) -> Done<usize> {
    let sql = "UPDATE job SET state = 'canceled', leased_until = NULL, finished = ?2
               WHERE version = ?1 AND state IN ('waiting', 'leased')";
    tx.execute(sql, (Text(version), at.0))
}

/// Returns the job of a lease that is still held.
fn leased_job(view: &View<'_>, lease: Lease) -> Done<Job> {
    let sql = "SELECT * FROM job WHERE id = ?1 AND tries = ?2 AND state = 'leased'";
    let job = view.one(sql, (Text(lease.job), lease.number), Job::read)?;
    Ok(job.ok_or(Refusal::LeaseLost)?)
}

fn end(tx: &Tx<'_>, job: JobId, state: JobState, why: Option<&str>, at: Utc) -> Done<()> {
    let finished = (state != JobState::Waiting).then_some(at.0);
    let sql = "UPDATE job SET state = ?2, why = ?3, finished = ?4, leased_until = NULL
               WHERE id = ?1";
    tx.execute(sql, (Text(job), state.name(), why, finished)).map(drop)
}

/// Returns a job to the queue after a fault, delayed until an instant, or fails it after too many
/// faults.
fn requeue_or_fail(tx: &Tx<'_>, job: &Job, why: &str, until: Utc, at: Utc) -> Done<()> {
    let sql = "UPDATE job SET faults = faults + 1, not_before = ?2 WHERE id = ?1";
    tx.execute(sql, (Text(job.id), until.0))?;
    if (job.faults as usize) < RETRY_DELAYS.len() {
        return end(tx, job.id, JobState::Waiting, Some(why), at);
    }
    end(tx, job.id, JobState::Failed, Some(why), at)?;
    let version = Version::require(tx, job.version)?;
    let data =
        json!({"version": version.id.to_string(), "bot": version.name, "number": version.number});
    notify_group(tx, version.group, "fault", &data, at)
}

/// Requeues jobs with expired leases.
fn requeue_expired(tx: &Tx<'_>, now: Utc) -> Done<usize> {
    let sql = "SELECT * FROM job WHERE state = 'leased' AND leased_until <= ?1";
    let lost = tx.all(sql, (now.0,), Job::read)?;
    lost.iter().try_for_each(|job| requeue_or_fail(tx, job, "its worker vanished", now, now))?;
    Ok(lost.len())
}

/// Applies the event of a job to its version, and adds the next job. Returns the older version with
/// the same files, if there is one.
fn apply_progress(tx: &Tx<'_>, job: &Job, found: &Progress, now: Utc) -> Done<Option<VersionId>> {
    let version = Version::require(tx, job.version)?;
    if let Some(hash) = &found.hash {
        let is_new = version.state == VersionState::Received;
        if let Some(same_files) = same_files(tx, &version, hash)?.filter(|_| is_new) {
            let set = (Text(version.id), Text(same_files.id), hash.as_str());
            tx.execute("UPDATE version SET same_as = ?2, hash = ?3 WHERE id = ?1", set)?;
            let why = said!("the files are those of version {}", same_files.number);
            apply_event(tx, &version, VersionEvent::Replaced, Some(&why), now)?;
            return Ok(Some(same_files.id));
        }
        let set = (Text(version.id), hash.as_str());
        tx.execute("UPDATE version SET hash = ?2 WHERE id = ?1", set)?;
    }
    // A second attempt repeats the unpacking of the first.
    let is_again = (version.state, found.event) == (VersionState::Staged, VersionEvent::Unpacked);
    if !is_again {
        apply_event(tx, &version, found.event, found.why.as_ref(), now)?;
        schedule_next(tx, version.id, now)?;
    }
    Ok(None)
}

/// Adds the job or the change that the new state of a version requires.
fn schedule_next(tx: &Tx<'_>, id: VersionId, now: Utc) -> Done<()> {
    let version = Version::require(tx, id)?;
    match version.state {
        VersionState::Built => add(tx, JobKind::Validate, id, now).map(drop),
        VersionState::Valid => {
            let plays = "SELECT 1 FROM version JOIN bot ON bot.id = version.bot
                         WHERE bot.id = ?1 AND (bot.retired IS NOT NULL OR bot.pinned <> ?2
                             OR (version.state = 'active' AND version.number > ?3))";
            let another = (Text(version.bot), Text(id), version.number);
            if tx.is_there(plays, another)? {
                apply_event(tx, &version, VersionEvent::SetAside, None, now)?;
            } else {
                activate(tx, &version, now)?;
            }
            add(tx, JobKind::Check, id, now).map(drop)
        }
        _ => Ok(()),
    }
}

impl Database {
    /// Adds a job.
    pub fn add_job(&self, kind: JobKind, version: VersionId, now: Utc) -> Answer<JobId> {
        self.write_unaudited(move |tx| add(tx, kind, version, now))
    }

    /// Leases the first job of these kinds to a worker for a time; `None` if none waits. At most
    /// one version of a group is examined at a time. Jobs with expired leases are requeued first.
    pub fn lease_job(
        &self,
        worker: &str,
        kinds: &[JobKind],
        time: Duration,
        now: Utc,
    ) -> Answer<Option<(Lease, Job)>> {
        let kinds: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        let (worker, kinds) = (worker.to_owned(), kinds.join(" "));
        self.write_unaudited(move |tx| {
            requeue_expired(tx, now)?;
            let first = "SELECT job.* FROM job LEFT JOIN version ON version.id = job.version
                LEFT JOIN bot ON bot.id = version.bot
                WHERE job.state = 'waiting' AND job.not_before <= ?2 AND instr(' ' || ?1 || ' ', ' ' || job.kind || ' ')
                AND (job.kind NOT IN ('build', 'validate') OR NOT EXISTS (
                    SELECT 1 FROM job AS other JOIN version AS v ON v.id = other.version
                    JOIN bot AS b ON b.id = v.bot
                    WHERE other.state = 'leased' AND other.kind IN ('build', 'validate')
                    AND b.grp = bot.grp))
                ORDER BY job.priority, job.made, job.id LIMIT 1";
            let Some(job) = tx.one(first, (&kinds, now.0), Job::read)? else { return Ok(None) };
            tx.execute(
                "UPDATE job SET state = 'leased', tries = tries + 1, worker = ?2, leased_until = ?3
                 WHERE id = ?1",
                (Text(job.id), &worker, now.plus(time).0),
            )?;
            let lease = Lease { job: job.id, number: job.tries + 1 };
            leased_job(tx, lease).map(|job| Some((lease, job)))
        })
    }

    /// Extends a lease.
    ///
    /// # Errors
    /// [`Refusal::LeaseLost`] if another worker has the job, or the job has ended.
    pub fn extend_lease(&self, lease: Lease, time: Duration, now: Utc) -> Answer<()> {
        self.write_unaudited(move |tx| {
            leased_job(tx, lease)?;
            let set = (Text(lease.job), now.plus(time).0);
            tx.execute("UPDATE job SET leased_until = ?2 WHERE id = ?1", set).map(drop)
        })
    }

    /// Applies an event to the version of a running job. Returns the older version with the same
    /// files, if there is one; the job is done then.
    ///
    /// # Errors
    /// [`Refusal::LeaseLost`], or the version's state does not allow the event.
    pub fn advance(&self, lease: Lease, found: Progress, now: Utc) -> Answer<Option<VersionId>> {
        self.write_unaudited(move |tx| apply_progress(tx, &leased_job(tx, lease)?, &found, now))
    }

    /// Ends a job, and writes its result and the next job.
    ///
    /// # Errors
    /// [`Refusal::LeaseLost`], or the version's state does not allow the event.
    pub fn finish_job(&self, lease: Lease, outcome: Outcome, now: Utc) -> Answer<()> {
        self.write_unaudited(move |tx| {
            let job = leased_job(tx, lease)?;
            if let Outcome::Fault(why) = &outcome {
                let wait = RETRY_DELAYS.get(job.faults as usize).copied().unwrap_or_default();
                return requeue_or_fail(tx, &job, why, now.plus(wait), now);
            }
            if matches!(outcome, Outcome::Interrupted) {
                return end(tx, job.id, JobState::Waiting, None, now);
            }
            // First, so that this job does not count as running when the next one is added.
            end(tx, job.id, JobState::Done, None, now)?;
            match outcome {
                Outcome::Version(found) => apply_progress(tx, &job, &found, now).map(drop),
                Outcome::Checked(report) => {
                    let set = (Text(job.version), report.to_string());
                    tx.execute("UPDATE version SET check_report = ?2 WHERE id = ?1", set).map(drop)
                }
                Outcome::Fault(_) | Outcome::Interrupted => Ok(()),
            }
        })
    }

    /// Requeues all jobs of a worker that restarted.
    pub fn release_jobs(&self, worker: &str, now: Utc) -> Answer<usize> {
        let worker = worker.to_owned();
        self.write_unaudited(move |tx| {
            let sql = "SELECT * FROM job WHERE state = 'leased' AND worker = ?1";
            let lost = tx.all(sql, (worker,), Job::read)?;
            let why = Some("its worker was restarted");
            lost.iter().try_for_each(|job| end(tx, job.id, JobState::Waiting, why, now))?;
            Ok(lost.len())
        })
    }

    /// Jobs of a version, oldest first.
    pub fn jobs_of(&self, version: VersionId) -> Answer<Vec<Job>> {
        self.read(move |view| {
            let sql = "SELECT * FROM job WHERE version = ?1 ORDER BY made, rowid";
            view.all(sql, (Text(version),), Job::read)
        })
    }

    /// Waiting times for the verdict about a version.
    pub fn examinations(&self) -> Answer<Examinations> {
        self.read(|view| {
            // A leased job may still wait for a lane.
            let waiting = "SELECT count(DISTINCT version) FROM job
                           WHERE state IN ('waiting', 'leased') AND kind IN ('build', 'validate')";
            // From upload to verdict, over the last versions.
            let usual = "SELECT avg(took) FROM (
                    SELECT min(step.at) - v.received AS took
                    FROM (SELECT id, received FROM version ORDER BY received DESC LIMIT 50) AS v
                    JOIN version_step AS step ON step.version = v.id AND step.state IN
                        ('valid', 'refused', 'failed-build', 'failed-validation')
                    GROUP BY v.id ORDER BY v.received DESC LIMIT 20)";
            let usual: Option<f64> = view.value(usual, ())?;
            Ok(Examinations {
                waiting: view.value(waiting, ())?,
                usual: usual.map(|millis| Duration::from_secs_f64(millis.max(0.0) / 1000.0)),
            })
        })
    }

    /// Length and age of the queue.
    pub fn queue_state(&self) -> Answer<QueueState> {
        self.read(|view| {
            let sql = "SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting,
                              count(*) FILTER (WHERE state = 'leased') AS leased,
                              count(*) FILTER (WHERE state = 'failed') AS failed,
                              min(made) FILTER (WHERE state = 'waiting') AS oldest
                       FROM job WHERE state IN ('waiting', 'leased', 'failed')";
            let found = view.one(sql, (), |row| {
                Ok(QueueState {
                    waiting: row.get("waiting")?,
                    leased: row.get("leased")?,
                    failed: row.get("failed")?,
                    oldest: maybe_instant(row, "oldest")?,
                })
            })?;
            Ok(found.unwrap_or_default())
        })
    }
}
