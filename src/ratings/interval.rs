//! Estimates with 95 % intervals.

use std::sync::LazyLock;

use statrs::distribution::{ContinuousCDF, Normal};

/// A number and the interval that holds the truth 95 times in a hundred.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// How much of the distribution lies outside each end of an interval.
pub(super) const TAIL: f64 = 0.025;

/// How many standard errors an interval extends to each side: 1.95996….
pub(super) fn z() -> f64 {
    static Z: LazyLock<f64> = LazyLock::new(|| Normal::standard().inverse_cdf(1.0 - TAIL));
    *Z
}

/// The share `rate` of `n` trials, with Wilson's score interval (Wilson 1927; method 3 of
/// Newcombe 1998): within 0 and 1, and of some width at 0 % and 100 % too. `None` without
/// trials.
pub fn wilson(rate: f64, n: u32) -> Option<Interval> {
    if n == 0 {
        return None;
    }
    let (n, z2) = (f64::from(n), z() * z());
    let centre = (rate + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let spread = (rate * (1.0 - rate) / n + z2 / (4.0 * n * n)).max(0.0).sqrt();
    let half = z() * spread / (1.0 + z2 / n);
    let low = (centre - half).clamp(0.0, rate);
    let high = (centre + half).clamp(rate, 1.0);
    Some(Interval { value: rate, low, high })
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
    fn z_is_the_normal_quantile() {
        assert!((z() - 1.959_963_984_540_054).abs() < 1e-9);
    }
}
