//! Rows of jobs, and the results that workers report.

use std::time::Duration;

use pitmaster_core::BotHash;
use pitmaster_core::i18n::Message;
use pitmaster_season::course::{JobId, Utc, VersionEvent, VersionId};
use rusqlite::Row;
use serde_json::Value;

use crate::database::columns::{instant, maybe_instant, text};

/// Kind of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobKind {
    /// Unpack an upload and build it.
    Build,
    /// Play the validation games of a version.
    Validate,
    /// Check a version in all scenarios.
    Check,
}

impl JobKind {
    const ALL: [Self; 3] = [Self::Build, Self::Validate, Self::Check];

    /// Name in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Validate => "validate",
            Self::Check => "check",
        }
    }

    /// Priority; lower goes first.
    pub const fn priority(self) -> i32 {
        match self {
            Self::Validate => 10,
            Self::Build => 20,
            Self::Check => 90,
        }
    }
}

impl std::str::FromStr for JobKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == text);
        found.ok_or_else(|| format!("unknown kind of a job {text:?}"))
    }
}

/// State of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobState {
    /// The job waits for a worker.
    Waiting,
    /// A worker runs the job.
    Leased,
    /// The job has ended, whatever its result.
    Done,
    /// The job failed too often.
    Failed,
    /// The job is obsolete.
    Canceled,
}

impl JobState {
    const ALL: [Self; 5] = [Self::Waiting, Self::Leased, Self::Done, Self::Failed, Self::Canceled];

    /// Name in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Leased => "leased",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
        }
    }
}

impl std::str::FromStr for JobState {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|state| state.name() == text);
        found.ok_or_else(|| format!("unknown state of a job {text:?}"))
    }
}

/// A job.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Id of the job.
    pub id: JobId,
    /// Kind of the job.
    pub kind: JobKind,
    /// Version of the job.
    pub version: VersionId,
    /// State of the job.
    pub state: JobState,
    /// Number of leases so far.
    pub tries: u32,
    /// Number of leases that ended with a fault.
    pub faults: u32,
    /// Current or last worker.
    pub worker: Option<String>,
    /// Expiration of the lease.
    pub leased_until: Option<Utc>,
    /// Creation time.
    pub made: Utc,
    /// Time of the end.
    pub finished: Option<Utc>,
    /// Reason of the last fault.
    pub why: Option<String>,
}

impl Job {
    pub(in super::super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: text(row, "id")?,
            kind: text(row, "kind")?,
            version: text(row, "version")?,
            state: text(row, "state")?,
            tries: row.get("tries")?,
            faults: row.get("faults")?,
            worker: row.get("worker")?,
            leased_until: maybe_instant(row, "leased_until")?,
            made: instant(row, "made")?,
            finished: maybe_instant(row, "finished")?,
            why: row.get("why")?,
        })
    }
}

/// Time-limited right to run a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lease {
    /// The job.
    pub job: JobId,
    /// Number of the attempt.
    pub number: u32,
}

/// Event of a job's version.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// Event.
    pub event: VersionEvent,
    /// Hash of the files, with [`VersionEvent::Unpacked`].
    pub hash: Option<BotHash>,
    /// Reason, for the authors.
    pub why: Option<Message>,
}

/// Result of a job.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// An event of the version.
    Version(Progress),
    /// Findings of the full check.
    Checked(Value),
    /// Fault of the server. Another worker retries, a few times.
    Fault(String),
    /// Interrupted by more urgent work. The job is requeued.
    Interrupted,
}

/// Length and age of the queue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QueueState {
    /// Number of waiting jobs.
    pub waiting: u32,
    /// Number of leased jobs.
    pub leased: u32,
    /// Number of failed jobs.
    pub failed: u32,
    /// Creation time of the oldest waiting job.
    pub oldest: Option<Utc>,
}

/// Waiting times for the verdict about a version.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Examinations {
    /// Number of versions that wait to be built or validated.
    pub waiting: u32,
    /// Mean time from upload to verdict over the last versions; `None` before the first verdict.
    pub usual: Option<Duration>,
}
