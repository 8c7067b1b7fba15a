//! Estimate after a test that may have stopped early.
//!
//! A test stops when the games have gone well, or badly, so the score overstates the true
//! difference. The estimate is therefore the strength for which the observed outcome is the median
//! of all possible outcomes. An outcome is worse if H0 was accepted earlier, then if the ratio is
//! lower at the same time, then if H1 was accepted later (Siegmund's ordering; the program fishtest
//! uses the same). The ends of the interval are the strengths for which the outcome would be at the
//! 2.5 % and 97.5 % quantiles.

use super::super::comparison::{Difference, NORMALISED, elo_at};
use super::super::interval::TAIL;
use super::{Motion, Outcomes, Sprt};

/// Estimated strength of bot A after a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SprtEstimate {
    /// Difference in Elo, for any model of the test.
    pub elo: Difference,
    /// Difference in normalized Elo, with the observed deviation.
    pub normalised: Difference,
    /// Likelihood of superiority: the probability that bot A is the stronger one.
    pub superiority: f64,
}

/// Search range of the expected score: 1200 Elo to each side.
const SCORES: (f64, f64) = (0.001, 0.999);

/// Observed result of a test, as a point reached by Brownian motion.
struct Seen {
    motion: Motion,
    bounds: (f64, f64),
    time: f64,
    place: f64,
}

impl SprtEstimate {
    pub(super) fn new(sprt: &Sprt, outcomes: &Outcomes) -> Option<Self> {
        (outcomes.samples() > 0).then(|| {
            let seen = Seen::new(sprt, outcomes);
            // The probability of a worse outcome decreases as the score increases.
            let [low, value, high] = [1.0 - TAIL, 0.5, TAIL].map(|chance| seen.score(chance));
            let difference = |of: &dyn Fn(f64) -> f64| Difference {
                value: value.map(of),
                low: low.map(of),
                high: high.map(of),
            };
            let deviation = seen.motion.deviation;
            Self {
                elo: difference(&elo_at),
                normalised: difference(&|score| (score - 0.5) / deviation * NORMALISED),
                superiority: seen.worse(0.5),
            }
        })
    }
}

impl Seen {
    /// Makes the point from outcomes. If the ratio lies beyond a bound, the point is where it
    /// crossed the bound.
    fn new(sprt: &Sprt, outcomes: &Outcomes) -> Self {
        let (motion, bounds) = (Motion::new(sprt, outcomes), sprt.bounds());
        let seen = motion.seen;
        let slope = (seen.mean - f64::midpoint(motion.score0, motion.score1))
            * (motion.score1 - motion.score0)
            / seen.variance;
        let place = slope * seen.samples;
        let (reached, time) = if place < bounds.0 {
            (bounds.0, bounds.0 / slope)
        } else if place > bounds.1 {
            (bounds.1, bounds.1 / slope)
        } else {
            (place, seen.samples)
        };
        Self { motion, bounds, time, place: reached }
    }

    /// Probability of a worse outcome for this expected score.
    fn worse(&self, score: f64) -> f64 {
        self.motion.at(score).below(self.bounds, self.time, self.place)
    }

    /// Expected score for which a worse outcome has this probability; `None` if there is none.
    fn score(&self, chance: f64) -> Option<f64> {
        let (mut low, mut high) = SCORES;
        if self.worse(low) < chance || self.worse(high) > chance {
            return None;
        }
        while high - low > 1e-13 {
            let middle = f64::midpoint(low, high);
            if self.worse(middle) > chance { low = middle } else { high = middle }
        }
        Some(f64::midpoint(low, high))
    }
}
