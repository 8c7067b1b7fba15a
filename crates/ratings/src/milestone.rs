//! Milestones: a sequential test of a bot against a house bot with three verdicts.
//!
//! A milestone asks whether the expected score against a house bot reaches a line. After each pair
//! the mean score is compared with the line by the signed root of the likelihood ratio, a standard
//! normal variable for a bot on the line. At the last pair the verdict is the one of a test with a
//! fixed number of games: missed below the quantile of the error rate, reached above the opposite
//! one, borderline between them. Before that, a question is decided as soon as the remaining games
//! can hardly change the answer: when the answer at the last pair, predicted from the games so far
//! alone, is certain up to [`SURE`] standard deviations (stochastic curtailment by predictive
//! power; Spiegelhalter, Freedman and Blackburn, Monitoring clinical trials: conditional or
//! predictive power?, Controlled Clinical Trials 7, 1986, 8–17).
//!
//! Two questions are decided separately: whether the bot is missed, and whether it is reached. The
//! test ends when both are. Bots that are far from the line need few games, and bots near it get
//! the verdict of all games: two equal bots then differ about as rarely as that number of games
//! allows.
//!
//! A pair is one observation, since its games share the opening. The effective number of games
//! follows from the variance of the pairs, which includes one pair of independent games on the
//! line, so that it is never 0. The first look is after the eighth pair.

use std::collections::{BTreeMap, BTreeSet};

use pitmaster_core::{Mark, Side};
use statrs::distribution::{ContinuousCDF as _, Normal};

use super::interval::{Interval, score_of, z};
use super::outcomes::{Moments, PerOutcome};
use super::{Game, Outcomes, PairId};

/// Number of pairs before the first look.
const FEWEST: u64 = 8;
/// Number of standard deviations of certainty required for an early answer.
const SURE: f64 = 3.0;
/// Share of the error rate for the last look. The early looks use the rest.
const AT_THE_END: f64 = 0.7;

/// A score to reach against a house bot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Milestone {
    /// Expected score, above 0 and below 1.
    pub line: f64,
    /// Probability that a bot on the line is missed, and that it is reached.
    pub error: f64,
    /// Maximum number of games used by the test.
    pub most_games: u32,
}

impl Default for Milestone {
    fn default() -> Self {
        Self { line: 0.5, error: 0.025, most_games: 400 }
    }
}

/// Verdict of a milestone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MilestoneVerdict {
    /// The bot is above the line.
    Reached,
    /// The bot is below the line.
    Missed,
    /// The games do not distinguish the bot from one on the line.
    Borderline,
}

/// Result of a milestone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MilestoneResult {
    /// Verdict.
    pub verdict: MilestoneVerdict,
    /// Whether no later pair can change the verdict.
    pub is_decided: bool,
    /// Number of games after which it was decided whether the bot is missed.
    pub settled: u64,
    /// Pairs used until the verdict.
    pub outcomes: Outcomes,
    /// Mean score of these pairs with its 95 % interval, which ignores the early stop; `None`
    /// without pairs.
    pub score: Option<Interval>,
}

impl MilestoneResult {
    /// Number of games used.
    pub fn games(&self) -> u64 {
        self.outcomes.games()
    }
}

impl Milestone {
    /// Judges distinct pairs in plan order, by the half points (0 to 4) of the bot. Pass all
    /// planned pairs, or more than the test uses: stopping at a favorable verdict makes it invalid.
    ///
    /// # Panics
    /// Panics if a pair has more than 4 half points.
    pub fn judge(&self, pairs: &[u8]) -> MilestoneResult {
        self.judge_first(pairs, pairs.len())
    }

    /// Judges the first ones of `planned` pairs. The verdict is borderline until it is decided.
    ///
    /// # Panics
    /// Panics if a pair has more than 4 half points.
    pub fn judge_first(&self, pairs: &[u8], planned: usize) -> MilestoneResult {
        let last = planned.min(self.most_games as usize / 2);
        let mut outcomes = Outcomes::Pairs([0; 5]);
        let (mut is_missed, mut is_reached, mut settled) = (None, None, None);
        for pair in pairs.iter().take(last) {
            outcomes.count(*pair);
            if outcomes.samples() < FEWEST {
                continue;
            }
            let look = Look { statistic: self.statistic(&outcomes), at: outcomes.samples(), last };
            let end = self.end();
            is_missed = is_missed.or_else(|| look.is_above(-end).map(|above| !above));
            is_reached = is_reached.or_else(|| look.is_above(end));
            if is_missed.is_some() {
                settled.get_or_insert(outcomes.games());
            }
            if is_missed == Some(true) || (is_missed.is_some() && is_reached.is_some()) {
                break;
            }
        }
        let verdict = match (is_missed, is_reached) {
            (Some(true), _) => MilestoneVerdict::Missed,
            (_, Some(true)) => MilestoneVerdict::Reached,
            _ => MilestoneVerdict::Borderline,
        };
        let score = (outcomes.samples() > 0).then(|| score_of(&outcomes, z()));
        let is_decided = is_missed == Some(true) || (is_missed.is_some() && is_reached.is_some());
        let settled = settled.unwrap_or(outcomes.games());
        MilestoneResult { verdict, is_decided, settled, outcomes, score }
    }

    /// Quantile of the last look.
    fn end(&self) -> f64 {
        Normal::standard().inverse_cdf(1.0 - AT_THE_END * self.error)
    }

    /// Signed root of twice the logarithm of the likelihood ratio of the mean score and the line,
    /// for the effective number of independent games.
    fn statistic(&self, outcomes: &Outcomes) -> f64 {
        let line = self.line;
        let miss = 1.0 - line;
        let independent = [miss * miss, 0.0, 2.0 * line * miss, 0.0, line * line];
        let counts = outcomes.weights();
        let weights: PerOutcome = counts.iter().zip(independent).map(|(a, b)| a + b).collect();
        let Moments { mean, variance, .. } = Moments::of(&weights);
        let games = outcomes.samples() as f64 * mean * (1.0 - mean) / variance;
        let seen = Moments::of(&counts).mean;
        let root = (2.0 * games * divergence(seen, line)).max(0.0).sqrt();
        if seen < line { -root } else { root }
    }
}

/// Kullback–Leibler divergence of two coins.
fn divergence(a: f64, b: f64) -> f64 {
    let part = |a: f64, b: f64| if a > 0.0 { a * (a / b).ln() } else { 0.0 };
    part(a, b) + part(1.0 - a, 1.0 - b)
}

/// State of the test at a look.
struct Look {
    statistic: f64,
    at: u64,
    last: usize,
}

impl Look {
    /// Whether the statistic will be at least `end` at the last pair, if that is known. With the
    /// share t of the pairs seen, its prediction is statistic/√t with the variance (1 - t)/t.
    fn is_above(&self, end: f64) -> Option<bool> {
        let share = self.at as f64 / self.last as f64;
        let (end, margin) = (end * share.sqrt(), SURE * (1.0 - share).max(0.0).sqrt());
        if self.statistic >= end + margin {
            Some(true)
        } else {
            (self.statistic < end - margin || margin <= 0.0).then_some(false)
        }
    }
}

/// Half points of `bot` in its complete pairs against `opponent`, in the order of the plan.
/// Excludes pairs that repeat an earlier one, and pairs with a game that both forfeited.
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

    /// All pairs of a bot with this expected score.
    fn pairs(score: f64, seed: u64) -> Vec<u8> {
        let mut rng = Seed(seed).stream("milestone");
        let mut chance = move || rng.next_u64() as f64 / 2_f64.powi(64);
        let pair = |_| (0..2).map(|_| if chance() < score { 2 } else { 0 }).sum();
        (0..200).map(pair).collect()
    }

    /// Shares of missed, borderline and reached, and the mean number of games.
    fn rates(milestone: Milestone, score: f64, runs: u64) -> ([f64; 3], f64) {
        let (mut counts, mut games) = ([0_u32; 3], 0);
        for seed in 0..runs {
            let result = milestone.judge(&pairs(score, seed));
            games += result.games();
            assert!(result.settled <= result.games());
            counts[match result.verdict {
                MilestoneVerdict::Missed => 0,
                MilestoneVerdict::Borderline => 1,
                MilestoneVerdict::Reached => 2,
            }] += 1;
        }
        (counts.map(|count| f64::from(count) / runs as f64), games as f64 / runs as f64)
    }

    #[test]
    fn a_bot_on_the_line_is_rarely_missed_or_reached() {
        for line in [0.5, 0.7, 0.9] {
            let milestone = Milestone { line, ..Milestone::default() };
            let ([missed, _, reached], _) = rates(milestone, line, 2000);
            // Three standard errors of 2000 runs are 1 point.
            assert!(missed <= 0.035 && reached <= 0.035, "{line}: {missed} {reached}");
            let ([_, _, reached], _) = rates(milestone, line - 0.05, 2000);
            assert!(reached <= 0.01, "{line}: {reached}");
        }
    }

    #[test]
    fn all_games_of_a_short_tournament_decide() {
        let milestone = Milestone::default();
        let verdict = |pairs: &[u8]| milestone.judge(pairs).verdict;
        assert_eq!(verdict(&[4, 4, 2, 4, 4, 2, 4, 4, 4, 4]), MilestoneVerdict::Reached);
        assert_eq!(verdict(&[4, 2, 2, 2, 2, 2, 4, 0, 2, 2]), MilestoneVerdict::Borderline);
        assert_eq!(verdict(&[0, 2, 0, 0, 0, 2, 0, 0, 0, 0]), MilestoneVerdict::Missed);
        assert_eq!(verdict(&[4; 7]), MilestoneVerdict::Borderline);
    }

    #[test]
    fn more_games_than_needed_change_nothing() {
        let milestone = Milestone { most_games: 100, ..Milestone::default() };
        let long = pairs(0.55, 1);
        assert_eq!(milestone.judge(&long), milestone.judge(&long[..50]));
        assert!(milestone.judge(&long).games() <= 100);
    }

    #[test]
    fn a_perfect_bot_reaches_and_a_hopeless_one_misses() {
        let milestone = Milestone { line: 0.95, ..Milestone::default() };
        let perfect = milestone.judge(&[4; 200]);
        assert_eq!(perfect.verdict, MilestoneVerdict::Reached);
        assert!((100..200).contains(&perfect.games()), "{}", perfect.games());
        let hopeless = milestone.judge(&[0; 200]);
        assert_eq!((hopeless.verdict, hopeless.games()), (MilestoneVerdict::Missed, 2 * FEWEST));
        assert_eq!(milestone.judge(&[]).verdict, MilestoneVerdict::Borderline);
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
