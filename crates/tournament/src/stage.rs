//! What a tournament file says about its format: stages, of which most tournaments have one.

use std::fmt;

use pitmaster_core::BotName;
use pitmaster_ratings::{Elo, Ranking, Sprt};

use super::formats::usual_rounds;
use super::{Located, Location, PlannedBot, did_you_mean};

/// Who meets whom, how often, for what.
#[derive(Debug, Clone, PartialEq)]
pub struct FormatPlan {
    /// One after the other; never empty.
    pub stages: Vec<StagePlan>,
    /// What a result brings, and what decides between equal points.
    pub ranking: Ranking,
}

/// One stage.
#[derive(Debug, Clone, PartialEq)]
pub struct StagePlan {
    /// For people; may be empty.
    pub name: String,
    /// Where the file says so.
    pub place: Location,
    /// Who meets whom.
    pub kind: FormatKind,
    /// How often two bots meet, two games each time; in formats with rounds, in each of them.
    /// 1 to 1,000,000.
    pub pairs: u32,
    /// In which order bots come into it.
    pub seeding: Seeding,
    /// How many go on to the next stage, of each group where there are groups; `None`: all that
    /// the format lets.
    pub advance: Option<u32>,
}

/// Who meets whom.
#[derive(Debug, Clone, PartialEq)]
pub enum FormatKind {
    /// Everybody meets everybody, of the same group if there are several.
    RoundRobin {
        /// How many groups.
        groups: u32,
    },
    /// Some against all others.
    Gauntlet {
        /// Who.
        against: Vec<Located<BotName>>,
    },
    /// Everybody against some that are to be beaten. They do not go on.
    Sanity {
        /// Who is to be beaten.
        against: Vec<Located<BotName>>,
        /// Who has more than this share of the points that can be had goes on.
        pass: f64,
    },
    /// Those meet who have about as many points.
    Swiss {
        /// How many; `None`: what is usual for so many bots.
        rounds: Option<u32>,
    },
    /// Who loses a match is out.
    Knockout {
        /// Whether those who lose the semifinals meet.
        third_place: bool,
        /// The most pairs that are added to a tied match.
        extra: u32,
    },
    /// Those meet whose game tells most.
    Ladder {
        /// The most games.
        games: u64,
        /// Enough is known when every interval is at most so wide to each side.
        precision: Option<Elo>,
        /// Pairs that are chosen ahead of results; `None`: one for each bot.
        look_ahead: Option<u32>,
    },
    /// Whether one bot is stronger than another, until that is decided.
    Sprt(SprtPlan),
}

/// A sequential test.
#[derive(Debug, Clone, PartialEq)]
pub struct SprtPlan {
    /// Who is to be beaten; the other is tested.
    pub against: Option<Located<BotName>>,
    /// What is asked.
    pub sprt: Sprt,
    /// The most games.
    pub games: u64,
    /// Pairs that are played ahead of results.
    pub look_ahead: u32,
}

impl SprtPlan {
    /// The usual number of games at most.
    pub const GAMES: u64 = 10_000;
    /// The usual number of pairs that are played ahead of results.
    pub const LOOK_AHEAD: u32 = 16;
}

/// In which order bots come into a stage: the first is seeded highest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Seeding {
    /// By the standings of the stage before; in the first stage by the anchors in the file; the
    /// others drawn.
    #[default]
    Rating,
    /// Drawn by the seed.
    Drawn,
}

impl Default for FormatPlan {
    fn default() -> Self {
        Self { stages: vec![StagePlan::default()], ranking: Ranking::default() }
    }
}

impl Default for StagePlan {
    fn default() -> Self {
        Self {
            name: String::new(),
            place: Location::START,
            kind: FormatKind::RoundRobin { groups: 1 },
            pairs: 10,
            seeding: Seeding::default(),
            advance: None,
        }
    }
}

impl FormatPlan {
    /// One stage in which everybody meets everybody so often.
    pub fn round_robin(pairs: u32) -> Self {
        let stage = StagePlan { pairs, ..StagePlan::default() };
        Self { stages: vec![stage], ..Self::default() }
    }

    /// Whether who meets whom depends on results.
    pub fn depends_on_results(&self) -> bool {
        self.stages.len() > 1 || self.stages.iter().any(|stage| stage.kind.depends_on_results())
    }

    /// The highest number that a pair can have: so many openings can be used.
    pub fn highest_pair(&self) -> u32 {
        self.stages.iter().map(StagePlan::highest_pair).max().unwrap_or(1)
    }

    /// What is wrong with these bots for this format, and where the file says what they do not
    /// fit to.
    pub fn validate_bots(&self, bots: &[PlannedBot]) -> Vec<(Location, String)> {
        let mut faults = Vec::new();
        for stage in &self.stages {
            for name in stage.kind.against() {
                let names = bots.iter().map(|bot| bot.id.name.as_str());
                let name_text = name.value.as_str();
                if BotName::find(name_text, names.clone()).is_none() {
                    let meant = did_you_mean(name_text, names.clone());
                    let meant = meant.map(|meant| format!("; did you mean {meant}?"));
                    let meant = meant.unwrap_or(";".into());
                    let there = listed(&names.collect::<Vec<_>>());
                    let message = format!("no bot is called {name_text}{meant} there is {there}");
                    faults.push((name.place, message));
                }
            }
        }
        let stage = &self.stages[0];
        let count = bots.len();
        match &stage.kind {
            FormatKind::RoundRobin { groups } if *groups as usize * 2 > count => faults.push((
                stage.place,
                format!("{groups} groups of {count} bots are too many: each needs two bots"),
            )),
            FormatKind::Sprt(_) if count != 2 => faults.push((
                stage.place,
                format!("sprt is a test of two bots, and here are {count}; name two"),
            )),
            kind if !kind.against().is_empty() && kind.against().len() >= count => faults.push((
                stage.place,
                "all bots are named in against, and nobody is left to meet them".into(),
            )),
            _ => {}
        }
        faults
    }
}

/// Names for a message: the first ones, and how many others there are.
fn listed(names: &[&str]) -> String {
    const FEW: usize = 10;
    let shown = names[..names.len().min(FEW)].join(", ");
    match names.len().saturating_sub(FEW) {
        0 => shown,
        others => format!("{shown} and {others} others"),
    }
}

impl StagePlan {
    fn highest_pair(&self) -> u32 {
        /// More than any tournament has of those that are not stated.
        const ROUNDS: u32 = 24;
        let in_rounds = |rounds: u32, pairs: u32| rounds.saturating_mul(pairs);
        match &self.kind {
            FormatKind::Swiss { rounds } => in_rounds(rounds.unwrap_or(ROUNDS), self.pairs),
            FormatKind::Knockout { extra, .. } => in_rounds(ROUNDS, self.pairs + extra),
            FormatKind::Ladder { games, .. } | FormatKind::Sprt(SprtPlan { games, .. }) => {
                u32::try_from(games / 2).unwrap_or(u32::MAX)
            }
            _ => self.pairs,
        }
    }

    /// How many bots of `bots` go on from here.
    pub fn going_on(&self, bots: usize) -> usize {
        let limit = self.advance.map_or(usize::MAX, |advance| advance as usize);
        match &self.kind {
            FormatKind::RoundRobin { groups } => limit.saturating_mul(*groups as usize).min(bots),
            FormatKind::Sanity { against, .. } => limit.min(bots.saturating_sub(against.len())),
            _ => limit.min(bots),
        }
    }

    /// What it is, for people, with so many bots.
    pub fn described(&self, bots: usize) -> String {
        let pairs = match self.pairs {
            1 => "1 pair".to_owned(),
            pairs => format!("{pairs} pairs"),
        };
        let what = match &self.kind {
            FormatKind::RoundRobin { groups: 1 } | FormatKind::Gauntlet { .. } => {
                format!("{}, {pairs} each", self.kind)
            }
            FormatKind::RoundRobin { groups } => format!("{groups} groups, {pairs} each"),
            FormatKind::Sanity { pass, .. } => {
                format!("sanity, {pairs}, more than {:.0} % go on", pass * 100.0)
            }
            FormatKind::Swiss { rounds } => {
                let rounds = rounds.unwrap_or_else(|| usual_rounds(bots));
                format!("swiss, {rounds} rounds of {pairs}")
            }
            FormatKind::Knockout { extra, .. } => {
                format!("knockout, matches of {pairs}, at most {extra} more where they are tied")
            }
            FormatKind::Ladder { games, precision: None, .. } => format!("ladder, {games} games"),
            FormatKind::Ladder { games, precision: Some(elo), .. } => {
                format!("ladder until ±{elo} Elo, at most {games} games")
            }
            FormatKind::Sprt(SprtPlan { sprt, games, .. }) => {
                format!("sprt from {} to {} Elo, at most {games} games", sprt.elo0, sprt.elo1)
            }
        };
        let name = if self.name.is_empty() { String::new() } else { format!("{}: ", self.name) };
        let on = self.advance.map_or_else(String::new, |advance| format!(", {advance} go on"));
        format!("{name}{what}{on}")
    }

    /// Whether it makes a difference who stands where in the field.
    pub fn is_seeded(&self) -> bool {
        match self.kind {
            FormatKind::RoundRobin { groups } => groups > 1,
            FormatKind::Swiss { .. } | FormatKind::Knockout { .. } | FormatKind::Ladder { .. } => {
                true
            }
            _ => false,
        }
    }

    /// The name for people.
    pub fn shown(&self) -> String {
        if self.name.is_empty() { self.kind.to_string() } else { self.name.clone() }
    }
}

impl FormatKind {
    /// Its names in files.
    pub const NAMES: [&'static str; 7] =
        ["round-robin", "gauntlet", "swiss", "knockout", "ladder", "sprt", "sanity"];

    /// Whether who meets whom depends on results, within the stage.
    pub fn depends_on_results(&self) -> bool {
        !matches!(self, Self::RoundRobin { .. } | Self::Gauntlet { .. } | Self::Sanity { .. })
    }

    /// Whether bots meet those who had like results.
    pub fn pairs_by_results(&self) -> bool {
        matches!(self, Self::Swiss { .. } | Self::Knockout { .. } | Self::Ladder { .. })
    }

    /// Bots that it names.
    pub fn against(&self) -> &[Located<BotName>] {
        match self {
            Self::Gauntlet { against } | Self::Sanity { against, .. } => against,
            Self::Sprt(plan) => plan.against.as_slice(),
            _ => &[],
        }
    }
}

/// The word in files.
impl fmt::Display for FormatKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::RoundRobin { .. } => "round-robin",
            Self::Gauntlet { .. } => "gauntlet",
            Self::Sanity { .. } => "sanity",
            Self::Swiss { .. } => "swiss",
            Self::Knockout { .. } => "knockout",
            Self::Ladder { .. } => "ladder",
            Self::Sprt(_) => "sprt",
        })
    }
}
