//! Kinds of formats: the settings of each in a tournament file, and the properties derived from
//! them.
//! A kind is a file in `formats` and a row in the definition of [`FormatKind`] below. Keys that no
//! earlier kind had are rows in `keys`, with their help.

use std::fmt::{self, Debug};

use pitmaster_core::BotName;
use pitmaster_core::diagnostics::Diagnostics;
use pitmaster_ratings::{PointsFor, Standings, TieBreak};

use super::format::Batch;
use super::formats::{
    GauntletPlan, KnockoutPlan, LadderPlan, MilestonesPlan, PracticePlan, RoundRobinPlan,
    SanityPlan, SprtPlan, SwissPlan,
};
use super::model::Word;
use super::read::StageKeys;
use super::{Format, Located, PlannedBot};

/// Reading of a kind's settings.
pub(crate) trait Settings: Sized {
    /// Keys that this kind has, of those that not all kinds have.
    const KEYS: &'static [&'static str];

    /// Reads the settings. Missing keys have their defaults.
    fn read(keys: &StageKeys<'_>, diagnostics: &mut Diagnostics<'_>) -> Self;
}

/// Behavior of a kind that follows from its settings.
pub(crate) trait Kind: Debug {
    /// Writes the settings as lines of TOML.
    fn write(&self, out: &mut String);

    /// A description for people; `pairs` is `1 pair` or `10 pairs`.
    fn describe(&self, pairs: &str, bots: usize) -> String;

    /// Initial format, with decisions of earlier runs.
    fn start(&self, stage: &Entrants<'_>, kept: Vec<Batch>) -> Box<dyn Format>;

    /// Bots named in the settings.
    fn against(&self) -> &[Located<BotName>] {
        &[]
    }

    /// Problem with this number of bots, if any.
    fn misfit(&self, bots: usize) -> Option<String> {
        let against = self.against().len();
        (against > 0 && against >= bots)
            .then(|| "all bots are named in against, and nobody is left to meet them".into())
    }

    /// Whether pairings within the stage depend on results.
    fn depends_on_results(&self) -> bool {
        false
    }

    /// Whether pairings depend on results.
    fn pairs_by_results(&self) -> bool {
        false
    }

    /// Whether the order of the field matters.
    fn is_seeded(&self) -> bool {
        false
    }

    /// Whether it can be one of several stages.
    fn can_be_followed(&self) -> bool {
        true
    }

    /// Whether a stage before the last has to state how many bots advance.
    fn needs_advance(&self) -> bool {
        true
    }

    /// Whether results decide how many bots advance.
    fn decides_how_many(&self) -> bool {
        false
    }

    /// The highest number that a pair can have, if two bots meet in `pairs` pairs at a time.
    fn highest_pair(&self, pairs: u32) -> u32 {
        pairs
    }

    /// Upper bound on the bots that advance, of `bots`, where `limit` is the stage's own limit.
    fn going_on(&self, limit: usize, bots: usize) -> usize {
        limit.min(bots)
    }

    /// Places of the bots that advance, in the order of the next stage's field.
    fn choose(&self, standings: &Standings, limit: usize, _stage: &Entrants<'_>) -> Vec<usize> {
        in_order(standings).take(limit).collect()
    }

    /// Tie-breaks where the file names none.
    fn tie_breaks(&self) -> Option<&'static [TieBreak]> {
        None
    }
}

/// Bots in the order of the standings.
pub(crate) fn in_order(standings: &Standings) -> impl Iterator<Item = usize> {
    standings.rows.iter().map(|row| row.bot as usize)
}

/// Bots of a stage, and the points for its results.
pub(crate) struct Entrants<'a> {
    pub(crate) field: &'a [usize],
    pub(crate) bots: &'a [PlannedBot],
    pub(crate) pairs: u32,
    pub(crate) points: PointsFor,
}

impl Entrants<'_> {
    /// Number of bots.
    pub(crate) fn count(&self) -> usize {
        self.field.len()
    }

    /// Places of the bots of these names in the field.
    pub(crate) fn places(&self, names: &[Located<BotName>]) -> Vec<usize> {
        let field = self.field.iter().map(|&bot| self.bots[bot].id.name.as_str());
        let place = |name: &Located<BotName>| BotName::find(name.value.as_str(), field.clone());
        names.iter().filter_map(place).collect()
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident($plan:ident) = $name:literal;)*) => {
        /// Format of a stage.
        #[derive(Debug, Clone, PartialEq)]
        pub enum FormatKind {
            $($(#[$doc])* $variant($plan),)*
        }

        impl FormatKind {
            /// Names in files.
            pub const NAMES: [&'static str; [$($name),*].len()] = [$($name),*];

            /// Name in files.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $name,)*
                }
            }

            pub(crate) fn kind(&self) -> &dyn Kind {
                match self {
                    $(Self::$variant(plan) => plan,)*
                }
            }
        }

        impl KindName {
            /// Keys that this kind has, of those that not all kinds have.
            pub(crate) fn keys(self) -> &'static [&'static str] {
                match self.0 {
                    $($name => <$plan>::KEYS,)*
                    _ => &[],
                }
            }

            /// Reads the settings of this kind.
            pub(crate) fn read(
                self,
                keys: &StageKeys<'_>,
                diagnostics: &mut Diagnostics<'_>,
            ) -> FormatKind {
                match self.0 {
                    $($name => FormatKind::$variant(<$plan>::read(keys, diagnostics)),)*
                    _ => FormatKind::default(),
                }
            }
        }

        impl Word for KindName {
            const WORDS: &'static [(&'static str, Self)] = &[$(($name, Self($name))),*];
        }
    };
}

/// A kind by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KindName(&'static str);

kinds! {
    /// Every bot meets every other, within groups if there are several.
    RoundRobin(RoundRobinPlan) = "round-robin";
    /// Some bots against all others.
    Gauntlet(GauntletPlan) = "gauntlet";
    /// Each round pairs bots with similar points.
    Swiss(SwissPlan) = "swiss";
    /// The loser of a match is eliminated.
    Knockout(KnockoutPlan) = "knockout";
    /// Pairs the two bots whose game is the most informative.
    Ladder(LadderPlan) = "ladder";
    /// Tests whether one bot is stronger than another.
    Sprt(SprtPlan) = "sprt";
    /// Every bot meets reference bots that it must beat. Reference bots do not advance.
    Sanity(SanityPlan) = "sanity";
    /// Every bot meets reference bots until a test decides whether it reaches a required score
    /// against each.
    Milestones(MilestonesPlan) = "milestones";
    /// Pairs chosen by a practice server.
    Practice(PracticePlan) = "practice";
}

impl KindName {
    /// All kinds.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        Self::WORDS.iter().map(|(_, name)| *name)
    }

    pub(crate) fn name(self) -> &'static str {
        self.0
    }

    /// Names of the kinds that have a key; `None` if all kinds have it.
    pub(crate) fn with_key(key: &str) -> Option<Vec<&'static str>> {
        let kinds: Vec<_> =
            Self::all().filter(|kind| kind.keys().contains(&key)).map(Self::name).collect();
        (!kinds.is_empty()).then_some(kinds)
    }
}

impl Default for KindName {
    fn default() -> Self {
        Self(FormatKind::default().name())
    }
}

impl Default for FormatKind {
    fn default() -> Self {
        Self::RoundRobin(RoundRobinPlan::default())
    }
}

impl FormatKind {
    /// Whether pairings within the stage depend on results.
    pub fn depends_on_results(&self) -> bool {
        self.kind().depends_on_results()
    }

    /// Whether pairings depend on results.
    pub fn pairs_by_results(&self) -> bool {
        self.kind().pairs_by_results()
    }

    /// Whether it has a key, of those that not all kinds have.
    pub(crate) fn has_key(&self, key: &str) -> bool {
        KindName(self.name()).keys().contains(&key)
    }

    /// Bots named in the settings.
    pub fn against(&self) -> &[Located<BotName>] {
        self.kind().against()
    }
}

/// The name in files.
impl fmt::Display for FormatKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
