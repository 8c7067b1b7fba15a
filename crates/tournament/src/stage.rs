//! Stages of a tournament, as the file describes them; most tournaments have one.

use pitmaster_core::BotName;
use pitmaster_ratings::Ranking;

use super::{FormatKind, Location, PlannedBot, did_you_mean};

/// Stages and ranking of a tournament.
#[derive(Debug, Clone, PartialEq)]
pub struct FormatPlan {
    /// Stages in order; never empty.
    pub stages: Vec<StagePlan>,
    /// Points and tie-breaks.
    pub ranking: Ranking,
}

/// Stage of a tournament.
#[derive(Debug, Clone, PartialEq)]
pub struct StagePlan {
    /// Name for people; may be empty.
    pub name: String,
    /// Location in the file.
    pub place: Location,
    /// Format of the stage.
    pub kind: FormatKind,
    /// Number of pairs for every two bots that meet, two games each; in formats with rounds, per
    /// round. 1 to 1,000,000.
    pub pairs: u32,
    /// Order in which bots enter the stage.
    pub seeding: Seeding,
    /// Number of bots that advance to the next stage, per group if there are groups; `None`: as
    /// many as the format permits.
    pub advance: Option<u32>,
}

/// Order in which bots enter a stage: the first is seeded highest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Seeding {
    /// By the standings of the stage before. In the first stage by the anchors in the file, with
    /// the others drawn.
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
    /// Makes a plan of one round-robin stage with this many pairs.
    pub fn round_robin(pairs: u32) -> Self {
        let stage = StagePlan { pairs, ..StagePlan::default() };
        Self { stages: vec![stage], ..Self::default() }
    }

    /// Whether pairings depend on results.
    pub fn depends_on_results(&self) -> bool {
        self.stages.len() > 1 || self.stages.iter().any(|stage| stage.kind.depends_on_results())
    }

    /// Highest number that a pair can have, and so the number of openings that can be used.
    pub fn highest_pair(&self) -> u32 {
        self.stages.iter().map(StagePlan::highest_pair).max().unwrap_or(1)
    }

    /// Errors of these bots for this format, with the locations in the file that they conflict
    /// with.
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

    /// Limit of this stage to the number of bots that advance.
    pub(crate) fn limit(&self) -> usize {
        self.advance.map_or(usize::MAX, |advance| advance as usize)
    }

    /// Number of the `bots` that advance from this stage.
    pub fn going_on(&self, bots: usize) -> usize {
        self.kind.kind().going_on(self.limit(), bots)
    }

    /// Description for people, with this many bots.
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

    /// Whether the order of the field matters.
    pub fn is_seeded(&self) -> bool {
        self.kind.kind().is_seeded()
    }

    /// Name for people.
    pub fn shown(&self) -> String {
        if self.name.is_empty() { self.kind.to_string() } else { self.name.clone() }
    }
}
