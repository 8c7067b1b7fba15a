//! Sequential probability ratio test (SPRT, Wald 1945): is bot A stronger than bot B by `elo1`
//! rather than by `elo0`? It continues until the games decide, with the requested error rates.
//!
//! The ratio is the generalized likelihood ratio: the most likely distribution of the outcomes
//! under one hypothesis against that under the other ([`ratio`]). Pairs, which have five outcomes,
//! are one sample each. In the long run the ratio moves as Brownian motion, which gives the
//! estimate after stopping ([`estimate`]) and the length of the test ([`SprtLength`]).

mod brownian;
mod estimate;
mod ratio;
mod run;

#[cfg(test)]
mod calibration;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Outcomes;
use super::comparison::{NORMALISED, score_at};
use super::outcomes::Moments;
use brownian::Brownian;
pub use estimate::SprtEstimate;
pub use run::SprtRun;

/// Hypotheses and error rates of a test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// Strength difference under hypothesis H0, in Elo of the model.
    pub elo0: f64,
    /// Strength difference under hypothesis H1; greater than `elo0`.
    pub elo1: f64,
    /// Rate at which H1 may be accepted although H0 holds; above 0 and below 0.5.
    pub alpha: f64,
    /// Rate at which H0 may be accepted although H1 holds; above 0 and below 0.5.
    pub beta: f64,
    /// Meaning of Elo.
    pub model: SprtModel,
}

/// Common settings: 0 to 10 Elo, 5 % error rates, logistic.
impl Default for Sprt {
    fn default() -> Self {
        let model = SprtModel::default();
        Self { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model }
    }
}

/// Meaning of the Elo of the hypotheses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtModel {
    /// Logistic: the expected score is 1/(1 + 10^(-Elo/400)).
    #[default]
    Logistic,
    /// Normalized: the expected score exceeds one half by Elo · ln 10 / 800 standard deviations of
    /// a game. The same Elo needs the same number of games for any share of draws.
    Normalised,
}

/// Verdict of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SprtVerdict {
    /// Bot A is not stronger by `elo1`.
    AcceptedH0,
    /// Bot A is stronger by more than `elo0`.
    AcceptedH1,
}

/// Reason why a test is invalid.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are not two ascending numbers.
    #[error(
        "the bounds of a test are two numbers from -{largest} to {largest}, the lower one first, \
         not {elo0} and {elo1}"
    )]
    Bounds {
        /// Lower bound, as given.
        elo0: f64,
        /// Higher bound, as given.
        elo1: f64,
        /// Maximum of the model.
        largest: f64,
    },
    /// An error rate is out of range.
    #[error("{name} is above 0 and below 0.5, such as 0.05, not {rate}")]
    Rate {
        /// Name of the rate: `alpha` or `beta`.
        name: &'static str,
        /// Given rate.
        rate: f64,
    },
}

/// Average number of samples (pairs, or single games) of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SprtLength {
    /// Average if H0 holds.
    pub at_elo0: f64,
    /// Average if the truth lies in the middle, where the test takes about its maximum.
    pub between: f64,
    /// Average if H1 holds.
    pub at_elo1: f64,
}

impl Sprt {
    /// Returns the test if it is valid.
    pub fn checked(self) -> Result<Self, SprtError> {
        let Self { elo0, elo1, .. } = self;
        let largest = self.model.largest();
        // NaN is not in any range.
        let known = [elo0, elo1].iter().all(|elo| (-largest..=largest).contains(elo));
        if !known || elo0 >= elo1 {
            return Err(SprtError::Bounds { elo0, elo1, largest });
        }
        for (name, rate) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(SprtError::Rate { name, rate });
            }
        }
        Ok(self)
    }

    /// Bounds for the logarithm of the ratio at which H0 and H1 are accepted (Wald 1945): ln(β/(1 -
    /// α)) and ln((1 - β)/α). A run moves them inward by its overshoot ([`SprtRun::bounds`]).
    pub fn bounds(&self) -> (f64, f64) {
        let Self { alpha, beta, .. } = self;
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// Logarithm of the generalized likelihood ratio of H1 to H0; 0 without games. Always finite.
    pub fn ratio(&self, outcomes: &Outcomes) -> f64 {
        ratio::log_ratio(self, outcomes)
    }

    /// Verdict of a test that continued until now, from its outcome counts.
    pub fn verdict(&self, outcomes: &Outcomes) -> Option<SprtVerdict> {
        verdict(self.ratio(outcomes), self.bounds())
    }

    /// Starts a run without games, for pairs.
    pub fn start(&self) -> SprtRun {
        SprtRun::new(*self, Outcomes::Pairs([0; 5]))
    }

    /// Starts a run without games, for single games.
    pub fn start_games(&self) -> SprtRun {
        SprtRun::new(*self, Outcomes::Games([0; 3]))
    }

    /// Estimated strength of bot A after a test that continued until these outcomes, stopped or
    /// not. `None` without games.
    pub fn estimate(&self, outcomes: &Outcomes) -> Option<SprtEstimate> {
        SprtEstimate::new(self, outcomes)
    }

    /// Expected length of the test if the scores vary as these outcomes do. `None` without games.
    pub fn length(&self, outcomes: &Outcomes) -> Option<SprtLength> {
        (outcomes.samples() > 0).then(|| {
            let motion = Motion::new(self, outcomes);
            let length = |share: f64| {
                let score = motion.score0 + share * (motion.score1 - motion.score0);
                motion.at(score).length(self.bounds())
            };
            SprtLength { at_elo0: length(0.0), between: length(0.5), at_elo1: length(1.0) }
        })
    }
}

/// Verdict for a ratio beyond a bound.
fn verdict(ratio: f64, (low, high): (f64, f64)) -> Option<SprtVerdict> {
    if ratio <= low {
        Some(SprtVerdict::AcceptedH0)
    } else if ratio >= high {
        Some(SprtVerdict::AcceptedH1)
    } else {
        None
    }
}

/// Ratio as Brownian motion, with an estimated score and a known variance.
#[derive(Debug, Clone, Copy)]
struct Motion {
    /// Moments of the outcomes, all with positive probability.
    seen: Moments,
    /// Standard deviation of the score of a game.
    deviation: f64,
    /// Expected score under H0.
    score0: f64,
    /// Expected score under H1.
    score1: f64,
}

impl Motion {
    fn new(sprt: &Sprt, outcomes: &Outcomes) -> Self {
        let seen = Moments::of(&ratio::possible(outcomes));
        let deviation = (outcomes.games_a_sample() * seen.variance).sqrt();
        let score = |elo: f64| match sprt.model {
            SprtModel::Logistic => score_at(elo),
            SprtModel::Normalised => 0.5 + elo / NORMALISED * deviation,
        };
        Self { seen, deviation, score0: score(sprt.elo0), score1: score(sprt.elo1) }
    }

    /// Motion of the ratio per sample if the true score is `score`.
    fn at(&self, score: f64) -> Brownian {
        let between = f64::midpoint(self.score0, self.score1);
        let (apart, noise) = (self.score1 - self.score0, self.seen.variance);
        Brownian { drift: (score - between) * apart / noise, variance: apart * apart / noise }
    }
}

impl SprtModel {
    /// All models.
    pub const ALL: [Self; 2] = [Self::Logistic, Self::Normalised];

    /// Name in files: `logistic` or `normalised`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Logistic => "logistic",
            Self::Normalised => "normalised",
        }
    }

    /// Largest absolute value of a hypothesis. A bot that is stronger by 1000 Elo wins 997 games of
    /// 1000. From 231 normalized Elo on, the equations of the ratio have no starting point.
    pub const fn largest(self) -> f64 {
        match self {
            Self::Logistic => 1000.0,
            Self::Normalised => 200.0,
        }
    }
}

impl fmt::Display for SprtModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for SprtModel {
    type Err = SprtModelError;

    fn from_str(text: &str) -> Result<Self, SprtModelError> {
        let found = Self::ALL.into_iter().find(|model| model.name() == text);
        found.ok_or_else(|| SprtModelError(text.to_owned()))
    }
}

/// Error for an unknown model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the model of a test is logistic or normalised, not {0:?}")]
pub struct SprtModelError(String);
