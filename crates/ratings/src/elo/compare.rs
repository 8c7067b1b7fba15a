//! Comparison of two bots in a fit: which is stronger, and with what confidence.

use statrs::distribution::{ContinuousCDF, Normal};

use super::super::interval::z;
use super::{Bound, Rating, Ratings};

impl Ratings {
    /// Likelihood of superiority: the probability, from 0 to 1, that bot `a` is stronger than bot
    /// `b`. It uses the variance of their difference in the joint fit, with pairs and repetitions
    /// respected. With random effects, that is the variance at the best spread of the population.
    ///
    /// If the games alone do not bound one of the two on both sides ([`Bound`]), its interval is
    /// far from symmetric. The error is then computed from the facing parts of both intervals and
    /// their correlation (MOVER, Zou 2007), or for maximum likelihood as if they were independent.
    /// `None` if such a part has no end, and for bots that cannot be compared.
    pub fn superiority(&self, a: u32, b: u32) -> Option<f64> {
        let (one, two) = (self.of(a)?, self.of(b)?);
        if one.group != two.group {
            return None;
        }
        let difference = one.elo - two.elo;
        let (first, second) = (a as usize, b as usize);
        let are_linked = self.blocks[first] == self.blocks[second];
        let is_skewed = [one, two].iter().any(|rating| rating.bound != Bound::Both);
        let correlation =
            || if are_linked { self.covariance.correlation(first, second) } else { 0.0 };
        let error = if are_linked && !is_skewed {
            self.covariance.of_difference(first, second) * self.scale
        } else if difference >= 0.0 {
            facing(one, two, correlation())?
        } else {
            facing(two, one, correlation())?
        };
        Some(if difference.abs() < 1e-9 { 0.5 } else { Normal::standard().cdf(difference / error) })
    }

    /// Two-sided p-value that belongs to [`Self::superiority`]: the probability of a difference at
    /// least as large, in either direction, between bots of equal strength.
    pub fn p_value(&self, a: u32, b: u32) -> Option<f64> {
        let superiority = self.superiority(a, b)?;
        Some((2.0 * superiority.min(1.0 - superiority)).min(1.0))
    }
}

/// Standard error of the difference, from the facing ends of the intervals of two ratings with this
/// correlation.
fn facing(upper: &Rating, lower: &Rating, correlation: f64) -> Option<f64> {
    let (down, up) = (upper.elo - upper.low?, lower.high? - lower.elo);
    let squares = down * down + up * up - 2.0 * correlation * down * up;
    Some(squares.max(0.0).sqrt() / z())
}

/// Adjusts p-values of multiple tests so that their family-wise error rate is that of a single test
/// (Holm 1979): the smallest is multiplied by their number, the next by one less, and so on. None
/// is less than the one before, and none exceeds 1.
pub fn adjusted_by_holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut least: f64 = 0.0;
    for (done, place) in order.into_iter().enumerate() {
        let times = (p_values.len() - done) as f64;
        least = least.max((p_values[place] * times).min(1.0));
        adjusted[place] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same as R's `p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")`, worked by hand.
    #[test]
    fn holm_steps_down() {
        let seen = adjusted_by_holm(&[0.01, 0.04, 0.03, 0.005]);
        for (seen, expected) in seen.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((seen - expected).abs() < 1e-12, "{seen} {expected}");
        }
        assert_eq!(adjusted_by_holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert_eq!(adjusted_by_holm(&[]), [] as [f64; 0]);
    }
}
