//! Parameters of a fit in vectors and matrices.

use arrayvec::ArrayVec;

use super::blocks::Blocks;
use super::link::Curvature;
use super::matrix::Matrix;

/// Index of each parameter in vectors and matrices; `None`: it is given.
#[derive(Debug, Clone)]
pub(super) struct Columns {
    pub(super) bots: Vec<Option<usize>>,
    pub(super) advantage: Option<usize>,
    pub(super) draws: Option<usize>,
    pub(super) count: usize,
}

impl Columns {
    pub(super) fn new(blocks: &Blocks, advantage: bool, draws: bool) -> Self {
        let mut count = 0;
        let mut next = |free: bool| {
            count += usize::from(free);
            free.then(|| count - 1)
        };
        let is_free =
            |bot: usize| blocks.members[blocks.of[bot]].len() > 1 && !blocks.anchored[bot];
        let bots = (0..blocks.of.len()).map(|bot| next(is_free(bot))).collect();
        let (advantage, draws) = (next(advantage), next(draws));
        Self { bots, advantage, draws, count }
    }

    /// Vector of the parameters in order, from the values of all bots, the advantage and the draws.
    pub(super) fn gather(&self, bots: &[f64], advantage: f64, draws: f64) -> Vec<f64> {
        let estimated = self.bots.iter().zip(bots).filter(|(column, _)| column.is_some());
        let mut all: Vec<f64> = estimated.map(|(_, &value)| value).collect();
        all.extend(self.advantage.map(|_| advantage));
        all.extend(self.draws.map(|_| draws));
        all
    }

    /// Values for the lower bot, the higher bot, the advantage and the draws, in the order of the
    /// parameters, without given ones.
    pub(super) fn of_meeting(
        &self,
        (lower, higher): (usize, usize),
        values: [f64; 4],
    ) -> ArrayVec<(usize, f64), 4> {
        let places = [self.bots[lower], self.bots[higher], self.advantage, self.draws];
        let pairs = places.into_iter().zip(values);
        pairs.filter_map(|(place, value)| Some((place?, value))).collect()
    }
}

/// Sums of the curvature of games, by the parameters.
#[derive(Debug)]
pub(super) struct CurvatureSums<'a> {
    columns: &'a Columns,
    /// The upper triangle; between bots only.
    matrix: Matrix,
    /// For every bot: with itself, with the advantage, with the draws.
    of_bots: Vec<[f64; 3]>,
    /// By the difference twice, by the difference and the draws, by the draws twice.
    of_all: Curvature,
}

impl<'a> CurvatureSums<'a> {
    pub(super) fn new(columns: &'a Columns) -> Self {
        Self {
            columns,
            matrix: Matrix::zero(columns.count),
            of_bots: vec![[0.0; 3]; columns.bots.len()],
            of_all: [0.0; 3],
        }
    }

    /// Adds games of two bots, the first of them as player 1.
    pub(super) fn add(&mut self, (one, two): (usize, usize), [by_x, mixed, by_draws]: Curvature) {
        for (bot, sign) in [(one, 1.0), (two, -1.0)] {
            let [own, advantage, draws] = &mut self.of_bots[bot];
            *own += by_x;
            *advantage += sign * by_x;
            *draws += sign * mixed;
        }
        for (sum, part) in self.of_all.iter_mut().zip([by_x, mixed, by_draws]) {
            *sum += part;
        }
        if let (Some(i), Some(j)) = (self.columns.bots[one], self.columns.bots[two]) {
            *self.matrix.at(i.min(j), i.max(j)) -= by_x;
        }
    }

    /// Upper triangle of all sums.
    pub(super) fn matrix(mut self) -> Matrix {
        let Columns { bots, advantage, draws, .. } = self.columns;
        let all = [*advantage, *draws];
        let [by_x, mixed, by_draws] = self.of_all;
        let mut put = |i: Option<usize>, j: Option<usize>, value: f64| {
            if let (Some(i), Some(j)) = (i, j) {
                *self.matrix.at(i, j) += value;
            }
        };
        for (&bot, &[own, with_advantage, with_draws]) in bots.iter().zip(&self.of_bots) {
            put(bot, bot, own);
            put(bot, all[0], with_advantage);
            put(bot, all[1], with_draws);
        }
        put(all[0], all[0], by_x);
        put(all[0], all[1], mixed);
        put(all[1], all[1], by_draws);
        self.matrix
    }
}
