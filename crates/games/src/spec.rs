//! Game names, with options or without (`coloured-awale`, `coloured-awale,both_40=off`), and their
//! errors.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use pitmaster_core::diagnostics::hint;

/// Game name with options by name. The game may not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSpec {
    /// Name of the game.
    pub name: String,
    /// Options as texts, by name.
    pub options: BTreeMap<String, String>,
}

/// One error in a game's name or options.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Not of the form `name,option=value,…`.
    #[error("a game is written name or name,option=value,…, not {0:?}")]
    Form(String),
    /// No such game, or no such variant.
    #[error("there is no game {name:?}; {hint}")]
    UnknownGame {
        /// Requested name.
        name: String,
        /// Suggested name, or a reference to the list of all names.
        hint: String,
    },
    /// The game has no such option.
    #[error("{game} has no option {option:?}; {hint}")]
    UnknownOption {
        /// Game.
        game: String,
        /// Requested option.
        option: String,
        /// Suggested option, or all options.
        hint: String,
    },
    /// The option cannot have this value.
    #[error("{option} is {allowed}, not {value:?}")]
    BadValue {
        /// Option.
        option: String,
        /// Given value.
        value: String,
        /// Allowed values.
        allowed: String,
    },
    /// Options that are valid on their own but not in combination.
    #[error("{message}")]
    Unfit {
        /// The conflicting options, including those left at their default.
        options: Vec<String>,
        /// Reason, and a valid value.
        message: String,
    },
    /// The named file cannot be used.
    #[error("{0}")]
    File(String),
}

impl SpecError {
    /// Error for a name that is not among the known games.
    pub fn unknown_game<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Self {
        let hint = hint("there is", name, known, Some("`pitmaster games` lists all"));
        Self::UnknownGame { name: name.to_owned(), hint }
    }

    /// Error for an unknown option, with the game's options. If there are many, it refers to the
    /// game's description instead.
    pub fn unknown_option<'k>(
        game: &str,
        option: &str,
        known: impl IntoIterator<Item = &'k str>,
        shown: &str,
    ) -> Self {
        let all = format!("`pitmaster games show {shown}` lists all");
        let hint = hint("it has", option, known, Some(&all));
        Self::UnknownOption { game: game.to_owned(), option: option.to_owned(), hint }
    }

    /// Error for a file name where files are not supported.
    pub fn not_here(path: &str) -> Self {
        Self::File(format!(
            "{path:?} is a file; one can be named on the command line and in tournament files only"
        ))
    }

    /// Options that the error is about, the main one first.
    pub fn options(&self) -> &[String] {
        match self {
            Self::UnknownOption { option, .. } | Self::BadValue { option, .. } => {
                std::slice::from_ref(option)
            }
            Self::Unfit { options, .. } => options,
            Self::Form(_) | Self::UnknownGame { .. } | Self::File(_) => &[],
        }
    }
}

/// All errors in a game's name and options; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecErrors(pub Vec<SpecError>);

impl SpecErrors {
    /// Returns the value if there are no errors.
    pub fn unless<T>(faults: Vec<SpecError>, read: T) -> Result<T, Self> {
        if faults.is_empty() { Ok(read) } else { Err(Self(faults)) }
    }
}

impl From<SpecError> for SpecErrors {
    fn from(fault: SpecError) -> Self {
        Self(vec![fault])
    }
}

impl std::error::Error for SpecErrors {}

/// One error per line.
impl fmt::Display for SpecErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<_> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl GameSpec {
    /// Makes the name of a game without options.
    pub fn plain(name: &str) -> Self {
        Self { name: name.to_owned(), options: BTreeMap::new() }
    }

    /// Whether the name is that of a file that describes a game: a path with a `/` in it, or one
    /// that ends in `.toml` or `.json`. A variant may follow.
    pub fn is_file(&self) -> bool {
        let path = self.split_variant().0.to_ascii_lowercase();
        path.contains('/') || [".toml", ".json"].iter().any(|ending| path.ends_with(ending))
    }

    /// Splits the name into game and variant: `weg` and `weg_10_4` for `weg::weg_10_4`.
    pub fn split_variant(&self) -> (&str, Option<&str>) {
        match self.name.split_once("::") {
            Some((name, variant)) => (name, Some(variant)),
            None => (&self.name, None),
        }
    }
}

impl FromStr for GameSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let form = || SpecError::Form(text.to_owned());
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
        for text in ["kalah", "weg::weg_10_4", "kalah,holes=6,seeds=4", "two-row,capt_on=2+3"] {
            assert_eq!(text.parse::<GameSpec>().expect(text).to_string(), text);
        }
        for text in ["", ",a=1", "kalah,holes", "kalah,a=1,a=2"] {
            assert!(text.parse::<GameSpec>().is_err(), "{text}");
        }
    }

    #[test]
    fn files_are_told_from_names() {
        for file in ["./kalah", "a.toml", "A.JSON::Variant", "/x/y", "../kalah.json,holes=5"] {
            assert!(file.parse::<GameSpec>().expect(file).is_file(), "{file}");
        }
        for name in ["kalah", "weg::weg_10_4", "Sàn Yáo", "two-row,holes=6"] {
            assert!(!name.parse::<GameSpec>().expect(name).is_file(), "{name}");
        }
    }

    #[test]
    fn what_is_near_is_suggested_and_what_is_long_is_not_listed() {
        let many = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
        let faults = SpecErrors(vec![
            SpecError::unknown_game("thre", many),
            SpecError::unknown_game("chess", many),
            SpecError::unknown_game("chess", ["kalah", "oware"]),
            SpecError::unknown_option("kalah", "hoels", ["holes", "goal"], "two-row"),
            SpecError::unknown_option("kalah", "x", many, "two-row"),
        ]);
        insta::assert_snapshot!(faults, @r#"
        there is no game "thre"; did you mean three?
        there is no game "chess"; `pitmaster games` lists all
        there is no game "chess"; there is kalah, oware
        kalah has no option "hoels"; did you mean holes?
        kalah has no option "x"; `pitmaster games show two-row` lists all
        "#);
    }
}
