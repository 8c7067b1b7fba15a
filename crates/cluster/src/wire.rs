//! Wire protocol of coordinator and workers: subjects, messages and their ids.
//!
//! Must not depend on who is asked, or on whether anybody listens. All messages are JSON,
//! compressed if they are long. Received messages are accepted only within limits.

mod card;

use std::collections::BTreeSet;
use std::io::Read as _;

use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub(super) use self::card::PATIENCE_S;
pub(crate) use self::card::RunManifest;
pub use self::card::{Body, CardBot};
use pitmaster_core::{Fault, Isolation, Record, RefereeFault, Untrusted};

/// The version of all this: counted up when either side would misunderstand the other.
pub(super) const VERSION: u32 = 2;

/// The version of this program. Rules and players are part of it: with another one a worker
/// would play other games.
pub(super) const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// Where a worker says that it is there; the coordinator answers.
pub(super) const HELLO: &str = "pitmaster.hello";
/// Where a worker says what it can do for a contest; the coordinator answers.
pub(super) const READY: &str = "pitmaster.ready";
/// Where a worker says that it lives, and what it holds.
pub(super) const PULSE: &str = "pitmaster.pulse";
/// Where the coordinator speaks to all workers.
pub(super) const WORD: &str = "pitmaster.word";
/// Rung when there are new jobs.
pub(super) const BELL: &str = "pitmaster.bell";
/// Where everybody may ask how it goes; the coordinator answers.
pub(super) const STATUS: &str = "pitmaster.status";

/// The subject of a contest's results.
pub(super) fn results_of(contest: &str) -> String {
    format!("pitmaster.results.{contest}")
}

/// The subject of a contest's jobs, of those that need a set of tools; `*`: of all.
pub(super) fn jobs_of(contest: &str, class: &str) -> String {
    format!("pitmaster.jobs.{contest}.{class}")
}

/// More than there are in any job.
const MOST_GAMES: usize = 1 << 12;

/// The most that a message may hold when it is unpacked.
const MOST: u64 = 64 << 20;

/// The most of one that is about a worker and not about games.
const MOST_SHORT: u64 = 1 << 20;

/// The most lanes of a worker, and more cores than a machine has.
const MOST_LANES: u32 = 1024;
const MOST_CORES: u32 = 1 << 16;

/// The longest word in what a worker says of itself, in bytes.
const LONGEST_WORD: usize = 1 << 10;

/// More jobs than any worker holds.
pub(super) const MOST_HELD: usize = 1 << 12;

/// What is longer is compressed.
const LONG: usize = 32 << 10;

/// A message as bytes.
pub(super) fn encode(message: &impl Serialize) -> Vec<u8> {
    let plain = serde_json::to_vec(message).expect("messages are plain data");
    if plain.len() <= LONG {
        return plain;
    }
    let mut packed = Vec::new();
    let read = ZlibEncoder::new(&*plain, Compression::fast()).read_to_end(&mut packed);
    read.map_or(plain, |_| packed)
}

/// A message from bytes that came from elsewhere.
///
/// # Errors
/// What is wrong with them.
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    decode_within(bytes, MOST)
}

/// A message that is about a worker and not about games.
///
/// # Errors
/// What is wrong with it.
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

/// What a message is known by: the hash of its content, 32 hexadecimal digits.
pub(super) fn id_of(message: &impl Serialize) -> String {
    let plain = serde_json::to_vec(message).expect("messages are plain data");
    hash_of(&plain)
}

/// The hash of some bytes, 32 hexadecimal digits.
pub(super) fn hash_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..32].to_owned()
}

/// The class of jobs that need these tools: what workers choose by.
pub(super) fn class_of<'t>(tools: impl IntoIterator<Item = &'t str>) -> String {
    let tools: BTreeSet<_> = tools.into_iter().collect();
    if tools.is_empty() {
        return "any".into();
    }
    let joined = tools.into_iter().collect::<Vec<_>>().join(" ");
    hash_of(joined.as_bytes())[..12].to_owned()
}

/// Something for a worker to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Job {
    /// Of which contest.
    pub(super) contest: String,
    /// A number that no other job of this contest has: one that was given up is another job.
    pub(super) attempt: u32,
    /// By their numbers on the card: one to be tried, or two to play.
    pub(super) bots: Vec<usize>,
    /// The games, both of a pair one after the other; none: the bot is to be tried.
    pub(super) games: Vec<JobGame>,
}

/// A game of a job: what its key has that is not on the card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct JobGame {
    pub(super) stage: u32,
    pub(super) round: u32,
    pub(super) pair: u32,
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub(super) opening: String,
    /// Whether the second bot is player 1.
    pub(super) swapped: bool,
    /// Comes back with the game and shows that it was handed out.
    pub(super) ticket: String,
}

/// What came of a job, or of a part of it. Signed: its worker is the signer.
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
    /// Which of the job's deliveries the worker got, from 1: the last one counts.
    pub(super) delivery: u32,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum What {
    /// A bot was tried.
    Tried(Tried),
    /// Pairs were played: each as a whole, or what was left of it.
    Pairs(Vec<Vec<WireGame>>),
    /// The rest comes back: the worker was told to end.
    Back,
    /// The rest comes back: with the worker that had it last something is wrong.
    Unable {
        /// What.
        why: String,
    },
    /// It was delivered for the last time, after workers died or fell silent with it.
    GivenUp,
    /// It is too long for a message and lies in the object store, under a name with its hash.
    Object(String),
}

/// What came of trying a bot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tried {
    /// It made a move.
    Passed {
        /// Duration of the move in nanoseconds.
        took_ns: u64,
    },
    /// It failed.
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
    /// It was not built, or is otherwise unfit.
    Unfit {
        /// The violation that its games would end with.
        fault: Fault,
        /// The reason, for the bot's author.
        why: String,
    },
}

/// A game that was played elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WireGame {
    pub(super) record: Record,
    pub(super) lane: u32,
    /// In milliseconds since 1970, UTC.
    pub(super) started_at_ms: u64,
    /// How long it kept its lane.
    pub(super) took_ns: u64,
    /// As it stood in the job.
    pub(super) ticket: String,
}

/// A worker that introduces itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Hello {
    /// [`VERSION`].
    pub(super) version: u32,
    /// [`PROGRAM`].
    pub(super) program: String,
    pub(super) worker: About,
}

/// A worker, as everybody knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Of this process: its public key.
    pub instance: String,
    /// Under which its games are kept.
    pub name: String,
    /// The machine.
    pub host: String,
    /// The release of its kernel.
    pub kernel: String,
    /// Physical cores that it may use.
    pub cores: u32,
    /// Games that it plays at once.
    pub lanes: u32,
    /// Plies of random coloured Awale in a second on one core.
    pub speed: u64,
}

/// What a worker can do for a contest. Signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ready {
    pub(super) contest: String,
    /// The coordinator that it is meant for: nobody can say it again to another one.
    pub(super) coordinator: String,
    /// Higher than that of every message that this worker has signed before.
    pub(super) sequence: u64,
    pub(super) worker: About,
    /// Tools that it does not have.
    pub(super) missing: Vec<String>,
    /// What contains bots there.
    pub(super) isolation: Isolation,
}

impl Ready {
    /// Checks that a worker describes itself as a worker can.
    ///
    /// # Errors
    /// What cannot be.
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

/// What the coordinator answers to either.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    /// To a hello: this is being played.
    Welcome {
        /// By which its card is found.
        contest: String,
        /// Who says so.
        coordinator: String,
    },
    /// To a ready: begin.
    Go,
    /// There is nothing for it here.
    Refused {
        /// Why, and what to do.
        why: String,
    },
}

/// A worker that lives: the signer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Pulse {
    /// Higher than that of every message that this worker has signed before.
    pub(super) sequence: u64,
    pub(super) contest: String,
    /// The jobs that it holds.
    pub(super) held: Vec<Claim>,
    /// Games that it has played since it started.
    pub(super) games: u64,
    /// It takes no more, and ends with what it holds.
    pub(super) draining: bool,
    /// It is gone; nobody waits for it.
    pub(super) gone: bool,
}

/// What the coordinator says to all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Broadcast {
    /// It is there and knows nobody: introduce yourselves.
    Who,
    /// Begin no more games of a contest; give back what is not begun.
    Halt(String),
    /// A contest is over.
    Over(String),
}

#[cfg(test)]
mod tests;
