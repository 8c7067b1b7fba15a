//! The dialects of the wire.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How a bot talks to the referee; `protocol.md` describes each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// The contest's: `START`, moves, `END`.
    Arena,
    /// The course's: `START`, moves, end of input; claims of the end.
    Course,
    /// This project's own: a handshake, legal moves, many games a process.
    Pitmaster,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Arena, Self::Course, Self::Pitmaster];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Arena => "arena",
            Self::Course => "course",
            Self::Pitmaster => "pitmaster",
        }
    }

    /// Whether a process says that it is ready and can serve several games.
    pub const fn has_handshake(self) -> bool {
        matches!(self, Self::Pitmaster)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == text).ok_or_else(|| {
            format!("a dialect is \"arena\", \"course\" or \"pitmaster\", not {text:?}")
        })
    }
}
