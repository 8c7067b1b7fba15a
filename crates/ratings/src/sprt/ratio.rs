//! Logarithm of the generalized likelihood ratio.
//!
//! Among the outcome distributions that a hypothesis allows, the one under which the counts are
//! most likely is the distribution of the counts themselves, each share divided by 1 + θ dᵢ, where
//! the dᵢ are such that Σ qᵢ dᵢ = 0 is the hypothesis (the empirical likelihood of Owen 1988). The
//! logistic model fixes the mean, so dᵢ = aᵢ - mean. The normalized model fixes (mean -
//! ½)/deviation = t. That condition is linearized around a distribution, and again around the one
//! found, until nothing changes (Van den Bergh, "Normalized Elo", and the programs fishtest and
//! fastchess).

use super::super::comparison::{NORMALISED, score_at};
use super::super::outcomes::{Moments, PerOutcome, score_of};
use super::{Outcomes, Sprt, SprtModel};

/// Count of an unobserved outcome; 0 would make it impossible.
const NEVER_SEEN: f64 = 1e-3;
/// Maximum number of linearizations of the normalized model.
const ROUNDS: usize = 10;
/// Change below which shares have converged.
const SETTLED: f64 = 1e-9;

/// Counts, with a positive number for every outcome.
pub(super) fn possible(outcomes: &Outcomes) -> PerOutcome {
    let count = |&count: &u64| if count == 0 { NEVER_SEEN } else { count as f64 };
    outcomes.counts().iter().map(count).collect()
}

pub(super) fn log_ratio(sprt: &Sprt, outcomes: &Outcomes) -> f64 {
    if outcomes.samples() == 0 {
        return 0.0;
    }
    let weights = possible(outcomes);
    let samples: f64 = weights.iter().sum();
    let shares: PerOutcome = weights.iter().map(|weight| weight / samples).collect();
    let divisors = |elo: f64| match sprt.model {
        SprtModel::Logistic => logistic(&shares, score_at(elo)),
        SprtModel::Normalised => {
            normalised(&shares, elo / NORMALISED * outcomes.games_a_sample().sqrt())
        }
    };
    let (by0, by1) = (divisors(sprt.elo0), divisors(sprt.elo1));
    let terms = weights.iter().zip(by0.iter().zip(&by1));
    terms.map(|(weight, (by0, by1))| weight * (by0.ln_1p() - by1.ln_1p())).sum()
}

/// Values θ dᵢ for the mean score that a hypothesis expects.
fn logistic(shares: &[f64], mean: f64) -> PerOutcome {
    let distances: PerOutcome =
        (0..shares.len()).map(|i| score_of(i, shares.len()) - mean).collect();
    let theta = multiplier(shares, &distances).unwrap_or(0.0);
    distances.iter().map(|distance| theta * distance).collect()
}

/// Values θ dᵢ for the number `t` of standard deviations by which the mean exceeds one half.
fn normalised(shares: &[f64], t: f64) -> PerOutcome {
    let mut likeliest: PerOutcome = shares.iter().map(|_| 1.0 / shares.len() as f64).collect();
    let mut divisors: PerOutcome = shares.iter().map(|_| 0.0).collect();
    for _ in 0..ROUNDS {
        let distances = linearised(&likeliest, t);
        let Some(theta) = multiplier(shares, &distances) else { break };
        divisors = distances.iter().map(|distance| theta * distance).collect();
        let next: PerOutcome =
            shares.iter().zip(&divisors).map(|(share, divisor)| share / (1.0 + divisor)).collect();
        let change = next.iter().zip(&likeliest).map(|(new, old)| (new - old).abs());
        let change = change.fold(0.0, f64::max);
        likeliest = next;
        if change < SETTLED {
            break;
        }
    }
    divisors
}

/// Distance of each outcome from the hypothesis, linearized around a distribution.
fn linearised(around: &[f64], t: f64) -> PerOutcome {
    let Moments { mean, variance, .. } = Moments::of(around);
    let deviation = variance.sqrt();
    let distance = |i: usize| {
        let score = score_of(i, around.len());
        let off = (score - mean) / deviation;
        score - 0.5 - 0.5 * t * deviation * (1.0 + off * off)
    };
    (0..around.len()).map(distance).collect()
}

/// Value θ with Σ pᵢ dᵢ/(1 + θ dᵢ) = 0 and all 1 + θ dᵢ > 0; `None` if the dᵢ have one sign.
///
/// The sum falls from +∞ to -∞ in between, so Newton's steps are kept between two ends that close
/// in on the root.
fn multiplier(shares: &[f64], distances: &[f64]) -> Option<f64> {
    let largest = distances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smallest = distances.iter().copied().fold(f64::INFINITY, f64::min);
    if !(smallest < 0.0 && largest > 0.0) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    let mut theta = 0.0;
    for _ in 0..200 {
        let (sum, slope) = sum_and_slope(shares, distances, theta);
        if sum > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta - sum / slope;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        let step = (next - theta).abs();
        theta = next;
        if step <= 1e-14 * theta.abs() || high - low <= 1e-15 * high.abs().max(low.abs()) {
            break;
        }
    }
    Some(theta)
}

/// Sum Σ pᵢ dᵢ/(1 + θ dᵢ), and its derivative in θ.
fn sum_and_slope(shares: &[f64], distances: &[f64], theta: f64) -> (f64, f64) {
    let terms = shares.iter().zip(distances);
    terms.fold((0.0, 0.0), |(sum, slope), (share, distance)| {
        let term = distance / (1.0 + theta * distance);
        (sum + share * term, slope - share * term * term)
    })
}
