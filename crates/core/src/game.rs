//! Game record.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::limits::{nanos, nanos_by_side};
use super::{At, BySide, Ending, Exit, Fault, GameId, GameKey, Seed, Side, Untrusted};

/// Record of one played game, from which all other results are computed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Key of the game.
    pub key: GameKey,
    /// Seed given to bots and chance steps.
    pub seed: Seed,
    /// Applied plies, in order, the opening included.
    pub plies: Vec<Ply>,
    /// Ending of the game.
    pub ending: Ending,
    /// Duration from the first turn to the end.
    #[serde(rename = "duration_ns", alias = "duration", with = "nanos")]
    pub duration: Duration,
    /// Evidence of a forfeit, for each side that forfeited.
    pub evidence: BySide<Option<Evidence>>,
    /// Remarks of the bots about their moves, bounded.
    pub remarks: Vec<Remark>,
    /// Wrong claims about the end (dialect `course`).
    pub wrong_claims: Vec<Claim>,
    /// Number of lines read and skipped per side: before `ready`, or by leniency.
    pub skipped_lines: BySide<u32>,
    /// CPU time that each side used during the opponent's turns.
    #[serde(rename = "stolen_ns", with = "nanos_by_side")]
    pub stolen: BySide<Duration>,
}

/// One step of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ply {
    /// Side that made the step (in an opening: the side to move); `None` for a chance step.
    pub by: Option<Side>,
    /// Text of the move in the game's own notation.
    pub text: Box<str>,
    /// Wall-clock time from sending to the timestamp of the line.
    #[serde(rename = "wall_ns", alias = "wall", with = "nanos")]
    pub wall: Duration,
    /// CPU time of the bot's process during that time.
    #[serde(rename = "cpu_ns", alias = "cpu", with = "nanos")]
    pub cpu: Duration,
    /// Time during which the bot was ready to run but other programs used its core.
    #[serde(rename = "waiting_ns", alias = "waiting", with = "nanos")]
    pub waiting: Duration,
}

/// Evidence of a forfeit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Line that was judged, if any.
    pub line: Option<Untrusted>,
    /// Instant of the judgment.
    #[serde(rename = "at_ns", alias = "at")]
    pub at: At,
    /// Last 64 KiB of standard error.
    pub stderr: Untrusted,
    /// Exit of the process, if it ended by itself.
    pub exit: Option<Exit>,
}

/// Remark of a bot about a move: an `info` line or a comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// Ply before or with which the remark was made, from 1.
    pub ply: u32,
    /// Side that made the remark.
    pub by: Side,
    /// Text of the remark.
    pub text: Untrusted,
}

/// Wrong claim of a bot that the game is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Ply after which the claim was made.
    pub ply: u32,
    /// Side that made the claim.
    pub by: Side,
    /// Line with the claim.
    pub text: Untrusted,
}

impl Ply {
    /// Makes a ply with only the wall-clock time known.
    pub fn new(by: Option<Side>, text: impl Into<Box<str>>, wall: Duration) -> Self {
        Self { by, text: text.into(), wall, cpu: Duration::ZERO, waiting: Duration::ZERO }
    }
}

impl Record {
    /// Record of a game in which nothing was played, in a tournament with the given seed.
    pub fn unplayed(key: GameKey, tournament: Seed, ending: Ending) -> Self {
        Self {
            seed: key.seed(tournament),
            key,
            plies: Vec::new(),
            ending,
            duration: Duration::ZERO,
            evidence: BySide::default(),
            remarks: Vec::new(),
            wrong_claims: Vec::new(),
            skipped_lines: BySide::default(),
            stolen: BySide::default(),
        }
    }

    /// Id of the game.
    pub fn id(&self) -> GameId {
        self.key.id()
    }

    /// Whether a side lost without being asked to play, because it was suspended or could not play.
    /// Forfeits of played games always have evidence.
    pub fn is_unplayed_by(&self, side: Side) -> bool {
        self.ending.fault_of(side).is_some() && self.evidence[side].is_none()
    }

    /// Fingerprint that is equal for two games with the same moves: the first 64 bits of the hash
    /// of all move texts.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = blake3::Hasher::new();
        for ply in &self.plies {
            hasher.update(ply.text.as_bytes());
            hasher.update(b" ");
        }
        let mut first = [0; 8];
        first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        u64::from_le_bytes(first)
    }

    /// Total time a side waited for a core in its moves, the losing one included.
    pub fn waited(&self, side: Side) -> Duration {
        let own = self.plies.iter().filter(|ply| ply.by == Some(side));
        let moves: Duration = own.map(|ply| ply.waiting).sum();
        match self.ending.fault_of(side) {
            // This value already includes all moves.
            Some(Fault::BankEmpty { waited, .. }) => moves.max(*waited),
            Some(fault) => moves + fault.waited().unwrap_or_default(),
            None => moves,
        }
    }

    /// Texts of all plies, in order.
    pub fn moves(&self) -> impl Iterator<Item = &str> {
        self.plies.iter().map(|ply| &*ply.text)
    }
}
