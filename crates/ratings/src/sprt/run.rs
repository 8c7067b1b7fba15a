//! Running test, updated as samples arrive.

use super::{Outcomes, Sprt, SprtEstimate, SprtVerdict, verdict};

/// Test that is running or has stopped.
#[derive(Debug, Clone, PartialEq)]
pub struct SprtRun {
    sprt: Sprt,
    outcomes: Outcomes,
    ratio: f64,
    /// Increments of the lowest and highest values of the ratio.
    records: [Records; 2],
    verdict: Option<SprtVerdict>,
}

/// Sizes of new records of a walk in one direction.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Records {
    reached: f64,
    sum: f64,
    squares: f64,
}

impl SprtRun {
    pub(super) fn new(sprt: Sprt, outcomes: Outcomes) -> Self {
        Self { sprt, outcomes, ratio: 0.0, records: [Records::default(); 2], verdict: None }
    }

    /// Counts the next pair, with the half points of bot A in both games. After the verdict nothing
    /// is counted: later pairs are surplus.
    ///
    /// # Panics
    /// Panics if there are more than 4 half points, or if the test is one of single games.
    pub fn add_pair(&mut self, half_points: u8) {
        assert!(matches!(self.outcomes, Outcomes::Pairs(_)), "a test of single games");
        self.add(half_points);
    }

    /// Counts the next game, with the half points of bot A. After the verdict nothing is counted.
    ///
    /// # Panics
    /// Panics if there are more than 2 half points, or if the test is one of pairs.
    pub fn add_game(&mut self, half_points: u8) {
        assert!(matches!(self.outcomes, Outcomes::Games(_)), "a test of pairs");
        self.add(half_points);
    }

    fn add(&mut self, outcome: u8) {
        if self.verdict.is_some() {
            return;
        }
        self.outcomes.count(outcome);
        self.ratio = self.sprt.ratio(&self.outcomes);
        self.records[0].reach(-self.ratio);
        self.records[1].reach(self.ratio);
        self.verdict = verdict(self.ratio, self.bounds());
    }

    /// Verdict, once there is one.
    pub fn verdict(&self) -> Option<SprtVerdict> {
        self.verdict
    }

    /// Logarithm of the likelihood ratio of H1 to H0, now or at the verdict.
    pub fn ratio(&self) -> f64 {
        self.ratio
    }

    /// Bounds at which the test accepts H0 and H1. Wald's bounds apply to a ratio without steps.
    /// Because the ratio oversteps the bound at which it stops, each bound is moved inward by the
    /// mean overshoot: half the mean square of the steps to new records over their mean (Siegmund,
    /// Sequential Analysis, 1985, corollary 8.33).
    pub fn bounds(&self) -> (f64, f64) {
        let (low, high) = self.sprt.bounds();
        // Even with extreme steps the bounds keep their signs.
        let (below, above) = (self.records[0].overshoot(), self.records[1].overshoot());
        ((low + below).min(0.0), (high - above).max(0.0))
    }

    /// Outcome counts so far.
    pub fn outcomes(&self) -> Outcomes {
        self.outcomes
    }

    /// Hypotheses and error rates.
    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// Estimated strength of bot A, corrected for the bias of stopping; `None` without games.
    pub fn estimate(&self) -> Option<SprtEstimate> {
        self.sprt.estimate(&self.outcomes)
    }
}

impl Records {
    fn reach(&mut self, place: f64) {
        let step = place - self.reached;
        if step > 0.0 {
            self.reached = place;
            self.sum += step;
            self.squares += step * step;
        }
    }

    /// Mean overshoot of a bound.
    fn overshoot(&self) -> f64 {
        if self.sum > 0.0 { self.squares / self.sum / 2.0 } else { 0.0 }
    }
}
