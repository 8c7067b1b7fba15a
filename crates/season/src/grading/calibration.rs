//! Calibration of milestones in simulated classes, as [`grade`] decides them. Slow, so run only by
//! `.ci/full`. The table is in docs/class.md.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pitmaster_core::i18n::{Fill, Lang};
use pitmaster_core::{BotName, Seed};
use rand::Rng as _;

use super::fixtures::member;
use super::*;
use crate::{Class, State};

/// Number of simulated classes per population.
const CLASSES: u64 = 10_000;
/// Number of bots of a class, beside the two clones and the two below the lines.
const BOTS: usize = 30;
/// Number of planned pairs against each house bot.
const PAIRS: usize = 200;
/// Elo of the house bots over the mean of the class, with the line of the milestone.
const HOUSE: [(&str, f64, f64); 2] = [("random", -500.0, 0.9), ("greedy", 0.0, 0.5)];

/// Bots whose strengths are normal with this standard deviation, in Elo.
#[derive(Clone, Copy)]
struct Population(f64);

/// A random source with uniform and normal numbers.
struct Dice(Box<dyn FnMut() -> f64>);

impl Dice {
    fn new(seed: u64) -> Self {
        let mut rng = Seed(seed).stream("classes");
        Self(Box::new(move || rng.next_u64() as f64 / 2_f64.powi(64)))
    }

    fn unit(&mut self) -> f64 {
        (self.0)()
    }

    /// Normal number as the sum of twelve uniform ones, which has variance 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    /// Half points of all pairs of a bot with this expected score per game.
    fn pairs(&mut self, score: f64) -> Vec<u8> {
        (0..PAIRS).map(|_| (0..2).map(|_| if self.unit() < score { 2 } else { 0 }).sum()).collect()
    }
}

/// Expected score of a bot over another that is weaker by this Elo.
fn score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Elo over another at which the expected score is this.
fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

fn house_bot(name: &str) -> BotName {
    format!("house-{name}").parse().unwrap()
}

/// A class of bots of these strengths, with all its games.
fn class_of(strengths: &[f64], dice: &mut Dice) -> (Class, Evidence) {
    let (mut class, mut evidence) = (Class::default(), Evidence::default());
    for (number, strength) in strengths.iter().enumerate() {
        let one = member(&format!("{number:02}"), "A", State::Ready);
        let against = |&(name, elo, _): &(&str, f64, f64)| {
            (house_bot(name), dice.pairs(score(strength - elo)))
        };
        let pairs: BTreeMap<_, _> = HOUSE.iter().map(against).collect();
        let games = (HOUSE.len() * 2 * PAIRS) as u32;
        evidence
            .bots
            .insert(one.key.clone(), BotEvidence { games, pairs, ..BotEvidence::default() });
        class.members.push(one);
    }
    evidence.house = HOUSE.iter().map(|(name, ..)| (house_bot(name), None)).collect();
    (class, evidence)
}

fn scheme() -> Scheme {
    let mut text = "maximum = 20\n".to_owned();
    for (name, _, line) in HOUSE {
        let _ = write!(text, "[[milestone]]\nagainst = \"{name}\"\nline = {line}\npoints = 1\n");
    }
    Scheme::parse(&text).unwrap()
}

/// Whether a bot has the points of each milestone, and whether it has reached it.
fn granted(grade: &Grade) -> [(bool, bool); 2] {
    HOUSE.map(|(name, ..)| {
        let reason = grade.reasons.iter().find(|reason| reason.what == Fill::from(name)).unwrap();
        (reason.points > Some(Points::ZERO), reason.why.to(Lang::English).starts_with("reached"))
    })
}

/// Counts for each milestone.
#[derive(Default)]
struct Counts {
    /// Classes in which the clones differ.
    differ: u64,
    /// The same if 20 games decide.
    naive: u64,
    /// Bots 5 points below the line that reach it.
    below: u64,
    /// Games until missed or not, and until the verdict.
    settled: u64,
    games: u64,
}

fn simulate(population: Population) -> ([Counts; 2], u64) {
    let (scheme, mut dice) = (scheme(), Dice::new(7));
    let (mut counts, mut differ) = (<[Counts; 2]>::default(), 0);
    for _ in 0..CLASSES {
        let mut strengths: Vec<_> = (0..=BOTS).map(|_| dice.normal() * population.0).collect();
        strengths.push(strengths[BOTS]);
        strengths.extend(HOUSE.map(|(_, house, line)| house + elo(line - 0.05)));
        let (class, evidence) = class_of(&strengths, &mut dice);
        let grades = grade(&scheme, &class, &evidence, &Parts::default()).unwrap();
        let [one, other] = [BOTS, BOTS + 1].map(|clone| granted(&grades[clone]));
        differ += u64::from((0..2).any(|which| one[which].0 != other[which].0));
        for (which, count) in counts.iter_mut().enumerate() {
            count.differ += u64::from(one[which].0 != other[which].0);
            count.below += u64::from(granted(&grades[BOTS + 2 + which])[which].1);
            let line = (HOUSE[which].2 * 40.0).ceil() as u32;
            let pairs = |at: usize| {
                let bot = &evidence.bots[&grades[at].member.key];
                &bot.pairs[&house_bot(HOUSE[which].0)]
            };
            let naive = |at| pairs(at)[..10].iter().map(|two| u32::from(*two)).sum::<u32>() >= line;
            count.naive += u64::from(naive(BOTS) != naive(BOTS + 1));
            for at in 0..BOTS {
                let result = scheme.milestones[which].test.judge(pairs(at));
                count.settled += result.settled;
                count.games += result.games();
            }
        }
    }
    (counts, differ)
}

/// Equals differ in a milestone in at most 5 % of the classes, a bot that is truly 5 points below
/// the line reaches it in at most 5 %, and whether it is missed is decided with at most 40 % of the
/// 400 games.
#[test]
#[ignore = "slow: minutes, for 10,000 classes of 34 bots in two populations"]
fn calibration_of_milestones_in_simulated_classes() {
    let mut table = String::new();
    for population in [Population(200.0), Population(300.0)] {
        let (counts, differ) = simulate(population);
        let classes = CLASSES as f64;
        for ((name, _, line), count) in HOUSE.iter().zip(&counts) {
            let saved =
                |games: u64| 100.0 - 100.0 * games as f64 / (classes * (BOTS * 2 * PAIRS) as f64);
            let percent = |count: u64| 100.0 * count as f64 / classes;
            let _ = writeln!(
                table,
                "| {} Elo | {name}, {:.0} % | {:.1} % | {:.1} % | {:.2} % | {:.0} % | {:.0} % |",
                population.0,
                100.0 * line,
                percent(count.naive),
                percent(count.differ),
                percent(count.below),
                saved(count.settled),
                saved(count.games),
            );
            assert!(percent(count.differ) <= 5.0, "{table}");
            assert!(percent(count.below) <= 5.0, "{table}");
            assert!(saved(count.settled) >= 60.0, "{table}");
        }
        let any = 100.0 * differ as f64 / classes;
        let _ = writeln!(table, "{} Elo, either: {any:.1} %", population.0);
    }
    println!("{table}");
}
