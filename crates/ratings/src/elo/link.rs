//! Probability of a result as a function of the difference in strength: its logarithm, summed over
//! games, with first and second derivatives.
//!
//! `x` is the difference in strength in natural units, the first-move advantage included, and `u`
//! is the draw parameter:
//!
//! ```text
//! Davidson (1970)         win : draw : loss  =  e^(x/2) : e^u : e^(-x/2)
//! Rao and Kupper (1967)   win = σ(x - δ),  loss = σ(-x - δ),  draw = e^u · win · loss,
//!                         δ = ½ ln(1 + e^u),  σ(t) = 1/(1 + e^(-t))
//! ```
//!
//! The second is the model of the program BayesElo, whose `eloDraw` is δ on the rating scale.

use super::model::{Chances, Difference};

/// Model of the three results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    Davidson,
    RaoKupper,
}

/// Draw parameter `u` and e^u, which is 0 if there are no draws.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DrawOdds {
    pub(super) log: f64,
    pub(super) odds: f64,
}

/// Second derivatives of the log-likelihood with the opposite sign: by `x` twice, by `x` and `u`,
/// and by `u` twice.
pub(super) type Curvature = [f64; 3];

impl DrawOdds {
    pub(super) fn new(log: f64) -> Self {
        Self { log, odds: log.exp() }
    }

    /// δ of Rao and Kupper.
    pub(super) fn threshold(self) -> f64 {
        self.odds.ln_1p() / 2.0
    }

    /// First and second derivative of δ by `u`.
    fn threshold_derivatives(self) -> [f64; 2] {
        let share = self.odds / (1.0 + self.odds);
        [share / 2.0, share * (1.0 - share) / 2.0]
    }
}

impl Link {
    /// Draw parameter `u` at which this share of games between equals is drawn.
    pub(super) fn draw_parameter(self, rate: f64) -> f64 {
        match self {
            Self::Davidson => (2.0 * rate / (1.0 - rate)).ln(),
            // Equals win (1 - rate)/2 of their games: σ(-δ).
            Self::RaoKupper => (2.0 * ((1.0 + rate) / (1.0 - rate)).ln()).exp_m1().ln(),
        }
    }

    /// Log-likelihood of these wins, draws and losses of player 1.
    pub(super) fn value(
        self,
        difference: impl Into<Difference>,
        draws: DrawOdds,
        [wins, drawn, losses]: [f64; 3],
    ) -> f64 {
        let difference = difference.into();
        let x = difference.x;
        let log_odds = if draws.odds > 0.0 { draws.log } else { 0.0 };
        match self {
            Self::Davidson => {
                let games = wins + drawn + losses;
                (wins - losses) * x / 2.0 + drawn * log_odds
                    - games * difference.log_sum(draws.odds)
            }
            Self::RaoKupper => {
                let delta = draws.threshold();
                (wins + drawn) * log_logistic(x - delta)
                    + (losses + drawn) * log_logistic(-x - delta)
                    + drawn * log_odds
            }
        }
    }

    /// Derivatives by `x` and by `u`.
    pub(super) fn slope(
        self,
        difference: impl Into<Difference>,
        draws: DrawOdds,
        results: [f64; 3],
    ) -> [f64; 2] {
        let difference = difference.into();
        match self {
            Self::Davidson => Chances::new(difference, draws.odds).surplus(results),
            Self::RaoKupper => {
                let [forward, back] =
                    Self::parts(difference.x, draws, results).map(|part| part.slope);
                let [first, _] = draws.threshold_derivatives();
                [forward - back, results[1] - first * (forward + back)]
            }
        }
    }

    /// Curvature. In Davidson's model it depends only on the number of games.
    pub(super) fn curvature(
        self,
        difference: impl Into<Difference>,
        draws: DrawOdds,
        results: [f64; 3],
    ) -> Curvature {
        let difference = difference.into();
        match self {
            Self::Davidson => {
                Chances::new(difference, draws.odds).information(results.iter().sum())
            }
            Self::RaoKupper => {
                let [forward, back] = Self::parts(difference.x, draws, results);
                let [first, second] = draws.threshold_derivatives();
                let both = forward.curvature + back.curvature;
                let bent = second * (forward.slope + back.slope);
                [both, first * (back.curvature - forward.curvature), first * first * both + bent]
            }
        }
    }

    /// Third derivative of the log-likelihood by `x`.
    pub(super) fn third(
        self,
        difference: impl Into<Difference>,
        draws: DrawOdds,
        results: [f64; 3],
    ) -> f64 {
        let difference = difference.into();
        match self {
            Self::Davidson => {
                let Chances { win, draw, loss } = Chances::new(difference, draws.odds);
                // The third cumulant of the score, which is ½, 0 or -½.
                let mean = (win - loss) / 2.0;
                let cumulant = win * (0.5 - mean).powi(3)
                    + draw * (-mean).powi(3)
                    + loss * (-0.5 - mean).powi(3);
                -cumulant * results.iter().sum::<f64>()
            }
            Self::RaoKupper => {
                let [forward, back] = Self::parts(difference.x, draws, results);
                back.third() - forward.third()
            }
        }
    }

    /// Points that player 1 won (a draw counts for both), and those of player 2.
    fn parts(x: f64, draws: DrawOdds, [wins, drawn, losses]: [f64; 3]) -> [Part; 2] {
        let delta = draws.threshold();
        [(wins + drawn, x - delta), (losses + drawn, -x - delta)].map(Part::new)
    }
}

/// `n · ln σ(t)`: its derivative, and the second with the opposite sign.
#[derive(Debug, Clone, Copy)]
struct Part {
    chance: f64,
    slope: f64,
    curvature: f64,
}

impl Part {
    fn new((n, t): (f64, f64)) -> Self {
        let chance = logistic(t);
        let slope = n * logistic(-t);
        Self { chance, slope, curvature: slope * chance }
    }

    /// Third derivative by `t`, with the opposite sign.
    fn third(&self) -> f64 {
        self.curvature * (1.0 - 2.0 * self.chance)
    }
}

fn logistic(t: f64) -> f64 {
    1.0 / (1.0 + (-t).exp())
}

fn log_logistic(t: f64) -> f64 {
    t.min(0.0) - (-t.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LINKS: [Link; 2] = [Link::Davidson, Link::RaoKupper];

    proptest! {
        /// Compares with finite differences of the next lower derivative.
        #[test]
        fn derivatives_are_derivatives(
            x in -4.0..4.0,
            u in -3.0..2.0,
            results in proptest::array::uniform3(0.0..9.0),
        ) {
            const STEP: f64 = 1e-5;
            let close = |seen: f64, expected: f64| (seen - expected).abs() < 1e-4 * (1.0 + expected.abs());
            for link in LINKS {
                let at = |x: f64, u: f64| (x, DrawOdds::new(u), results);
                let by_x = |f: &dyn Fn(f64, DrawOdds, [f64; 3]) -> f64| {
                    let [(a, b, c), (d, e, g)] = [at(x + STEP, u), at(x - STEP, u)];
                    (f(a, b, c) - f(d, e, g)) / (2.0 * STEP)
                };
                let by_u = |f: &dyn Fn(f64, DrawOdds, [f64; 3]) -> f64| {
                    let [(a, b, c), (d, e, g)] = [at(x, u + STEP), at(x, u - STEP)];
                    (f(a, b, c) - f(d, e, g)) / (2.0 * STEP)
                };
                let value = |x, d, r| link.value(x, d, r);
                let slope = |place: usize| move |x, d, r| link.slope(x, d, r)[place];
                let [sx, su] = link.slope(x, DrawOdds::new(u), results);
                prop_assert!(close(sx, by_x(&value)) && close(su, by_u(&value)), "{link:?}");
                let [xx, xu, uu] = link.curvature(x, DrawOdds::new(u), results);
                prop_assert!(close(-xx, by_x(&slope(0))), "{link:?}");
                prop_assert!(close(-xu, by_x(&slope(1))) && close(-xu, by_u(&slope(0))), "{link:?}");
                prop_assert!(close(-uu, by_u(&slope(1))), "{link:?}");
                let bend = |x, d, r| -link.curvature(x, d, r)[0];
                prop_assert!(close(link.third(x, DrawOdds::new(u), results), by_x(&bend)), "{link:?}");
            }
        }
    }

    #[test]
    fn equals_draw_at_the_rate_that_was_given() {
        for link in LINKS {
            for rate in [0.05, 0.3, 0.8] {
                let draws = DrawOdds::new(link.draw_parameter(rate));
                let seen = link.value(0.0, draws, [0.0, 1.0, 0.0]).exp();
                assert!((seen - rate).abs() < 1e-12, "{link:?} {rate} {seen}");
            }
        }
    }

    #[test]
    fn results_have_probability_one_together() {
        for link in LINKS {
            for (x, u) in [(0.0, -1.0), (2.0, 0.5), (-7.0, f64::NEG_INFINITY)] {
                let chance = |results| link.value(x, DrawOdds::new(u), results).exp();
                let decided = chance([1.0, 0.0, 0.0]) + chance([0.0, 0.0, 1.0]);
                let drawn = if u.is_finite() { chance([0.0, 1.0, 0.0]) } else { 0.0 };
                assert!((decided + drawn - 1.0).abs() < 1e-12, "{link:?} {x} {u}");
            }
        }
    }
}
