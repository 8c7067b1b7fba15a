//! Model assumptions: the curves, and the parameters that are estimated or given.

use std::f64::consts::LN_10;

use pitmaster_core::Seed;

use super::Elo;

/// Settings of the fit and of the rating scale.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Treatment of draws.
    pub draws: Draws,
    /// Treatment of the first-move advantage.
    pub first_move: FirstMove,
    /// Method of the fit.
    pub method: Method,
    /// Rating points for odds of e to one.
    pub scale: f64,
    /// Mean of each group without an anchor.
    pub mean: Elo,
    /// Bots whose rating is given.
    pub anchors: Vec<Anchor>,
    /// Players whose ratings are tied to each other. Only used by random effects.
    pub ties: Vec<Tie>,
    /// Whether games that a side forfeited are excluded from the fit. They still count for points.
    pub without_forfeits: bool,
}

/// Method of the fit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Method {
    /// Random effects: the ratings of a group are drawn from a normal distribution, whose standard
    /// deviation is estimated from the same games. Every rating is finite, and so is its interval.
    #[default]
    RandomEffects,
    /// Maximum likelihood: the games alone. With [`Draws::HalfWins`] it is the fit of the program
    /// Ordo.
    MaximumLikelihood {
        /// Number of virtual games of every bot, half won and half lost, distributed over its
        /// opponents like its games. 0: none.
        prior: f64,
        /// Method for the intervals.
        intervals: Intervals,
    },
    /// The model of the program BayesElo: draws by Rao and Kupper (1967), virtual draws. All games
    /// count as independent, even those of a pair and repeated ones.
    BayesElo {
        /// Every bot adds half as many virtual draws, distributed over its opponents like its
        /// games. The program's own is 2.
        prior: f64,
    },
}

impl Method {
    /// Maximum likelihood of the games alone, with intervals by the information.
    pub const MAXIMUM_LIKELIHOOD: Self =
        Self::MaximumLikelihood { prior: 0.0, intervals: Intervals::Information };

    /// The same fit with the fastest intervals.
    #[must_use]
    pub fn quick(self) -> Self {
        match self {
            Self::MaximumLikelihood { prior, .. } => {
                Self::MaximumLikelihood { prior, intervals: Intervals::Information }
            }
            other => other,
        }
    }
}

/// Method for the 95 % intervals of a maximum-likelihood fit. The estimates do not depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Intervals {
    /// Information matrix: the estimate and 1.96 standard errors to both sides. The fastest, for
    /// figures shown while games are played.
    #[default]
    Information,
    /// Profile likelihood: all ratings that the games do not contradict, with all other parameters
    /// fitted again. Slow for many bots: a thousand bots with a million games take minutes.
    Profile,
    /// Bootstrap: ratings of games resampled pair by pair.
    Bootstrap {
        /// Number of samples: 200 for a quick look, 1000 for publication.
        samples: u32,
        /// Seed of the random numbers. The same seed gives the same intervals on any number of
        /// cores.
        seed: Seed,
    },
}

/// Bot whose rating is given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// Number of the bot in the roster.
    pub bot: u32,
    /// Given rating.
    pub elo: Elo,
}

/// Two players whose ratings are about equal before any games: a version of a bot and its
/// predecessor. The difference has a normal prior around 0.
///
/// The newer player is not drawn from the population but from around the older one, so that a bot
/// with many versions weighs no more than others. A player is the newer one of at most one tie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tie {
    /// Number of the older player.
    pub older: u32,
    /// Number of the newer player.
    pub newer: u32,
    /// Standard deviation of the difference.
    pub within: Elo,
}

/// Treatment of draws in the fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Draws {
    /// Draws are a separate result (Davidson).
    Davidson {
        /// Draw rate between equals, from 0 to 0.99; `None`: estimated.
        between_equals: Option<f64>,
    },
    /// Draws are half a win and half a loss, as in Ordo. The draw rate between equals then matters
    /// only for the bound of a perfect score. `None`: the rate at which the expected number of
    /// draws equals the observed one.
    HalfWins {
        /// Draw rate between equals, between 0 and 1.
        between_equals: Option<f64>,
    },
}

/// Treatment of the first-move advantage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FirstMove {
    /// Estimated from the games, with a normal prior around 0. The prior keeps the estimate finite
    /// even if player 1 won every game, and a few games outweigh it.
    Estimated {
        /// Standard deviation of the prior.
        within: Elo,
    },
    /// Given advantage in rating points.
    Given(Elo),
}

impl Default for Model {
    /// Random effects with mean 1500.
    fn default() -> Self {
        Self {
            draws: Draws::Davidson { between_equals: None },
            first_move: FirstMove::Estimated { within: 400.0 },
            method: Method::RandomEffects,
            scale: 400.0 / LN_10,
            mean: 1500.0,
            anchors: Vec::new(),
            ties: Vec::new(),
            without_forfeits: false,
        }
    }
}

impl Model {
    /// Maximum-likelihood fit with mean 1500.
    pub fn maximum_likelihood() -> Self {
        Self { method: Method::MAXIMUM_LIKELIHOOD, ..Self::default() }
    }
}

/// Probabilities that player 1 wins, draws and loses when it is stronger by `difference` (its
/// first-move advantage included), in Davidson's model with this share of draws between equals,
/// from 0 to below 1.
pub fn chances(difference: Elo, draws: f64) -> [f64; 3] {
    let scale = Model::default().scale;
    let Chances { win, draw, loss } = Chances::new(difference / scale, 2.0 * draws / (1.0 - draws));
    [win, draw, loss]
}

/// Natural difference in strength, with the first-move advantage.
#[derive(Debug, Clone, Copy)]
pub(super) struct Difference {
    pub(super) x: f64,
    /// e^(-|x|/2), the square root of the odds of the less likely winner.
    root: f64,
}

impl From<f64> for Difference {
    fn from(x: f64) -> Self {
        Self { x, root: (-x.abs() / 2.0).exp() }
    }
}

impl Difference {
    /// Sum of the odds of all three results, relative to those of the likelier winner.
    fn odds(self, nu: f64) -> f64 {
        1.0 + self.root * (nu + self.root)
    }

    /// The logarithm of e^(x/2) + ν + e^(-x/2).
    pub(super) fn log_sum(self, nu: f64) -> f64 {
        self.x.abs() / 2.0 + self.odds(nu).ln()
    }
}

/// Strength, or advantage, with two precomputed exponentials, which are reused for all its
/// differences.
#[derive(Debug, Clone, Copy)]
pub(super) struct Strength {
    value: f64,
    /// e^(value/2) and e^(-value/2).
    roots: [f64; 2],
}

impl Strength {
    /// Largest value whose products of three roots are finite and not 0.
    const MOST: f64 = 400.0;

    pub(super) fn new(value: f64) -> Self {
        Self { value, roots: [value, -value].map(|value| (value / 2.0).exp()) }
    }

    /// Difference to another strength, plus an advantage.
    pub(super) fn minus(self, other: Self, advantage: Self) -> Difference {
        let x = self.value - other.value + advantage.value;
        if [self, other, advantage].iter().any(|each| each.value.abs() > Self::MOST) {
            return x.into();
        }
        let stronger = usize::from(x >= 0.0);
        let [one, two, more] = [stronger, 1 - stronger, stronger];
        Difference { x, root: self.roots[one] * other.roots[two] * advantage.roots[more] }
    }
}

/// Probabilities of the three results, for player 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Chances {
    pub(super) win: f64,
    pub(super) draw: f64,
    pub(super) loss: f64,
}

impl Chances {
    /// Model at a difference, and `nu`, the odds of a draw between equals (0: no draws).
    pub(super) fn new(difference: impl Into<Difference>, nu: f64) -> Self {
        let difference = difference.into();
        let likely = 1.0 / difference.odds(nu);
        let unlikely = difference.root * difference.root * likely;
        let (win, loss) = if difference.x >= 0.0 { (likely, unlikely) } else { (unlikely, likely) };
        Self { win, draw: nu * difference.root * likely, loss }
    }

    /// Difference between observed and expected results of these games: half points of player 1
    /// over player 2, and draws.
    pub(super) fn surplus(&self, [wins, draws, losses]: [f64; 3]) -> [f64; 2] {
        let games = wins + draws + losses;
        let score = (wins - losses) / 2.0 - games * (self.win - self.loss) / 2.0;
        [score, draws - games * self.draw]
    }

    /// Fisher information of this many games: about `x`, about `x` and ln ν, about ln ν.
    pub(super) fn information(&self, games: f64) -> [f64; 3] {
        let mean = (self.win - self.loss) / 2.0;
        let variance = ((self.win + self.loss) / 4.0 - mean * mean).max(0.0);
        [games * variance, -games * mean * self.draw, games * self.draw * (1.0 - self.draw)]
    }
}

/// ln(win), ln(draw), ln(loss) of [`Chances`], exact even in the far tails; `draws` is ln ν.
fn log_chances(x: f64, draws: f64) -> [f64; 3] {
    let top = (x.abs() / 2.0).max(draws);
    let parts = [x / 2.0, draws, -x / 2.0];
    let sum: f64 = parts.iter().map(|each| (each - top).exp()).sum();
    parts.map(|each| each - top - sum.ln())
}

/// Curve for the probability of consecutive wins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Curve {
    /// [`Chances`] with this ln ν.
    Davidson(f64),
    /// The curve of Ordo: the expected score is logistic and includes D draws, where win · loss =
    /// φ² D² and φ = (1 - d)/2d for a rate d of draws between equals.
    Logistic(f64),
}

impl Curve {
    /// Logarithm of the win probability of a bot that is stronger by `x`.
    pub(super) fn log_win(self, x: f64) -> f64 {
        match self {
            Self::Davidson(draws) => log_chances(x, draws)[0],
            Self::Logistic(rate) => logistic_win(x, rate).max(f64::MIN_POSITIVE).ln(),
        }
    }

    /// The share of draws between equals.
    pub(super) fn draws_between_equals(self) -> f64 {
        match self {
            Self::Davidson(draws) => log_chances(0.0, draws)[1].exp(),
            Self::Logistic(rate) => rate,
        }
    }
}

/// The expected share of draws on the curve [`Curve::Logistic`].
pub(super) fn logistic_draws(x: f64, rate: f64) -> f64 {
    if rate <= 0.0 {
        return 0.0;
    }
    let both = logistic(x) * logistic(-x);
    let phi = (1.0 - rate) / (2.0 * rate);
    // (4φ² - 1) D² + 2 D - 4 p (1 - p) = 0, solved without cancellation.
    let a = 4.0 * phi * phi - 1.0;
    4.0 * both / (1.0 + (1.0 + 4.0 * a * both).max(0.0).sqrt())
}

fn logistic_win(x: f64, rate: f64) -> f64 {
    let draws = logistic_draws(x, rate);
    let (win, loss) = (logistic(x) - draws / 2.0, logistic(-x) - draws / 2.0);
    if x >= 0.0 || rate <= 0.0 {
        return win;
    }
    // In the far tail the difference cancels; win · loss = φ² D² is exact.
    let phi = (1.0 - rate) / (2.0 * rate);
    (phi * draws).powi(2) / loss
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_anywhere() {
        for x in [-2000.0, -3.0, 0.0, 0.5, 900.0] {
            for draws in [f64::NEG_INFINITY, -1.0, 0.0, 40.0] {
                let c = Chances::new(x, draws.exp());
                assert!((c.win + c.draw + c.loss - 1.0).abs() < 1e-12, "{x} {draws} {c:?}");
                let [win, _, loss] = log_chances(x, draws);
                assert!((win.exp() - c.win).abs() < 1e-12 && (loss.exp() - c.loss).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn equals_win_and_lose_alike_and_draw_at_their_rate() {
        for draws in [0.0, 0.3, 0.9] {
            let [win, draw, loss] = chances(0.0, draws);
            assert!((draw - draws).abs() < 1e-12 && (win - loss).abs() < 1e-12, "{draws}");
        }
        let [win, _, loss] = chances(400.0, 0.3);
        assert!((win / loss - 10.0).abs() < 1e-9);
    }

    #[test]
    fn four_hundred_points_are_ten_to_one() {
        let c = Chances::new(LN_10, 0.3);
        assert!((c.win / c.loss - 10.0).abs() < 1e-12);
    }

    #[test]
    fn equals_draw_at_the_rate_that_was_given() {
        for rate in [0.0, 0.1, 1.0 / 3.0, 0.5, 0.9] {
            assert!((logistic_draws(0.0, rate) - rate).abs() < 1e-12, "{rate}");
        }
    }

    #[test]
    fn both_ways_to_the_chance_of_a_win_agree() {
        for x in [-4.0, -0.3] {
            let plain = logistic(x) - logistic_draws(x, 0.3) / 2.0;
            assert!((logistic_win(x, 0.3) - plain).abs() < 1e-12);
        }
        assert!(logistic_win(-300.0, 0.3) > 0.0);
    }
}
