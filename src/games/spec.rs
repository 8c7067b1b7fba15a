//! How a game is named: `coloured-awale`, or with options `coloured-awale,both_40=off`.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A game's name and the options that were given, by name. Not yet known to exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSpec {
    /// The name.
    pub name: String,
    /// Options as texts.
    pub options: BTreeMap<String, String>,
}

/// What is wrong with a game's name or options.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecFault {
    /// Not of the form `name,option=value,…`.
    #[error("a game is written name or name,option=value,…, not {0:?}")]
    Form(String),
    /// No such game.
    #[error("there is no game {name:?}; there is {known}")]
    UnknownGame {
        /// What was asked for.
        name: String,
        /// All there are.
        known: String,
    },
    /// The game has no such option.
    #[error("{game} has no option {option:?}; it has {known}")]
    UnknownOption {
        /// The game.
        game: &'static str,
        /// What was asked for.
        option: String,
        /// All there are.
        known: &'static str,
    },
    /// The option cannot be that.
    #[error("{option} is {allowed}, not {value:?}")]
    BadValue {
        /// The option.
        option: &'static str,
        /// What was given.
        value: String,
        /// What may be given.
        allowed: &'static str,
    },
}

impl GameSpec {
    /// A game without options.
    pub fn plain(name: &str) -> Self {
        Self { name: name.to_owned(), options: BTreeMap::new() }
    }
}

impl FromStr for GameSpec {
    type Err = SpecFault;

    fn from_str(text: &str) -> Result<Self, SpecFault> {
        let form = || SpecFault::Form(text.to_owned());
        let mut parts = text.split(',');
        let name = parts.next().filter(|name| !name.is_empty()).ok_or_else(form)?;
        let mut spec = Self::plain(name);
        for part in parts {
            let (option, value) = part.split_once('=').ok_or_else(form)?;
            if spec.options.insert(option.to_owned(), value.to_owned()).is_some() {
                return Err(form());
            }
        }
        Ok(spec)
    }
}

impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.options.iter().try_for_each(|(option, value)| write!(f, ",{option}={value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for text in ["kalah", "kalah,holes=6,seeds=4"] {
            assert_eq!(text.parse::<GameSpec>().expect(text).to_string(), text);
        }
        for text in ["", ",a=1", "kalah,holes", "kalah,a=1,a=2"] {
            assert!(text.parse::<GameSpec>().is_err(), "{text}");
        }
    }
}
