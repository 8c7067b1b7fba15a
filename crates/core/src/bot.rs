//! Bot identity: name and content hash.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Bot name: 1 to 40 of `a-z 0-9 . _ -`, not starting with a dot or a dash.
///
/// Safe in a file name, a CSV cell, a terminal and a page.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BotName(String);

/// Error for a text that is not a bot name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "a bot's name is 1 to 40 of the characters a-z 0-9 . _ - and starts with a letter or digit, not {0:?}"
)]
pub struct NameError(pub String);

impl BotName {
    /// Maximum length in characters.
    pub const MAX: usize = 40;

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Makes a name from any text: lowercases letters and replaces all other characters with `-`.
    pub fn tamed(text: &str) -> Self {
        let name: String = text
            .chars()
            .map(|c| c.to_ascii_lowercase())
            .map(|c| if is_name_char(c) { c } else { '-' })
            .skip_while(|c| !c.is_ascii_alphanumeric())
            .take(Self::MAX)
            .collect();
        Self(if name.is_empty() { "bot".into() } else { name })
    }

    /// Default name of a house bot: `greedy` and `house:greedy` both become `house-greedy`.
    pub fn of_house(text: &str) -> Self {
        let name = text.strip_prefix("house:").or(text.strip_prefix("house-")).unwrap_or(text);
        Self::tamed(&format!("house:{name}"))
    }

    /// Index of the bot with this name, or else of the house bot with this name.
    pub fn find<'n>(text: &str, names: impl IntoIterator<Item = &'n str>) -> Option<usize> {
        let house = Self::of_house(text);
        let names: Vec<_> = names.into_iter().collect();
        let called = |wanted: &str| names.iter().position(|name| *name == wanted);
        called(text).or_else(|| called(house.as_str()))
    }
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '_' | '-')
}

impl FromStr for BotName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let fits = (1..=Self::MAX).contains(&text.len())
            && text.chars().all(is_name_char)
            && text.starts_with(|c: char| c.is_ascii_alphanumeric());
        if fits { Ok(Self(text.into())) } else { Err(NameError(text.into())) }
    }
}

impl TryFrom<String> for BotName {
    type Error = NameError;

    fn try_from(text: String) -> Result<Self, NameError> {
        text.parse()
    }
}

impl From<BotName> for String {
    fn from(name: BotName) -> Self {
        name.0
    }
}

impl fmt::Display for BotName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// BLAKE3 hash of the submitted files: 32 hexadecimal digits (the first 128 bits).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BotHash(String);

impl BotHash {
    /// Makes a bot hash from a finished hash of the bot's files.
    pub fn from_bytes(hash: [u8; 16]) -> Self {
        Self(hash.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Hash of a submission that cannot be read: all zeros, which no content has.
    pub fn unknown() -> Self {
        Self::from_bytes([0; 16])
    }

    /// Hashes bytes; for tests and for bots that are not folders.
    pub fn of(bytes: &[u8]) -> Self {
        let mut first = [0; 16];
        first.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
        Self::from_bytes(first)
    }

    /// All 32 digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// First eight digits, as shown next to a name.
    pub fn short(&self) -> &str {
        self.0.get(..8).unwrap_or(&self.0)
    }
}

/// Identity of a bot in a tournament. The name distinguishes two copies of one program, the hash
/// two versions under one name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BotId {
    /// Unique within a tournament.
    pub name: BotName,
    /// Hash of the submitted files.
    pub hash: BotHash,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_are_names() {
        for good in ["a", "bot-1", "0x.y_z"] {
            assert!(good.parse::<BotName>().is_ok(), "{good}");
        }
        for bad in ["", "Bot", "-x", "..", "a b", "a/b", "é", &"x".repeat(41)] {
            assert!(bad.parse::<BotName>().is_err(), "{bad}");
        }
    }

    #[test]
    fn any_text_can_be_tamed_into_a_name() {
        for (text, name) in [("My Bot!", "my-bot-"), ("../../etc", "etc"), ("…", "bot")] {
            assert_eq!(BotName::tamed(text).as_str(), name);
            assert!(BotName::tamed(text).as_str().parse::<BotName>().is_ok());
        }
    }
}
