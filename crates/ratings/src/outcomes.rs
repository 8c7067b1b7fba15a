//! Outcome counts of two bots: games by three outcomes, pairs by five.

use arrayvec::ArrayVec;

/// Outcome counts from bot A's view, from the worst outcome to the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcomes {
    /// Single games: lost, drawn, won.
    Games([u64; 3]),
    /// Pairs of games by their half points: 0, 1, 2, 3 and 4.
    Pairs([u64; 5]),
}

/// Number for each outcome.
pub(super) type PerOutcome = ArrayVec<f64, 5>;

/// Mean and variance of the score of one sample, between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moments {
    /// Sum of the weights: the number of samples.
    pub(super) samples: f64,
    /// Mean score.
    pub(super) mean: f64,
    /// Mean squared distance from the mean score.
    pub(super) variance: f64,
}

impl Outcomes {
    /// Counts, from the worst outcome to the best.
    pub fn counts(&self) -> &[u64] {
        match self {
            Self::Games(counts) => counts,
            Self::Pairs(counts) => counts,
        }
    }

    /// Number of independent samples: games, or pairs.
    pub fn samples(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// Number of games played.
    pub fn games(&self) -> u64 {
        self.samples() * self.games_a_sample() as u64
    }

    /// Returns the outcomes from bot B's view.
    #[must_use]
    pub fn turned(mut self) -> Self {
        match &mut self {
            Self::Games(counts) => counts.reverse(),
            Self::Pairs(counts) => counts.reverse(),
        }
        self
    }

    /// Counts one more sample with this outcome, from 0.
    ///
    /// # Panics
    /// Panics if there is no such outcome.
    pub(super) fn count(&mut self, outcome: u8) {
        let place = usize::from(outcome);
        match self {
            Self::Games(counts) => counts[place] += 1,
            Self::Pairs(counts) => counts[place] += 1,
        }
    }

    /// Number of games per sample: 1 or 2.
    pub(super) fn games_a_sample(&self) -> f64 {
        match self {
            Self::Games(_) => 1.0,
            Self::Pairs(_) => 2.0,
        }
    }

    /// Counts as weights.
    pub(super) fn weights(&self) -> PerOutcome {
        self.counts().iter().map(|&count| count as f64).collect()
    }

    /// Weights with one more sample spread evenly, so that their variance is never 0.
    pub(super) fn spread(&self) -> PerOutcome {
        let share = 1.0 / self.counts().len() as f64;
        self.counts().iter().map(|&count| count as f64 + share).collect()
    }
}

/// Score of an outcome, with the outcomes evenly spaced between 0 and 1.
pub(super) fn score_of(outcome: usize, outcomes: usize) -> f64 {
    outcome as f64 / (outcomes - 1) as f64
}

impl Moments {
    /// Moments of weights that are not all 0.
    pub(super) fn of(weights: &[f64]) -> Self {
        let samples: f64 = weights.iter().sum();
        let mean_of = |of: &dyn Fn(f64) -> f64| {
            let each = weights.iter().enumerate();
            each.map(|(i, weight)| weight * of(score_of(i, weights.len()))).sum::<f64>() / samples
        };
        let mean = mean_of(&|score| score);
        Self { samples, mean, variance: mean_of(&|score| (score - mean) * (score - mean)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_by_hand() {
        let games = Outcomes::Games([1, 2, 1]);
        let Moments { samples, mean, variance } = Moments::of(&games.weights());
        assert_eq!((samples, mean, variance), (4.0, 0.5, 0.125));
        let pairs = Outcomes::Pairs([0, 0, 0, 2, 2]);
        let Moments { samples, mean, variance } = Moments::of(&pairs.weights());
        assert_eq!((samples, mean, variance), (4.0, 0.875, 0.015_625));
        assert_eq!((pairs.games(), games.games()), (8, 4));
    }

    #[test]
    fn the_other_bot_sees_the_opposite() {
        assert_eq!(Outcomes::Games([1, 2, 3]).turned(), Outcomes::Games([3, 2, 1]));
        assert_eq!(Outcomes::Pairs([1, 2, 3, 4, 5]).turned(), Outcomes::Pairs([5, 4, 3, 2, 1]));
    }
}
