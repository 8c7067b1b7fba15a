//! Jobs as they are stored, and what their workers say about them.

use std::time::Duration;

use pitmaster_core::BotHash;
use pitmaster_core::i18n::Message;
use pitmaster_season::course::{AskId, JobId, Utc, VersionEvent, VersionId};
use rusqlite::Row;
use serde_json::Value;

use crate::database::columns::{instant, json, maybe, maybe_instant, text};

/// Kind of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobKind {
    /// Unpack an upload and build it.
    Build,
    /// Play the validation games of a version.
    Validate,
    /// Check a version in all scenarios.
    Check,
    /// Play a pair of the ladder.
    Pair,
    /// Play a pair that a group asked for.
    Asked,
}

impl JobKind {
    const ALL: [Self; 5] = [Self::Build, Self::Validate, Self::Check, Self::Pair, Self::Asked];

    /// Name in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Validate => "validate",
            Self::Check => "check",
            Self::Pair => "pair",
            Self::Asked => "asked",
        }
    }

    /// Usual priority; lower goes first.
    pub const fn priority(self) -> i32 {
        match self {
            Self::Validate => 10,
            Self::Build => 20,
            Self::Pair => 50,
            Self::Asked => 60,
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
    /// It waits for a worker.
    Waiting,
    /// A worker has it.
    Leased,
    /// It is done, whatever it found.
    Done,
    /// It was given up.
    Failed,
    /// It is not needed any more.
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

/// A job to be added, other than those that a version brings with it.
#[derive(Debug, Clone, PartialEq)]
pub struct NewJob {
    /// Its kind.
    pub kind: JobKind,
    /// Version that it is about.
    pub version: Option<VersionId>,
    /// What its worker must know besides.
    pub payload: Value,
    /// Lower goes first.
    pub priority: i32,
}

/// A job.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// What it is.
    pub facts: NewJob,
    /// The request of a group that it plays a part of.
    pub ask: Option<AskId>,
    /// Its state.
    pub state: JobState,
    /// Leases so far.
    pub tries: u32,
    /// Leases that came to nothing by a fault.
    pub faults: u32,
    /// The worker that has or had it.
    pub worker: Option<String>,
    /// Until when it is leased.
    pub leased_until: Option<Utc>,
    /// When it was added.
    pub made: Utc,
    /// When it ended.
    pub finished: Option<Utc>,
    /// Why it was tried again or given up.
    pub why: Option<String>,
}

impl Job {
    pub(in super::super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: text(row, "id")?,
            facts: NewJob {
                kind: text(row, "kind")?,
                version: maybe(row, "version")?,
                payload: json(row, "payload")?,
                priority: row.get("priority")?,
            },
            ask: maybe(row, "ask")?,
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

/// The right to work on a job, for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lease {
    /// The job.
    pub job: JobId,
    /// Number of the try.
    pub number: u32,
}

/// What a job found out about its version.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// What happened to the version.
    pub event: VersionEvent,
    /// Hash of its files, with [`VersionEvent::Unpacked`].
    pub hash: Option<BotHash>,
    /// Why, for its authors.
    pub why: Option<Message>,
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// This happened to its version.
    Version(Progress),
    /// The whole check has these findings.
    Checked(Value),
    /// The games were played.
    Played,
    /// A fault of the server: another worker tries, a few times.
    Fault(String),
    /// Something more urgent was to be done: the job waits again.
    Interrupted,
}

/// Length and age of the queue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QueueState {
    /// Jobs that wait.
    pub waiting: u32,
    /// Jobs that workers have.
    pub leased: u32,
    /// Jobs that were given up.
    pub failed: u32,
    /// When the oldest of those that wait was added.
    pub oldest: Option<Utc>,
}

/// How long authors wait for the verdict about a version.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Examinations {
    /// Versions that wait to be built or validated.
    pub waiting: u32,
    /// Mean time from upload to verdict, of the last versions; `None` before the first verdict.
    pub usual: Option<Duration>,
}
