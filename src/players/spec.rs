//! How a house bot is named: `expert`, or with options `expert,nodes=50000,hash=64MiB`. Behind
//! `house:` wherever a bot can be named.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::ExpertOptions;
use crate::record::file::did_you_mean;

/// A house bot by name, with its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerSpec {
    /// How it finds its moves.
    pub algorithm: Algorithm,
    /// Options as texts, by name; each is one that the algorithm has.
    pub options: BTreeMap<String, String>,
}

/// What is wrong with a house bot's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlayerFault {
    /// Not of the form `name,option=value,…`.
    #[error("a house bot is written name or name,option=value,…, not {0:?}")]
    Form(String),
    /// No such player.
    #[error("there is no house bot {name:?}; {hint}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What was probably meant, or all there are.
        hint: String,
    },
    /// The player has no such option.
    #[error("{player} has no option {option:?}; {hint}")]
    UnknownOption {
        /// The player.
        player: &'static str,
        /// What was asked for.
        option: String,
        /// What was probably meant, or all there are.
        hint: String,
    },
    /// The option cannot be that.
    #[error("{option} is {allowed}, not {value:?}")]
    BadValue {
        /// The option.
        option: String,
        /// What was given.
        value: String,
        /// What may be given.
        allowed: &'static str,
    },
}

impl PlayerFault {
    /// The player's options are others.
    pub(super) fn unknown_option(player: &'static str, option: &str, known: &[&str]) -> Self {
        let hint = match did_you_mean(option, known.iter().copied()) {
            Some(meant) => format!("did you mean {meant}?"),
            None if known.is_empty() => "it has none".to_owned(),
            None => format!("it has {}", known.join(", ")),
        };
        Self::UnknownOption { player, option: option.to_owned(), hint }
    }

    /// The option cannot be that, but what is allowed.
    pub(super) fn bad_value(option: &str, value: &str, allowed: &'static str) -> Self {
        Self::BadValue { option: option.to_owned(), value: value.to_owned(), allowed }
    }
}

macro_rules! algorithms {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)+) => {
        /// How a house bot finds its moves.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Algorithm { $($(#[$doc])* $variant,)+ }

        impl Algorithm {
            /// All of them, weak to strong.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
    };
}

algorithms! {
    /// Any move.
    Random = "random",
    /// The move that gains most seeds at once.
    Greedy = "greedy",
    /// Iterative deepening over a table of positions.
    Expert = "expert",
}

impl Algorithm {
    /// Checks options.
    fn check(self, options: &BTreeMap<String, String>) -> Result<(), PlayerFault> {
        match self {
            Self::Random | Self::Greedy => match options.keys().next() {
                Some(option) => Err(PlayerFault::unknown_option(self.name(), option, &[])),
                None => Ok(()),
            },
            Self::Expert => ExpertOptions::read(options).map(|_| ()),
        }
    }
}

impl FromStr for PlayerSpec {
    type Err = PlayerFault;

    fn from_str(text: &str) -> Result<Self, PlayerFault> {
        let form = || PlayerFault::Form(text.to_owned());
        let mut parts = text.split(',');
        let name = parts.next().filter(|name| !name.is_empty()).ok_or_else(form)?;
        let known = Algorithm::ALL.iter().find(|algorithm| algorithm.name() == name);
        let algorithm = *known.ok_or_else(|| unknown(name))?;
        let mut options = BTreeMap::new();
        for part in parts {
            let (option, value) = part.split_once('=').ok_or_else(form)?;
            if options.insert(option.to_owned(), value.to_owned()).is_some() {
                return Err(form());
            }
        }
        algorithm.check(&options)?;
        Ok(Self { algorithm, options })
    }
}

fn unknown(name: &str) -> PlayerFault {
    let names = || Algorithm::ALL.iter().map(|algorithm| algorithm.name());
    let hint = match did_you_mean(name, names()) {
        Some(meant) => format!("did you mean {meant}?"),
        None => format!("there is {}", names().collect::<Vec<_>>().join(", ")),
    };
    PlayerFault::Unknown { name: name.to_owned(), hint }
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
        insta::assert_snapshot!(fault("expert,threads=2"), @r#"expert has no option "threads"; it has depth, hash, nodes"#);
        insta::assert_snapshot!(fault("expert,nodes=0"), @r#"nodes is a whole number from 1, not "0""#);
        insta::assert_snapshot!(fault("expert,depth=128"), @r#"depth is a whole number from 1 to 127, not "128""#);
        insta::assert_snapshot!(fault("expert,hash=64MB"), @r#"hash is a size from 64KiB to 16GiB, in KiB, MiB or GiB, not "64MB""#);
    }
}
