//! One played game.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::limits::{nanos, nanos_by_side};
use super::{At, BySide, Ending, Exit, Fault, GameId, GameKey, Seed, Side, Untrusted};

/// One played game: the truth of which everything else is a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Which game it was.
    pub key: GameKey,
    /// The seed that bots and chance steps were given.
    pub seed: Seed,
    /// What was played, in order, the opening included. Only what was applied.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub ending: Ending,
    /// How long it took from its first turn to its end.
    #[serde(rename = "duration_ns", alias = "duration", with = "nanos")]
    pub duration: Duration,
    /// What is kept of a forfeit, for the side (or sides) that forfeited.
    pub evidence: BySide<Option<Evidence>>,
    /// What bots said about their moves, bounded.
    pub remarks: Vec<Remark>,
    /// Claims about the end that were wrong (dialect `course`).
    pub wrong_claims: Vec<Claim>,
    /// Lines that were read and skipped by each side: before `ready`, or by leniency.
    pub skipped_lines: BySide<u32>,
    /// CPU time that each side used while the other was to move.
    #[serde(rename = "stolen_ns", with = "nanos_by_side")]
    pub stolen: BySide<Duration>,
}

/// One step of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ply {
    /// Who made it (of an opening: whose turn it was); `None` for a step of chance.
    pub by: Option<Side>,
    /// The move's text in the form the game writes.
    pub text: Box<str>,
    /// From sending to the stamp of the line.
    #[serde(rename = "wall_ns", alias = "wall", with = "nanos")]
    pub wall: Duration,
    /// CPU time of the bot's process meanwhile.
    #[serde(rename = "cpu_ns", alias = "cpu", with = "nanos")]
    pub cpu: Duration,
    /// How long the bot was ready to run but other programs had its core.
    #[serde(rename = "waiting_ns", alias = "waiting", with = "nanos")]
    pub waiting: Duration,
}

/// What is kept of a forfeit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The line that was judged, if there was one.
    pub line: Option<Untrusted>,
    /// When it was judged.
    #[serde(rename = "at_ns", alias = "at")]
    pub at: At,
    /// The last 64 KiB of its standard error.
    pub stderr: Untrusted,
    /// How its process ended, if it had ended by itself.
    pub exit: Option<Exit>,
}

/// What a bot said about a move: an `info` line or a comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// The ply that it was said before or with, from 1.
    pub ply: u32,
    /// Who said it.
    pub by: Side,
    /// What.
    pub text: Untrusted,
}

/// A bot's claim that the game is over, where it was wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// After which ply it was made.
    pub ply: u32,
    /// Who made it.
    pub by: Side,
    /// The line.
    pub text: Untrusted,
}

impl Ply {
    /// A ply of which only the time on the wall is known.
    pub fn new(by: Option<Side>, text: impl Into<Box<str>>, wall: Duration) -> Self {
        Self { by, text: text.into(), wall, cpu: Duration::ZERO, waiting: Duration::ZERO }
    }
}

impl Record {
    /// The record of a game in which nothing was played, of the tournament of that seed.
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

    /// The game's id.
    pub fn id(&self) -> GameId {
        self.key.id()
    }

    /// Whether a side lost without being asked to play: it was suspended, or could not play at
    /// all. Of a forfeit that was played, evidence is kept.
    pub fn is_unplayed_by(&self, side: Side) -> bool {
        self.ending.fault_of(side).is_some() && self.evidence[side].is_none()
    }

    /// Equal for two games in which the same moves were played: the first 64 bits of the
    /// hash of all move texts.
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

    /// How long a side waited for a core in all its moves, the one by which it lost included.
    pub fn waited(&self, side: Side) -> Duration {
        let own = self.plies.iter().filter(|ply| ply.by == Some(side));
        let moves: Duration = own.map(|ply| ply.waiting).sum();
        match self.ending.fault_of(side) {
            // That one is of all moves already.
            Some(Fault::BankEmpty { waited, .. }) => moves.max(*waited),
            Some(fault) => moves + fault.waited().unwrap_or_default(),
            None => moves,
        }
    }

    /// The texts of all plies, in order.
    pub fn moves(&self) -> impl Iterator<Item = &str> {
        self.plies.iter().map(|ply| &*ply.text)
    }
}
