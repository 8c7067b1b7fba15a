//! Profile likelihood confidence intervals.
//!
//! The profile at a rating is the largest likelihood with that rating, all other parameters fitted
//! again. The interval is where twice the logarithm of its ratio to the maximum stays below 1.96²,
//! as for a likelihood ratio (Wilks 1938), after a correction of the scale for pairs and
//! repetitions: the drop is multiplied by the variance from the information of independent games
//! and divided by that of the sandwich (Chandler and Bate 2007, their vertical adjustment). A
//! rating is relative to the mean of its block, or absolute with an anchor.
//!
//! Both ends are found by Newton's method on the root of the drop, which is nearly straight,
//! while the other parameters follow (as in Venzon and Moolgavkar 1988, on another scale).

use rayon::prelude::*;

use super::blocks::Blocks;
use super::covariance::{Covariance, Ends};
use super::fit::Fit;
use super::matrix::{Cholesky, dot};

/// Maximum number of parameters for which the curvature is recomputed at every point. With more, it
/// changes little within an interval, and that of the maximum is used.
const FEW: usize = 100;
/// Maximum change of a following parameter per step, in natural units.
const LONGEST: f64 = 1.0;
const MOST_STEPS: usize = 60;
/// Relative precision of the root of the drop at which an end is accepted: the remaining error is
/// about its square.
const NEAR: f64 = 0.01;

/// Ends of every bot's interval, as distances from its estimate.
pub(super) fn ends(fit: &Fit, blocks: &Blocks, covariance: &Covariance) -> Vec<Ends> {
    let Some(root) = fit.root(blocks) else { return covariance.ends() };
    let best = fit.height();
    let of_bot = |bot: usize| {
        let even = covariance.ends_of(bot);
        let Some(direction) = direction(fit, blocks, bot).filter(|_| even.above < 1e6) else {
            return even;
        };
        let end = |sign: f64| {
            let direction: Vec<_> = direction.iter().map(|part| part * sign).collect();
            let moved = root.solve(direction.clone());
            let variance = dot(&direction, &moved);
            let wanted = even.above / variance.sqrt();
            let search = Search { blocks, root: &root, best, direction, wanted };
            search.end(fit.clone(), &moved, even.above / variance)
        };
        Ends { below: end(-1.0), above: end(1.0) }
    };
    (0..blocks.of.len()).into_par_iter().map(of_bot).collect()
}

/// Gradient of a bot's rating in the parameters; `None` if it is not estimated.
fn direction(fit: &Fit, blocks: &Blocks, bot: usize) -> Option<Vec<f64>> {
    let column = fit.columns.bots[bot]?;
    let mut direction = vec![0.0; fit.columns.count];
    let members = &blocks.members[blocks.of[bot]];
    if members.iter().all(|&member| !blocks.anchored[member]) {
        for column in members.iter().filter_map(|&member| fit.columns.bots[member]) {
            direction[column] = -1.0 / members.len() as f64;
        }
    }
    direction[column] += 1.0;
    Some(direction)
}

/// Search for one end.
struct Search<'a> {
    blocks: &'a Blocks,
    /// Root of the information at the maximum.
    root: &'a Cholesky,
    /// Log-likelihood of the maximum.
    best: f64,
    direction: Vec<f64>,
    /// Root of twice the drop at the end.
    wanted: f64,
}

impl Search<'_> {
    /// Distance of the end. The first step is `scale` times `moved`.
    fn end(&self, mut fit: Fit, moved: &[f64], scale: f64) -> f64 {
        let (mut far, mut within, mut beyond) = (0.0, 0.0_f64, f64::INFINITY);
        let mut step: Vec<f64> = moved.iter().map(|part| part * scale).collect();
        for _ in 0..MOST_STEPS {
            far += dot(&self.direction, &step);
            let parameters = fit.parameters();
            fit.set(&parameters.iter().zip(&step).map(|(x, dx)| x + dx).collect::<Vec<_>>());
            let Some(place) = self.look(&fit) else { break };
            let off = self.wanted - place.drop;
            let is_settled = place.left < NEAR * NEAR * self.wanted * self.wanted;
            if is_settled {
                *(if off > 0.0 { &mut within } else { &mut beyond }) = far;
            }
            let onward = (off * place.drop / place.slope).clamp(-far / 2.0, 2.0 * far);
            if is_settled && off.abs() < NEAR * self.wanted {
                return far + onward;
            }
            let mut next = far + onward;
            if next <= within || next >= beyond {
                next = if beyond.is_finite() { f64::midpoint(within, beyond) } else { 2.0 * far };
            }
            step = place.step(next - far);
        }
        far
    }

    /// Evaluates the likelihood at a point of the search.
    fn look(&self, fit: &Fit) -> Option<Place> {
        let slope = fit.slope();
        let fresh = (self.direction.len() <= FEW).then(|| fit.root(self.blocks));
        let root = match &fresh {
            Some(root) => root.as_ref()?,
            None => self.root,
        };
        let uphill = root.solve(slope.clone());
        let along = root.solve(self.direction.clone());
        let variance = dot(&self.direction, &along);
        let pull = dot(&self.direction, &uphill) / variance;
        let left = (dot(&slope, &uphill) - pull * pull * variance).max(0.0);
        let drop = (2.0 * (self.best - fit.height()) - left).max(0.0).sqrt();
        let follow: Vec<_> =
            uphill.iter().zip(&along).map(|(up, along)| up - pull * along).collect();
        let along = along.into_iter().map(|part| part / variance).collect();
        (pull < 0.0 && drop > 0.0).then_some(Place { drop, slope: -pull, left, follow, along })
    }
}

/// Point of the search.
struct Place {
    /// Root of twice the drop of the profile, as far as it can be predicted.
    drop: f64,
    /// Slope of the profile.
    slope: f64,
    /// Twice the gain that the other parameters can still make.
    left: f64,
    /// Step of the other parameters that achieves it.
    follow: Vec<f64>,
    /// Change of all parameters with the rating.
    along: Vec<f64>,
}

impl Place {
    /// Step in which the other parameters follow and the rating moves by this much.
    fn step(&self, by: f64) -> Vec<f64> {
        let longest = self.follow.iter().fold(0.0, |longest: f64, part| longest.max(part.abs()));
        let scale = (LONGEST / longest).min(1.0);
        self.follow.iter().zip(&self.along).map(|(f, a)| scale * f + by * a).collect()
    }
}
