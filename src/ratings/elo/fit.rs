//! The maximum of the likelihood, by Newton's method.

use arrayvec::ArrayVec;

use super::blocks::Blocks;
use super::matrix::{Cholesky, Matrix};
use super::model::{Chances, Curve, Draws, FirstMove, Model, log_chances, logistic_draws};
use crate::ratings::{Match, Matches, Tally};

/// The standard deviation of the prior on ln ν: it only matters where every game was drawn.
const WEAK: f64 = 11.5;
/// No step changes a strength by more, in natural units.
const LONGEST_STEP: f64 = 10.0;
/// A step this short, in natural units, ends the climb: what is left after one of Newton's
/// steps is about its square.
const SHORTEST_STEP: f64 = 1e-7;
/// The most steps of a climb; six to ten are usual.
const MOST_STEPS: usize = 200;
/// Tried one after the other until a step leads upwards (Levenberg and Marquardt).
const DAMPINGS: [f64; 8] = [0.0, 1e-8, 1e-5, 1e-3, 1e-1, 1e1, 1e4, 1e8];

/// The games of two bots with the same one as player 1, from its point of view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cell {
    pub(super) one: usize,
    pub(super) two: usize,
    pub(super) wins: f64,
    pub(super) draws: f64,
    pub(super) losses: f64,
}

impl Cell {
    /// Two for every two bots, with the model's prior.
    pub(super) fn all(matches: &Matches, model: &Model) -> Vec<Self> {
        let mut games: Vec<f64> = Vec::new();
        for each in matches.iter() {
            games.resize(games.len().max(each.higher as usize + 1), 0.0);
            for bot in [each.lower, each.higher] {
                games[bot as usize] += comparing(&each.tally());
            }
        }
        let share = |each: &Match| {
            let inverse = 1.0 / games[each.lower as usize] + 1.0 / games[each.higher as usize];
            model.prior.max(0.0) / 2.0 * comparing(&each.tally()) * inverse
        };
        let compared = matches.iter().filter(|each| comparing(&each.tally()) > 0.0);
        compared.flat_map(|each| Self::both(each, share(each) / 4.0)).collect()
    }

    fn both(each: &Match, virtual_games: f64) -> [Self; 2] {
        let (lower, higher) = (each.lower as usize, each.higher as usize);
        let turned = each.by_side[1].turned();
        [(lower, higher, each.by_side[0]), (higher, lower, turned)].map(|(one, two, tally)| Self {
            one,
            two,
            wins: f64::from(tally.wins) + virtual_games,
            draws: f64::from(tally.draws),
            losses: f64::from(tally.losses) + virtual_games,
        })
    }

    fn games(&self) -> f64 {
        self.wins + self.draws + self.losses
    }

    /// The same with every draw as half a win and half a loss.
    fn halved(self) -> Self {
        let half = self.draws / 2.0;
        Self { wins: self.wins + half, draws: 0.0, losses: self.losses + half, ..self }
    }
}

/// How many games of a tally compare the two bots.
fn comparing(tally: &Tally) -> f64 {
    f64::from(tally.games() - tally.both_lost)
}

/// Where each parameter stands in vectors and matrices; `None`: it is given.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) bots: Vec<Option<usize>>,
    pub(super) advantage: Option<usize>,
    pub(super) draws: Option<usize>,
    pub(super) count: usize,
}

impl Columns {
    fn new(blocks: &Blocks, advantage: bool, draws: bool) -> Self {
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

    /// How the difference between the two sides depends on the parameters.
    fn difference(&self, one: usize, two: usize) -> ArrayVec<(usize, f64), 3> {
        let parts = [(self.bots[one], 1.0), (self.bots[two], -1.0), (self.advantage, 1.0)];
        parts.into_iter().filter_map(|(column, sign)| Some((column?, sign))).collect()
    }

    /// What so many games tell of the parameters (Fisher's information).
    pub(super) fn add_information(
        &self,
        to: &mut Matrix,
        (one, two): (usize, usize),
        chances: Chances,
        games: f64,
    ) {
        let difference = self.difference(one, two);
        let mean = (chances.win - chances.loss) / 2.0;
        let variance = (chances.win + chances.loss) / 4.0 - mean * mean;
        to.add_outer(&difference, games * variance.max(0.0));
        let Some(draws) = self.draws else { return };
        *to.at(draws, draws) += games * chances.draw * (1.0 - chances.draw);
        for (column, sign) in difference {
            let shared = -games * sign * mean * chances.draw;
            *to.at(column, draws) += shared;
            *to.at(draws, column) += shared;
        }
    }

    /// Adds what a game's result exceeds its expectation by: `score` in half points of
    /// player 1 over player 2, `draw` in draws.
    pub(super) fn add_score(
        &self,
        to: &mut [f64],
        (one, two): (usize, usize),
        score: f64,
        draw: f64,
    ) {
        for (column, sign) in self.difference(one, two) {
            to[column] += sign * score;
        }
        if let Some(column) = self.draws {
            to[column] += draw;
        }
    }
}

/// The fit: every block for itself, with an advantage and a rate of draws for all.
#[derive(Debug)]
pub(super) struct Fit {
    /// In natural units. The mean of a block is 0 unless it is anchored.
    pub(super) strength: Vec<f64>,
    /// What player 1 is stronger by.
    pub(super) advantage: f64,
    /// ln ν; negative infinity where no draws are expected.
    draws: f64,
    pub(super) columns: Columns,
    /// Columns with a normal prior around 0, and its standard deviation.
    priors: Vec<(usize, f64)>,
    /// Games between bots of one block, as the model sees them.
    cells: Vec<Cell>,
}

impl Fit {
    pub(super) fn new(cells: &[Cell], blocks: &Blocks, model: &Model) -> Self {
        let inner = cells.iter().filter(|cell| blocks.of[cell.one] == blocks.of[cell.two]);
        let halves = matches!(model.draws, Draws::HalfWins { .. });
        let inner: Vec<_> = inner.map(|cell| if halves { cell.halved() } else { *cell }).collect();
        let (advantage, within) = match model.first_move {
            FirstMove::Given(elo) => (elo / model.scale, None),
            FirstMove::Estimated { within } => (0.0, Some(within / model.scale)),
        };
        let drawn = inner.iter().any(|cell| cell.draws > 0.0);
        let columns = Columns::new(blocks, within.is_some(), drawn);
        let priors = [columns.advantage.zip(within), columns.draws.map(|draws| (draws, WEAK))];
        let mut fit = Self {
            strength: start(blocks, model),
            advantage,
            draws: if drawn { 0.0 } else { f64::NEG_INFINITY },
            columns,
            priors: priors.into_iter().flatten().collect(),
            cells: inner,
        };
        fit.climb(blocks);
        fit
    }

    /// The chances of the three results, for player 1.
    pub(super) fn chances(&self, one: usize, two: usize) -> Chances {
        Chances::new(self.difference(one, two), self.draws)
    }

    /// The slope of the log-likelihood, and its curvature: Fisher's information, with the
    /// mean of every block that is not anchored held fast.
    fn derivatives(&self, blocks: &Blocks) -> (Vec<f64>, Matrix) {
        let mut slope = vec![0.0; self.columns.count];
        let mut information = Matrix::zero(self.columns.count);
        for cell in &self.cells {
            let (bots, games) = ((cell.one, cell.two), cell.games());
            let chances = self.chances(cell.one, cell.two);
            let expected = games * (chances.win - chances.loss) / 2.0;
            let score = (cell.wins - cell.losses) / 2.0 - expected;
            let draw = cell.draws - games * chances.draw;
            self.columns.add_score(&mut slope, bots, score, draw);
            self.columns.add_information(&mut information, bots, chances, games);
        }
        let parameters = self.parameters();
        for &(column, within) in &self.priors {
            slope[column] -= parameters[column] / (within * within);
            *information.at(column, column) += within.powi(-2);
        }
        self.hold_means(&mut information, blocks);
        (slope, information)
    }

    /// The likelihood does not change when a whole block is moved; a penalty on its mean,
    /// which is 0 anyway, makes the matrix invertible and changes no estimate.
    fn hold_means(&self, information: &mut Matrix, blocks: &Blocks) {
        let weight = (information.trace() / self.columns.count as f64).max(1e-9);
        for members in blocks.members.iter().filter(|members| members.len() > 1) {
            let columns: Vec<_> =
                members.iter().filter_map(|&bot| Some((self.columns.bots[bot]?, 1.0))).collect();
            if columns.len() == members.len() {
                information.add_outer(&columns, weight / members.len() as f64);
            }
        }
    }

    /// The root of the information, with as little damping as it takes.
    pub(super) fn root(&self, blocks: &Blocks) -> Option<Cholesky> {
        let (_, information) = self.derivatives(blocks);
        DAMPINGS[..3].iter().find_map(|&damping| information.damped(damping).cholesky())
    }

    /// The curve by which perfect scores are bounded.
    pub(super) fn curve_for_bounds(&self, cells: &[Cell], blocks: &Blocks, model: &Model) -> Curve {
        match model.draws {
            Draws::Davidson => Curve::Davidson(self.draws),
            Draws::HalfWins { between_equals: Some(rate) } => {
                Curve::Logistic(rate.clamp(0.0, 0.99))
            }
            Draws::HalfWins { between_equals: None } => {
                let inner = cells.iter().filter(|cell| blocks.of[cell.one] == blocks.of[cell.two]);
                Curve::Logistic(self.rate_of_draws(&inner.collect::<Vec<_>>()))
            }
        }
    }

    /// The rate between equals at which as many draws are expected as there were.
    fn rate_of_draws(&self, cells: &[&Cell]) -> f64 {
        let seen: f64 = cells.iter().map(|cell| cell.draws).sum();
        let expected = |rate: f64| -> f64 {
            let of = |cell: &&Cell| {
                cell.games() * logistic_draws(self.difference(cell.one, cell.two), rate)
            };
            cells.iter().map(of).sum()
        };
        let (mut low, mut high) = (0.0, 0.99);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            *(if expected(middle) < seen { &mut low } else { &mut high }) = middle;
        }
        low
    }

    fn difference(&self, one: usize, two: usize) -> f64 {
        self.strength[one] - self.strength[two] + self.advantage
    }

    fn climb(&mut self, blocks: &Blocks) {
        let mut height = self.log_likelihood();
        for _ in 0..MOST_STEPS {
            let before = self.parameters();
            let Some(length) = self.step(height, blocks, &before) else { return };
            height = self.log_likelihood();
            if length < SHORTEST_STEP {
                return;
            }
        }
    }

    /// One step upwards; how long it was, endless if damped. `None` if none leads upwards.
    fn step(&mut self, height: f64, blocks: &Blocks, before: &[f64]) -> Option<f64> {
        let (slope, information) = self.derivatives(blocks);
        for (tried, damping) in DAMPINGS.into_iter().enumerate() {
            let Some(root) = information.damped(damping).cholesky() else { continue };
            let step = root.solve(slope.iter().map(|&part| [part]).collect());
            let length = step.iter().fold(0.0, |longest: f64, [part]| longest.max(part.abs()));
            let scale = (LONGEST_STEP / length).min(1.0);
            let after: Vec<_> = before.iter().zip(&step).map(|(x, [dx])| x + scale * dx).collect();
            self.set(&after);
            if self.log_likelihood() >= height - 1e-12 * height.abs() {
                return Some(if tried == 0 { length } else { f64::INFINITY });
            }
        }
        self.set(before);
        None
    }

    fn parameters(&self) -> Vec<f64> {
        let mut all = vec![0.0; self.columns.count];
        for (column, strength) in self.columns.bots.iter().zip(&self.strength) {
            if let Some(column) = column {
                all[*column] = *strength;
            }
        }
        let others = [(self.columns.advantage, self.advantage), (self.columns.draws, self.draws)];
        for (column, value) in others {
            if let Some(column) = column {
                all[column] = value;
            }
        }
        all
    }

    fn set(&mut self, all: &[f64]) {
        for (column, strength) in self.columns.bots.iter().zip(&mut self.strength) {
            if let Some(column) = column {
                *strength = all[*column];
            }
        }
        if let Some(column) = self.columns.advantage {
            self.advantage = all[column];
        }
        if let Some(column) = self.columns.draws {
            self.draws = all[column];
        }
    }

    fn log_likelihood(&self) -> f64 {
        let of = |cell: &Cell| {
            let [win, draw, loss] = log_chances(self.difference(cell.one, cell.two), self.draws);
            let drawn = if cell.draws > 0.0 { cell.draws * draw } else { 0.0 };
            cell.wins * win + drawn + cell.losses * loss
        };
        let games: f64 = self.cells.iter().map(of).sum();
        let parameters = self.parameters();
        let prior = self.priors.iter().map(|&(column, within)| parameters[column] / within);
        games - prior.map(|off| off * off / 2.0).sum::<f64>()
    }
}

/// Anchors at their rating, the rest of an anchored block among them, all others at 0.
fn start(blocks: &Blocks, model: &Model) -> Vec<f64> {
    let mut strength = vec![0.0; blocks.of.len()];
    let Some(first) = model.anchors.first() else { return strength };
    let block = blocks.of[first.bot as usize];
    let sum: f64 = model.anchors.iter().map(|anchor| anchor.elo).sum();
    for &bot in &blocks.members[block] {
        strength[bot] = sum / model.anchors.len() as f64 / model.scale;
    }
    for anchor in &model.anchors {
        strength[anchor.bot as usize] = anchor.elo / model.scale;
    }
    strength
}
