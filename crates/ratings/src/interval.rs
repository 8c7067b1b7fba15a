//! Estimates with 95 % intervals.

use std::sync::LazyLock;

use statrs::distribution::{ContinuousCDF, Normal};

use super::Outcomes;
use super::outcomes::Moments;

/// Estimate with a 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Estimate.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Share of the distribution outside each end of an interval.
pub(super) const TAIL: f64 = 0.025;

/// Number of standard errors to each side of an interval: 1.95996….
pub(super) fn z() -> f64 {
    static Z: LazyLock<f64> = LazyLock::new(|| Normal::standard().inverse_cdf(1.0 - TAIL));
    *Z
}

/// Wilson score interval for the share `rate` of `n` trials (Wilson 1927; method 3 of Newcombe
/// 1998). It lies within 0 and 1, and has a positive width even at 0 % and 100 %. `None` without
/// trials.
pub fn wilson(rate: f64, n: u32) -> Option<Interval> {
    (n > 0).then(|| wilson_of(rate, f64::from(n), z()))
}

/// Wilson score interval for any number of trials above 0 and any number of standard errors.
pub(super) fn wilson_of(rate: f64, n: f64, z: f64) -> Interval {
    let z2 = z * z;
    let centre = (rate + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let spread = (rate * (1.0 - rate) / n + z2 / (4.0 * n * n)).max(0.0).sqrt();
    let half = z * spread / (1.0 + z2 / n);
    let low = (centre - half).clamp(0.0, rate);
    let high = (centre + half).clamp(rate, 1.0);
    Interval { value: rate, low, high }
}

/// Number of standard errors for the intervals of `intervals` estimates, so that all of them cover
/// together with 95 % probability (Šidák 1967).
pub fn z_for_all(intervals: usize) -> f64 {
    let each = (1.0 - 2.0 * TAIL).powf(1.0 / intervals.max(1) as f64);
    Normal::standard().inverse_cdf(f64::midpoint(1.0, each))
}

/// Mean score of pairs of games. `counts` are the numbers of pairs with 0, 1, 2, 3 and 4 half
/// points; the interval extends to `z` standard errors.
///
/// This is Wilson's interval for the number of trials that have the variance of the pairs. A pair
/// is one observation, because its games share the opening and the bots. For the variance, one more
/// pair is spread evenly over the five outcomes, so that it is never 0. `None` without pairs.
pub fn score_of_pairs(counts: [u64; 5], z: f64) -> Option<Interval> {
    let outcomes = Outcomes::Pairs(counts);
    (outcomes.samples() > 0).then(|| score_of(&outcomes, z))
}

/// Mean score of any outcomes, with its interval; there must be at least one.
pub(super) fn score_of(outcomes: &Outcomes, z: f64) -> Interval {
    let seen = Moments::of(&outcomes.weights());
    let Moments { mean, variance, .. } = Moments::of(&outcomes.spread());
    wilson_of(seen.mean, seen.samples * mean * (1.0 - mean) / variance, z)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    #[test]
    fn wilson_agrees_with_newcombe() {
        for (wins, n, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0000, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let seen = wilson(f64::from(wins) / f64::from(n), n).unwrap();
            assert!((seen.low - low).abs() < 5e-5, "{wins}/{n}: {seen:?}");
            assert!((seen.high - high).abs() < 5e-5, "{wins}/{n}: {seen:?}");
        }
    }

    #[test]
    fn wilson_mirrors() {
        let (few, many) = (wilson(0.25, 12).unwrap(), wilson(0.75, 12).unwrap());
        assert!((few.low + many.high - 1.0).abs() < 1e-12);
        assert_eq!(wilson(0.5, 0), None);
    }

    #[test]
    fn pairs_that_come_out_alike_narrow_the_interval() {
        let width = |counts| {
            let score = score_of_pairs(counts, z()).expect("pairs");
            assert!((score.value - 0.5).abs() < 1e-12);
            assert!((score.high + score.low - 1.0).abs() < 1e-9, "{score:?}");
            score.high - score.low
        };
        // Independent games: pairs have half the variance of games, so twice as many trials.
        let independent = width([100, 200, 200, 200, 100]);
        let games = wilson(0.5, 2 * 800).expect("games");
        let alike = width([0, 0, 800, 0, 0]);
        let opposite = width([400, 0, 0, 0, 400]);
        assert!((independent - (games.high - games.low)).abs() < 0.01);
        assert!(alike < independent / 3.0 && opposite > independent * 1.3);
        assert!(alike > 0.0);
        assert_eq!(score_of_pairs([0; 5], z()), None);
    }

    #[test]
    fn a_perfect_score_has_an_interval() {
        let score = score_of_pairs([0, 0, 0, 0, 20], z()).expect("pairs");
        assert!(score.value > 0.999 && score.low < 0.95 && score.low > 0.6, "{score:?}");
    }

    #[test]
    fn intervals_that_hold_together_are_wider() {
        assert!((z_for_all(1) - z()).abs() < 1e-12);
        // 1 - 0.95^(1/40) leaves 0.000 640 7 on each side.
        assert!((z_for_all(40) - 3.2201).abs() < 5e-4, "{}", z_for_all(40));
    }

    #[test]
    fn z_is_the_normal_quantile() {
        assert!((z() - 1.959_963_984_540_054).abs() < 1e-9);
    }
}
