//! Validated tournament, as the program runs it.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::Arc;

use pitmaster_core::config::Field;
use pitmaster_core::diagnostics::Diagnostics;
use pitmaster_core::{BotName, BySide, GameKey, Limits, Requirements, Seed, SeedCommitment, Tier};
use pitmaster_games::DynGame;
use pitmaster_ratings::{self as ratings, TieBreak};

use super::format::KeptDecision;
use super::formats::{self, Share, Start};
use super::{Format, FormatPlan, GameKeys, Located, Location, Next, Openings, PlannedBot};

/// Validated tournament.
#[derive(Debug, Clone)]
pub struct Tournament {
    /// Title shown above the standings; may be empty.
    pub title: String,
    /// Seed of all randomness.
    pub seed: Seed,
    /// Published commitment to the seed, if there is one; it matches.
    pub seed_commitment: Option<SeedCommitment>,
    /// Game to play.
    pub game: Arc<dyn DynGame>,
    /// Limits of the games.
    pub limits: Limits,
    /// Maximum number of replays of a game with a starved bot.
    pub starved_replays: u32,
    /// Sandbox tier; `None`: the strongest one with acceptable cost on the machine.
    pub isolation: Option<Tier>,
    /// Promises required of the isolation before a game is played.
    pub require: Requirements,
    /// Format: stages, pairs and ranking.
    pub format: FormatPlan,
    /// Shard of the tournament that is played here; `None`: all. Not in the file.
    pub share: Option<Shard>,
    /// Openings; the caller finds or reads the list.
    pub openings: Openings,
    /// Participants, as far as the file names them.
    pub bots: Bots,
    /// Durability of results.
    pub durability: Durability,
}

impl Tournament {
    /// Default of [`Self::starved_replays`].
    pub const STARVED_REPLAYS: u32 = 3;

    /// Makes the game keys for pairings of these bots.
    pub fn game_keys(&self, bots: Vec<PlannedBot>) -> GameKeys {
        let (rules, limits) = (self.game.id(), self.limits.clone());
        GameKeys { bots, rules, limits, openings: self.openings.clone() }
    }

    /// Starts the format for these bots, with its decisions from earlier runs.
    pub fn start_format(&self, bots: &[PlannedBot], kept: &[KeptDecision]) -> Box<dyn Format> {
        let start = Start { plan: &self.format, seed: self.seed, bots };
        let whole = formats::start(&start, kept);
        match self.share {
            Some(Shard { number, of }) => Box::new(Share::new(whole, number, of)),
            None => whole,
        }
    }

    /// Walks through the plan in order, as far as results exist. `visit` receives the key of each
    /// game and the numbers of its bots, and returns the result, if any. Returns the format in its
    /// state after the walk.
    ///
    /// # Errors
    /// Returns the error of `visit`.
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
                    Some(game) if without_gap || format.accepts_gaps() => format.on_result(&game),
                    Some(_) => {}
                    None => without_gap = false,
                }
            }
        }
        ControlFlow::Continue(format)
    }
}

/// Shard of a tournament that is played on several machines: `2/5`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Number of the shard, from 1.
    pub number: u32,
    /// Number of shards.
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

/// Participants. The locations let errors found elsewhere point into the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bots {
    /// Path patterns to include.
    pub include: Vec<Located<String>>,
    /// Path patterns to exclude from these.
    pub exclude: Vec<Located<String>>,
    /// Treatment of a bot that cannot be built or started.
    pub absent: Absent,
    /// Bots listed individually. If a pattern also includes the path of an entry, they are the same
    /// bot, with the settings of the entry.
    pub entries: Vec<BotEntry>,
}

/// `[[bot]]` entry.
#[derive(Debug, Clone, PartialEq)]
pub struct BotEntry {
    /// Start of the entry.
    pub place: Location,
    /// Path, or `house:…`.
    pub path: Located<String>,
    /// Replacement for the bot's own name.
    pub name: Option<Located<BotName>>,
    /// Replacement for the bot's own display name.
    pub display: Option<String>,
    /// Fixed Elo.
    pub anchor: Option<f64>,
    /// Whether a house bot plays without a process.
    pub in_process: bool,
}

/// Value that is one of a few words in files.
pub(super) trait Word: Copy + 'static {
    /// All values with their words.
    const WORDS: &'static [(&'static str, Self)];

    /// Reads a word.
    fn of(field: &Field<'_>, notes: &mut Diagnostics<'_>) -> Option<Self> {
        field.word(Self::WORDS, notes)
    }
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

        /// Word in files.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self { $(Self::$variant => $word),+ })
            }
        }
    };
}

words! {
    /// Treatment of a bot that cannot be built or started.
    #[derive(Default)]
    pub Absent {
        /// The bot is reported before the first game and takes no part.
        #[default]
        LeaveOut = "leave-out",
        /// The bot forfeits all its games.
        Forfeit = "forfeit",
    }
}

words! {
    /// Whether bots may do something.
    pub(super) Permission {
        /// Not allowed.
        Forbidden = "forbidden",
        /// Allowed.
        Allowed = "allowed",
    }
}

words! {
    /// Durability of results.
    #[derive(Default)]
    pub Durability {
        /// Results survive any abrupt end of the program.
        #[default]
        Normal = "normal",
        /// Results also survive a power failure; every commit waits for the disk.
        Full = "full",
    }
}
