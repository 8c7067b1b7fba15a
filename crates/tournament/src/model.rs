//! Validated tournament, as the program runs it.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::Arc;

use pitmaster_core::{BotName, BySide, GameKey, Limits, Requirements, Seed, Tier};
use pitmaster_games::DynGame;
use pitmaster_ratings::{self as ratings, TieBreak};

use super::format::KeptDecision;
use super::formats::{self, Share, Start};
use super::{Format, FormatPlan, GameKeys, Located, Location, Next, Openings, PlannedBot};

/// A tournament, checked.
#[derive(Debug, Clone)]
pub struct Tournament {
    /// Shown above the standings; may be empty.
    pub title: String,
    /// All randomness follows from it.
    pub seed: Seed,
    /// What is played.
    pub game: Arc<dyn DynGame>,
    /// Under which limits.
    pub limits: Limits,
    /// How often a game is replayed at most in which a bot was late for lack of a core.
    pub starved_replays: u32,
    /// What keeps bots apart; `None`: the best that is worth its price on the machine.
    pub isolation: Option<Tier>,
    /// What must be promised of that before a game is played.
    pub require: Requirements,
    /// Who meets whom, how often, for what.
    pub format: FormatPlan,
    /// The share of it that is played here; `None`: all. Not in the file.
    pub share: Option<Shard>,
    /// How games begin; the list is found or read by whoever runs it.
    pub openings: Openings,
    /// Who takes part, as far as the file says.
    pub bots: Bots,
    /// How surely results are kept.
    pub durability: Durability,
}

impl Tournament {
    /// [`Self::starved_replays`] where the file does not say.
    pub const STARVED_REPLAYS: u32 = 3;

    /// From pairings of these bots to the keys of their games.
    pub fn game_keys(&self, bots: Vec<PlannedBot>) -> GameKeys {
        let (rules, limits) = (self.game.id(), self.limits.clone());
        GameKeys { bots, rules, limits, openings: self.openings.clone() }
    }

    /// The format at its beginning, for these bots, with what it has decided in earlier runs.
    pub fn start_format(&self, bots: &[PlannedBot], kept: &[KeptDecision]) -> Box<dyn Format> {
        let start = Start { plan: &self.format, seed: self.seed, bots };
        let whole = formats::start(&start, kept);
        match self.share {
            Some(Shard { number, of }) => Box::new(Share::new(whole, number, of)),
            None => whole,
        }
    }

    /// Walks through the plan in its order, as far as the results go: `visit` is handed the key
    /// of each game and who plays it by their numbers, and says its result, if there is one. The
    /// format as it stands then.
    ///
    /// # Errors
    /// Where `visit` breaks off.
    pub fn walk<B>(
        &self,
        bots: Vec<PlannedBot>,
        kept: &[KeptDecision],
        mut visit: impl FnMut(&GameKey, BySide<usize>) -> ControlFlow<B, Option<ratings::Game>>,
    ) -> ControlFlow<B, Box<dyn Format>> {
        let (mut format, keys) = (self.start_format(&bots, kept), self.game_keys(bots));
        let mut without_gap = true;
        while let Next::Pairing(pairing) = format.next() {
            let [one, two] = pairing.bots;
            let seats = [BySide::new(one, two), BySide::new(two, one)];
            for (key, bots) in keys.of(&pairing).iter().zip(seats) {
                match visit(key, bots)? {
                    Some(game) if without_gap => format.on_result(&game),
                    Some(_) => {}
                    None => without_gap = false,
                }
            }
        }
        ControlFlow::Continue(format)
    }
}

/// One share of a tournament that is played on several machines: `2/5`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 1.
    pub number: u32,
    /// Of how many.
    pub of: u32,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| {
            Some(Self { number: number.parse().ok()?, of: of.parse().ok()? })
        });
        numbers
            .filter(|part| (1..=part.of).contains(&part.number) && part.of <= 100_000)
            .ok_or_else(|| format!("a share is written 2/5: the second of five, not {text:?}"))
    }
}

/// Who takes part. The places let other rooms' faults point into the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bots {
    /// Patterns of paths that take part.
    pub include: Vec<Located<String>>,
    /// Patterns of paths among them that do not.
    pub exclude: Vec<Located<String>>,
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
    pub place: Location,
    /// A path, or `house:…`.
    pub path: Located<String>,
    /// In place of the bot's own name.
    pub name: Option<Located<BotName>>,
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
        (Self::Buchholz.name(), Self::Buchholz),
        (Self::BuchholzCut1.name(), Self::BuchholzCut1),
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
