//! Stages of a tournament, as the file describes them; most tournaments have one.

use pitmaster_core::BotName;
use pitmaster_ratings::Ranking;

use super::{FormatKind, Location, PlannedBot, did_you_mean};

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
            kind: FormatKind::default(),
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
        let misfit = stage.kind.kind().misfit(bots.len());
        faults.extend(misfit.map(|message| (stage.place, message)));
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
        self.kind.kind().highest_pair(self.pairs)
    }

    /// The stage's own limit to the number of bots that go on.
    pub(crate) fn limit(&self) -> usize {
        self.advance.map_or(usize::MAX, |advance| advance as usize)
    }

    /// How many bots of `bots` go on from here.
    pub fn going_on(&self, bots: usize) -> usize {
        self.kind.kind().going_on(self.limit(), bots)
    }

    /// What it is, for people, with so many bots.
    pub fn described(&self, bots: usize) -> String {
        let pairs = match self.pairs {
            1 => "1 pair".to_owned(),
            pairs => format!("{pairs} pairs"),
        };
        let what = self.kind.kind().describe(&pairs, bots);
        let name = if self.name.is_empty() { String::new() } else { format!("{}: ", self.name) };
        let on = self.advance.map_or_else(String::new, |advance| format!(", {advance} go on"));
        format!("{name}{what}{on}")
    }

    /// Whether it makes a difference who stands where in the field.
    pub fn is_seeded(&self) -> bool {
        self.kind.kind().is_seeded()
    }

    /// The name for people.
    pub fn shown(&self) -> String {
        if self.name.is_empty() { self.kind.to_string() } else { self.name.clone() }
    }
}
