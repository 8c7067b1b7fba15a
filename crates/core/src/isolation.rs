//! Isolation of bots: tiers, promises, the level to which each promise is kept, and the
//! requirements of a tournament. Files, commands and reports share these names.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::i18n::{Message, said};

/// Sandbox tier: how strongly bots are isolated from the machine and from each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// Precautions and limits of the referee only: catches accidents, not malice.
    Bare,
    /// Unprivileged Linux features: hard limits, Landlock and a system call filter.
    Portable,
    /// The portable tier plus namespaces and a separate root folder.
    Full,
}

impl Tier {
    /// All tiers, weakest first.
    pub const ALL: [Self; 3] = [Self::Bare, Self::Portable, Self::Full];

    /// Name in files and on the command line.
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
        /// Promise about what bots cannot do, one word each. Files and reports use the same words.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Promise { $(#[doc = $about] $variant,)+ }

        impl Promise {
            /// All promises, in display order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Name in files and reports.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// Short description of the promise.
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

/// Level to which a promise is kept on a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// The promise is not kept.
    Absent,
    /// Violations are detected afterwards, and the game is judged accordingly.
    Detected,
    /// Bounded, but less exactly than the promise requires.
    Limited,
    /// The system or the referee prevents violations.
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

/// Level to which a promise is kept, and the means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// Level of the promise.
    pub level: Level,
    /// Means, or what is missing: a short sentence without a full stop.
    pub how: String,
}

/// Isolation of the bots of a game, a run or a machine, as found by testing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Isolation {
    /// Sandbox tier.
    pub tier: Tier,
    /// Whether each bot also has its own control group.
    pub cgroup: bool,
    /// Every promise and how it is kept.
    pub promises: BTreeMap<Promise, Kept>,
}

impl Isolation {
    /// Level of a promise.
    pub fn level(&self, promise: Promise) -> Level {
        self.promises.get(&promise).map_or(Level::Absent, |kept| kept.level)
    }

    /// Requirements that are not met.
    pub fn missing(&self, requirements: &Requirements) -> Vec<Requirement> {
        let unmet = |needed: &&Requirement| self.level(needed.promise) < needed.least();
        requirements.0.iter().filter(unmet).copied().collect()
    }

    /// Short description, such as `portable` or `full with cgroup`. Tier names are the same in
    /// every language.
    pub fn describe(&self) -> Message {
        let tier = self.tier.to_string();
        if self.cgroup { said!("{} with cgroup", tier) } else { said!("{}", tier) }
    }

    /// Whether results under both may share one rating: every promise is kept to the same level.
    pub fn is_like(&self, other: &Self) -> bool {
        Promise::ALL.iter().all(|&promise| self.level(promise) == other.level(promise))
    }
}

/// English description.
impl fmt::Display for Isolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe().fmt(f)
    }
}

/// Promise that must be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Requirement {
    /// Required promise.
    pub promise: Promise,
    /// Whether [`Level::Limited`] is enough, written `mem~`.
    pub limited_will_do: bool,
}

impl Requirement {
    /// Minimum level.
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

/// Promises that are required before a game is played. The text form is a comma-separated list, in
/// which `official` and `friendly` each stand for a predefined list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Requirements(pub Vec<Requirement>);

impl Requirements {
    /// Requirements of a tournament whose file sets none.
    pub fn official() -> Self {
        let words = "wall,cpu,mem~,procs,out,fsize,net,read,write,signal,turn,fds";
        words.parse().expect("words that are known")
    }

    /// Requirements of a friendly game, which every machine supports.
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
