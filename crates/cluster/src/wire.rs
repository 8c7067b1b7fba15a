//! Wire protocol of coordinator and workers: subjects, messages and their ids.
//!
//! Must not depend on who is asked, or on whether anybody listens. All messages are JSON,
//! compressed if they are long. Received messages are accepted only within limits.

mod card;
mod practice;

use std::collections::BTreeSet;
use std::io::Read as _;

use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub(super) use self::card::PATIENCE_S;
pub(crate) use self::card::RunManifest;
pub use self::card::{Body, CardBot};
pub(crate) use self::practice::{
    PracticeJob, PracticeTask, class_of_builds, class_of_lanes, is_of_worker,
};
use pitmaster_build_info::Build;
use pitmaster_core::{Fault, Isolation, Record, RefereeFault, Untrusted};

/// Protocol version, increased when either side would misunderstand the other.
pub(super) const VERSION: u32 = 3;

/// Subject on which a worker announces itself; the coordinator answers.
pub(super) const HELLO: &str = "pitmaster.hello";
/// Subject on which a worker reports what it can do for a contest; the coordinator answers.
pub(super) const READY: &str = "pitmaster.ready";
/// Subject of worker heartbeats, which list the jobs that it holds.
pub(super) const PULSE: &str = "pitmaster.pulse";
/// Subject of the coordinator's broadcasts to all workers.
pub(super) const WORD: &str = "pitmaster.word";
/// Subject of notifications about new jobs.
pub(super) const BELL: &str = "pitmaster.bell";
/// Subject of status requests; the coordinator answers.
pub(super) const STATUS: &str = "pitmaster.status";

/// The subject of a contest's results.
pub(super) fn results_of(contest: &str) -> String {
    format!("pitmaster.results.{contest}")
}

/// Subject of a contest's jobs that need a set of tools; `*` for all.
pub(super) fn jobs_of(contest: &str, class: &str) -> String {
    format!("pitmaster.jobs.{contest}.{class}")
}

/// Upper bound on the games of a job.
const MOST_GAMES: usize = 1 << 12;

/// Maximum size of an unpacked message, in bytes.
const MOST: u64 = 64 << 20;

/// Maximum size of a message about a worker, which has no games, in bytes.
const MOST_SHORT: u64 = 1 << 20;

/// Maximum number of a worker's lanes, and more cores than a machine has.
const MOST_LANES: u32 = 1024;
const MOST_CORES: u32 = 1 << 16;

/// Maximum length of a word in a worker's description of itself, in bytes.
const LONGEST_WORD: usize = 1 << 10;

/// Upper bound on the jobs of a worker.
pub(super) const MOST_HELD: usize = 1 << 12;

/// Size in bytes above which messages are compressed.
const LONG: usize = 32 << 10;

/// Encodes a message as bytes.
pub(super) fn encode(message: &impl Serialize) -> Vec<u8> {
    let plain = serde_json::to_vec(message).expect("messages are plain data");
    if plain.len() <= LONG {
        return plain;
    }
    let mut packed = Vec::new();
    let read = ZlibEncoder::new(&*plain, Compression::fast()).read_to_end(&mut packed);
    read.map_or(plain, |_| packed)
}

/// Decodes a received message.
///
/// # Errors
/// The reason why the bytes are invalid.
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    decode_within(bytes, MOST)
}

/// Decodes a received message about a worker, which has no games.
///
/// # Errors
/// The reason why the bytes are invalid.
pub(super) fn decode_short<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    decode_within(bytes, MOST_SHORT)
}

fn decode_within<T: DeserializeOwned>(bytes: &[u8], most: u64) -> Result<T, String> {
    let too_long = || format!("longer than {most} bytes");
    // With which every packed message begins, and no JSON does.
    if bytes.first() != Some(&0x78) {
        if bytes.len() as u64 > most {
            return Err(too_long());
        }
        return serde_json::from_slice(bytes).map_err(|error| error.to_string());
    }
    let mut plain = Vec::new();
    let read = ZlibDecoder::new(bytes).take(most + 1).read_to_end(&mut plain);
    read.map_err(|error| error.to_string())?;
    if plain.len() as u64 > most {
        return Err(too_long());
    }
    serde_json::from_slice(&plain).map_err(|error| error.to_string())
}

/// Id of a message: the hash of its content, 32 hexadecimal digits.
pub(super) fn id_of(message: &impl Serialize) -> String {
    let plain = serde_json::to_vec(message).expect("messages are plain data");
    hash_of(&plain)
}

/// Hash of some bytes, 32 hexadecimal digits.
pub(super) fn hash_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..32].to_owned()
}

/// Class of the jobs that need these tools. Workers choose jobs by class.
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
    /// Number unique within this contest. A job that is published again is another job.
    pub(super) attempt: u32,
    /// Bots by their numbers in the run manifest: one to try, or two to play.
    pub(super) bots: Vec<usize>,
    /// The games, with the two of a pair next to each other. Empty if the bot is to be tried.
    pub(super) games: Vec<JobGame>,
    /// What a job of a practice server brings along; other jobs have nothing of the kind.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) practice: Option<Box<PracticeJob>>,
}

impl Job {
    /// The manifest of its bots: its own, or that of the contest.
    pub(super) fn card<'a>(&'a self, contest: &'a RunManifest) -> &'a RunManifest {
        self.practice.as_deref().map_or(contest, |practice| &practice.card)
    }

    /// Whether it is a build or a check, which has time limits of its own.
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

/// Result of a job or of a part of it. Signed by its worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Outcome {
    pub(super) claim: Claim,
    pub(super) what: What,
}

/// A worker's hold on a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Claim {
    /// The job's id.
    pub(super) job: String,
    /// Number of the delivery that the worker got, from 1. The last one counts.
    pub(super) delivery: u32,
}

/// Content of a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum What {
    /// A bot was tried.
    Tried(Tried),
    /// Pairs were played, each complete or as far as it was pending.
    Pairs(Vec<Vec<WireGame>>),
    /// The rest of the job is returned, because the worker was asked to stop.
    Back,
    /// The rest of the job is returned, because its worker is broken.
    Unable {
        /// The reason.
        why: String,
    },
    /// The job was delivered for the last time, after workers died or fell silent with it.
    GivenUp,
    /// A version was built or checked: the report, whose form only the two ends know.
    Report(String),
    /// This worker lacks these tools of the job's bots.
    Lacks(Vec<String>),
    /// The result is too long for a message. It is in the object store, under a name with its hash.
    Object(String),
}

/// Result of trying a bot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tried {
    /// The bot made a move.
    Passed {
        /// Duration of the move in nanoseconds.
        took_ns: u64,
    },
    /// The bot failed.
    Failed {
        /// The violation.
        fault: Fault,
        /// The line that was wrong, if there was one.
        line: Option<Untrusted>,
    },
    /// The referee could not try it.
    Untried {
        /// The referee's fault.
        fault: RefereeFault,
    },
    /// The bot was not built, or is otherwise unfit.
    Unfit {
        /// The violation that its games would end with.
        fault: Fault,
        /// The reason, for the bot's author.
        why: String,
    },
}

/// A game that was played on another machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WireGame {
    pub(super) record: Record,
    pub(super) lane: u32,
    /// Start time in milliseconds since 1970, UTC.
    pub(super) started_at_ms: u64,
    /// Time that it occupied its lane.
    pub(super) took_ns: u64,
    /// Ticket from the job.
    pub(super) ticket: String,
}

/// A worker's announcement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Hello {
    /// [`VERSION`].
    pub(super) version: u32,
    /// Program of the worker. Rules and players follow from it, so a worker with another program
    /// would play other games.
    #[serde(flatten)]
    pub(super) build: Build,
    pub(super) worker: About,
}

impl Hello {
    /// Announcement of this program.
    pub(super) fn new(worker: About) -> Self {
        Self { version: VERSION, build: Build::own(), worker }
    }
}

/// Public description of a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
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
    /// The coordinator it is meant for, so that it cannot be replayed to another one.
    pub(super) coordinator: String,
    /// Number higher than that of every earlier message of this worker.
    pub(super) sequence: u64,
    pub(super) worker: About,
    /// Tools that it lacks.
    pub(super) missing: Vec<String>,
    /// Isolation of bots on the worker.
    pub(super) isolation: Isolation,
}

impl Ready {
    /// Checks that a worker's description of itself is possible.
    ///
    /// # Errors
    /// The impossible value.
    pub(super) fn check(&self) -> Result<(), String> {
        let About { host, kernel, lanes, cores, .. } = &self.worker;
        if !(1..=MOST_LANES).contains(lanes) || *cores > MOST_CORES {
            return Err(format!("{lanes} lanes on {cores} cores"));
        }
        let words = self.missing.iter().chain([host, kernel]);
        let promises = self.isolation.promises.values().map(|kept| &kept.how);
        match words.chain(promises).map(String::len).max() {
            Some(longest) if longest > LONGEST_WORD => Err(format!("a word of {longest} bytes")),
            _ => Ok(()),
        }
    }
}

/// The coordinator's answer to an announcement or to capabilities.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    /// Answer to an announcement: the current contest.
    Welcome {
        /// Id of the contest, which also locates its run manifest.
        contest: String,
        /// Instance of the coordinator.
        coordinator: String,
    },
    /// Answer to capabilities: begin.
    Go,
    /// The worker is refused.
    Refused {
        /// The reason, and what to do.
        why: String,
    },
}

/// Heartbeat of a worker, which is the signer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Pulse {
    /// Number higher than that of every earlier message of this worker.
    pub(super) sequence: u64,
    pub(super) contest: String,
    /// Jobs that it holds.
    pub(super) held: Vec<Claim>,
    /// Number of games that it has played since it started.
    pub(super) games: u64,
    /// Whether it takes no more jobs and ends after the ones that it holds.
    pub(super) draining: bool,
    /// Whether it is gone, so that nobody waits for it.
    pub(super) gone: bool,
}

/// Broadcast of the coordinator to all workers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Broadcast {
    /// The coordinator has started and knows no workers, so they announce themselves.
    Who,
    /// Begin no more games of a contest, and return jobs that have not begun.
    Halt(String),
    /// The contest is over.
    Over(String),
    /// Nobody waits for a job any more: a check ends, and games of it do not begin.
    Forget(String),
}

#[cfg(test)]
mod tests;
