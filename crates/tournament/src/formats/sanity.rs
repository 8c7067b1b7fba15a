//! Sanity check format: every bot meets reference bots that it must beat. Reference bots do not
//! advance.

use pitmaster_core::BotName;
use pitmaster_core::diagnostics::Diagnostics;
use pitmaster_ratings::{Row, Standings};

use super::Gauntlet;
use crate::format::Batch;
use crate::kind::{Entrants, Kind, Settings};
use crate::read::StageKeys;
use crate::write::{line, names};
use crate::{Format, Located};

/// Settings of a sanity check.
#[derive(Debug, Clone, PartialEq)]
pub struct SanityPlan {
    /// Reference bots.
    pub against: Vec<Located<BotName>>,
    /// Share of the possible points that must be exceeded.
    pub pass: f64,
}

impl Settings for SanityPlan {
    const KEYS: &'static [&'static str] = &["pairs", "against", "pass"];

    fn read(keys: &StageKeys<'_>, diagnostics: &mut Diagnostics<'_>) -> Self {
        let against = keys.some_against(diagnostics);
        Self { against, pass: keys.number("pass", 0.0, 1.0, 0.5, diagnostics) }
    }
}

impl Kind for SanityPlan {
    fn write(&self, out: &mut String) {
        line(out, "against", &names(&self.against));
        line(out, "pass", &format!("{:?}", self.pass));
    }

    fn describe(&self, pairs: &str, _: usize) -> String {
        format!("sanity, {pairs}, more than {:.0} % go on", self.pass * 100.0)
    }

    fn start(&self, stage: &Entrants<'_>, _: Vec<Batch>) -> Box<dyn Format> {
        let heads = stage.places(&self.against);
        Box::new(Gauntlet::new(heads, stage.count(), stage.pairs))
    }

    fn against(&self) -> &[Located<BotName>] {
        &self.against
    }

    fn needs_advance(&self) -> bool {
        false
    }

    fn decides_how_many(&self) -> bool {
        true
    }

    fn going_on(&self, limit: usize, bots: usize) -> usize {
        limit.min(bots.saturating_sub(self.against.len()))
    }

    fn choose(&self, standings: &Standings, limit: usize, stage: &Entrants<'_>) -> Vec<usize> {
        let heads = stage.places(&self.against);
        let has_passed = |row: &&Row| {
            let most = stage.points.win * row.games.max(1);
            let share = row.points.in_hundredths() as f64 / most.in_hundredths() as f64;
            !heads.contains(&(row.bot as usize)) && row.games > 0 && share > self.pass
        };
        let passed = standings.rows.iter().filter(has_passed).map(|row| row.bot as usize);
        passed.take(limit).collect()
    }
}
