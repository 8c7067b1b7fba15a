//! Running test, updated as samples arrive.

use super::{Outcomes, Sprt, SprtEstimate, SprtVerdict, verdict};

/// A test that is going on, or has stopped.
#[derive(Debug, Clone, PartialEq)]
pub struct SprtRun {
    sprt: Sprt,
    outcomes: Outcomes,
    ratio: f64,
    /// By how much the ratio's lowest and highest values were beaten.
    records: [Records; 2],
    verdict: Option<SprtVerdict>,
}

/// The steps by which a walk has gone beyond all that it reached before, in one direction.
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

    /// Counts the next pair, with the half points of bot A in both games. Nothing is counted after
    /// the verdict: what comes later is surplus.
    ///
    /// # Panics
    /// If there are more than 4, or if the test is one of single games.
    pub fn add_pair(&mut self, half_points: u8) {
        assert!(matches!(self.outcomes, Outcomes::Pairs(_)), "a test of single games");
        self.add(half_points);
    }

    /// Counts the next game, with the half points of bot A, likewise.
    ///
    /// # Panics
    /// If there are more than 2, or if the test is one of pairs.
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

    /// What was accepted, once something is.
    pub fn verdict(&self) -> Option<SprtVerdict> {
        self.verdict
    }

    /// The logarithm of the likelihood ratio of H1 to H0 as it stands, or stood at the verdict.
    pub fn ratio(&self) -> f64 {
        self.ratio
    }

    /// Where it accepts H0 and H1. Wald's bounds are those of a ratio that moves without steps;
    /// since it oversteps the bound at which it stops, each is moved inward by the mean
    /// overshoot: half the mean square of the steps to new records over their mean (Siegmund,
    /// Sequential Analysis, 1985, corollary 8.33).
    pub fn bounds(&self) -> (f64, f64) {
        let (low, high) = self.sprt.bounds();
        // With the wildest of steps the bounds stay on their sides of 0.
        let (below, above) = (self.records[0].overshoot(), self.records[1].overshoot());
        ((low + below).min(0.0), (high - above).max(0.0))
    }

    /// What was counted.
    pub fn outcomes(&self) -> Outcomes {
        self.outcomes
    }

    /// What is tested.
    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// How strong bot A is, without the bias that stopping brings; `None` without games.
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

    /// By how much a bound is overstepped on average.
    fn overshoot(&self) -> f64 {
        if self.sum > 0.0 { self.squares / self.sum / 2.0 } else { 0.0 }
    }
}
