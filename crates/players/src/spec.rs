//! House bot names, with options or without: `expert`, `expert,nodes=50000,hash=64MiB`. Where any
//! bot can be named, they have the prefix `house:`.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use pitmaster_core::diagnostics::hint;

use super::expert::TABLES;
use super::options;

/// Prefix of a house bot's name in places that also accept paths.
pub const PREFIX: &str = "house:";

/// House bot name with options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerSpec {
    /// Algorithm that chooses moves.
    pub algorithm: Algorithm,
    /// Options as texts, by name. Names and values are valid for the algorithm.
    pub options: BTreeMap<String, String>,
}

/// Error in a house bot's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlayerError {
    /// Not of the form `name,option=value,…`.
    #[error("a house bot is written name or name,option=value,…, not {0:?}")]
    Form(String),
    /// No such player.
    #[error("there is no house bot {name:?}; {hint}")]
    Unknown {
        /// Requested name.
        name: String,
        /// Suggested name, or all names.
        hint: String,
    },
    /// The player has no such option.
    #[error("{player} has no option {option:?}; {hint}")]
    UnknownOption {
        /// Player.
        player: &'static str,
        /// Requested option.
        option: String,
        /// Suggested option, or all options.
        hint: String,
    },
    /// The option cannot have this value.
    #[error("{option} is {allowed}, not {value:?}")]
    BadValue {
        /// Name of the option.
        option: String,
        /// Requested value.
        value: String,
        /// Allowed values.
        allowed: String,
    },
}

impl PlayerError {
    /// Makes an error for an option value, with the allowed values.
    pub(super) fn bad_value(option: &str, value: &str, allowed: impl Into<String>) -> Self {
        let (option, value) = (option.to_owned(), value.to_owned());
        Self::BadValue { option, value, allowed: allowed.into() }
    }
}

macro_rules! algorithms {
    ($($(#[doc = $about:literal])+ $variant:ident = $name:literal,)+) => {
        /// Algorithm of a house bot.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Algorithm { $($(#[doc = $about])+ $variant,)+ }

        impl Algorithm {
            /// All algorithms, from weak to strong.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Name of the algorithm.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// One-line description.
            pub fn about(self) -> &'static str {
                match self { $(Self::$variant => concat!($($about),+).trim_ascii()),+ }
            }
        }
    };
}

algorithms! {
    /// Any move.
    Random = "random",
    /// The move that gains most seeds at once.
    Greedy = "greedy",
    /// Player that the file of the game names, at a level.
    Preset = "preset",
    /// Monte Carlo tree search.
    MonteCarlo = "montecarlo_ts",
    /// Alpha-beta, for every game.
    Minimaxer = "minimaxer",
    /// Alpha-beta, for games in which turns strictly alternate.
    Negamaxer = "negamaxer",
    /// Iterative deepening over a table of positions: the strongest.
    Expert = "expert",
}

impl Algorithm {
    /// Names of the algorithm's options.
    pub fn options(self) -> Vec<&'static str> {
        options::names(self)
    }
}

/// Depth in plies above which a search may practically never end.
const DEEP: u32 = 12;

impl PlayerSpec {
    /// Path of the endgame table to use, if any.
    pub fn tables(&self) -> Option<&str> {
        self.options.get(TABLES).map(String::as_str)
    }

    /// The same player with the endgame table at this path, or with none.
    #[must_use]
    pub fn with_tables(&self, path: Option<&str>) -> Self {
        let mut player = self.clone();
        match path {
            Some(path) => drop(player.options.insert(TABLES.into(), path.to_owned())),
            None => drop(player.options.remove(TABLES)),
        }
        player
    }

    /// Whether the search practically never ends without a budget.
    pub fn is_endless(&self) -> bool {
        let depth = ["depth", "mm_depth"].iter().find_map(|&name| self.options.get(name));
        let depth = depth.map(|depth| depth.parse().unwrap_or(u32::MAX));
        match self.algorithm {
            Algorithm::Expert if self.options.contains_key("nodes") => false,
            Algorithm::Expert => depth.is_none_or(|depth| depth > DEEP),
            _ => depth.is_some_and(|depth| depth > DEEP),
        }
    }
}

impl PlayerSpec {
    /// Number of search threads.
    pub fn threads(&self) -> usize {
        self.options.get("threads").and_then(|threads| threads.parse().ok()).unwrap_or(1)
    }
}

impl FromStr for PlayerSpec {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Self, PlayerError> {
        let form = || PlayerError::Form(text.to_owned());
        let mut parts = text.split(',');
        let name = parts.next().filter(|name| !name.is_empty()).ok_or_else(form)?;
        let known = Algorithm::ALL.iter().find(|algorithm| algorithm.name() == name);
        let algorithm = *known.ok_or_else(|| unknown(name))?;
        let mut given = BTreeMap::new();
        for part in parts {
            let (option, value) = part.split_once('=').ok_or_else(form)?;
            let (option, value) = options::read(algorithm, option, value)?;
            if given.insert(option, value).is_some() {
                return Err(form());
            }
        }
        Ok(Self { algorithm, options: given })
    }
}

fn unknown(name: &str) -> PlayerError {
    let names = Algorithm::ALL.iter().map(|algorithm| algorithm.name());
    let hint = hint("there is", name, names, None);
    PlayerError::Unknown { name: name.to_owned(), hint }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.algorithm.name())?;
        self.options.iter().try_for_each(|(option, value)| write!(f, ",{option}={value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for text in ["random", "greedy", "expert", "expert,depth=3,hash=1GiB,nodes=50000"] {
            assert_eq!(text.parse::<PlayerSpec>().expect(text).to_string(), text);
        }
    }

    #[test]
    fn what_is_wrong_is_told() {
        let fault = |text: &str| text.parse::<PlayerSpec>().expect_err(text).to_string();
        insta::assert_snapshot!(fault("randon"), @r#"there is no house bot "randon"; did you mean random?"#);
        insta::assert_snapshot!(fault("random,x"), @r#"a house bot is written name or name,option=value,…, not "random,x""#);
        insta::assert_snapshot!(fault("random,x=1"), @r#"random has no option "x"; it has none"#);
        insta::assert_snapshot!(fault("expert,node=1"), @r#"expert has no option "node"; did you mean nodes?"#);
        insta::assert_snapshot!(fault("expert,cores=2"), @r#"expert has no option "cores"; it has depth, hash, nodes, tables, threads"#);
        insta::assert_snapshot!(fault("expert,nodes=0"), @r#"nodes is a whole number from 1, not "0""#);
        insta::assert_snapshot!(fault("expert,depth=128"), @r#"depth is a whole number from 1 to 127, not "128""#);
        insta::assert_snapshot!(fault("expert,hash=64MB"), @r#"hash is a size from 64KiB to 16GiB, in KiB, MiB or GiB, not "64MB""#);
    }
}
