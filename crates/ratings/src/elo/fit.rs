//! Maximum of the likelihood, or of a posterior, by Newton's method.

use std::sync::Arc;

use super::blocks::Blocks;
use super::cells::Cell;
use super::columns::{Columns, CurvatureSums};
use super::link::{Curvature, DrawOdds, Link};
use super::matrix::{Cholesky, Matrix};
use super::model::{
    Chances, Curve, Difference, Draws, FirstMove, Method, Model, Strength, logistic_draws,
};
use super::population::Population;

/// Standard deviation of the prior on ln ν: it matters only if every game was drawn.
const WEAK: f64 = 11.5;
/// Maximum change of a strength per step, in natural units.
const LONGEST_STEP: f64 = 10.0;
/// Step length at which the climb ends, in natural units.
const SHORTEST_STEP: f64 = 1e-10;
/// Step length above which the next step needs a new root.
const NEAR: f64 = 0.5;
/// Minimum factor by which a step that reuses a root must be shorter than the last one.
const SHRINKING: f64 = 4.0;
/// Maximum number of steps of a climb; six to ten are usual.
const MOST_STEPS: usize = 200;
/// Damping factors, tried in order until a step leads upwards (Levenberg and Marquardt).
const DAMPINGS: [f64; 8] = [0.0, 1e-8, 1e-5, 1e-3, 1e-1, 1e1, 1e4, 1e8];

/// Fit: every block on its own, with an advantage and a draw rate for all.
#[derive(Debug, Clone)]
pub(super) struct Fit {
    /// Strengths in natural units. The mean of a block is 0 unless it is anchored.
    pub(super) strength: Vec<f64>,
    /// Advantage of player 1.
    pub(super) advantage: f64,
    /// The strengths and the advantage in the form for computing differences.
    forms: (Vec<Strength>, Strength),
    link: Link,
    /// Draw parameter; its logarithm is negative infinity if no draws are expected.
    draws: DrawOdds,
    pub(super) columns: Columns,
    /// Columns with a normal prior around 0, and its standard deviation.
    priors: Vec<(usize, f64)>,
    /// Distribution from which the strengths are drawn; `None` for a flat prior.
    population: Option<Population>,
    /// Games between bots of one block, as used by the model: two cells for every two bots.
    pub(super) cells: Arc<Vec<Cell>>,
}

impl Fit {
    /// Maximum-likelihood fit.
    pub(super) fn new(cells: &[Cell], blocks: &Blocks, model: &Model) -> Self {
        let inner = cells.iter().filter(|cell| blocks.of[cell.one] == blocks.of[cell.two]);
        let mut fit = Self::start(inner.copied().collect(), blocks, model);
        fit.climb(blocks, None, SHORTEST_STEP);
        fit
    }

    /// State before the first step, with these games between bots of one block.
    pub(super) fn start(mut cells: Vec<Cell>, blocks: &Blocks, model: &Model) -> Self {
        if matches!(model.draws, Draws::HalfWins { .. }) {
            for cell in &mut cells {
                *cell = cell.halved();
            }
        }
        let (advantage, within) = match model.first_move {
            FirstMove::Given(elo) => (elo / model.scale, None),
            FirstMove::Estimated { within } => (0.0, Some(within / model.scale)),
        };
        let is_bayes_elo = matches!(model.method, Method::BayesElo { .. });
        let link = if is_bayes_elo { Link::RaoKupper } else { Link::Davidson };
        let (draws, is_estimated) = draws_at_first(&cells, link, model);
        let columns = Columns::new(blocks, within.is_some(), is_estimated);
        let priors = [columns.advantage.zip(within), columns.draws.map(|draws| (draws, WEAK))];
        let strength = initial_strengths(&cells, blocks, model);
        Self {
            forms: forms(&strength, advantage),
            strength,
            advantage,
            link,
            draws: DrawOdds::new(draws),
            columns,
            priors: priors.into_iter().flatten().collect(),
            population: None,
            cells: Arc::new(cells),
        }
    }

    /// Climbs to the maximum with strengths drawn from this population. A root of the information
    /// of nearby parameters saves time if available. Returns the last root used.
    pub(super) fn climb_in(
        &mut self,
        blocks: &Blocks,
        population: Population,
        kept: Option<Arc<Cholesky>>,
        shortest: f64,
    ) -> Option<Arc<Cholesky>> {
        self.population = Some(population);
        self.climb(blocks, kept, shortest)
    }

    /// Divides the likelihood of the games by this ratio.
    pub(super) fn temper(&mut self, ratio: f64) {
        let cells = self.cells.iter().map(|cell| cell.times(ratio.recip()));
        self.cells = Arc::new(cells.collect());
    }

    /// Probabilities of the three results, for player 1, in Davidson's model.
    pub(super) fn chances(&self, one: usize, two: usize) -> Chances {
        Chances::new(self.difference(one, two), self.draws.odds)
    }

    /// Derivatives of the log-likelihood of a cell by the difference and by the draw parameter.
    pub(super) fn slope_of(&self, cell: &Cell) -> [f64; 2] {
        self.link.slope(self.difference(cell.one, cell.two), self.draws, cell.results())
    }

    /// Curvature of the log-likelihood of a cell.
    pub(super) fn curvature_of(&self, cell: &Cell) -> Curvature {
        self.link.curvature(self.difference(cell.one, cell.two), self.draws, cell.results())
    }

    /// Third derivative of the log-likelihood of a cell by the difference.
    pub(super) fn third_of(&self, cell: &Cell) -> f64 {
        self.link.third(self.difference(cell.one, cell.two), self.draws, cell.results())
    }

    /// Log-likelihood of a cell whose difference is larger by `more`.
    pub(super) fn value_of(&self, cell: &Cell, more: f64) -> f64 {
        let mut difference = self.difference(cell.one, cell.two);
        if more != 0.0 {
            difference = Difference::from(difference.x + more);
        }
        self.link.value(difference, self.draws, cell.results())
    }

    /// Log-likelihood, with all priors, up to a constant.
    pub(super) fn height(&self) -> f64 {
        let games: f64 = self.cells.iter().map(|cell| self.value_of(cell, 0.0)).sum();
        let parameters = self.parameters();
        let prior = self.priors.iter().map(|&(column, within)| parameters[column] / within);
        let drawn = self.population.as_ref().map_or(0.0, |all| all.height(&self.strength));
        games + drawn - prior.map(|off| off * off / 2.0).sum::<f64>()
    }

    /// Gradient of [`Self::height`].
    pub(super) fn slope(&self) -> Vec<f64> {
        let mut of_bots = vec![0.0; self.strength.len()];
        let (mut of_advantage, mut of_draws) = (0.0, 0.0);
        for cell in self.cells.iter() {
            let [score, drawn] = self.slope_of(cell);
            of_bots[cell.one] += score;
            of_bots[cell.two] -= score;
            of_advantage += score;
            of_draws += drawn;
        }
        if let Some(population) = &self.population {
            population.add_slope(&self.strength, &mut of_bots);
        }
        let mut slope = self.columns.gather(&of_bots, of_advantage, of_draws);
        let parameters = self.parameters();
        for &(column, within) in &self.priors {
            slope[column] -= parameters[column] / (within * within);
        }
        slope
    }

    /// Curvature of [`Self::height`], with the mean of every block that is not anchored held fixed.
    /// Only the upper triangle.
    fn information(&self, blocks: &Blocks) -> Matrix {
        let mut sums = CurvatureSums::new(&self.columns);
        for cell in self.cells.iter() {
            sums.add((cell.one, cell.two), self.curvature_of(cell));
        }
        let mut information = sums.matrix();
        for &(column, within) in &self.priors {
            *information.at(column, column) += within.powi(-2);
        }
        match &self.population {
            Some(population) => population.add_curvature(&self.columns, &mut information),
            None => self.hold_means(&mut information, blocks),
        }
        information
    }

    /// Penalizes the mean of a block. The likelihood does not change when a whole block is shifted.
    /// A penalty on its mean, which is 0 anyway, makes the matrix invertible and changes no
    /// estimate.
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

    /// Root of the information, with as little damping as necessary.
    pub(super) fn root(&self, blocks: &Blocks) -> Option<Cholesky> {
        let information = self.information(blocks);
        DAMPINGS[..3].iter().find_map(|&damping| information.damped(damping).cholesky())
    }

    /// Curve by which perfect scores are bounded.
    pub(super) fn curve_for_bounds(&self, cells: &[Cell], blocks: &Blocks, model: &Model) -> Curve {
        match model.draws {
            Draws::Davidson { .. } => Curve::Davidson(self.draws.log),
            Draws::HalfWins { between_equals: Some(rate) } => {
                Curve::Logistic(rate.clamp(0.0, 0.99))
            }
            Draws::HalfWins { between_equals: None } => {
                let inner = cells.iter().filter(|cell| blocks.of[cell.one] == blocks.of[cell.two]);
                Curve::Logistic(self.rate_of_draws(&inner.collect::<Vec<_>>()))
            }
        }
    }

    /// Share of draws between equals without a first-move advantage.
    pub(super) fn draws_between_equals(&self) -> f64 {
        let rate = self.link.value(0.0, self.draws, [0.0, 1.0, 0.0]).exp();
        // Near 1 the difference of two logarithms is rounded.
        rate.min(1.0) * f64::from(self.draws.odds > 0.0)
    }

    /// Draw rate between equals at which the expected number of draws equals the observed one.
    fn rate_of_draws(&self, cells: &[&Cell]) -> f64 {
        let seen: f64 = cells.iter().map(|cell| cell.draws).sum();
        let expected = |rate: f64| -> f64 {
            let of = |cell: &&Cell| {
                cell.games() * logistic_draws(self.difference(cell.one, cell.two).x, rate)
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

    fn difference(&self, one: usize, two: usize) -> Difference {
        let (of_bots, advantage) = &self.forms;
        of_bots[one].minus(of_bots[two], *advantage)
    }

    /// Newton's method, until the next step would be shorter than `shortest`. A root of the
    /// information (also one that is passed in) is reused as long as the steps shrink fast, which
    /// proves that they lead to the maximum. A step with a new root must lead upwards. Returns the
    /// last root.
    pub(super) fn climb(
        &mut self,
        blocks: &Blocks,
        mut kept: Option<Arc<Cholesky>>,
        shortest: f64,
    ) -> Option<Arc<Cholesky>> {
        let mut last = NEAR;
        let mut used = None;
        for _ in 0..MOST_STEPS {
            let slope = self.slope();
            let again = kept.take().map(|root| (self.step(&root, slope.clone()), root));
            let is_new = again.is_none();
            let Some((length, root)) = again.or_else(|| self.newton_step(&slope, blocks)) else {
                break;
            };
            used = Some(Arc::clone(&root));
            // With a new root, the next step is about the square of this one.
            let next = if is_new { length * length } else { length * (length / last).min(1.0) };
            if next < shortest {
                break;
            }
            let limit = if is_new { NEAR } else { last / SHRINKING };
            kept = (length < limit).then_some(root);
            last = length;
        }
        used
    }

    /// Makes a step upwards with a new root and returns its length, infinite if damped. Returns
    /// `None` if no step leads upwards.
    fn newton_step(&mut self, slope: &[f64], blocks: &Blocks) -> Option<(f64, Arc<Cholesky>)> {
        let information = self.information(blocks);
        let (before, height) = (self.parameters(), self.height());
        for (tried, damping) in DAMPINGS.into_iter().enumerate() {
            let Some(root) = information.damped(damping).cholesky() else { continue };
            let length = self.step(&root, slope.to_vec());
            if self.height() >= height - 1e-12 * height.abs() {
                return Some((if tried == 0 { length } else { f64::INFINITY }, Arc::new(root)));
            }
            self.set(&before);
        }
        None
    }

    /// Makes a step with this root of the information and returns its length.
    fn step(&mut self, root: &Cholesky, slope: Vec<f64>) -> f64 {
        let step = root.solve(slope);
        let length = step.iter().fold(0.0, |longest: f64, part| longest.max(part.abs()));
        let scale = (LONGEST_STEP / length).min(1.0);
        let before = self.parameters();
        let after: Vec<_> = before.iter().zip(&step).map(|(x, dx)| x + scale * dx).collect();
        self.set(&after);
        length
    }

    pub(super) fn parameters(&self) -> Vec<f64> {
        self.columns.gather(&self.strength, self.advantage, self.draws.log)
    }

    pub(super) fn set(&mut self, all: &[f64]) {
        for (column, strength) in self.columns.bots.iter().zip(&mut self.strength) {
            if let Some(column) = column {
                *strength = all[*column];
            }
        }
        if let Some(column) = self.columns.advantage {
            self.advantage = all[column];
        }
        if let Some(column) = self.columns.draws {
            self.draws = DrawOdds::new(all[column]);
        }
        self.forms = forms(&self.strength, self.advantage);
    }
}

fn forms(strength: &[f64], advantage: f64) -> (Vec<Strength>, Strength) {
    (strength.iter().copied().map(Strength::new).collect(), Strength::new(advantage))
}

/// Initial value of the draw parameter, and whether it is estimated.
fn draws_at_first(cells: &[Cell], link: Link, model: &Model) -> (f64, bool) {
    let of_rate = |rate: f64| link.draw_parameter(rate);
    let drawn: f64 = cells.iter().map(|cell| cell.draws).sum();
    match model.draws {
        Draws::Davidson { between_equals: Some(rate) } => (of_rate(rate.clamp(0.0, 0.99)), false),
        Draws::Davidson { between_equals: None } if drawn > 0.0 => {
            let games: f64 = cells.iter().map(Cell::games).sum();
            (of_rate((drawn / games).min(0.9)), true)
        }
        _ => (f64::NEG_INFINITY, false),
    }
}

/// Start of the climb: anchors at their rating, the rest of an anchored block at about the same,
/// and all others at the rating of their points against equals.
fn initial_strengths(cells: &[Cell], blocks: &Blocks, model: &Model) -> Vec<f64> {
    let mut strength = by_points(cells, blocks);
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

/// Logarithms of the odds of a point, with the mean of every block at 0.
fn by_points(cells: &[Cell], blocks: &Blocks) -> Vec<f64> {
    let mut odds = vec![[1.0_f64; 2]; blocks.of.len()];
    for cell in cells {
        let Cell { wins, losses, .. } = cell.halved();
        for (bot, points, lost) in [(cell.one, wins, losses), (cell.two, losses, wins)] {
            odds[bot][0] += points;
            odds[bot][1] += lost;
        }
    }
    let mut strength: Vec<_> = odds.iter().map(|[points, lost]| (points / lost).ln()).collect();
    for members in &blocks.members {
        let mean = members.iter().map(|&bot| strength[bot]).sum::<f64>() / members.len() as f64;
        for &bot in members {
            strength[bot] -= mean;
        }
    }
    strength
}
