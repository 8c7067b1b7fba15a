//! Which of the languages of the wire a bot speaks.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A dialect of the wire.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// The contest's: `START`, moves, `END`.
    #[default]
    Arena,
    /// The course's: `START`, moves, and claims about the result.
    Course,
    /// Pitmaster's own, with a handshake: one process can play many games.
    Pitmaster,
}

/// Why a text is no dialect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no dialect {0:?}; it is arena, course or pitmaster")]
pub struct DialectError(pub String);

impl Dialect {
    /// All there are.
    pub const ALL: [Self; 3] = [Self::Arena, Self::Course, Self::Pitmaster];

    /// Its name in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Arena => "arena",
            Self::Course => "course",
            Self::Pitmaster => "pitmaster",
        }
    }

    /// Whether a bot can be told of what was played before it is asked: in the dialects of
    /// contests a game has one beginning.
    pub const fn hears_openings(self) -> bool {
        self.has_handshake()
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
    type Err = DialectError;

    fn from_str(text: &str) -> Result<Self, DialectError> {
        let found = Self::ALL.into_iter().find(|dialect| dialect.name() == text);
        found.ok_or_else(|| DialectError(text.chars().take(40).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_same_everywhere() {
        for dialect in Dialect::ALL {
            assert_eq!(dialect.to_string().parse(), Ok(dialect));
            let json = serde_json::to_string(&dialect).expect("serialises");
            assert_eq!(json, format!("\"{dialect}\""));
        }
    }

    #[test]
    fn what_is_no_dialect_is_told_what_there_is() {
        let fault = "Arena".parse::<Dialect>().expect_err("capitals are no dialect");
        assert_eq!(
            fault.to_string(),
            "there is no dialect \"Arena\"; it is arena, course or pitmaster"
        );
    }
}
