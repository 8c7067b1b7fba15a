//! Head-to-head comparison of two bots, in Elo and in normalized Elo, with confidence.

use statrs::distribution::{ContinuousCDF, Normal};

use super::Outcomes;
use super::interval::{score_of, wilson_of, z};
use super::outcomes::Moments;

/// Logistic Elo per unit of normalized Elo if the score is near one half and its standard deviation
/// 1: 800/ln 10.
pub(super) const NORMALISED: f64 = 800.0 / std::f64::consts::LN_10;

/// Strength difference of bot A over bot B, with a 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// Estimate; `None` if the games give only a bound, for example after wins alone.
    pub value: Option<f64>,
    /// Lower end; `None` if the games give no lower bound.
    pub low: Option<f64>,
    /// Upper end; `None` if the games give no upper bound.
    pub high: Option<f64>,
}

/// Comparison of two bots by their games, from bot A's view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// Mean score, between 0 and 1.
    pub score: f64,
    /// Difference in Elo: -400 log₁₀(1/score - 1).
    pub elo: Difference,
    /// Difference in normalized Elo: the number of standard deviations of a game by which the score
    /// exceeds one half, times 800/ln 10.
    pub normalised: Difference,
    /// Likelihood of superiority: the probability that bot A is the stronger one.
    pub superiority: f64,
    /// Share of even samples: drawn games, or pairs with two half points.
    pub even: f64,
    /// Number of samples above even for each below. `None` if none is below.
    pub ratio: Option<f64>,
}

/// Expected score of a bot that is stronger by this many Elo.
pub(super) fn score_at(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Elo difference for an expected score; finite for a score above 0 and below 1.
pub(super) fn elo_at(score: f64) -> f64 {
    400.0 * (score.ln() - (-score).ln_1p()) / std::f64::consts::LN_10
}

/// Elo difference of a score, if it is finite.
fn finite_elo(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| elo_at(score))
}

impl Difference {
    /// Half width of the interval, as shown with `±`; `None` if an end is open.
    pub fn half_width(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }

    /// Returns the difference from bot B's view.
    #[must_use]
    pub fn turned(self) -> Self {
        let turned = |end: Option<f64>| end.map(|end| 0.0 - end);
        Self { value: turned(self.value), low: turned(self.high), high: turned(self.low) }
    }
}

impl Comparison {
    /// Comparison of outcomes; `None` without any.
    ///
    /// Intervals are Wald's, as in established programs: the mean score ± 1.96 standard errors,
    /// converted to Elo. If such an end is not a valid score, or if all samples are equal (variance
    /// 0), the interval is Wilson's with the number of trials that has the variance of the samples
    /// plus one sample spread evenly over the outcomes ([`score_of_pairs`](super::score_of_pairs)).
    /// A perfect score has only a lower end: Wilson's with as many trials as samples.
    pub fn new(outcomes: &Outcomes) -> Option<Self> {
        (outcomes.samples() > 0).then(|| {
            let counts = outcomes.counts();
            let middle = counts.len() / 2;
            let (below, above) = (&counts[..middle], &counts[middle + 1..]);
            let [below, above] = [below, above].map(|part| part.iter().sum::<u64>() as f64);
            Self {
                score: Moments::of(&outcomes.weights()).mean,
                elo: elo(outcomes),
                normalised: normalised(outcomes),
                superiority: superiority(outcomes),
                even: counts[middle] as f64 / outcomes.samples() as f64,
                ratio: (below > 0.0).then(|| above / below),
            }
        })
    }
}

fn elo(outcomes: &Outcomes) -> Difference {
    let Moments { samples, mean, variance } = Moments::of(&outcomes.weights());
    let half = z() * (variance / samples).sqrt();
    let (mut low, mut high) = (mean - half, mean + half);
    if variance <= 0.0 || low <= 0.0 || high >= 1.0 {
        (low, high) = wilson(outcomes);
    }
    Difference { value: finite_elo(mean), low: finite_elo(low), high: finite_elo(high) }
}

/// Wilson's interval of the score, which reaches 0 or 1 only for perfect scores. For those, the
/// number of trials is that of the samples, the minimum for a mean of samples.
fn wilson(outcomes: &Outcomes) -> (f64, f64) {
    let Moments { samples, mean, .. } = Moments::of(&outcomes.weights());
    let perfect = mean <= 0.0 || mean >= 1.0;
    let score = if perfect { wilson_of(mean, samples, z()) } else { score_of(outcomes, z()) };
    (score.low, score.high)
}

/// The error is that of the mean alone, as in established programs: 1.96 · 800/ln 10 / √games.
///
/// Equal samples have no deviation. If they are even, the difference is 0. Otherwise its bound is
/// Wilson's end of the score, divided by the largest possible deviation √(p (1 - p)) of a sample.
fn normalised(outcomes: &Outcomes) -> Difference {
    let Moments { mean, variance, .. } = Moments::of(&outcomes.weights());
    let scale = NORMALISED / outcomes.games_a_sample().sqrt();
    let value = if variance > 0.0 {
        (mean - 0.5) / variance.sqrt() * scale
    } else if (mean - 0.5).abs() < f64::EPSILON {
        0.0
    } else {
        let (low, high) = wilson(outcomes);
        let least = |score: f64| scale * (score - 0.5) / (score * (1.0 - score)).sqrt();
        let (low, high) =
            if mean > 0.5 { (Some(least(low)), None) } else { (None, Some(least(high))) };
        return Difference { value: None, low, high };
    };
    let half = z() * NORMALISED / (outcomes.games() as f64).sqrt();
    Difference { value: Some(value), low: Some(value - half), high: Some(value + half) }
}

/// Φ((score - ½)/error). If all samples are equal, one more is spread evenly over the outcomes, so
/// that the error is not 0.
fn superiority(outcomes: &Outcomes) -> f64 {
    let mut moments = Moments::of(&outcomes.weights());
    if moments.variance <= 0.0 {
        moments = Moments::of(&outcomes.spread());
    }
    let error = (moments.variance / moments.samples).sqrt();
    Normal::standard().cdf((moments.mean - 0.5) / error)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::golden::{Golden, GoldenDifference, outcomes};
    use super::*;

    /// Whether a number agrees with the output of a program, to all its digits.
    fn agrees(case: &GoldenDifference, seen: Option<f64>, printed: Option<f64>) {
        // fastchess printed ten digits; its tests have two decimals, and three for the score.
        let tolerance = if case.program == "fastchess's tests" { 0.0051 } else { 1e-9 };
        if let Some(printed) = printed {
            let off = (seen.unwrap() - printed).abs();
            assert!(off <= tolerance * printed.abs().max(1.0), "{case:?}: {seen:?}");
        }
    }

    /// Whether no count is 0 and the samples differ.
    fn is_ordinary(case: &GoldenDifference) -> bool {
        case.outcomes.iter().filter(|&&count| count > 0).count() > 1
            && (case.program != "fishtest" || !case.outcomes.contains(&0))
    }

    #[test]
    fn ordinary_counts_agree_with_established_programs() {
        let golden = Golden::read();
        let ordinary: Vec<_> = golden.differences.iter().filter(|case| is_ordinary(case)).collect();
        assert_eq!(ordinary.len(), 16);
        for case in ordinary {
            let seen = Comparison::new(&outcomes(&case.outcomes)).unwrap();
            agrees(case, Some(seen.score), case.score);
            agrees(case, seen.elo.value, case.elo);
            agrees(case, seen.elo.half_width(), case.elo_half_width);
            agrees(case, seen.normalised.value, case.normalised);
            agrees(case, seen.normalised.half_width(), case.normalised_half_width);
            agrees(case, Some(seen.superiority), case.superiority);
            if let Some(percent) = case.superiority_percent {
                assert!((seen.superiority * 100.0 - percent).abs() <= 0.005 + 1e-9, "{case:?}");
            }
        }
    }

    /// For an unobserved outcome, fishtest counts 0.001, and cuts the ends of the interval at 0.1
    /// and 99.9 % of the score: 644.77 ±374.55 instead of 645.11.
    #[test]
    fn what_fishtest_says_where_no_game_was_lost() {
        let seen = Comparison::new(&Outcomes::Games([0, 1, 20])).unwrap().elo;
        let golden = Golden::read().differences;
        let case = golden.iter().find(|case| case.program == "fishtest").unwrap();
        assert_eq!(case.outcomes, [0, 1, 20]);
        assert!((seen.value.unwrap() - case.elo.unwrap()).abs() < 0.4);
        let (low, high) = (seen.low.unwrap(), seen.high.unwrap());
        assert!(low > 250.0 && low < 450.0 && high > 900.0 && high < 1100.0, "{seen:?}");
    }

    #[test]
    fn a_perfect_score_is_a_lower_bound() {
        let seen = Comparison::new(&Outcomes::Games([0, 0, 20])).unwrap();
        // Wilson's end is 20/(20 + 1.96²) = 0.8389, compared with 0.9630 for a hundred games.
        let ends = |of: Difference| (of.value, of.low.map(f64::round), of.high);
        assert_eq!(ends(seen.elo), (None, Some(287.0), None));
        assert_eq!(ends(seen.normalised), (None, Some(320.0), None));
        assert!(seen.superiority > 0.999_99 && seen.ratio.is_none());
        let lost = Comparison::new(&Outcomes::Games([100, 0, 0])).unwrap();
        assert_eq!(ends(lost.elo.turned()), (None, Some(566.0), None));
        assert!(lost.superiority < 1e-5);
        assert_eq!(lost.ratio, Some(0.0));
    }

    #[test]
    fn even_games_alone_still_leave_doubt() {
        for outcomes in [Outcomes::Games([0, 50, 0]), Outcomes::Pairs([0, 0, 25, 0, 0])] {
            let seen = Comparison::new(&outcomes).unwrap();
            assert_eq!((seen.elo.value, seen.normalised.value), (Some(0.0), Some(0.0)));
            assert!((seen.superiority - 0.5).abs() < 1e-12 && (seen.even - 1.0).abs() < 1e-12);
            let (elo, normalised) = (seen.elo.half_width(), seen.normalised.half_width());
            assert!(elo.unwrap() > 5.0 && (normalised.unwrap() - 96.302).abs() < 1e-3, "{seen:?}");
        }
    }

    #[test]
    fn samples_that_came_out_alike_are_a_bound() {
        let seen = Comparison::new(&Outcomes::Pairs([0, 0, 0, 20, 0])).unwrap();
        assert!((seen.elo.value.unwrap() - elo_at(0.75)).abs() < 1e-9);
        assert!(seen.elo.low.unwrap() > 100.0 && seen.elo.high.unwrap() < 300.0);
        assert_eq!((seen.normalised.value, seen.normalised.high), (None, None));
        assert!(seen.normalised.low.unwrap() > 50.0);
    }

    fn any_outcomes() -> impl Strategy<Value = Outcomes> {
        let count =
            || prop_oneof![3 => Just(0), 3 => 0..5_u64, 3 => 0..1000_u64, 1 => 0..10_000_000_u64];
        let games = prop::array::uniform3(count()).prop_map(Outcomes::Games);
        let pairs = prop::array::uniform5(count()).prop_map(Outcomes::Pairs);
        prop_oneof![games, pairs].prop_filter("some", |outcomes| outcomes.samples() > 0)
    }

    fn close(a: Option<f64>, b: Option<f64>) -> bool {
        match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() <= 1e-6 * a.abs().max(1.0),
            _ => a == b,
        }
    }

    fn alike(a: Difference, b: Difference) -> bool {
        close(a.value, b.value) && close(a.low, b.low) && close(a.high, b.high)
    }

    proptest! {
        #[test]
        fn every_number_is_one(outcomes in any_outcomes()) {
            let seen = Comparison::new(&outcomes).unwrap();
            for of in [seen.elo, seen.normalised] {
                let ends = [of.low, of.value, of.high];
                prop_assert!(ends.iter().flatten().all(|end| end.is_finite()), "{seen:?}");
                let known: Vec<_> = ends.into_iter().flatten().collect();
                prop_assert!(!known.is_empty() && known.is_sorted(), "{seen:?}");
            }
            prop_assert!((0.0..=1.0).contains(&seen.superiority), "{seen:?}");
            prop_assert!((0.0..=1.0).contains(&seen.even));
            prop_assert!(seen.ratio.is_none_or(f64::is_finite));
        }

        #[test]
        fn the_other_bot_is_as_much_weaker(outcomes in any_outcomes()) {
            let one = Comparison::new(&outcomes).unwrap();
            let other = Comparison::new(&outcomes.turned()).unwrap();
            prop_assert!(alike(one.elo, other.elo.turned()), "{one:?} {other:?}");
            prop_assert!(alike(one.normalised, other.normalised.turned()), "{one:?} {other:?}");
            prop_assert!((one.superiority + other.superiority - 1.0).abs() < 1e-6);
        }

        #[test]
        fn a_better_outcome_is_more_elo(outcomes in any_outcomes(), place in 0..4_usize) {
            let mut better = outcomes;
            let counts: &mut [u64] = match &mut better {
                Outcomes::Games(counts) => counts,
                Outcomes::Pairs(counts) => counts,
            };
            let place = place.min(counts.len() - 2);
            prop_assume!(counts[place] > 0);
            counts[place] -= 1;
            counts[place + 1] += 1;
            let [less, more] = [outcomes, better].map(|of| Comparison::new(&of).unwrap().elo);
            let floor = f64::NEG_INFINITY;
            match more.value {
                Some(more) => prop_assert!(more > less.value.unwrap_or(floor)),
                None => prop_assert!(more.low.is_some() && less.value.is_some()),
            }
        }
    }
}
