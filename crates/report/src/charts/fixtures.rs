//! Test fixtures: tournaments to draw.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::time::Duration;

use pitmaster_core::i18n::Lang;
use pitmaster_core::{BotHash, BotId, BySide, Dialect, Mark, Side};
use pitmaster_ratings::{Game, Matches, Model, PairId, Standings};
use pitmaster_tournament::{FormatPlan, PlannedBot, check};

use super::super::fixtures;
use super::super::svg::STYLE;
use super::{Chart, Charts, Drawn};
use crate::game_sample::GameSample;
use crate::names::Names;
use crate::times::Times;

/// Data of a tournament.
pub(super) struct Example {
    charts: Charts,
    standings: Standings,
    matches: Matches,
    played: GameSample,
    pub(super) names: Names,
    times: Times,
    plan: FormatPlan,
    model: Model,
}

impl Example {
    /// Three bots with nine games, forfeits among them.
    pub(super) fn small() -> Self {
        let (records, roster) = fixtures::tournament();
        let (mut charts, mut played) = (Charts::default(), GameSample::default());
        let mut times = Times::default();
        for record in &records {
            charts.add(record, &roster);
            played.add_record(record, &roster);
            times.add(record, BySide::new(Dialect::Arena, Dialect::Pitmaster), &roster);
        }
        let example = Self::of(played, Names::of(&roster, &[]), FormatPlan::default());
        Self { charts, times, ..example }
    }

    /// A tournament of that `[format]` limited to its first games, in which the lower number mostly
    /// wins.
    pub(super) fn of_format(format: &str, bots: usize, games: usize) -> Self {
        let text = format!(
            "version = 1\ngame = {{ name = \"kalah\" }}\n{format}\n[bots]\ninclude = [\"x\"]\n"
        );
        let reading = check(&text);
        let tournament = reading.tournament.unwrap_or_else(|| panic!("{:?}", reading.faults));
        let planned = (0..bots).map(|bot| {
            let name = format!("bot-{:02}", bot + 1);
            let id = BotId { hash: BotHash::of(name.as_bytes()), name: name.parse().unwrap() };
            PlannedBot { id, dialect: Dialect::Pitmaster, anchor: Some(2000.0 - bot as f64) }
        });
        let mut played = GameSample::default();
        let walked = tournament.walk(planned.collect(), &[], |key, bots| {
            let pair = PairId { stage: key.stage, round: key.round, number: key.pair };
            let game = game(played.games().len(), pair, bots.map(|bot| bot as u32));
            let is_played = played.games().len() < games;
            if is_played {
                played.add(game, "", "rules:49+", Some(40));
            }
            ControlFlow::<Infallible, _>::Continue(is_played.then_some(game))
        });
        drop(walked);
        Self::of(played, names(bots), tournament.format)
    }

    /// A round-robin.
    pub(super) fn round_robin(bots: u32, pairs: u32) -> Self {
        let mut played = GameSample::default();
        let meetings = (0..bots).flat_map(|one| (one + 1..bots).map(move |two| [one, two]));
        for [one, two] in meetings {
            for number in 1..=pairs {
                let pair = PairId { stage: 1, round: 0, number };
                for bots in [BySide::new(one, two), BySide::new(two, one)] {
                    let game = game(played.games().len(), pair, bots);
                    played.add(game, "", "rules:49+", Some(40));
                }
            }
        }
        Self::of(played, names(bots as usize), FormatPlan::default())
    }

    pub(super) fn of(played: GameSample, names: Names, plan: FormatPlan) -> Self {
        let (games, model) = (played.games(), Model::default());
        let matches = Matches::new(games);
        let standings = Standings::rated(names.len(), games, &plan.ranking, &model);
        let (charts, times) = (Charts::default(), Times::default());
        Self { charts, standings, matches, played, names, times, plan, model }
    }

    pub(super) fn drawn(&self) -> Drawn<'_> {
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

    pub(super) fn draw(&self, lang: Lang) -> Vec<Chart> {
        self.charts.draw(&self.drawn(), lang)
    }

    /// One chart, without its style, for a snapshot.
    pub(super) fn svg(&self, name: &str) -> String {
        let charts = self.draw(Lang::English);
        let chart = charts.iter().find(|chart| chart.name == name).expect("it is drawn");
        chart.svg.replace(STYLE, "…")
    }
}

/// A game that the lower number wins, with a few exceptions.
fn game(number: usize, pair: PairId, bots: BySide<u32>) -> Game {
    let lot = (number * 7 + pair.number as usize + bots.one as usize) % 11;
    let lower = if bots.one < bots.two { Side::One } else { Side::Two };
    let marks = match lot {
        0 => BySide::new(Mark::Draw, Mark::Draw),
        _ => BySide::from_fn(
            |side| {
                if (side == lower) == (lot > 1) { Mark::Win } else { Mark::Loss }
            },
        ),
    };
    Game { fingerprint: number as u64, bots, pair, marks, faults: BySide::default() }
}

pub(super) fn names(count: usize) -> Names {
    let mut names = Names::default();
    (0..count).for_each(|bot| names.push(&format!("bot-{:02}", bot + 1), ""));
    names
}

pub(super) const KNOCKOUT: &str = "[format]\nkind = \"knockout\"\npairs = 1";
pub(super) const SWISS: &str = "[format]\nkind = \"swiss\"\npairs = 1";
pub(super) const LADDER: &str = "[format]\nkind = \"ladder\"\ngames = 200";
