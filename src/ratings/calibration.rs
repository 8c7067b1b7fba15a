//! Whether intervals hold what they say: tournaments drawn from known strengths, by the
//! thousand. Slow, so only by `.ci/full`.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::{Bound, Elo, Game, Intervals, Matches, Model, PairId, Ratings};
use crate::record::{BySide, Mark, Seed};

/// Tournaments of a kind.
#[derive(Debug, Clone, Copy)]
struct Kind {
    bots: u32,
    schedule: Schedule,
    /// Standard deviation of the strengths.
    spread: Elo,
    /// Of games between equals.
    draws: f64,
    /// What player 1 is stronger by.
    advantage: Elo,
    /// How often the opening decides both games of a pair: the better side wins both, or, if
    /// negative, the better bot.
    common: f64,
}

#[derive(Debug, Clone, Copy)]
enum Schedule {
    /// So many pairs of every two bots.
    RoundRobin(u32),
    /// So many rounds of one pair each, against the neighbour in a table by points.
    Swiss(u32),
}

struct Tournament {
    strengths: Vec<Elo>,
    games: Vec<Game>,
}

fn unit(rng: &mut impl Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// By the twelve uniforms that have variance 1 together.
fn normal(rng: &mut impl Rng) -> f64 {
    (0..12).map(|_| unit(rng)).sum::<f64>() - 6.0
}

impl Kind {
    fn draw(&self, number: u64) -> Tournament {
        let mut rng = Seed(number).stream("calibration");
        let mut strengths: Vec<_> =
            (0..self.bots).map(|_| normal(&mut rng) * self.spread).collect();
        let mean = strengths.iter().sum::<f64>() / strengths.len() as f64;
        for strength in &mut strengths {
            *strength -= mean;
        }
        let mut games = Vec::new();
        match self.schedule {
            Schedule::RoundRobin(pairs) => {
                for (a, b) in (0..self.bots).flat_map(|b| (0..b).map(move |a| (a, b))) {
                    for number in 0..pairs {
                        games.extend(self.pair(&strengths, (a, b), number, &mut rng));
                    }
                }
            }
            Schedule::Swiss(rounds) => {
                for round in 0..rounds {
                    let order = by_points(self.bots, &games, &mut rng);
                    for two in order.chunks_exact(2) {
                        games.extend(self.pair(&strengths, (two[0], two[1]), round, &mut rng));
                    }
                }
            }
        }
        Tournament { strengths, games }
    }

    fn pair(
        &self,
        strengths: &[Elo],
        (a, b): (u32, u32),
        number: u32,
        rng: &mut ChaCha8Rng,
    ) -> [Game; 2] {
        let dice = unit(rng);
        let second = match unit(rng) < self.common.abs() {
            true if self.common > 0.0 => dice,
            true => 1.0 - dice,
            false => unit(rng),
        };
        [((a, b), dice), ((b, a), second)].map(|((one, two), dice)| Game {
            fingerprint: rng.next_u64(),
            bots: BySide::new(one, two),
            pair: PairId { stage: 1, round: 0, number },
            marks: self.marks(strengths[one as usize] - strengths[two as usize], dice),
            faults: BySide::default(),
        })
    }

    fn marks(&self, difference: Elo, dice: f64) -> BySide<Mark> {
        let win = 10.0_f64.powf((difference + self.advantage) / 800.0);
        let draw = 2.0 * self.draws / (1.0 - self.draws);
        let at = dice * (win + draw + 1.0 / win);
        if at < win {
            BySide::new(Mark::Win, Mark::Loss)
        } else if at < win + draw {
            BySide::new(Mark::Draw, Mark::Draw)
        } else {
            BySide::new(Mark::Loss, Mark::Win)
        }
    }
}

/// Bots by points so far, those with as many shuffled.
fn by_points(bots: u32, games: &[Game], rng: &mut ChaCha8Rng) -> Vec<u32> {
    let mut points = vec![0; bots as usize];
    for game in games {
        for (bot, mark) in [(game.bots.one, game.marks.one), (game.bots.two, game.marks.two)] {
            points[bot as usize] += 2 - mark as u32;
        }
    }
    let mut order: Vec<_> = (0..bots).collect();
    order.sort_by_cached_key(|&bot| (points[bot as usize], rng.next_u32()));
    order
}

/// How many intervals there were, how many held the truth, and how many missed it below and
/// above.
#[derive(Debug, Clone, Copy, Default)]
struct Coverage {
    all: u32,
    held: u32,
    too_low: u32,
    too_high: u32,
}

impl Coverage {
    fn plus(self, other: Self) -> Self {
        Self {
            all: self.all + other.all,
            held: self.held + other.held,
            too_low: self.too_low + other.too_low,
            too_high: self.too_high + other.too_high,
        }
    }

    fn of(tournament: &Tournament, model: &Model) -> Self {
        let ratings = tournament.fit(model);
        let is_placed = |bot: &usize| ratings.bots[*bot].is_some_and(|r| r.bound == Bound::Both);
        let core: Vec<_> = (0..ratings.bots.len()).filter(is_placed).collect();
        let mean: f64 =
            core.iter().map(|&bot| tournament.strengths[bot]).sum::<f64>() / core.len() as f64;
        let mut coverage = Self::default();
        for bot in core {
            let rating = ratings.bots[bot].unwrap();
            let truth = model.mean + tournament.strengths[bot] - mean;
            let too_high = rating.low.is_some_and(|low| truth < low);
            let too_low = rating.high.is_some_and(|high| truth > high);
            coverage = coverage.plus(Self {
                all: 1,
                held: u32::from(!too_low && !too_high),
                too_low: u32::from(too_low),
                too_high: u32::from(too_high),
            });
        }
        coverage
    }

    fn measured(kind: Kind, tournaments: u64, intervals: Intervals) -> Self {
        let one = |number| {
            let model = Model { intervals, ..Model::default() };
            Self::of(&kind.draw(number), &model)
        };
        (0..tournaments).into_par_iter().map(one).reduce(Self::default, Self::plus)
    }
}

impl Tournament {
    fn fit(&self, model: &Model) -> Ratings {
        let matches = Matches::new(&self.games);
        Ratings::fit(self.strengths.len(), &self.games, &matches, model)
    }
}

const PLAIN: Kind = Kind {
    bots: 8,
    schedule: Schedule::RoundRobin(10),
    spread: 150.0,
    draws: 0.1,
    advantage: 40.0,
    common: 0.3,
};

#[test]
#[ignore = "minutes"]
fn look() {
    use Schedule::{RoundRobin, Swiss};
    let kinds = [
        ("plain", PLAIN),
        ("4x5", Kind { bots: 4, schedule: RoundRobin(5), ..PLAIN }),
        ("4x10", Kind { bots: 4, ..PLAIN }),
        ("2x20", Kind { bots: 2, schedule: RoundRobin(20), ..PLAIN }),
        ("12x5", Kind { bots: 12, schedule: RoundRobin(5), ..PLAIN }),
        ("12x1", Kind { bots: 12, schedule: RoundRobin(1), ..PLAIN }),
        ("4x50", Kind { bots: 4, schedule: RoundRobin(50), ..PLAIN }),
        ("wide", Kind { spread: 300.0, ..PLAIN }),
        ("no draws", Kind { draws: 0.0, ..PLAIN }),
        ("many draws", Kind { draws: 0.4, ..PLAIN }),
        ("independent", Kind { common: 0.0, ..PLAIN }),
        ("opening decides", Kind { common: 0.8, ..PLAIN }),
        ("bot decides", Kind { common: -0.8, ..PLAIN }),
        ("4x5 bot decides", Kind { bots: 4, schedule: RoundRobin(5), common: -0.8, ..PLAIN }),
        ("advantage", Kind { advantage: 200.0, ..PLAIN }),
        ("swiss 16x20", Kind { bots: 16, schedule: Swiss(20), ..PLAIN }),
        ("swiss 12x8", Kind { bots: 12, schedule: Swiss(8), ..PLAIN }),
    ];
    let bootstrap = Intervals::Bootstrap { samples: 200, seed: Seed(7) };
    for (name, kind) in kinds {
        let mut line = format!("{name:<16}");
        for (intervals, tournaments) in
            [(Intervals::Information, 2000), (Intervals::Profile, 2000), (bootstrap, 300)]
        {
            let seen = Coverage::measured(kind, tournaments, intervals);
            let share = |part: u32| 100.0 * f64::from(part) / f64::from(seen.all);
            line += &format!(
                " | {:5.2} ({:4.2} {:4.2})",
                share(seen.held),
                share(seen.too_low),
                share(seen.too_high)
            );
        }
        println!("{line}");
    }
}
