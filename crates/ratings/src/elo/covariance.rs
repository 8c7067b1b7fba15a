//! Covariance of the fit, robust to pairs and repetitions.
//!
//! The two games of a pair share their opening, so they are not independent. A pair that is
//! repeated move for move adds no evidence. The independent unit is therefore an observation (a
//! pair with all its repetitions). The covariance is the sandwich A⁻¹ B A⁻¹, with A the information
//! of all games and B the sum over observations of the outer product of their scores (Liang and
//! Zeger 1986).
//!
//! With few observations the sandwich is too small (0 for one pair won and lost). So the outer
//! products are multiplied by N / (N - p), for N observations and p parameters (HC1 of MacKinnon
//! and White 1985). In addition, B is shrunk toward the expectation of the model for independent
//! games, with the weight of `LEAN` observations against those of the two bots.

use super::blocks::Blocks;
use super::cells::{comparing, results};
use super::columns::CurvatureSums;
use super::fit::Fit;
use super::matrix::{Cholesky, Matrix};
use crate::Matches;
use crate::interval::z;
use crate::matches::Observation;

/// Weight of the model's own expectation, in observations.
const LEAN: f64 = 6.0;

/// Maximum factor for the outer products.
const MOST: f64 = 2.0;

/// Error that counts as unknown, larger than any reported one.
const UNKNOWN: f64 = 1e9;

/// Extent of an interval from its estimate, in natural units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ends {
    pub(super) below: f64,
    pub(super) above: f64,
}

/// Bots whose mean is the zero of a group's ratings.
#[derive(Debug)]
pub(super) struct Reference {
    /// All bots of the group.
    pub(super) group: Vec<usize>,
    /// Bots whose mean is the zero.
    pub(super) bots: Vec<usize>,
}

/// Covariance of the estimates, in natural units.
#[derive(Debug, Clone)]
pub(super) struct Covariance {
    /// Column of every bot, `None` for one whose strength is not estimated.
    columns: Vec<Option<usize>>,
    entries: Entries,
}

/// Entries of a covariance matrix.
#[derive(Debug, Clone)]
enum Entries {
    /// A numerical failure: unknown.
    Unknown,
    /// A⁻¹ B A⁻¹ as two factors, A⁻¹ B and A⁻¹. Only few entries are needed, and the last product
    /// would be most of the work.
    Sandwich { left: Matrix, right: Matrix },
    /// The whole matrix.
    Whole(Matrix),
}

impl Covariance {
    pub(super) fn new(fit: &Fit, matches: &Matches, blocks: &Blocks) -> Self {
        Self::around(fit, blocks, || Spread::new(fit, matches, blocks).middle())
    }

    /// Covariance from the observations alone, without corrections, as for bootstrap samples.
    pub(super) fn raw(fit: &Fit, matches: &Matches, blocks: &Blocks) -> Self {
        Self::around(fit, blocks, || {
            Spread { lean: 0.0, more: 1.0, ..Spread::new(fit, matches, blocks) }.middle()
        })
    }

    fn around(fit: &Fit, blocks: &Blocks, middle: impl FnOnce() -> Matrix) -> Self {
        let inverse = fit.root(blocks).map(|root| root.inverse());
        let entries = inverse.map_or(Entries::Unknown, |right| Entries::Sandwich {
            left: right.times(&middle().mirrored()),
            right,
        });
        Self { columns: fit.columns.bots.clone(), entries }
    }

    /// Covariance of the posterior: the inverse of this information, relative to the mean of each
    /// reference.
    pub(super) fn of_posterior(
        fit: &Fit,
        references: &[Reference],
        root: Option<&Cholesky>,
    ) -> Self {
        let columns = fit.columns.bots.clone();
        let Some(mut inverse) = root.map(Cholesky::inverse) else {
            return Self { columns, entries: Entries::Unknown };
        };
        for Reference { group, bots } in references {
            let [group, bots] = [group, bots]
                .map(|list| list.iter().filter_map(|&bot| columns[bot]).collect::<Vec<_>>());
            inverse.centre(&group, &bots);
        }
        Self { columns, entries: Entries::Whole(inverse) }
    }

    /// Row of a parameter. `None` unless the whole matrix is known.
    pub(super) fn row(&self, column: usize) -> Option<&[f64]> {
        match &self.entries {
            Entries::Whole(matrix) => Some(matrix.row(column)),
            _ => None,
        }
    }

    /// Standard error of a bot's strength within its block; 0 if it is not estimated.
    pub(super) fn of_bot(&self, bot: usize) -> f64 {
        self.columns[bot].map_or(0.0, |column| self.of(&[(column, 1.0)]))
    }

    /// Intervals of all bots within their blocks, symmetric around the estimates.
    pub(super) fn ends(&self) -> Vec<Ends> {
        (0..self.columns.len()).map(|bot| self.ends_of(bot)).collect()
    }

    /// Interval of one bot.
    pub(super) fn ends_of(&self, bot: usize) -> Ends {
        let half = z() * self.of_bot(bot);
        Ends { below: half, above: half }
    }

    /// Standard error of a parameter.
    pub(super) fn of_column(&self, column: usize) -> f64 {
        self.of(&[(column, 1.0)])
    }

    /// Standard error of the difference between two bots of one block.
    pub(super) fn of_difference(&self, one: usize, two: usize) -> f64 {
        let signed = [(self.columns[one], 1.0), (self.columns[two], -1.0)];
        let sum: Vec<_> =
            signed.into_iter().filter_map(|(column, sign)| Some((column?, sign))).collect();
        self.of(&sum)
    }

    /// Standard error of the mean of the strengths of bots of one block, or 0 without bots.
    pub(super) fn of_mean(&self, bots: &[usize]) -> f64 {
        let share = 1.0 / bots.len() as f64;
        let sum: Vec<_> =
            bots.iter().filter_map(|&bot| Some((self.columns[bot]?, share))).collect();
        self.of(&sum)
    }

    /// Correlation of the strengths of two bots of one block, from -1 to 1; 0 if unknown.
    pub(super) fn correlation(&self, one: usize, two: usize) -> f64 {
        let [one, two] = [one, two].map(|bot| self.columns[bot]);
        let (Some(one), Some(two)) = (one, two) else { return 0.0 };
        let both = self.entry(one, two);
        let correlation = both / (self.of_column(one) * self.of_column(two));
        if correlation.is_finite() { correlation.clamp(-1.0, 1.0) } else { 0.0 }
    }

    /// Standard error of a weighted sum of parameters.
    fn of(&self, sum: &[(usize, f64)]) -> f64 {
        let row = |&(i, a): &(usize, f64)| -> f64 {
            sum.iter().map(|&(j, b)| a * b * self.entry(i, j)).sum()
        };
        let variance: f64 = sum.iter().map(row).sum();
        if variance.is_finite() { variance.max(0.0).sqrt() } else { UNKNOWN }
    }

    /// Covariance of two parameters, infinite if unknown.
    fn entry(&self, i: usize, j: usize) -> f64 {
        match &self.entries {
            Entries::Unknown => f64::INFINITY,
            Entries::Sandwich { left, right } => left.cell_of_product(right, i, j),
            Entries::Whole(matrix) => matrix.row(i)[j],
        }
    }
}

/// Observations used by the fit.
struct Spread<'a> {
    fit: &'a Fit,
    matches: &'a Matches,
    observations: Vec<&'a Observation>,
    /// Number of observations of each bot.
    of_bot: Vec<u32>,
    /// Weight of the model's expectation, in observations.
    lean: f64,
    /// Factor for the outer products.
    more: f64,
}

impl<'a> Spread<'a> {
    fn new(fit: &'a Fit, matches: &'a Matches, blocks: &Blocks) -> Self {
        let is_fitted = |observation: &&Observation| {
            let (a, b) = matches.bots_of(observation);
            blocks.of[a] == blocks.of[b]
                && observation.by_side.iter().any(|side| comparing(side) > 0.0)
        };
        let observations: Vec<_> = matches.observations().iter().filter(is_fitted).collect();
        let mut of_bot = vec![0; blocks.of.len()];
        for observation in &observations {
            let (a, b) = matches.bots_of(observation);
            of_bot[a] += 1;
            of_bot[b] += 1;
        }
        let seen = observations.len() as f64;
        let left = seen - fit.columns.count as f64;
        let more = if left > 0.0 { (seen / left).min(MOST) } else { MOST };
        Self { fit, matches, observations, of_bot, lean: LEAN, more }
    }

    /// Matrix B of the sandwich, its upper triangle.
    fn middle(&self) -> Matrix {
        let columns = &self.fit.columns;
        let mut middle = Matrix::zero(columns.count);
        let mut expected = CurvatureSums::new(columns);
        for meeting in self.observations.chunk_by(|a, b| a.meeting == b.meeting) {
            let (a, b) = self.matches.bots_of(meeting[0]);
            let lean = self.lean / (self.lean + f64::from(self.of_bot[a].min(self.of_bot[b])));
            let chances = [self.fit.chances(a, b), self.fit.chances(b, a)];
            let mut games = [0.0; 2];
            for observation in meeting {
                let weight = f64::from(observation.times).powi(2);
                let [first, second] = observation.by_side;
                for (games, tally) in games.iter_mut().zip([first, second]) {
                    *games += weight * lean * comparing(&tally);
                }
                let [one, drawn] = chances[0].surplus(results(first, false));
                let [two, drawn_too] = chances[1].surplus(results(second.turned(), false));
                let parts = [one - two, two - one, one + two, drawn + drawn_too];
                middle.add_outer(
                    &columns.of_meeting((a, b), parts),
                    weight * (1.0 - lean) * self.more,
                );
            }
            expected.add((a, b), chances[0].information(games[0]));
            expected.add((b, a), chances[1].information(games[1]));
        }
        middle.plus(&expected.matrix())
    }
}
