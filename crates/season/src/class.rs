//! Class list: one row per person or group, stored as `class.csv`.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use pitmaster_core::BotName;
use serde::{Deserialize, Serialize};

/// The people of a class, in the order of their keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Class {
    /// One row per person, or per group if groups submit together.
    pub members: Vec<Member>,
}

/// A person or a group of a class.
///
/// The key is the bot's name and the name of every folder and file. Names and addresses of people
/// are in the class list only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Name of the bot and of its folder, made from the id.
    pub key: BotName,
    /// The id that the platform uses; the join key for grades.
    pub id: String,
    /// Name as the platform writes it.
    pub name: String,
    /// Email address; empty if unknown.
    pub email: String,
    /// Group; empty if there are none.
    pub group: String,
    /// The submitted file or files, as the platform names them.
    pub file: String,
    /// Path of the first file in the export. Some platforms accept feedback only by it.
    #[serde(default)]
    pub origin: String,
    /// Hash of the submitted bytes; empty without a submission.
    pub hash: String,
    /// Time of the submission as the platform writes it; empty if unknown.
    pub handed_in: String,
    /// How late the submission is; empty if it is in time or the time is unknown.
    pub late: String,
    /// Outcome of the submission.
    pub state: State,
    /// The part of the submission that is the bot, or the reason why there is none.
    pub why: String,
}

/// Outcome of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum State {
    /// A bot was found.
    Ready,
    /// The person is on the worksheet without a submission.
    Missing,
    /// An archive was refused.
    Refused,
    /// Only documents were submitted.
    OnlyPapers,
    /// Only the address of a repository was submitted.
    OnlyAddress,
    /// Only programs for another system were submitted.
    OnlyForeign,
    /// No bot was found, or several.
    Unclear,
}

impl State {
    /// All states.
    pub const ALL: [Self; 7] = [
        Self::Ready,
        Self::Missing,
        Self::Refused,
        Self::OnlyPapers,
        Self::OnlyAddress,
        Self::OnlyForeign,
        Self::Unclear,
    ];

    /// Name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Missing => "missing",
            Self::Refused => "refused",
            Self::OnlyPapers => "only-papers",
            Self::OnlyAddress => "only-an-address",
            Self::OnlyForeign => "only-for-another-system",
            Self::Unclear => "unclear",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for State {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|state| state.name() == text);
        let all = || Self::ALL.map(Self::name).join(", ");
        found.ok_or_else(|| format!("unknown state {text:?}; the states are {}", all()))
    }
}

impl TryFrom<String> for State {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<State> for String {
    fn from(state: State) -> Self {
        state.name().into()
    }
}

/// Error in a class list.
#[derive(Debug, thiserror::Error)]
pub enum ClassError {
    /// A row cannot be read.
    #[error("class.csv: {0}; correct the row, or delete the file and run `pitmaster intake` again")]
    Row(#[from] csv::Error),
    /// Two rows have the same key.
    #[error("class.csv: two rows have the key {0}; give one of them another")]
    SameKey(BotName),
}

impl Class {
    /// Name of the file in the folder of a class.
    pub const FILE: &'static str = "class.csv";

    /// Reads a class list.
    ///
    /// # Errors
    /// A row is malformed, or two rows have the same key.
    pub fn parse(bytes: &[u8]) -> Result<Self, ClassError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut rows = csv::Reader::from_reader(bytes);
        let mut members = rows.deserialize().collect::<Result<Vec<Member>, _>>()?;
        members.sort_by(|a, b| a.key.cmp(&b.key));
        let mut keys = BTreeSet::new();
        match members.iter().find(|member| !keys.insert(&member.key)) {
            Some(member) => Err(ClassError::SameKey(member.key.clone())),
            None => Ok(Self { members }),
        }
    }

    /// Writes the class list. Reading it gives an equal list.
    ///
    /// # Errors
    /// None for a list in memory; the error type is that of the writer.
    pub fn to_csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut rows = csv::Writer::from_writer(Vec::new());
        if self.members.is_empty() {
            rows.write_record(COLUMNS)?;
        }
        for member in &self.members {
            rows.serialize(member)?;
        }
        rows.into_inner().map_err(|error| error.into_error().into())
    }

    /// The member with this key.
    pub fn member(&self, key: &BotName) -> Option<&Member> {
        self.members.iter().find(|member| member.key == *key)
    }

    /// Number of members in each state that occurs, in the order of [`State::ALL`].
    pub fn counts(&self) -> Vec<(State, usize)> {
        let count = |state| self.members.iter().filter(|member| member.state == state).count();
        State::ALL.map(|state| (state, count(state))).into_iter().filter(|(_, n)| *n > 0).collect()
    }
}

const COLUMNS: [&str; 12] = [
    "key",
    "id",
    "name",
    "email",
    "group",
    "file",
    "origin",
    "hash",
    "handed_in",
    "late",
    "state",
    "why",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn member(key: &str, name: &str) -> Member {
        Member {
            key: key.parse().unwrap(),
            id: key.into(),
            name: name.into(),
            email: String::new(),
            group: String::new(),
            file: "a, b".into(),
            origin: "A_1_x/a".into(),
            hash: String::new(),
            handed_in: String::new(),
            late: String::new(),
            state: State::Unclear,
            why: "more than one file:\n\"a\"".into(),
        }
    }

    #[test]
    fn a_list_is_read_as_it_was_written() {
        let members = vec![member("1", "Élodie Lefèvre"), member("2", "李 小龙")];
        let class = Class { members };
        let text = class.to_csv().unwrap();
        assert_eq!(Class::parse(&text).unwrap(), class);
        let empty = Class::default();
        assert_eq!(Class::parse(&empty.to_csv().unwrap()).unwrap(), empty);
    }

    #[test]
    fn an_unknown_state_and_a_repeated_key_are_errors() {
        let text = Class { members: vec![member("1", "A")] }.to_csv().unwrap();
        let text = String::from_utf8(text).unwrap();
        let wrong = text.replace("unclear", "gone");
        let error = Class::parse(wrong.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("unknown state \"gone\""), "{error}");
        let twice = Class { members: vec![member("1", "A"), member("1", "B")] }.to_csv().unwrap();
        assert!(matches!(Class::parse(&twice), Err(ClassError::SameKey(_))));
    }
}
