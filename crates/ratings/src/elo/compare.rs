//! Comparison of two bots in a fit: which is stronger, and with what confidence.

use statrs::distribution::{ContinuousCDF, Normal};

use super::super::interval::z;
use super::{Rating, Ratings};

impl Ratings {
    /// The likelihood of superiority: how sure it is that bot `a` is stronger than bot `b`,
    /// from 0 to 1, with all that the joint fit knows of their difference (its variance with
    /// the covariance, pairs and repetitions respected).
    ///
    /// Where one of them is placed by wins only (a perfect score, or a block of bots with
    /// one), the error is made of the parts of both intervals that face each other (MOVER,
    /// Zou and Donner 2008), as if the two were independent. `None` where such a part has no
    /// end, and for bots that nothing compares.
    pub fn superiority(&self, a: u32, b: u32) -> Option<f64> {
        let (one, two) = (self.of(a)?, self.of(b)?);
        if one.group != two.group {
            return None;
        }
        let difference = one.elo - two.elo;
        let error = if self.blocks[a as usize] == self.blocks[b as usize] {
            self.covariance.of_difference(a as usize, b as usize) * self.scale
        } else if difference >= 0.0 {
            facing(one, two)?
        } else {
            facing(two, one)?
        };
        Some(if difference.abs() < 1e-9 { 0.5 } else { Normal::standard().cdf(difference / error) })
    }

    /// The chance of a difference at least as large, in either direction, between bots of
    /// equal strength: the two-sided p-value that belongs to [`Self::superiority`].
    pub fn p_value(&self, a: u32, b: u32) -> Option<f64> {
        let superiority = self.superiority(a, b)?;
        Some((2.0 * superiority.min(1.0 - superiority)).min(1.0))
    }
}

/// The standard error of the difference, by the ends of the intervals that face each other.
fn facing(upper: &Rating, lower: &Rating) -> Option<f64> {
    let (down, up) = (upper.elo - upper.low?, lower.high? - lower.elo);
    Some(down.hypot(up) / z())
}

/// p-values of so many tests, adjusted so that all of them together err as seldom as one
/// would (Holm 1979): the smallest times their number, the next times one less and so on,
/// none less than the one before, none above 1.
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
