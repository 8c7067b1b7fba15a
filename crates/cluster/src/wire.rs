//! Wire protocol of coordinator and workers: subjects, messages and their ids.
//!
//! Must not depend on the sender or on whether there are subscribers. All messages are JSON, and
//! long messages are compressed. Received messages are accepted only within limits.
//!
//! Subjects and JSON names are those of [`VERSION`], whatever the items here are called.

mod manifest;
mod practice;

use std::collections::BTreeSet;
use std::io::Read as _;

use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub(super) use self::manifest::PATIENCE_S;
pub(crate) use self::manifest::RunManifest;
pub use self::manifest::{Body, BotEntry};
pub(crate) use self::practice::{
    PracticeJob, PracticeTask, class_of_builds, class_of_lanes, is_worker_class,
};
use pitmaster_build_info::Build;
use pitmaster_core::{Fault, Isolation, Record, RefereeFault, Untrusted};

/// Protocol version, increased when either side would misunderstand the other.
pub(super) const VERSION: u32 = 3;

/// Subject on which a worker announces itself; the coordinator replies.
pub(super) const HELLO: &str = "pitmaster.hello";
/// Subject on which a worker reports its capabilities for a contest; the coordinator replies.
pub(super) const READY: &str = "pitmaster.ready";
/// Subject of worker heartbeats, which list the jobs that it holds.
pub(super) const HEARTBEAT: &str = "pitmaster.pulse";
/// Subject of the coordinator's broadcasts to all workers.
pub(super) const BROADCAST: &str = "pitmaster.word";
/// Subject of notifications about new jobs.
pub(super) const NEW_JOBS: &str = "pitmaster.bell";
/// Subject of status requests; the coordinator replies.
pub(super) const STATUS: &str = "pitmaster.status";

/// Subject of a contest's results.
pub(super) fn results_of(contest: &str) -> String {
    format!("pitmaster.results.{contest}")
}

/// Subject of a contest's jobs that need a set of tools; `*` for all.
pub(super) fn jobs_of(contest: &str, class: &str) -> String {
    format!("pitmaster.jobs.{contest}.{class}")
}

/// Maximum number of games in a job.
const MAX_GAMES: usize = 1 << 12;

/// Maximum size of an unpacked message, in bytes.
const MAX_MESSAGE: u64 = 64 << 20;

/// Maximum size in bytes of a message without games.
const MAX_SHORT_MESSAGE: u64 = 1 << 20;

/// Maximum number of lanes of a worker, and of cores of its machine.
const MAX_LANES: u32 = 1024;
const MAX_CORES: u32 = 1 << 16;

/// Maximum length in bytes of a text in a worker's description of itself.
const MAX_TEXT: usize = 1 << 10;

/// Maximum number of jobs that a worker holds.
pub(super) const MAX_HELD: usize = 1 << 12;

/// Size in bytes above which messages are compressed.
const COMPRESS_ABOVE: usize = 32 << 10;

/// Encodes a message as bytes.
pub(super) fn encode(message: &impl Serialize) -> Vec<u8> {
    let plain = serde_json::to_vec(message).expect("messages are plain data");
    if plain.len() <= COMPRESS_ABOVE {
        return plain;
    }
    let mut compressed = Vec::new();
    let read = ZlibEncoder::new(&*plain, Compression::fast()).read_to_end(&mut compressed);
    read.map_or(plain, |_| compressed)
}

/// Decodes a received message.
///
/// # Errors
/// The reason why the bytes are invalid.
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    decode_within(bytes, MAX_MESSAGE)
}

/// Decodes a received message that has no games.
///
/// # Errors
/// The reason why the bytes are invalid.
pub(super) fn decode_short<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    decode_within(bytes, MAX_SHORT_MESSAGE)
}

fn decode_within<T: DeserializeOwned>(bytes: &[u8], max: u64) -> Result<T, String> {
    let too_long = || format!("longer than {max} bytes");
    // The first byte of zlib data, with which no JSON text begins.
    if bytes.first() != Some(&0x78) {
        if bytes.len() as u64 > max {
            return Err(too_long());
        }
        return serde_json::from_slice(bytes).map_err(|error| error.to_string());
    }
    let mut plain = Vec::new();
    let read = ZlibDecoder::new(bytes).take(max + 1).read_to_end(&mut plain);
    read.map_err(|error| error.to_string())?;
    if plain.len() as u64 > max {
        return Err(too_long());
    }
    serde_json::from_slice(&plain).map_err(|error| error.to_string())
}

/// Id of a message: the hash of its content, 32 hexadecimal digits.
pub(super) fn id_of(message: &impl Serialize) -> String {
    let plain = serde_json::to_vec(message).expect("messages are plain data");
    hash_of(&plain)
}

/// Hash of bytes, 32 hexadecimal digits.
pub(super) fn hash_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..32].to_owned()
}

/// Class of the jobs that need these tools. Workers select jobs by class.
pub(super) fn class_of<'t>(tools: impl IntoIterator<Item = &'t str>) -> String {
    let tools: BTreeSet<_> = tools.into_iter().collect();
    if tools.is_empty() {
        return "any".into();
    }
    let joined = tools.into_iter().collect::<Vec<_>>().join(" ");
    hash_of(joined.as_bytes())[..12].to_owned()
}

/// A job for a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Job {
    /// Id of the contest.
    pub(super) contest: String,
    /// Number unique within this contest. A republished job gets a new one.
    pub(super) attempt: u32,
    /// Bots by their numbers in the run manifest: one for a trial, two for games.
    pub(super) bots: Vec<usize>,
    /// Games, with the two of a pair next to each other. Empty for a trial.
    pub(super) games: Vec<JobGame>,
    /// Task and manifest of a practice server's job; absent in other jobs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) practice: Option<Box<PracticeJob>>,
}

impl Job {
    /// Manifest of its bots: its own, or that of the contest.
    pub(super) fn manifest<'a>(&'a self, contest: &'a RunManifest) -> &'a RunManifest {
        self.practice.as_deref().map_or(contest, |practice| &practice.manifest)
    }

    /// Returns whether the job is a build or a check, which have time limits of their own.
    pub(super) fn is_examination(&self) -> bool {
        self.practice.as_deref().is_some_and(|practice| practice.task != PracticeTask::Play)
    }
}

/// A game of a job: the part of its key that is not in the run manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct JobGame {
    pub(super) stage: u32,
    pub(super) round: u32,
    pub(super) pair: u32,
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub(super) opening: String,
    /// Whether the second bot is player 1.
    pub(super) swapped: bool,
    /// Ticket that is returned with the game and proves that it was dispatched.
    pub(super) ticket: String,
}

/// Result of a job or of a part of it, signed by its worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Outcome {
    pub(super) claim: Claim,
    #[serde(rename = "what")]
    pub(super) content: Content,
}

/// A worker's claim to a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Claim {
    /// The job's id.
    pub(super) job: String,
    /// Number of the delivery to the worker, from 1. The highest one counts.
    pub(super) delivery: u32,
}

/// Content of a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Content {
    /// Outcome of a bot's trial.
    #[serde(rename = "tried")]
    Trial(TrialOutcome),
    /// Played pairs, each with all games of it that were pending.
    Pairs(Vec<Vec<WireGame>>),
    /// The rest of the job is returned for another worker.
    #[serde(rename = "back")]
    Returned,
    /// The worker cannot do the job. Followed by [`Self::Returned`] unless the worker is broken.
    #[serde(rename = "unable")]
    Failed {
        /// The reason.
        #[serde(rename = "why")]
        reason: String,
    },
    /// The last delivery of the job: workers died or became silent during the earlier ones.
    #[serde(rename = "given-up")]
    DeliveriesExhausted,
    /// Report of a build or a check. Only practice servers and examiners know its format.
    Report(String),
    /// Tools of the job's bots that the worker lacks.
    #[serde(rename = "lacks")]
    MissingTools(Vec<String>),
    /// Name of the object with a result that is too long for a message. The name has its hash.
    Object(String),
}

/// Outcome of a bot's trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrialOutcome {
    /// The bot made a move.
    Passed {
        /// Duration of the move in nanoseconds.
        took_ns: u64,
    },
    /// The bot failed.
    Failed {
        /// The violation.
        fault: Fault,
        /// The offending line, if there was one.
        line: Option<Untrusted>,
    },
    /// The referee could not run the trial.
    Untried {
        /// The referee's fault.
        fault: RefereeFault,
    },
    /// The bot was not built, or is otherwise unfit.
    Unfit {
        /// The violation that its games would end with.
        fault: Fault,
        /// The reason, for the bot's author.
        #[serde(rename = "why")]
        reason: String,
    },
}

/// A game that was played on another machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WireGame {
    pub(super) record: Record,
    pub(super) lane: u32,
    /// Start time in milliseconds since 1970, UTC.
    pub(super) started_at_ms: u64,
    /// Time in nanoseconds for which the game occupied its lane.
    pub(super) took_ns: u64,
    /// Ticket of the game, from the job.
    pub(super) ticket: String,
}

/// A worker's announcement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Hello {
    /// [`VERSION`].
    pub(super) version: u32,
    /// Program of the worker. It determines the rules and the built-in players, so all workers must
    /// run the same program.
    #[serde(flatten)]
    pub(super) build: Build,
    pub(super) worker: WorkerInfo,
}

impl Hello {
    /// Announcement of this program.
    pub(super) fn new(worker: WorkerInfo) -> Self {
        Self { version: VERSION, build: Build::own(), worker }
    }
}

/// Public description of a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerInfo {
    /// Id of this process: its public key.
    pub instance: String,
    /// Name under which its games are stored.
    pub name: String,
    /// Name of the machine.
    pub host: String,
    /// Kernel release of the machine.
    pub kernel: String,
    /// Number of physical cores that it may use.
    pub cores: u32,
    /// Number of games that it plays at once.
    pub lanes: u32,
    /// Plies of random coloured Awale per second on one core.
    pub speed: u64,
}

/// Capabilities of a worker for a contest. Signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ready {
    pub(super) contest: String,
    /// Instance of the intended coordinator, so that the message cannot be replayed to another one.
    pub(super) coordinator: String,
    /// Number higher than that of every earlier message of this worker.
    pub(super) sequence: u64,
    pub(super) worker: WorkerInfo,
    /// Tools that the worker lacks.
    pub(super) missing: Vec<String>,
    /// Isolation of bots on the worker.
    pub(super) isolation: Isolation,
}

impl Ready {
    /// Validates a worker's description of itself.
    ///
    /// # Errors
    /// The invalid value.
    pub(super) fn validate(&self) -> Result<(), String> {
        let WorkerInfo { host, kernel, lanes, cores, .. } = &self.worker;
        if !(1..=MAX_LANES).contains(lanes) || *cores > MAX_CORES {
            return Err(format!("{lanes} lanes on {cores} cores"));
        }
        let texts = self.missing.iter().chain([host, kernel]);
        let promises = self.isolation.promises.values().map(|promise| &promise.how);
        match texts.chain(promises).map(String::len).max() {
            Some(longest) if longest > MAX_TEXT => Err(format!("a text of {longest} bytes")),
            _ => Ok(()),
        }
    }
}

/// Reply of the coordinator to [`Hello`] or [`Ready`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Reply {
    /// Reply to [`Hello`]: the current contest.
    Welcome {
        /// Id of the contest, which also locates its run manifest.
        contest: String,
        /// Instance of the coordinator.
        coordinator: String,
    },
    /// Reply to [`Ready`]: the worker is admitted.
    #[serde(rename = "go")]
    Admitted,
    /// The worker is refused.
    Refused {
        /// The reason, and what to do.
        #[serde(rename = "why")]
        reason: String,
    },
}

/// Heartbeat of a worker, which is the signer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Heartbeat {
    /// Number higher than that of every earlier message of this worker.
    pub(super) sequence: u64,
    pub(super) contest: String,
    /// Claims to the jobs that it holds.
    #[serde(rename = "held")]
    pub(super) claims: Vec<Claim>,
    /// Number of games that it has played since it started.
    pub(super) games: u64,
    /// Whether it takes no more jobs and exits after the ones that it holds.
    pub(super) draining: bool,
    /// Whether it disconnects with this message.
    pub(super) gone: bool,
}

/// Broadcast of the coordinator to all workers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Broadcast {
    /// The coordinator has started and knows no workers: all workers announce themselves.
    #[serde(rename = "who")]
    Announce,
    /// Workers start no further games of a contest and return unstarted jobs.
    Halt(String),
    /// The contest has ended.
    #[serde(rename = "over")]
    ContestEnded(String),
    /// A job is canceled: a running check stops, and no further games of it start.
    #[serde(rename = "forget")]
    CancelJob(String),
}

#[cfg(test)]
mod tests;
