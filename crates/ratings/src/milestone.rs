//! Milestones: a sequential test of a bot against a house bot with three verdicts.
//!
//! A milestone asks whether the expected score against a house bot reaches a line. Two sequential
//! probability ratio tests run on the same pairs: one of line - width against line, the other of
//! line against line + width. If the first accepts its lower hypothesis, the milestone is missed.
//! If the second accepts its upper one, it is reached. If both accept the line, or the games end
//! before a decision, the bot is borderline. This is the three-hypothesis test of Sobel and Wald (A
//! sequential decision procedure for choosing one of three hypotheses concerning the unknown mean of
//! a normal distribution, Annals of Mathematical Statistics 20, 1949, 502–522), with the generalized
//! likelihood ratio of pairs in place of the normal one.
//!
//! A bot exactly on the line is missed with at most the error probability and reached with at most
//! the same. The errors hold at whatever game the test stops, so later games are ignored: a verdict
//! that may choose when to look would not be valid.
//!
//! The tests see no pair before the eighth: the variance of a handful of pairs says too little.

use std::collections::{BTreeMap, BTreeSet};

use pitmaster_core::{Mark, Side};

use super::comparison::elo_at;
use super::interval::{Interval, score_of, z};
use super::{Game, Outcomes, PairId, Sprt, SprtModel, SprtVerdict};

/// Number of pairs before the first look.
const FEWEST: u64 = 8;

/// A line that bots are to reach against a house bot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Milestone {
    /// Expected score, above 0 and below 1.
    pub line: f64,
    /// Distance from the line at which a bot is to be told from one on the line.
    pub width: f64,
    /// Probability that a bot on the line is missed, and that it is reached.
    pub error: f64,
    /// Maximum number of games that are looked at.
    pub most_games: u32,
}

impl Default for Milestone {
    fn default() -> Self {
        Self { line: 0.5, width: 0.05, error: 0.025, most_games: 400 }
    }
}

/// Verdict of a milestone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MilestoneVerdict {
    /// The bot is above the line.
    Reached,
    /// The bot is below the line.
    Missed,
    /// The games do not tell the bot from one on the line.
    Borderline,
}

/// Result of a milestone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MilestoneResult {
    /// Verdict.
    pub verdict: MilestoneVerdict,
    /// Whether no later pair can change the verdict.
    pub is_decided: bool,
    /// Pairs that were looked at.
    pub outcomes: Outcomes,
    /// Mean score of these pairs with its 95 % interval, which does not know of the early stop;
    /// `None` without pairs.
    pub score: Option<Interval>,
}

impl MilestoneResult {
    /// Number of games that were looked at.
    pub fn games(&self) -> u64 {
        self.outcomes.games()
    }
}

impl Milestone {
    /// Judges distinct pairs, in the order in which they were planned, by the half points (0 to 4)
    /// of the bot.
    ///
    /// # Panics
    /// Panics if a pair has more than 4 half points.
    pub fn judge(&self, pairs: impl IntoIterator<Item = u8>) -> MilestoneResult {
        let mut outcomes = Outcomes::Pairs([0; 5]);
        let (lower, upper) = (self.lower(), self.upper());
        let mut verdicts = [None; 2];
        for pair in pairs.into_iter().take(self.most_games as usize / 2) {
            outcomes.count(pair);
            if outcomes.samples() < FEWEST {
                continue;
            }
            for (verdict, sprt) in verdicts.iter_mut().zip([&lower, &upper]) {
                *verdict = verdict.or_else(|| sprt.verdict(&outcomes));
            }
            if decided(verdicts) {
                break;
            }
        }
        let score = (outcomes.samples() > 0).then(|| score_of(&outcomes, z()));
        let is_decided = decided(verdicts);
        MilestoneResult { verdict: verdict(verdicts), is_decided, outcomes, score }
    }

    /// Test of the line against what is below it.
    fn lower(&self) -> Sprt {
        let low = (self.line - self.width).max(self.line / 2.0);
        sprt(low, self.line, 2.0 * self.error, self.error)
    }

    /// Test of the line against what is above it.
    fn upper(&self) -> Sprt {
        let high = (self.line + self.width).min(f64::midpoint(self.line, 1.0));
        sprt(self.line, high, self.error, 2.0 * self.error)
    }
}

fn sprt(score0: f64, score1: f64, alpha: f64, beta: f64) -> Sprt {
    let [elo0, elo1] = [score0, score1].map(elo_at);
    Sprt { elo0, elo1, alpha, beta, model: SprtModel::Logistic }
}

/// Whether no later pair can change the verdict.
fn decided([lower, upper]: [Option<SprtVerdict>; 2]) -> bool {
    lower == Some(SprtVerdict::AcceptedH0)
        || upper == Some(SprtVerdict::AcceptedH1)
        || (lower.is_some() && upper.is_some())
}

fn verdict([lower, upper]: [Option<SprtVerdict>; 2]) -> MilestoneVerdict {
    match (lower, upper) {
        (Some(SprtVerdict::AcceptedH0), _) => MilestoneVerdict::Missed,
        (_, Some(SprtVerdict::AcceptedH1)) => MilestoneVerdict::Reached,
        _ => MilestoneVerdict::Borderline,
    }
}

/// Half points of `bot` in its complete pairs against `opponent`, in the order of the plan. A pair
/// with the moves and results of an earlier one is left out, and so is one with a game that both
/// forfeited.
pub fn distinct_pairs(games: &[Game], bot: u32, opponent: u32) -> Vec<u8> {
    let mut pairs: BTreeMap<PairId, Vec<(Side, &Game)>> = BTreeMap::new();
    for game in games {
        let side = Side::BOTH.into_iter().find(|side| game.bots[*side] == bot);
        if let Some(side) = side.filter(|side| game.bots[side.other()] == opponent) {
            pairs.entry(game.pair).or_default().push((side, game));
        }
    }
    let mut seen = BTreeSet::new();
    let mut results = Vec::new();
    for mut pair in pairs.into_values() {
        pair.sort_by_key(|(side, game)| (*side, game.fingerprint));
        let half_points = |(side, game): &(Side, &Game)| half_points_of(game.marks[*side]);
        let identity: Vec<_> =
            pair.iter().map(|each| (each.0, each.1.fingerprint, half_points(each))).collect();
        let complete = pair.len() == 2 && pair.iter().all(|(_, game)| game.compares());
        if complete && seen.insert(identity) {
            results.push(pair.iter().map(half_points).sum());
        }
    }
    results
}

fn half_points_of(mark: Mark) -> u8 {
    match mark {
        Mark::Win => 2,
        Mark::Draw => 1,
        Mark::Loss => 0,
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Seed;
    use rand::Rng as _;

    use super::super::matches::fixtures::game;
    use super::*;

    /// Pairs of a bot with this expected score; the luck of the opening decides some for the side.
    fn pairs(score: f64, seed: u64) -> impl Iterator<Item = u8> {
        let mut rng = Seed(seed).stream("milestone");
        let mut chance = move || rng.next_u64() as f64 / 2_f64.powi(64);
        std::iter::from_fn(move || Some((0..2).map(|_| if chance() < score { 2 } else { 0 }).sum()))
    }

    /// Shares of missed, borderline and reached, and the mean number of games.
    fn rates(milestone: Milestone, score: f64, runs: u64) -> ([f64; 3], f64) {
        let (mut counts, mut games) = ([0_u32; 3], 0);
        for seed in 0..runs {
            let result = milestone.judge(pairs(score, seed));
            games += result.games();
            counts[match result.verdict {
                MilestoneVerdict::Missed => 0,
                MilestoneVerdict::Borderline => 1,
                MilestoneVerdict::Reached => 2,
            }] += 1;
        }
        (counts.map(|count| f64::from(count) / runs as f64), games as f64 / runs as f64)
    }

    #[test]
    fn equal_bots_on_the_line_get_the_same_mark() {
        for line in [0.5, 0.7, 0.9] {
            let milestone = Milestone { line, ..Milestone::default() };
            let ([missed, _, reached], games) = rates(milestone, line, 2000);
            let differ = 2.0 * missed * (1.0 - missed);
            println!("line {line}: missed {missed}, reached {reached}, differ {differ}, {games}");
            assert!(missed <= 0.025 + 0.01 && reached <= 0.025 + 0.01, "{missed} {reached}");
            assert!(differ <= 0.05 + 0.015, "{differ}");
            let ([missed, _, reached], _) = rates(milestone, line - 0.05, 2000);
            println!("below {line}: missed {missed}, reached {reached}");
            assert!(reached <= 0.05, "{reached}");
        }
    }

    #[test]
    fn a_class_saves_most_games() {
        // Expected scores of a class whose strengths have a standard deviation of 200 Elo.
        let strengths = [-330.0, -210.0, -135.0, -77.0, -25.0, 25.0, 77.0, 135.0, 210.0, 330.0];
        // One milestone in the middle of the class, and one that most are far from.
        let mut means = Vec::new();
        for line in [0.5, 0.9] {
            let milestone = Milestone { line, ..Milestone::default() };
            let scores = strengths.map(|elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0)));
            let games = scores.map(|score| rates(milestone, score, 200).1);
            means.push(games.iter().sum::<f64>() / 10.0);
            println!("line {line}: {games:.0?}");
        }
        println!("{means:?} games on average");
        assert!(means.iter().sum::<f64>() / 2.0 <= 160.0, "{means:?}");
    }

    #[test]
    fn a_perfect_bot_reaches_and_a_hopeless_one_misses() {
        let milestone = Milestone { line: 0.95, ..Milestone::default() };
        let perfect = milestone.judge(std::iter::repeat_n(4, 200));
        assert_eq!(perfect.verdict, MilestoneVerdict::Reached);
        println!("perfect against 95 %: {} games", perfect.games());
        let hopeless = milestone.judge(std::iter::repeat_n(0, 200));
        assert_eq!((hopeless.verdict, hopeless.games()), (MilestoneVerdict::Missed, 2 * FEWEST));
        assert_eq!(milestone.judge([]).verdict, MilestoneVerdict::Borderline);
    }

    #[test]
    fn repeated_pairs_count_once() {
        let pair =
            |number, first| [game(0, 1, 'w', number, first), game(1, 0, 'd', number, first + 1)];
        let games = [pair(1, 7), pair(2, 7), pair(3, 9)].concat();
        assert_eq!(distinct_pairs(&games, 0, 1), [3, 3]);
        assert_eq!(distinct_pairs(&games, 1, 0), [1, 1]);
        assert_eq!(distinct_pairs(&games[..1], 0, 1), [0; 0]);
    }
}
