//! Whole charts: as snapshots, and what holds for all of them.

use std::fs;

use proptest::prelude::*;

use super::super::made_up;
use super::*;
use crate::ratings::{PairId, Ranking};
use crate::record::{BySide, Dialect, Mark};
use crate::tournament::StagePlan;

/// A tournament, gathered.
struct Example {
    charts: Charts,
    standings: Standings,
    matches: Matches,
    played: Played,
    names: Names,
    times: Times,
    plan: FormatPlan,
    model: Model,
}

impl Example {
    /// Three bots with nine games, forfeits among them.
    fn small() -> Self {
        let (records, roster) = made_up::tournament();
        let (mut charts, mut played) = (Charts::default(), Played::default());
        let mut times = Times::default();
        for record in &records {
            charts.add(record, &roster);
            played.add_record(record, &roster);
            times.add(record, BySide::new(Dialect::Arena, Dialect::Pitmaster), &roster);
        }
        let example = Self::of(played, Names::of(&roster, &[]), FormatPlan::default());
        Self { charts, times, ..example }
    }

    fn of(played: Played, names: Names, plan: FormatPlan) -> Self {
        let (games, model) = (played.games(), Model::default());
        let matches = Matches::new(games);
        let standings = Standings::rated(names.len(), games, &Ranking::default(), &model);
        let (charts, times) = (Charts::default(), Times::default());
        Self { charts, standings, matches, played, names, times, plan, model }
    }

    fn drawn(&self) -> Drawn<'_> {
        Drawn {
            key: "t1",
            standings: &self.standings,
            matches: &self.matches,
            played: &self.played,
            names: &self.names,
            times: &self.times,
            plan: &self.plan,
            model: &self.model,
            move_limit: Some(Duration::from_secs(1)),
        }
    }

    fn draw(&self, lang: Lang) -> Vec<Chart> {
        self.charts.draw(&self.drawn(), lang)
    }
}
