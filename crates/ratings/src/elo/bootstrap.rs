//! Bootstrap confidence intervals over pairs.
//!
//! The independent unit is an observation: a pair with all its repetitions. Each gets a random
//! weight from the exponential distribution, and everything is fitted again (the weighted
//! likelihood bootstrap of Newton and Raftery 1994; the weights are those of Rubin's Bayesian
//! bootstrap, 1981). Unlike drawing with replacement, this keeps the schedule: no weight is 0, so
//! no bot loses an opponent or its only point.
//!
//! The interval is placed around the estimate as the quantiles of the new ratings around their
//! median. (Around the estimate itself they would be biased outward: a maximum of the likelihood
//! exaggerates slightly, and one fitted to such samples exaggerates twice.) The interval is then
//! widened by the quotient of two standard errors, both from the sandwich: the one with its
//! corrections for few observations ([`super::covariance`]), and the one without them, which is
//! that of the samples. With many observations the quotient is 1.

use std::sync::Arc;

use pitmaster_core::Seed;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::blocks::Blocks;
use super::cells::{Cell, results};
use super::covariance::{Covariance, Ends};
use super::fit::Fit;
use super::model::{Draws, Model};
use crate::Matches;
use crate::interval::TAIL;

/// Step length at which a climb ends, in natural units: a five-hundredth of a rating point.
const SHORTEST_STEP: f64 = 1e-5;

/// Ends of every bot's interval, as distances from its estimate.
pub(super) fn ends(
    fit: &Fit,
    blocks: &Blocks,
    matches: &Matches,
    model: &Model,
    covariance: &Covariance,
    (samples, seed): (u32, Seed),
) -> Vec<Ends> {
    let Some(root) = fit.root(blocks).map(Arc::new) else { return covariance.ends() };
    let urn = Urn::new(fit, blocks, matches, model);
    let stream = seed.stream("bootstrap");
    let sample = |number: u32| {
        let mut rng = stream.clone();
        rng.set_stream(u64::from(number));
        let mut again = fit.clone();
        again.cells = Arc::new(urn.draw(&mut rng));
        again.climb(blocks, Some(Arc::clone(&root)), SHORTEST_STEP);
        again.strength
    };
    let drawn: Vec<Vec<f64>> = (0..samples).into_par_iter().map(sample).collect();
    let raw = Covariance::raw(fit, matches, blocks);
    let of_bot = |bot: usize| {
        let wider = covariance.of_bot(bot) / raw.of_bot(bot);
        if !wider.is_finite() || samples == 0 {
            return covariance.ends_of(bot);
        }
        let mut all: Vec<f64> =
            drawn.iter().map(|strength| strength[bot] - fit.strength[bot]).collect();
        all.sort_unstable_by(f64::total_cmp);
        let middle = quantile(&all, 0.5);
        let below = middle - quantile(&all, TAIL);
        let above = quantile(&all, 1.0 - TAIL) - middle;
        Ends { below: below * wider, above: above * wider }
    };
    (0..blocks.of.len()).map(of_bot).collect()
}

/// Quantile of a sorted list, interpolated between two of its values by the share of `n + 1`
/// (Davison and Hinkley 1997, section 5.2).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = (share * (sorted.len() + 1) as f64 - 1.0).clamp(0.0, (sorted.len() - 1) as f64);
    let (below, part) = (place.floor() as usize, place.fract());
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] * (1.0 - part) + sorted[above] * part
}

/// Observations used by the fit.
struct Urn {
    cells: Arc<Vec<Cell>>,
    observations: Vec<Drawable>,
}

struct Drawable {
    /// Index of the first of its two cells.
    cell: usize,
    /// Wins, draws and losses of player 1 in both cells.
    results: [[f64; 3]; 2],
}

impl Urn {
    fn new(fit: &Fit, blocks: &Blocks, matches: &Matches, model: &Model) -> Self {
        let halves = matches!(model.draws, Draws::HalfWins { .. });
        let mut observations = Vec::with_capacity(matches.observations().len());
        let mut cell = 0;
        for observation in matches.observations() {
            let (a, b) = matches.bots_of(observation);
            let [first, second] = observation.by_side;
            let of_sides = [results(first, halves), results(second.turned(), halves)];
            let is_empty = of_sides.iter().flatten().all(|&count| count == 0.0);
            if blocks.of[a] != blocks.of[b] || is_empty {
                continue;
            }
            while (fit.cells[cell].one, fit.cells[cell].two) != (a, b) {
                cell += 2;
            }
            let times = f64::from(observation.times);
            let results = of_sides.map(|side| side.map(|count| count * times));
            observations.push(Drawable { cell, results });
        }
        Self { cells: Arc::clone(&fit.cells), observations }
    }

    /// Cells with new random weights of the observations.
    fn draw(&self, rng: &mut ChaCha8Rng) -> Vec<Cell> {
        let mut cells = self.cells.to_vec();
        for observation in &self.observations {
            let more = weight(rng) - 1.0;
            for (cell, [wins, draws, losses]) in
                cells[observation.cell..].iter_mut().zip(observation.results)
            {
                cell.wins += more * wins;
                cell.draws += more * draws;
                cell.losses += more * losses;
            }
        }
        cells
    }
}

/// Random weight from the exponential distribution.
fn weight(rng: &mut ChaCha8Rng) -> f64 {
    let unit = ((rng.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    -unit.ln()
}
