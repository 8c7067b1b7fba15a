//! Multi-stage tournaments: formats in sequence, with the bots that advance.

use pitmaster_core::{BySide, Seed, Side};
use pitmaster_ratings::{Game, Matches, Places, Ranking, Standings};

use super::SequentialTest;
use crate::format::{Batch, Bound, Decision, Expected, KeptDecision, Meeting};
use crate::kind::Entrants;
use crate::stage::{FormatPlan, Seeding, StagePlan};
use crate::{Format, Next, Pairing, PlannedBot};

/// Initial state of a format.
pub(crate) struct Start<'a> {
    pub(crate) plan: &'a FormatPlan,
    pub(crate) seed: Seed,
    pub(crate) bots: &'a [PlannedBot],
}

/// Starts a format, with its decisions from earlier runs.
pub(crate) fn start(start: &Start<'_>, kept: &[KeptDecision]) -> Box<dyn Format> {
    let decisions = kept.iter().map(|kept| kept.among(start.bots)).collect();
    Box::new(Stages::new(start, decisions))
}

/// Sequence of stages. Within a stage, bots are numbered by their index in its field.
#[derive(Debug)]
struct Stages {
    plan: FormatPlan,
    seed: Seed,
    bots: Vec<PlannedBot>,
    kept: Vec<Decision>,
    begun: Vec<Stage>,
    news: Vec<Decision>,
}

/// Stage that has begun.
#[derive(Debug)]
struct Stage {
    field: Vec<usize>,
    /// Index in the field, by the tournament's number of a bot.
    place: Vec<Option<u32>>,
    format: Box<dyn Format>,
    /// Number of pairings given.
    given: u64,
    /// Results needed to continue.
    games: Vec<Game>,
    results: u64,
}

impl Stages {
    fn new(start: &Start<'_>, kept: Vec<Decision>) -> Self {
        let mut stages = Self {
            plan: start.plan.clone(),
            seed: start.seed,
            bots: start.bots.to_vec(),
            kept,
            begun: Vec::new(),
            news: Vec::new(),
        };
        let field = stages.first_field();
        stages.begin(field);
        stages
    }

    /// Field of all bots, seeded if the format depends on the order.
    fn first_field(&self) -> Vec<usize> {
        let everybody: Vec<usize> = (0..self.bots.len()).collect();
        let stage = &self.plan.stages[0];
        if !stage.is_seeded() {
            return everybody;
        }
        let mut field = self.drawn(everybody, 1);
        if stage.seeding == Seeding::Rating {
            let rating = |bot: &usize| self.bots[*bot].anchor.unwrap_or(f64::NEG_INFINITY);
            field.sort_by(|a, b| rating(b).total_cmp(&rating(a)));
        }
        field
    }

    /// Random order that depends only on the seed and the bots' names, so that adding or removing
    /// bots does not change it for the others.
    fn drawn(&self, mut field: Vec<usize>, stage: u32) -> Vec<usize> {
        let lot = |bot: &usize| {
            let name = &self.bots[*bot].id.name;
            (self.seed.derive(&format!("draw {stage} {name}")).0, name)
        };
        field.sort_by(|a, b| lot(a).cmp(&lot(b)));
        field
    }

    fn begin(&mut self, field: Vec<usize>) {
        let number = self.begun.len() as u32 + 1;
        let plan = &self.plan.stages[self.begun.len()];
        let mut place = vec![None; self.bots.len()];
        for (&bot, at) in field.iter().zip(0..) {
            place[bot] = Some(at);
        }
        let kept = self.kept.iter().filter_map(|decision| match decision {
            Decision::Batch { stage, batch } if *stage == number => Some(local(batch, &place)),
            _ => None,
        });
        let format = self.format(plan, &field, kept.collect());
        self.begun.push(Stage { field, place, format, given: 0, games: Vec::new(), results: 0 });
    }

    /// Makes the format of a stage with this field.
    fn format(&self, plan: &StagePlan, field: &[usize], kept: Vec<Batch>) -> Box<dyn Format> {
        let (pairs, points) = (plan.pairs, self.plan.ranking.points);
        plan.kind.kind().start(&Entrants { field, bots: &self.bots, pairs, points }, kept)
    }

    /// Begins the next stage if its participants are known. Returns whether it began.
    fn advance(&mut self) -> bool {
        let number = self.begun.len() as u32 + 1;
        let kept = self.kept.iter().find_map(|decision| match decision {
            Decision::Field { stage, bots } if *stage == number => Some(bots.clone()),
            _ => None,
        });
        if let Some(field) = kept {
            self.begin(field);
            return true;
        }
        let last = self.begun.last().expect("the first stage has begun");
        if last.results < 2 * last.given {
            return false;
        }
        let (before, next) =
            (&self.plan.stages[self.begun.len() - 1], &self.plan.stages[self.begun.len()]);
        let mut field = last.going_on(before, &self.plan.ranking, &self.bots);
        if next.seeding == Seeding::Drawn {
            field = self.drawn(field, number);
        }
        self.news.push(Decision::Field { stage: number, bots: field.clone() });
        self.begin(field);
        true
    }

    fn has_more_stages(&self) -> bool {
        self.begun.len() < self.plan.stages.len()
    }
}

impl Format for Stages {
    fn next(&mut self) -> Next {
        loop {
            let number = self.begun.len() as u32;
            let stage = self.begun.last_mut().expect("the first stage has begun");
            match stage.format.next() {
                Next::Pairing(pairing) => {
                    stage.given += 1;
                    let bots = pairing.bots.map(|bot| stage.field[bot]);
                    return Next::Pairing(Pairing { stage: number, bots, ..pairing });
                }
                Next::Wait => return Next::Wait,
                Next::Done if !self.has_more_stages() => return Next::Done,
                Next::Done if !self.advance() => return Next::Wait,
                Next::Done => {}
            }
        }
    }

    fn expected(&self) -> Expected {
        let begun = self.begun.iter().map(|stage| stage.format.expected());
        let mut sum = begun.reduce(plus).expect("the first stage has begun");
        let mut bots = self.begun.last().map_or(0, |stage| stage.field.len());
        for (before, plan) in
            self.plan.stages.iter().zip(&self.plan.stages[1..]).skip(self.begun.len() - 1)
        {
            bots = before.going_on(bots);
            let field: Vec<usize> = (0..bots.min(self.bots.len())).collect();
            let mut next = self.format(plan, &field, Vec::new()).expected();
            if before.kind.kind().decides_how_many() {
                next.bound = next.bound.max(Bound::AtMost);
            }
            sum = plus(sum, next);
        }
        sum
    }

    fn looks_at_results(&self) -> bool {
        self.plan.depends_on_results()
    }

    fn accepts_gaps(&self) -> bool {
        self.begun.last().is_some_and(|stage| stage.format.accepts_gaps())
    }

    fn on_result(&mut self, game: &Game) {
        let Some(stage) = self.begun.get_mut(game.pair.stage as usize - 1) else { return };
        stage.results += 1;
        let place = |side: Side| stage.place[game.bots[side] as usize];
        if let (Some(one), Some(two)) = (place(Side::One), place(Side::Two)) {
            let game = Game { bots: BySide::new(one, two), ..*game };
            stage.format.on_result(&game);
            stage.games.push(game);
        }
    }

    fn counted(&self) -> Option<u64> {
        self.begun.last().and_then(|stage| stage.format.counted())
    }

    fn decided(&mut self) -> Vec<Decision> {
        let mut news = std::mem::take(&mut self.news);
        for (stage, number) in self.begun.iter_mut().zip(1..) {
            for decision in stage.format.decided() {
                if let Decision::Batch { batch, .. } = decision {
                    let batch = stage.global(batch);
                    news.push(Decision::Batch { stage: number, batch });
                }
            }
        }
        news
    }

    /// Places of the bots. With several stages, bots are placed by the last stage they reached,
    /// then by their place in it. With one stage, the format places them.
    fn places(&self) -> Places {
        let count = self.bots.len();
        let mut places = Places { tiers: vec![0; count], byes: vec![0; count] };
        for stage in &self.begun {
            let own = stage.format.places();
            for (&bot, place) in stage.field.iter().zip(0..) {
                places.byes[bot] += own.byes(place);
                places.tiers[bot] = own.tier(place);
            }
        }
        if self.plan.stages.len() > 1 {
            places.tiers = self.tiers_of_stages();
        }
        places
    }

    fn test(&self) -> Option<&SequentialTest> {
        self.begun.last().and_then(|stage| stage.format.test())
    }
}

impl Stages {
    fn tiers_of_stages(&self) -> Vec<u32> {
        let mut tiers = vec![u32::MAX; self.bots.len()];
        let mut next = 0;
        for stage in self.begun.iter().rev() {
            let standings = stage.standings(&self.plan.ranking);
            let begins = next;
            for row in &standings.rows {
                let bot = stage.field[row.bot as usize];
                if tiers[bot] == u32::MAX {
                    tiers[bot] = begins + row.rank - 1;
                    next = next.max(tiers[bot] + 1);
                }
            }
        }
        tiers
    }
}

impl Stage {
    fn standings(&self, ranking: &Ranking) -> Standings {
        let matches = Matches::new(&self.games);
        let places = self.format.places();
        Standings::placed(self.field.len(), &self.games, &matches, ranking, &places)
    }

    /// Bots that advance, the strongest first.
    fn going_on(&self, plan: &StagePlan, ranking: &Ranking, bots: &[PlannedBot]) -> Vec<usize> {
        let (standings, field) = (self.standings(ranking), &*self.field);
        let entrants = Entrants { field, bots, pairs: plan.pairs, points: ranking.points };
        let chosen = plan.kind.kind().choose(&standings, plan.limit(), &entrants);
        chosen.into_iter().map(|place| self.field[place]).collect()
    }

    /// Converts a batch to the tournament's numbers.
    fn global(&self, mut batch: Batch) -> Batch {
        for meeting in &mut batch.meetings {
            meeting.one = self.field[meeting.one];
            meeting.other = meeting.other.map(|other| self.field[other]);
        }
        batch
    }
}

/// Converts a batch to the numbers of a stage's field. Bots no longer in the field are left out,
/// and their opponents get a bye.
fn local(batch: &Batch, place: &[Option<u32>]) -> Batch {
    let at = |bot: usize| place[bot].map(|place| place as usize);
    let meetings = batch.meetings.iter().filter_map(|meeting| {
        let mut here = std::iter::once(meeting.one).chain(meeting.other).filter_map(at);
        let one = here.next()?;
        Some(Meeting { one, other: here.next(), ..*meeting })
    });
    Batch { round: batch.round, meetings: meetings.collect() }
}

fn plus(a: Expected, b: Expected) -> Expected {
    Expected { pairs: a.pairs.saturating_add(b.pairs), bound: a.bound.max(b.bound) }
}

#[cfg(test)]
mod tests;
