//! What coordinator and workers say to each other: subjects, messages, their ids.
//!
//! Must not know who is asked, nor whether anybody listens. Everything is JSON, compressed where
//! it is long; what comes is only believed within bounds.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;

use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::record::{
    BotId, BySide, Dialect, Fault, GameKey, Isolation, Limits, Record, RefereeFault, Seed, Tier,
    Untrusted,
};
use crate::runner::Stopping;

/// The version of all this: counted up when either side would misunderstand the other.
pub(super) const VERSION: u32 = 1;

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
    // With which every packed message begins, and no JSON does.
    if bytes.first() != Some(&0x78) {
        return serde_json::from_slice(bytes).map_err(|error| error.to_string());
    }
    let mut plain = Vec::new();
    let read = ZlibDecoder::new(bytes).take(MOST + 1).read_to_end(&mut plain);
    read.map_err(|error| error.to_string())?;
    if plain.len() as u64 > MOST {
        return Err(format!("longer than {MOST} bytes"));
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

/// All that a worker has to know of a contest to play its games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Card {
    /// [`VERSION`].
    pub(super) version: u32,
    /// [`PROGRAM`].
    pub(super) program: String,
    /// The name of the game with all of its options; never a path.
    pub(super) game: String,
    /// The id of its rules, which must follow from the name.
    pub(super) rules: String,
    /// The limits of all games.
    pub(super) limits: Limits,
    /// The tournament's seed.
    pub(super) seed: Seed,
    /// How the side not to move is kept from thinking.
    pub(super) stopping: Stopping,
    /// Which tier is wanted; `None`: the best that is worth its price.
    pub(super) tier: Option<Tier>,
    /// What must be promised, as a tournament file says it.
    pub(super) require: String,
    /// After how many seconds of silence work goes to others.
    pub(super) patience_s: u64,
    /// Which playing of the tournament it is.
    pub(super) generation: String,
    /// Who takes part.
    pub(super) bots: Vec<CardBot>,
}

/// A bot, for a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CardBot {
    pub(crate) id: BotId,
    pub(crate) display: Untrusted,
    pub(crate) dialect: Dialect,
    pub(crate) lenient: bool,
    /// The commands that it is built and run with.
    pub(crate) tools: Vec<String>,
    pub(crate) body: Body,
}

/// What a bot is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Body {
    /// A bundle, by the hash of the bot.
    Bundle,
    /// A house bot, by its name with options.
    House {
        /// Without what stands before it.
        player: String,
        /// Without a process.
        in_process: bool,
    },
}

impl Card {
    /// What it is known by.
    pub(super) fn contest(&self) -> String {
        id_of(self)[..16].to_owned()
    }

    /// The tools that some bots need, each once.
    pub(super) fn tools_of(&self, bots: &[usize]) -> BTreeSet<&str> {
        let bots = bots.iter().filter_map(|&bot| self.bots.get(bot));
        bots.flat_map(|bot| bot.tools.iter().map(String::as_str)).collect()
    }

    /// Every class of jobs that there can be, with its tools.
    pub(super) fn classes(&self) -> BTreeMap<String, BTreeSet<String>> {
        let tools = |bot: &CardBot| bot.tools.iter().cloned().collect::<BTreeSet<_>>();
        let alone: BTreeSet<_> = self.bots.iter().map(tools).collect();
        let both = alone.iter().flat_map(|one| alone.iter().map(move |other| one | other));
        let class = |tools: BTreeSet<String>| (class_of(tools.iter().map(String::as_str)), tools);
        both.map(class).collect()
    }

    /// The key of a game of a job whose bots are on the card.
    pub(super) fn key(&self, job: &Job, game: &JobGame) -> GameKey {
        let [one, other] = [job.bots[0], job.bots[1]];
        let bots = BySide::new(one, other).map(|bot| self.bots[bot].id.clone());
        GameKey {
            rules: self.rules.clone(),
            limits: self.limits.clone(),
            stage: game.stage,
            round: game.round,
            bots: if game.swapped { bots.swapped() } else { bots },
            opening: game.opening.clone(),
            pair: game.pair,
        }
    }

    /// That a job is about bots that are on the card, and is of a size that jobs have.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn judge(&self, job: &Job) -> Result<(), String> {
        let known = job.bots.iter().all(|&bot| bot < self.bots.len());
        let count = if job.games.is_empty() { 1 } else { 2 };
        if !known || job.bots.len() != count {
            return Err("it is about bots that are not on the card".into());
        }
        if job.games.len() > MOST_GAMES {
            return Err(format!("it has more than {MOST_GAMES} games"));
        }
        Ok(())
    }

    /// The class of jobs with these bots.
    pub(super) fn class(&self, bots: &[usize]) -> String {
        class_of(self.tools_of(bots))
    }
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
}

/// What came of a job, or of a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Outcome {
    /// The job.
    pub(super) job: String,
    /// Which worker says so.
    pub(super) instance: String,
    pub(super) what: What,
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
    GivenUp {
        /// So many times.
        deliveries: u32,
    },
    /// It is too long for a message and lies in the object store.
    Object(String),
}

/// What came of trying a bot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Tried {
    /// It made a move, in so many nanoseconds.
    Passed { took_ns: u64 },
    /// It failed.
    Failed { fault: Fault, line: Option<Untrusted> },
    /// The referee could not try it.
    Untried { fault: RefereeFault },
    /// It was not built, or is otherwise unfit.
    Unfit { fault: Fault, why: String },
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
    /// Of this process: no other one has it.
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

/// What a worker can do for a contest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ready {
    pub(super) contest: String,
    pub(super) worker: About,
    /// Tools that it does not have.
    pub(super) missing: Vec<String>,
    /// What contains bots there.
    pub(super) isolation: Isolation,
}

/// What the coordinator answers to either.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    /// To a hello: this is being played.
    Welcome {
        /// By which its card is found.
        contest: String,
    },
    /// To a ready: begin.
    Go,
    /// There is nothing for it here.
    Refused {
        /// Why, and what to do.
        why: String,
    },
}

/// A worker that lives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Pulse {
    pub(super) instance: String,
    pub(super) contest: String,
    /// The ids of the jobs that it holds.
    pub(super) held: Vec<String>,
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
pub(super) enum Word {
    /// It is there and knows nobody: introduce yourselves.
    Who,
    /// Begin no more games of a contest; give back what is not begun.
    Halt(String),
    /// A contest is over.
    Over(String),
}

#[cfg(test)]
mod tests;
