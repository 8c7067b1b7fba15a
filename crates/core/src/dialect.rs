//! Dialects of the wire protocol.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Dialect of the wire protocol.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// Dialect of the contest: `START`, moves, `END`.
    #[default]
    Arena,
    /// Dialect of the course: `START`, moves, and claims about the result.
    Course,
    /// Pitmaster's own dialect, with a handshake: one process can play many games.
    Pitmaster,
}

/// Error for a text that is not a dialect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no dialect {0:?}; it is arena, course or pitmaster")]
pub struct DialectError(pub String);

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 3] = [Self::Arena, Self::Course, Self::Pitmaster];

    /// Name in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Arena => "arena",
            Self::Course => "course",
            Self::Pitmaster => "pitmaster",
        }
    }

    /// Whether a bot can receive earlier moves before it is asked for one. In the contest dialects
    /// every game starts at the beginning.
    pub const fn hears_openings(self) -> bool {
        self.has_handshake()
    }

    /// Whether a process reports that it is ready and can serve several games.
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
