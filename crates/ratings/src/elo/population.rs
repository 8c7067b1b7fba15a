//! Random effects: the strengths of a group are drawn from a normal distribution, whose standard
//! deviation is estimated from the same games.
//!
//! For a given standard deviation τ the fit is the maximum of the likelihood times the density of
//! the strengths. The marginal likelihood of τ is that product integrated over all strengths, by
//! Laplace's approximation (Tierney and Kadane 1986), times a wide prior on ln τ, which matters
//! only for few games. The estimates are those of the best τ, made [`WIDER`]; the intervals are
//! averaged over several, because one or two dozen bots leave τ uncertain by a quarter.
//!
//! The center of a group without an anchor is a convention. That of an anchored group is
//! integrated out with a flat prior, so that the density depends on the distances from the mean of
//! the group alone; its anchors are members like others.
//!
//! A player that is tied to an older one is not drawn from the population but from a normal
//! distribution around the older one, whose standard deviation is given.
//!
//! Two games of a pair share their opening and are not independent. The likelihood is divided by
//! the ratio of the observed variance of pairs to that of independent games (a quasi-likelihood,
//! Wedderburn 1974), which is estimated from all pairs together. Repeated games count once.

use std::sync::Arc;

use super::blocks::Blocks;
use super::cells::{Cell, results};
use super::columns::Columns;
use super::fit::Fit;
use super::matrix::{Cholesky, Matrix};
use super::model::{Model, Tie};
use crate::Matches;

/// Median of the prior on τ, in rating points, and standard deviation of ln τ.
const USUAL_SPREAD: f64 = 250.0;
const SPREAD_WITHIN: f64 = 0.5;
/// Range of τ, in natural units.
const SPREADS: [f64; 2] = [0.01, 50.0];
/// Change of ln τ at which the search for the best one ends.
const NEAR: f64 = 0.03;
/// Maximum change of ln τ in one step of the search.
const LONGEST: f64 = 1.0;
const MOST_STEPS: usize = 20;
/// Factor of every τ in the fits. Populations of bots are not normal: they have groups and
/// outliers, and a normal distribution of the same width shrinks the distances between groups. A
/// wider one shrinks less. Found by `calibration::intervals_with_random_effects_hold`: with 1, the
/// intervals of two groups in a Swiss tournament contain the truth in 80 % instead of 91 %, and
/// with 1.6 all are wider than needed.
const WIDER: f64 = 1.4;
/// Distance of the points of the search in ln τ.
const APART: [f64; 2] = [0.1, 0.4];
/// Values of ln τ over which intervals are averaged, in standard errors from the best.
const NODES: [f64; 5] = [-2.0, -1.0, 0.0, 1.0, 2.0];
/// Number of parameters up to which the best τ is searched by the marginal likelihood, and
/// intervals are averaged. That many bots determine τ well.
const FEW: usize = 300;
/// Step lengths at which a climb ends: within the search, and for the result.
const ROUGH: f64 = 1e-5;
const FINE: f64 = 1e-10;
/// Weight of the assumption that the games of a pair are independent, in pairs.
const LEAN: f64 = 10.0;
/// Range of the ratio of variances. Two games of a pair that always have the same winner give 2.
/// Openings that decide pairs would make it small, but only pairs of bots that are about equal.
const RATIOS: [f64; 2] = [0.9, 2.0];
/// Maximum factor that corrects the ratio for the parameters that were fitted.
const MOST_CORRECTION: f64 = 2.0;

/// Distribution from which the strengths are drawn.
#[derive(Debug, Clone)]
pub(super) struct Population {
    crowds: Arc<Vec<Crowd>>,
    /// Reciprocal of its variance.
    precision: f64,
    bonds: Arc<Vec<Bond>>,
}

/// Tie in natural units.
#[derive(Debug, Clone, Copy)]
struct Bond {
    older: usize,
    newer: usize,
    /// Reciprocal of the variance of the difference.
    precision: f64,
}

impl Bond {
    /// Ties between players that can be compared with others.
    fn all(blocks: &Blocks, model: &Model) -> Vec<Self> {
        let bond = |tie: &Tie| {
            let [older, newer] = [tie.older, tie.newer].map(|bot| bot as usize);
            let precision = (tie.within / model.scale).powi(-2);
            (blocks.of[older] == blocks.of[newer]).then_some(Self { older, newer, precision })
        };
        model.ties.iter().filter_map(bond).collect()
    }

    fn difference(&self, strength: &[f64]) -> f64 {
        strength[self.newer] - strength[self.older]
    }
}

/// Bots of one group that are drawn from the population.
#[derive(Debug)]
struct Crowd {
    members: Vec<usize>,
    /// Whether ratings are absolute. Otherwise their mean is 0.
    is_anchored: bool,
}

impl Crowd {
    /// Number of independent distances from the center.
    fn dimensions(&self) -> usize {
        self.members.len() - usize::from(self.is_anchored)
    }

    /// Sum of the squares of the distances from the center.
    fn squares(&self, strength: &[f64]) -> f64 {
        let mean = self.mean(strength);
        self.members.iter().map(|&bot| (strength[bot] - mean).powi(2)).sum()
    }

    fn mean(&self, strength: &[f64]) -> f64 {
        if !self.is_anchored {
            return 0.0;
        }
        self.members.iter().map(|&bot| strength[bot]).sum::<f64>() / self.members.len() as f64
    }
}

impl Population {
    /// Logarithm of the density, up to a constant.
    pub(super) fn height(&self, strength: &[f64]) -> f64 {
        let drawn = -self.precision / 2.0 * squares(&self.crowds, strength);
        let bonds = self.bonds.iter();
        let tied = bonds.map(|bond| -bond.precision / 2.0 * bond.difference(strength).powi(2));
        drawn + tied.sum::<f64>()
    }

    /// Adds the gradient by the strengths of all bots.
    pub(super) fn add_slope(&self, strength: &[f64], slope: &mut [f64]) {
        for crowd in self.crowds.iter() {
            let mean = crowd.mean(strength);
            for &bot in &crowd.members {
                slope[bot] -= self.precision * (strength[bot] - mean);
            }
        }
        for bond in self.bonds.iter() {
            let pull = bond.precision * bond.difference(strength);
            slope[bond.newer] -= pull;
            slope[bond.older] += pull;
        }
    }

    /// Adds the curvature to the upper triangle. In a group without an anchor it also fixes the
    /// mean, which the games do not determine.
    pub(super) fn add_curvature(&self, columns: &Columns, to: &mut Matrix) {
        for crowd in self.crowds.iter() {
            let free = crowd.members.iter().filter_map(|&bot| columns.bots[bot]);
            let all: Vec<_> = free.map(|column| (column, 1.0)).collect();
            for &(column, _) in &all {
                *to.at(column, column) += self.precision;
            }
            if crowd.is_anchored {
                to.add_outer(&all, -self.precision / crowd.members.len() as f64);
            }
        }
        for bond in self.bonds.iter() {
            let ends = [(bond.older, -1.0), (bond.newer, 1.0)];
            let free = ends.into_iter().filter_map(|(bot, sign)| Some((columns.bots[bot]?, sign)));
            let mut free: Vec<_> = free.collect();
            free.sort_unstable_by_key(|(column, _)| *column);
            to.add_outer(&free, bond.precision);
        }
    }
}

fn squares(crowds: &[Crowd], strength: &[f64]) -> f64 {
    crowds.iter().map(|crowd| crowd.squares(strength)).sum()
}

/// Fits with posteriors, one for each τ.
#[derive(Debug)]
pub(super) struct Posteriors {
    /// The best τ first.
    pub(super) nodes: Vec<Node>,
    /// Ratio by which the likelihood of the games was divided.
    pub(super) strength_ratio: f64,
    /// Ratio of the variance of the first-move advantage to that of the likelihood.
    pub(super) advantage_ratio: f64,
}

/// Fit with a given τ.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) fit: Fit,
    /// Root of the information at the maximum; `None` after a numerical failure.
    pub(super) root: Option<Arc<Cholesky>>,
    /// Marginal likelihood, relative to that of the best τ.
    pub(super) weight: f64,
}

impl Posteriors {
    /// Fits of games between bots of a group, with an estimated population.
    pub(super) fn of_population(
        cells: Vec<Cell>,
        blocks: &Blocks,
        matches: &Matches,
        model: &Model,
    ) -> Self {
        let mut search = Search::new(Fit::start(cells, blocks, model), blocks, model);
        let rough = search.rough(search.usual);
        let ratios = Ratios::new(&search, matches, rough);
        search.fit.temper(ratios.strength);
        let rough = search.rough(rough);
        let nodes = if search.fit.columns.count > FEW {
            vec![search.node(rough, 1.0)]
        } else {
            let place = search.climb(rough);
            search.nodes(place)
        };
        let Ratios { strength, advantage } = ratios;
        Self { nodes, strength_ratio: strength, advantage_ratio: advantage / strength }
    }

    /// The only fit of games that include virtual ones, which bound every rating.
    pub(super) fn of_virtual_games(cells: Vec<Cell>, blocks: &Blocks, model: &Model) -> Self {
        let mut fit = Fit::start(cells, blocks, model);
        fit.climb(blocks, None, FINE);
        let root = fit.root(blocks).map(Arc::new);
        let nodes = vec![Node { fit, root, weight: 1.0 }];
        Self { nodes, strength_ratio: 1.0, advantage_ratio: 1.0 }
    }

    /// Fit with the best τ.
    pub(super) fn into_best(self) -> Node {
        self.nodes.into_iter().next().expect("the best τ")
    }
}

/// Search for the τ of the largest marginal likelihood.
struct Search<'a> {
    fit: Fit,
    blocks: &'a Blocks,
    crowds: Arc<Vec<Crowd>>,
    bonds: Arc<Vec<Bond>>,
    /// Number of independent distances of strengths from the centers.
    dimensions: f64,
    /// Median of the prior on ln τ.
    usual: f64,
    /// Root of the information at a τ nearby.
    root: Option<Arc<Cholesky>>,
}

/// Result of the search.
#[derive(Debug, Clone, Copy)]
struct BestSpread {
    log_spread: f64,
    /// Standard error of ln τ.
    error: f64,
}

impl<'a> Search<'a> {
    fn new(fit: Fit, blocks: &'a Blocks, model: &Model) -> Self {
        let bonds = Bond::all(blocks, model);
        let mut is_tied = vec![false; blocks.of.len()];
        for bond in &bonds {
            is_tied[bond.newer] = !blocks.anchored[bond.newer];
        }
        let crowd = |members: &Vec<usize>| Crowd {
            is_anchored: members.iter().any(|&bot| blocks.anchored[bot]),
            members: members.iter().copied().filter(|&bot| !is_tied[bot]).collect(),
        };
        let crowds: Vec<_> =
            blocks.members.iter().filter(|members| members.len() > 1).map(crowd).collect();
        let dimensions = crowds.iter().map(Crowd::dimensions).sum::<usize>() as f64;
        let usual = (USUAL_SPREAD / model.scale).ln();
        let (crowds, bonds) = (Arc::new(crowds), Arc::new(bonds));
        Self { fit, blocks, crowds, bonds, dimensions, usual, root: None }
    }

    /// Approximate best ln τ from the squares of the strengths and their variances (Dempster, Laird
    /// and Rubin 1977). The variances use only the diagonal of the information, which is accurate
    /// if bots have many opponents.
    fn rough(&mut self, start: f64) -> f64 {
        let mut log_spread = start;
        for _ in 0..MOST_STEPS {
            self.climb_at(log_spread, ROUGH);
            let precision = precision(log_spread);
            let drawn = self.diagonal().into_iter().filter(|(_, tied)| tied.is_none());
            let variances = drawn.map(|(own, _)| (own + precision).recip()).sum::<f64>();
            let squares = squares(&self.crowds, &self.fit.strength);
            let next = ((squares + variances) / self.dimensions.max(1.0)).ln() / 2.0;
            let next = next.clamp(SPREADS[0].ln(), SPREADS[1].ln());
            let moved = (next - log_spread).abs();
            log_spread = next;
            if moved < NEAR {
                break;
            }
        }
        log_spread
    }

    /// Newton's method on the marginal likelihood, with differences of three points.
    fn climb(&mut self, start: f64) -> BestSpread {
        let [least, most] = SPREADS.map(f64::ln);
        let mut place = BestSpread { log_spread: start, error: SPREAD_WITHIN };
        let mut apart = APART[1];
        for _ in 0..MOST_STEPS {
            let at = place.log_spread;
            let points = [at - apart, at, at + apart];
            let [below, here, above] = points.map(|point| self.height(point));
            let slope = (above - below) / (2.0 * apart);
            let bend = (below - 2.0 * here + above) / (apart * apart);
            let step = if bend < 0.0 { -slope / bend } else { slope.signum() * LONGEST };
            place.log_spread = (at + step.clamp(-LONGEST, LONGEST)).clamp(least, most);
            if bend < 0.0 {
                place.error = (-bend).sqrt().recip().min(SPREAD_WITHIN);
            }
            let moved = (place.log_spread - at).abs();
            if moved < NEAR {
                break;
            }
            apart = moved.clamp(APART[0], APART[1]);
        }
        place
    }

    /// Marginal likelihood with the prior on ln τ, as a logarithm and up to a constant.
    fn height(&mut self, log_spread: f64) -> f64 {
        self.climb_at(log_spread, ROUGH);
        self.root = self.fit.root(self.blocks).map(Arc::new);
        let log_determinant = self.root.as_ref().map_or(0.0, |root| root.log_determinant());
        let off = (log_spread - self.usual) / SPREAD_WITHIN;
        self.fit.height() - self.dimensions * log_spread - log_determinant / 2.0 - off * off / 2.0
    }

    fn population(&self, precision: f64) -> Population {
        let (crowds, bonds) = (Arc::clone(&self.crowds), Arc::clone(&self.bonds));
        Population { crowds, precision, bonds }
    }

    /// Climbs to the maximum with this τ. The next climb reuses the last root.
    fn climb_at(&mut self, log_spread: f64, shortest: f64) {
        let population = self.population(precision(log_spread));
        self.root = self.fit.climb_in(self.blocks, population, self.root.take(), shortest);
    }

    /// Information of the games about every strength that is estimated, and the precision of its tie
    /// to an older player.
    fn diagonal(&self) -> Vec<(f64, Option<f64>)> {
        let mut tied = vec![None; self.fit.strength.len()];
        for bond in self.bonds.iter() {
            tied[bond.newer] = Some(bond.precision);
        }
        let mut own = vec![0.0; self.fit.strength.len()];
        for cell in self.fit.cells.iter() {
            let [by_x, ..] = self.fit.curvature_of(cell);
            own[cell.one] += by_x;
            own[cell.two] += by_x;
        }
        let columns = self.fit.columns.bots.iter().zip(own.into_iter().zip(tied));
        columns.filter_map(|(column, known)| column.map(|_| known)).collect()
    }

    /// Fits around the best τ.
    fn nodes(&mut self, place: BestSpread) -> Vec<Node> {
        let best = self.height(place.log_spread);
        let mut nodes = vec![self.node(place.log_spread, 1.0)];
        for off in NODES.into_iter().filter(|off| *off != 0.0) {
            let log_spread = place.log_spread + off * place.error;
            let weight = (self.height(log_spread) - best).exp();
            nodes.push(self.node(log_spread, weight));
        }
        nodes
    }

    /// Fit with this τ. The root of the last steps is also that of the posterior, because the
    /// remaining step is less than [`ROUGH`].
    fn node(&mut self, log_spread: f64, weight: f64) -> Node {
        let log_spread = log_spread + WIDER.ln();
        self.climb_at(log_spread, ROUGH);
        self.root = self.fit.root(self.blocks).map(Arc::new);
        self.climb_at(log_spread, FINE);
        Node { fit: self.fit.clone(), root: self.root.clone(), weight }
    }
}

fn precision(log_spread: f64) -> f64 {
    (-2.0 * log_spread).exp()
}

/// Ratios of the observed variances of pairs to those of independent games.
struct Ratios {
    strength: f64,
    advantage: f64,
}

impl Ratios {
    fn new(search: &Search<'_>, matches: &Matches, log_spread: f64) -> Self {
        let (fit, blocks) = (&search.fit, search.blocks);
        let (mut pairs, mut expected, mut seen) = (0.0, 0.0, [0.0; 2]);
        for observation in matches.observations() {
            let (a, b) = matches.bots_of(observation);
            let is_pair =
                observation.by_side.iter().all(|side| side.games() == 1 && side.both_lost == 0);
            if blocks.of[a] != blocks.of[b] || !is_pair {
                continue;
            }
            let [first, second] = observation.by_side;
            let chances = [fit.chances(a, b), fit.chances(b, a)];
            let [one, _] = chances[0].surplus(results(first, false));
            let [two, _] = chances[1].surplus(results(second.turned(), false));
            let times = f64::from(observation.distinct);
            let information = chances.iter().map(|chances| chances.information(1.0)[0]);
            pairs += times;
            expected += times * information.sum::<f64>();
            seen[0] += times * (one - two).powi(2);
            seen[1] += times * (one + two).powi(2);
        }
        if expected <= 0.0 {
            return Self { strength: 1.0, advantage: 1.0 };
        }
        let precision = precision(log_spread);
        let share = |(own, tied): (f64, Option<f64>)| own / (own + tied.unwrap_or(precision));
        let fitted: f64 = search.diagonal().into_iter().map(share).sum();
        let left = (pairs - fitted).max(pairs / MOST_CORRECTION);
        let lean = LEAN * expected / pairs;
        let [strength, advantage] = [seen[0] * pairs / left, seen[1]]
            .map(|seen| ((seen + lean) / (expected + lean)).clamp(RATIOS[0], RATIOS[1]));
        Self { strength, advantage }
    }
}
