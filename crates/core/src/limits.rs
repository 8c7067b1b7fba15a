//! Time and resource limits of a game. They are part of its key.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Resources;

/// All limits of a game.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Limits {
    /// Time limit of a move. A move is late if it exceeds the limit by more than the margin.
    /// `None`: only the other limits apply.
    #[serde(rename = "per_move_ns", alias = "per_move", with = "nanos_option")]
    pub per_move: Option<Duration>,
    /// Replaces `per_move` for a side's first move of a game if its process had no handshake,
    /// because the time includes the start of the interpreter.
    #[serde(rename = "first_move_ns", alias = "first_move", with = "nanos_option")]
    pub first_move: Option<Duration>,
    /// Time limit of each answer to a greeting or a `newgame` (dialects with a handshake).
    #[serde(rename = "start_up_ns", alias = "start_up", with = "nanos")]
    pub start_up: Duration,
    /// Wall-clock limit of the whole game from its first turn. After it the score decides.
    #[serde(rename = "per_game_ns", alias = "per_game", with = "nanos_option")]
    pub per_game: Option<Duration>,
    /// Maximum number of plies. After it the score decides.
    pub plies: Option<u32>,
    /// Time account of each side; a side with an empty account loses.
    pub bank: Option<Bank>,
    /// Grace period added to every limit on a move.
    #[serde(rename = "margin_ns", alias = "margin", with = "nanos")]
    pub margin: Duration,
    /// Resource limits of each bot. Not written if they are the default.
    #[serde(default, skip_serializing_if = "Resources::is_default")]
    pub resources: Resources,
}

/// Time account: `initial` at the start, `increment` added after every move in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Bank {
    /// Time at the start.
    #[serde(rename = "initial_ns", alias = "initial", with = "nanos")]
    pub initial: Duration,
    /// Time added after each of the side's moves.
    #[serde(rename = "increment_ns", alias = "increment", with = "nanos")]
    pub increment: Duration,
}

impl Default for Limits {
    /// Limits of the coloured-Awale contest.
    fn default() -> Self {
        Self {
            per_move: Some(Duration::from_secs(1)),
            first_move: Some(Duration::from_secs(5)),
            start_up: Duration::from_secs(10),
            per_game: Some(Duration::from_secs(210)),
            plies: Some(400),
            bank: None,
            margin: Duration::from_millis(10),
            resources: Resources::default(),
        }
    }
}

/// Serializes durations as whole nanoseconds, so that they compare and hash exactly.
pub(crate) mod nanos {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(time: &Duration, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_u64(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Duration, D::Error> {
        u64::deserialize(d).map(Duration::from_nanos)
    }
}

/// Serializes one duration per side as whole nanoseconds.
pub(crate) mod nanos_by_side {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::BySide;

    pub(crate) fn serialize<S: Serializer>(
        times: &BySide<Duration>,
        s: S,
    ) -> Result<S::Ok, S::Error> {
        let nanos = times.map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        nanos.serialize(s)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        d: D,
    ) -> Result<BySide<Duration>, D::Error> {
        Ok(BySide::<u64>::deserialize(d)?.map(Duration::from_nanos))
    }
}

/// Serializes an optional duration as whole nanoseconds.
pub(crate) mod nanos_option {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "the signature serde asks for")]
    pub(crate) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        s: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(|t| u64::try_from(t.as_nanos()).unwrap_or(u64::MAX)).serialize(s)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        d: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(d)?.map(Duration::from_nanos))
    }
}
