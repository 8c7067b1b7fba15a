//! What keeps bots apart, in words that files, commands and reports share: tiers, promises,
//! how far each is kept, and what a tournament requires.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::i18n::{Message, said};

/// How strongly bots are kept from the machine and from each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// The referee's own care and limits, nothing else: it catches accidents, not malice.
    Bare,
    /// What any user may do on Linux: hard limits, Landlock and a filter of system calls.
    Portable,
    /// Namespaces and a root folder of its own on top.
    Full,
}

impl Tier {
    /// All, the weakest first.
    pub const ALL: [Self; 3] = [Self::Bare, Self::Portable, Self::Full];

    /// Its word in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bare => "bare",
            Self::Portable => "portable",
            Self::Full => "full",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Tier {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|tier| tier.name() == word);
        found.ok_or_else(|| format!("{word:?} is no tier; there are bare, portable and full"))
    }
}

macro_rules! promises {
    ($($variant:ident = $word:literal, $about:literal;)+) => {
        /// What bots are kept from, one word each. The same words stand in files and reports.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Promise { $(#[doc = $about] $variant,)+ }

        impl Promise {
            /// All of them, in the order in which they are told.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its word in files and reports.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// What is promised, in a few words.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$variant => $about),+ }
            }
        }
    };
}

promises! {
    Wall = "wall", "limits on wall-clock time are kept to the millisecond";
    Cpu = "cpu", "a bot uses no more CPU time in a game than it is given";
    Mem = "mem", "a bot takes no more memory than it is given";
    Procs = "procs", "no process of a bot outlives its game";
    Threads = "threads", "a bot starts no more threads than it is given";
    Out = "out", "a bot's output is read within bounds";
    Fsize = "fsize", "no file that a bot writes grows beyond a size";
    Disk = "disk", "all files of a bot together stay within a size and a number";
    Net = "net", "a bot reaches no network";
    Read = "read", "a bot reads nobody else's files";
    Meta = "meta", "a bot cannot see that other files exist";
    Write = "write", "a bot changes no file outside of its scratch space";
    Signal = "signal", "a bot cannot signal or trace the referee or its opponent";
    Turn = "turn", "a bot does not compute on its opponent's time";
    Fds = "fds", "a bot inherits no open file but its pipes";
    Covert = "covert", "bots share no kernel object through which they could talk";
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Promise {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().copied().find(|promise| promise.name() == word);
        found.ok_or_else(|| {
            let words: Vec<_> = Self::ALL.iter().map(|promise| promise.name()).collect();
            format!("{word:?} is no promise; there are {}", words.join(", "))
        })
    }
}

/// How far a promise is kept on a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Not at all.
    Absent,
    /// What breaks it is noticed afterwards, and the game is judged by it.
    Detected,
    /// It is bounded, but less exactly than the promise says.
    Limited,
    /// The system or the referee does not let it be broken.
    Enforced,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Absent => "absent",
            Self::Detected => "detected",
            Self::Limited => "limited",
            Self::Enforced => "enforced",
        })
    }
}

/// How far a promise is kept, and by what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// How far.
    pub level: Level,
    /// By what, or what is missing: a short sentence without a full stop.
    pub how: String,
}

/// What contained the bots of a game, a run or a machine: found out by trying.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Isolation {
    /// The tier.
    pub tier: Tier,
    /// Whether each bot has a control group of its own on top.
    pub cgroup: bool,
    /// Every promise.
    pub promises: BTreeMap<Promise, Kept>,
}

impl Isolation {
    /// How far a promise is kept.
    pub fn level(&self, promise: Promise) -> Level {
        self.promises.get(&promise).map_or(Level::Absent, |kept| kept.level)
    }

    /// Those of the requirements that are not met.
    pub fn missing(&self, requirements: &Requirements) -> Vec<Requirement> {
        let unmet = |needed: &&Requirement| self.level(needed.promise) < needed.least();
        requirements.0.iter().filter(unmet).copied().collect()
    }

    /// `portable`, `full with cgroup`: a tier has the same name in every language.
    pub fn describe(&self) -> Message {
        let tier = self.tier.to_string();
        if self.cgroup { said!("{} with cgroup", tier) } else { said!("{}", tier) }
    }

    /// Whether results under both may stand in one rating: the same promises are kept as far.
    pub fn is_like(&self, other: &Self) -> bool {
        Promise::ALL.iter().all(|&promise| self.level(promise) == other.level(promise))
    }
}

/// In English.
impl fmt::Display for Isolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe().fmt(f)
    }
}

/// One promise that must be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Requirement {
    /// Which.
    pub promise: Promise,
    /// Whether it is enough that it is limited: `mem~`.
    pub limited_will_do: bool,
}

impl Requirement {
    /// How far it must be kept at least.
    pub fn least(self) -> Level {
        if self.limited_will_do { Level::Limited } else { Level::Enforced }
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.promise, if self.limited_will_do { "~" } else { "" })
    }
}

impl FromStr for Requirement {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let (name, limited_will_do) = match word.strip_suffix('~') {
            Some(name) => (name, true),
            None => (word, false),
        };
        Ok(Self { promise: name.parse()?, limited_will_do })
    }
}

/// What must be promised before a game is played. As text: words with commas, where
/// `official` and `friendly` stand for a list each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Requirements(pub Vec<Requirement>);

impl Requirements {
    /// What a tournament requires when its file says nothing.
    pub fn official() -> Self {
        let words = "wall,cpu,mem~,procs,out,fsize,net,read,write,signal,turn,fds";
        words.parse().expect("words that are known")
    }

    /// What a game among friends requires: it can be played anywhere.
    pub fn friendly() -> Self {
        "wall,out,procs~".parse().expect("words that are known")
    }

    fn add(&mut self, requirement: Requirement) {
        match self.0.iter_mut().find(|known| known.promise == requirement.promise) {
            Some(known) => known.limited_will_do &= requirement.limited_will_do,
            None => self.0.push(requirement),
        }
    }
}

impl fmt::Display for Requirements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&words.join(","))
    }
}

impl FromStr for Requirements {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut all = Self::default();
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            match word {
                "official" => Self::official().0.into_iter().for_each(|one| all.add(one)),
                "friendly" => Self::friendly().0.into_iter().for_each(|one| all.add(one)),
                word => all.add(word.parse()?),
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn isolation(levels: &[(Promise, Level)]) -> Isolation {
        let kept = |level| Kept { level, how: String::new() };
        let promises = levels.iter().map(|&(promise, level)| (promise, kept(level))).collect();
        Isolation { tier: Tier::Portable, cgroup: false, promises }
    }

    #[test]
    fn every_word_is_read_back() {
        for &promise in Promise::ALL {
            assert_eq!(promise.name().parse(), Ok(promise));
            assert_eq!(serde_json::to_value(promise).unwrap(), promise.name());
        }
        for tier in Tier::ALL {
            assert_eq!(tier.name().parse(), Ok(tier));
            assert_eq!(serde_json::to_value(tier).unwrap(), tier.name());
        }
        assert!("walls".parse::<Promise>().unwrap_err().contains("wall, cpu, mem"));
        assert!("Full".parse::<Tier>().unwrap_err().contains("bare"));
    }

    #[test]
    fn requirements_are_lists_of_words() {
        let official = Requirements::official();
        assert_eq!(official.to_string().parse(), Ok(official.clone()));
        let stricter: Requirements = "official, mem, disk~".parse().unwrap();
        assert_eq!(
            stricter.to_string(),
            "wall,cpu,mem,procs,out,fsize,net,read,write,signal,turn,fds,disk~"
        );
        assert_eq!("".parse(), Ok(Requirements::default()));
        assert!("wall,nothing".parse::<Requirements>().is_err());
    }

    #[test]
    fn a_promise_is_missing_below_the_level_it_is_required_at() {
        let isolation = isolation(&[
            (Promise::Wall, Level::Enforced),
            (Promise::Mem, Level::Limited),
            (Promise::Out, Level::Detected),
        ]);
        let missing = |text: &str| {
            let missing = isolation.missing(&text.parse().unwrap());
            missing.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(missing("wall,mem~"), [""; 0]);
        assert_eq!(missing("wall~,mem,out~,net"), ["mem", "out~", "net"]);
    }
}
