//! Format charts: a bracket, rounds, a ladder. They are derived from the games themselves, so that
//! an unfinished tournament can be drawn too.

mod bracket;
mod ladder;
mod rounds;

use std::collections::HashMap;

use pitmaster_core::Side;
use pitmaster_core::i18n::{Lang, Message, said};
use pitmaster_ratings::{Game, PointsFor};
use pitmaster_tournament::{FormatKind, StagePlan};

use super::{Chart, Drawn, Head};

/// A stage that has begun.
struct Stage<'a> {
    what: &'a Drawn<'a>,
    plan: &'a StagePlan,
    /// Number of the stage, from 1.
    number: u32,
    games: Vec<Game>,
}

/// All games of two bots in a round.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Meeting {
    /// Player 1 of the first game, and the other bot.
    bots: [u32; 2],
    /// The points of the two, in hundredths.
    points: [i64; 2],
    games: u32,
}

/// A chart for every stage that has rounds or a ladder.
pub(super) fn draw(what: &Drawn<'_>, lang: Lang) -> Vec<Chart> {
    let stages = what.plan.stages.iter().zip(1..);
    let drawn = stages.filter_map(|(plan, number)| {
        let all = what.played.games().iter();
        let games: Vec<Game> = all.filter(|game| game.pair.stage == number).copied().collect();
        let stage = Stage { what, plan, number, games };
        match &plan.kind {
            _ if stage.games.is_empty() => None,
            FormatKind::Knockout(plan) => Some(bracket::draw(&stage, plan.extra, lang)),
            FormatKind::Swiss(_) => Some(rounds::draw(&stage, lang)),
            FormatKind::Ladder(_) | FormatKind::Practice(_) => ladder::draw(&stage, lang),
            FormatKind::RoundRobin(_)
            | FormatKind::Gauntlet(_)
            | FormatKind::Sprt(_)
            | FormatKind::Sanity(_)
            | FormatKind::Milestones(_) => None,
        }
    });
    drawn.collect()
}

impl Stage<'_> {
    fn head(&self, title: Message, caption: &Message, lang: Lang) -> Head {
        let title =
            if self.plan.name.is_empty() { title } else { said!("{}: {}", &self.plan.name, title) };
        let name = format!("course-{}", self.number);
        Head::new(self.what.key, &name, &title, caption, lang)
    }

    /// Meetings of every round in order, each round in starting order.
    fn rounds(&self) -> Vec<Vec<Meeting>> {
        let last = self.games.iter().map(|game| game.pair.round).max().unwrap_or(0);
        (1..=last).map(|round| self.meetings(round)).collect()
    }

    fn meetings(&self, round: u32) -> Vec<Meeting> {
        let points = self.what.standings_points();
        let mut meetings: Vec<Meeting> = Vec::new();
        let mut places = HashMap::new();
        for game in self.games.iter().filter(|game| game.pair.round == round) {
            let [one, two] = [game.bots.one, game.bots.two];
            let place = *places.entry([one.min(two), one.max(two)]).or_insert_with(|| {
                meetings.push(Meeting { bots: [one, two], points: [0; 2], games: 0 });
                meetings.len() - 1
            });
            meetings[place].add(game, points);
        }
        meetings
    }
}

impl Meeting {
    fn add(&mut self, game: &Game, worth: &PointsFor) {
        for side in Side::BOTH {
            let place = usize::from(game.bots[side] != self.bots[0]);
            self.points[place] += worth.mark(game.marks[side]).in_hundredths();
        }
        self.games += 1;
    }

    /// Position of a bot in the stage, if it takes part.
    fn place(&self, bot: u32) -> Option<usize> {
        self.bots.iter().position(|other| *other == bot)
    }
}

impl Drawn<'_> {
    /// Points for results.
    fn standings_points(&self) -> &PointsFor {
        &self.plan.ranking.points
    }
}

/// Hundredths as points: `1.5`.
fn points(hundredths: i64, lang: Lang) -> String {
    lang.number(&super::scale::tick_label(hundredths as f64 / 100.0))
}
