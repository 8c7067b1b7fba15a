//! Posterior distribution of the strengths: intervals that need not be symmetric.
//!
//! Around its maximum the posterior is about normal, with the inverse of the information as
//! covariance. For a bot with few or one-sided games it is skewed. Its distribution is then
//! computed along the line on which all other strengths and the advantage follow by their
//! covariance: exactly for its own games, quadratically for the rest. The interval has the 2.5 and
//! 97.5 % quantiles of the distributions for several τ together.

use statrs::distribution::{ContinuousCDF, Normal};

use super::cells::Cell;
use super::covariance::{Covariance, Ends};
use super::fit::Fit;
use crate::interval::{TAIL, z};

/// Skewness below which an interval is symmetric: its ends would move by less than a fortieth of a
/// standard deviation.
const STRAIGHT: f64 = 0.05;
/// Distance of the points at which the density is computed, in standard deviations.
const STEP: f64 = 0.1;
/// Logarithm of the density, relative to its maximum, below which it is left out.
const NEGLIGIBLE: f64 = -14.0;
/// Maximum number of points to each side.
const MOST_POINTS: usize = 600;
/// Number of bisections by which an end is found.
const BISECTIONS: usize = 60;

/// Posterior of a fit with one τ.
pub(super) struct Posterior<'a> {
    fit: &'a Fit,
    covariance: &'a Covariance,
    /// Indexes of the cells of every bot.
    own: Vec<Vec<usize>>,
}

impl<'a> Posterior<'a> {
    pub(super) fn new(fit: &'a Fit, covariance: &'a Covariance) -> Self {
        let mut own = vec![Vec::new(); fit.strength.len()];
        for (place, cell) in fit.cells.iter().enumerate() {
            own[cell.one].push(place);
            own[cell.two].push(place);
        }
        Self { fit, covariance, own }
    }

    /// Interval of a bot.
    pub(super) fn ends(&self, bot: usize) -> Ends {
        let even = self.covariance.ends_of(bot);
        let error = self.covariance.of_bot(bot);
        let row = self.fit.columns.bots[bot].and_then(|column| self.covariance.row(column));
        let Some(row) = row.filter(|_| error > 0.0) else { return even };
        let Some(line) = self.line(bot, row, error) else { return even };
        let [below, above] = line.quantiles();
        Ends { below: below * error, above: above * error }
    }

    /// Line through the maximum on which this bot's strength changes by `error` per unit; `None` if
    /// the density along it is about normal.
    fn line(&self, bot: usize, row: &[f64], error: f64) -> Option<Line<'a>> {
        let fit = self.fit;
        let change = |column: Option<usize>| column.map_or(0.0, |column| row[column] / error);
        let advantage = change(fit.columns.advantage);
        let step = |&place: &usize| {
            let cell = fit.cells[place];
            let bots = change(fit.columns.bots[cell.one]) - change(fit.columns.bots[cell.two]);
            (cell, bots + advantage)
        };
        let cells = self.own[bot].iter().map(step);
        let skewness: f64 =
            cells.clone().map(|(cell, step)| step.powi(3) * fit.third_of(&cell)).sum();
        (skewness.abs() >= STRAIGHT).then(|| Line::new(fit, cells.collect()))
    }
}

/// Log-density along a line: 0 at its maximum, where its second derivative is -1.
struct Line<'a> {
    fit: &'a Fit,
    /// Cells that are computed exactly, with the change of their difference per unit.
    cells: Vec<(Cell, f64)>,
    /// Log-likelihood of these cells at the maximum.
    value: f64,
    /// Its first derivative.
    slope: f64,
    /// Its second derivative, with the opposite sign.
    curvature: f64,
}

impl<'a> Line<'a> {
    fn new(fit: &'a Fit, cells: Vec<(Cell, f64)>) -> Self {
        let mut line = Self { fit, value: 0.0, slope: 0.0, curvature: 0.0, cells };
        for (cell, step) in &line.cells {
            line.value += fit.value_of(cell, 0.0);
            line.slope += step * fit.slope_of(cell)[0];
            line.curvature += step * step * fit.curvature_of(cell)[0];
        }
        line.curvature = line.curvature.min(1.0);
        line
    }

    /// Logarithm of the density.
    fn height(&self, at: f64) -> f64 {
        let value = |(cell, step): &(Cell, f64)| self.fit.value_of(cell, at * step);
        let own: f64 = self.cells.iter().map(value).sum();
        own - self.value - self.slope * at - (1.0 - self.curvature) / 2.0 * at * at
    }

    /// Distances of the 2.5 and 97.5 % quantiles from the maximum.
    fn quantiles(&self) -> [f64; 2] {
        let side = |sign: f64| {
            let heights = (1..=MOST_POINTS).map(|point| self.height(sign * STEP * point as f64));
            let far = heights.take_while(|height| *height > NEGLIGIBLE);
            far.map(f64::exp).collect::<Vec<f64>>()
        };
        let [left, right] = [-1.0, 1.0].map(side);
        let from = -STEP * left.len() as f64;
        let all: Vec<_> = left.into_iter().rev().chain([1.0]).chain(right).collect();
        let at = |share: f64| from + STEP * quantile(&all, share);
        [(-at(TAIL)).max(0.0), at(1.0 - TAIL).max(0.0)]
    }
}

/// Position in a list of densities, in units of their distance, below which this share of the
/// integral lies (trapezoidal rule).
fn quantile(densities: &[f64], share: f64) -> f64 {
    let area = |two: &[f64]| f64::midpoint(two[0], two[1]);
    let wanted = share * densities.windows(2).map(area).sum::<f64>();
    let mut sum = 0.0;
    for (place, two) in densities.windows(2).enumerate() {
        let next = sum + area(two);
        if next >= wanted {
            return place as f64 + (wanted - sum) / (next - sum);
        }
        sum = next;
    }
    (densities.len() - 1) as f64
}

/// Distribution of one strength with a given τ: two halves of normal distributions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) weight: f64,
    /// Distance of its maximum from the estimate.
    pub(super) off: f64,
    pub(super) ends: Ends,
}

impl Part {
    /// Share below this distance from the estimate.
    fn below(&self, at: f64) -> f64 {
        let from = at - self.off;
        let half = if from < 0.0 { self.ends.below } else { self.ends.above };
        Normal::standard().cdf(from / half * z())
    }
}

/// Interval around an estimate from the distributions for several τ.
pub(super) fn mixed(parts: &[Part]) -> Ends {
    if let [only] = parts {
        return only.ends;
    }
    let total: f64 = parts.iter().map(|part| part.weight).sum();
    let share =
        |at: f64| parts.iter().map(|part| part.weight * part.below(at)).sum::<f64>() / total;
    let least = parts.iter().map(|part| part.off - 3.0 * part.ends.below).fold(0.0, f64::min);
    let most = parts.iter().map(|part| part.off + 3.0 * part.ends.above).fold(0.0, f64::max);
    let end = |wanted: f64| {
        let (mut low, mut high) = (least, most);
        for _ in 0..BISECTIONS {
            let middle = f64::midpoint(low, high);
            *(if share(middle) < wanted { &mut low } else { &mut high }) = middle;
        }
        f64::midpoint(low, high)
    };
    Ends { below: (-end(TAIL)).max(0.0), above: end(1.0 - TAIL).max(0.0) }
}
