//! Tournament simulation with given strengths, to measure what a format reveals about them.

use pitmaster_core::{BySide, Mark, Seed};
use pitmaster_ratings::{Elo, Game, Matches, Model, PairId, Ratings, Standings, chances};
use rand::RngExt as _;
use statrs::distribution::{ContinuousCDF as _, Normal};

use super::{FormatPlan, Next, PlannedBot, formats};

/// Assumptions about bots and games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Assumed {
    /// Standard deviation of the strengths.
    pub spread: Elo,
    /// Share of draws between equals, from 0 to below 1.
    pub draws: f64,
    /// First-move advantage of player 1.
    pub first_move: Elo,
}

/// Result of a simulated tournament.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Simulated {
    /// Number of games played.
    pub games: u64,
    /// Whether the strongest bot ranked first, alone or shared.
    pub best_won: bool,
    /// Rank of the winner by strength, from 1.
    pub winner: u32,
    /// Spearman's correlation between the ranks and the order of strengths; 1: identical.
    pub correlation: f64,
    /// Mean half width of the 95 % Elo intervals, over all bots whose interval has two ends; `None`
    /// if it was not requested or no bot has one.
    pub half_width: Option<Elo>,
}

/// Plays a tournament of these bots with random strengths, and random results based on them.
pub fn simulate(
    plan: &FormatPlan,
    bots: &[PlannedBot],
    assumed: &Assumed,
    seed: Seed,
    with_elo: bool,
) -> Simulated {
    let mut dice = seed.stream("simulated tournament");
    let strengths: Vec<Elo> = bots.iter().map(|_| assumed.spread * normal(&mut dice)).collect();
    let mut format = formats::start(&formats::Start { plan, seed, bots }, &[]);
    let mut games: Vec<Game> = Vec::new();
    while let Next::Pairing(pairing) = format.next() {
        let [one, two] = pairing.bots;
        let pair = PairId { stage: pairing.stage, round: pairing.round, number: pairing.pair };
        for (one, two) in [(one, two), (two, one)] {
            let difference = strengths[one] - strengths[two] + assumed.first_move;
            let game = Game {
                fingerprint: games.len() as u64,
                bots: BySide::new(one as u32, two as u32),
                pair,
                marks: marks(chances(difference, assumed.draws), dice.random()),
                faults: BySide::default(),
            };
            format.on_result(&game);
            games.push(game);
        }
    }
    let matches = Matches::new(&games);
    let standings =
        Standings::placed(bots.len(), &games, &matches, &plan.ranking, &format.places());
    let by_strength = places(&strengths);
    let rank = |bot: u32| standings.rows.iter().find(|row| row.bot == bot).map(|row| row.rank);
    let best = by_strength.iter().position(|&place| place == 1).unwrap_or(0) as u32;
    Simulated {
        games: games.len() as u64,
        best_won: rank(best) == Some(1),
        winner: standings.rows.first().map_or(1, |row| by_strength[row.bot as usize]),
        correlation: spearman(&standings, &by_strength),
        half_width: with_elo
            .then(|| Ratings::fit(bots.len(), &games, &matches, &Model::default()))
            .and_then(|ratings| mean_half_width(&ratings)),
    }
}

/// Samples the standard normal distribution by the inverse of its distribution function.
fn normal(dice: &mut impl rand::Rng) -> f64 {
    let share: f64 = dice.random();
    Normal::standard().inverse_cdf(share.clamp(1e-12, 1.0 - 1e-12))
}

fn marks([win, draw, _]: [f64; 3], dice: f64) -> BySide<Mark> {
    if dice < win {
        BySide::new(Mark::Win, Mark::Loss)
    } else if dice < win + draw {
        BySide::new(Mark::Draw, Mark::Draw)
    } else {
        BySide::new(Mark::Loss, Mark::Win)
    }
}

/// Place of each bot by strength, from 1.
fn places(strengths: &[Elo]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..strengths.len()).collect();
    order.sort_by(|&a, &b| strengths[b].total_cmp(&strengths[a]));
    let mut places = vec![0; strengths.len()];
    for (bot, place) in order.into_iter().zip(1..) {
        places[bot] = place;
    }
    places
}

/// Spearman's rank correlation; tied bots have the mean of their ranks.
fn spearman(standings: &Standings, by_strength: &[u32]) -> f64 {
    let mut pairs = Vec::new();
    for tied in standings.rows.chunk_by(|a, b| a.rank == b.rank) {
        let rank = f64::from(tied[0].rank) + (tied.len() as f64 - 1.0) / 2.0;
        pairs.extend(tied.iter().map(|row| (rank, f64::from(by_strength[row.bot as usize]))));
    }
    let mean = f64::midpoint(1.0, pairs.len() as f64);
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        pairs.iter().map(|&(a, b)| of(a - mean, b - mean)).sum()
    };
    let spread = (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt();
    if spread > 0.0 { sum(&|a, b| a * b) / spread } else { 0.0 }
}

fn mean_half_width(ratings: &Ratings) -> Option<Elo> {
    let halves: Vec<Elo> = ratings
        .bots
        .iter()
        .flatten()
        .filter_map(|rating| Some((rating.high? - rating.low?) / 2.0))
        .collect();
    (!halves.is_empty()).then(|| halves.iter().sum::<Elo>() / halves.len() as f64)
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{BotHash, BotId, Dialect};

    use super::*;
    use crate::{FormatKind, KnockoutPlan, LadderPlan, RoundRobinPlan, StagePlan, SwissPlan};

    fn bots(count: usize) -> Vec<PlannedBot> {
        let bot = |number: usize| {
            let name = format!("bot-{number}").parse().expect("a name");
            let id = BotId { name, hash: BotHash::of(&number.to_le_bytes()) };
            PlannedBot { id, dialect: Dialect::default(), anchor: None }
        };
        (0..count).map(bot).collect()
    }

    fn mean(plan: &FormatPlan, spread: Elo, count: usize) -> (f64, f64) {
        let assumed = Assumed { spread, draws: 0.1, first_move: 0.0 };
        let all: Vec<_> = (0..200)
            .map(|seed| simulate(plan, &bots(count), &assumed, Seed(seed), false))
            .collect();
        let of = |f: &dyn Fn(&Simulated) -> f64| all.iter().map(f).sum::<f64>() / 200.0;
        (of(&|one| f64::from(u8::from(one.best_won))), of(&|one| one.correlation))
    }

    #[test]
    fn more_games_tell_more() {
        let (few, many) = (FormatPlan::round_robin(1), FormatPlan::round_robin(20));
        let (few, many) = (mean(&few, 100.0, 8), mean(&many, 100.0, 8));
        assert!(few.0 + 0.15 < many.0 && few.1 + 0.1 < many.1, "{few:?} {many:?}");
    }

    #[test]
    fn without_differences_everybody_wins_as_often() {
        let (best, correlation) = mean(&FormatPlan::round_robin(2), 0.0, 8);
        assert!((best - 1.0 / 8.0).abs() < 0.1 && correlation.abs() < 0.1, "{best} {correlation}");
    }

    #[test]
    fn every_format_can_be_simulated() {
        let kinds = [
            FormatKind::Swiss(SwissPlan { rounds: None }),
            FormatKind::Knockout(KnockoutPlan { third_place: true, extra: 2 }),
            FormatKind::Ladder(LadderPlan { games: 400, precision: None, look_ahead: None }),
            FormatKind::RoundRobin(RoundRobinPlan { groups: 2 }),
        ];
        for kind in kinds {
            let stage = StagePlan { kind, pairs: 3, ..StagePlan::default() };
            let plan = FormatPlan { stages: vec![stage], ..FormatPlan::default() };
            let (best, correlation) = mean(&plan, 400.0, 8);
            assert!(best > 0.3 && correlation > 0.4, "{plan:?}: {best} {correlation}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_tournament() {
        let assumed = Assumed { spread: 200.0, draws: 0.2, first_move: 30.0 };
        let one = || simulate(&FormatPlan::round_robin(3), &bots(6), &assumed, Seed(4), true);
        assert_eq!(one(), one());
        assert!(one().half_width.is_some());
    }
}
