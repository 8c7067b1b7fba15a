//! What a tournament runs on, once its file is found right.

use std::fmt;
use std::sync::Arc;

use super::{Format, GameKeys, Next, Openings, Place, Placed, PlannedBot, RoundRobin};
use crate::games::Game;
use crate::ratings::{Ranking, TieBreak};
use crate::record::{BotName, GameKey, Limits, Requirements, Seed, Tier};

/// A tournament, checked.
#[derive(Debug, Clone)]
pub struct Tournament {
    /// Shown above the standings; may be empty.
    pub title: String,
    /// All randomness follows from it.
    pub seed: Seed,
    /// What is played.
    pub game: Arc<dyn Game>,
    /// Under which limits.
    pub limits: Limits,
    /// What keeps bots apart; `None`: the best that is worth its price on the machine.
    pub isolation: Option<Tier>,
    /// What must be promised of that before a game is played.
    pub require: Requirements,
    /// Who meets whom, how often, for what.
    pub format: FormatPlan,
    /// How games begin; the list is found or read by whoever runs it.
    pub openings: Openings,
    /// Who takes part, as far as the file says.
    pub bots: Bots,
    /// How surely results are kept.
    pub durability: Durability,
}

impl Tournament {
    /// Every game of the plan in its order, for formats whose plan does not depend on
    /// results.
    pub fn plan(&self, bots: Vec<PlannedBot>) -> impl Iterator<Item = GameKey> {
        let (mut format, keys) = (self.start_format(bots.len()), self.game_keys(bots));
        let pairings = std::iter::from_fn(move || match format.next() {
            Next::Pairing(pairing) => Some(pairing),
            Next::Wait | Next::Done => None,
        });
        pairings.flat_map(move |pairing| keys.of(&pairing))
    }

    /// From pairings of these bots to the keys of their games.
    pub fn game_keys(&self, bots: Vec<PlannedBot>) -> GameKeys {
        let (rules, limits) = (self.game.id(), self.limits.clone());
        GameKeys { bots, rules, limits, openings: self.openings.clone() }
    }

    /// The format at its beginning, for so many bots.
    pub fn start_format(&self, bots: usize) -> Box<dyn Format> {
        match self.format.kind {
            FormatKind::RoundRobin => Box::new(RoundRobin::new(bots, self.format.pairs)),
        }
    }
}

/// Who meets whom, how often, for what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatPlan {
    /// Who meets whom.
    pub kind: FormatKind,
    /// How often two bots meet, two games each time; 1 to 1,000,000.
    pub pairs: u32,
    /// What a result brings, and what decides between equal points.
    pub ranking: Ranking,
}

impl Default for FormatPlan {
    fn default() -> Self {
        Self { kind: FormatKind::default(), pairs: 10, ranking: Ranking::default() }
    }
}

/// Who takes part. The places let other rooms' faults point into the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bots {
    /// Patterns of paths that take part.
    pub include: Vec<Placed<String>>,
    /// Patterns of paths among them that do not.
    pub exclude: Vec<Placed<String>>,
    /// What becomes of a bot that cannot be built or started.
    pub absent: Absent,
    /// Bots named one by one. One whose path a pattern includes too is the same bot, with
    /// what its entry says.
    pub entries: Vec<BotEntry>,
}

/// One `[[bot]]`.
#[derive(Debug, Clone, PartialEq)]
pub struct BotEntry {
    /// Where the entry starts.
    pub place: Place,
    /// A path, or `house:…`.
    pub path: Placed<String>,
    /// In place of the bot's own name.
    pub name: Option<Placed<BotName>>,
    /// In place of the bot's own display name.
    pub display: Option<String>,
    /// Its Elo, held fixed.
    pub anchor: Option<f64>,
    /// A house bot that plays without a process.
    pub in_process: bool,
}

/// Values that are one of a few words in files.
pub(super) trait Word: Copy + 'static {
    /// All of them, with their words.
    const WORDS: &'static [(&'static str, Self)];
}

impl Word for TieBreak {
    const WORDS: &'static [(&'static str, Self)] = &[
        (Self::Direct.name(), Self::Direct),
        (Self::SonnebornBerger.name(), Self::SonnebornBerger),
        (Self::Wins.name(), Self::Wins),
    ];
}

impl Word for Option<Tier> {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", None),
        (Tier::Bare.name(), Some(Tier::Bare)),
        (Tier::Portable.name(), Some(Tier::Portable)),
        (Tier::Full.name(), Some(Tier::Full)),
    ];
}

macro_rules! words {
    ($(#[$about:meta])* $vis:vis $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        $vis enum $name { $($(#[$doc])* $variant,)+ }

        impl Word for $name {
            const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$variant)),+];
        }

        /// The word in files.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self { $(Self::$variant => $word),+ })
            }
        }
    };
}

words! {
    /// Who meets whom.
    #[derive(Default)]
    pub FormatKind {
        /// Everybody meets everybody.
        #[default]
        RoundRobin = "round-robin",
    }
}

words! {
    /// What becomes of a bot that cannot be built or started.
    #[derive(Default)]
    pub Absent {
        /// It is named before the first game and takes no part.
        #[default]
        LeaveOut = "leave-out",
        /// All its games are forfeits.
        Forfeit = "forfeit",
    }
}

words! {
    /// Whether bots may do something.
    pub(super) Permission {
        /// They may not.
        Forbidden = "forbidden",
        /// They may.
        Allowed = "allowed",
    }
}

words! {
    /// How surely results are kept.
    #[derive(Default)]
    pub Durability {
        /// They survive the end of the program, however sudden.
        #[default]
        Normal = "normal",
        /// They survive a power cut too; every commit waits for the disk.
        Full = "full",
    }
}
