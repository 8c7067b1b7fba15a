//! How sure the fit is: standard errors that respect pairs and repetitions.
//!
//! The two games of a pair share their opening, so they are not independent; a pair played
//! again move for move is no new evidence. So what varies independently is an observation
//! (a pair with all its repetitions), and the covariance is the sandwich A⁻¹ B A⁻¹ with A
//! the information of all games and B the sum over observations of the outer product of
//! their scores (Liang and Zeger 1986).
//!
//! With few observations the sandwich is too small (of one pair won and lost it would be
//! 0). So B leans on what the model expects of independent games, with the weight of
//! `LEAN` observations against those that the two bots have.

use super::blocks::Blocks;
use super::fit::Fit;
use super::matrix::Matrix;
use crate::ratings::matches::Observation;
use crate::ratings::{Game, Matches};
use crate::record::{BySide, Mark, Side};

/// How many observations the model's own expectation counts for.
const LEAN: f64 = 6.0;

/// How many columns of the covariance are worked out side by side.
const LANES: usize = 16;

/// Larger than any error that is reported.
const UNKNOWN: f64 = 1e9;

/// Standard errors in natural units.
#[derive(Debug)]
pub(super) struct Errors {
    /// Of the bots, 0 for those whose strength is not estimated.
    pub(super) bots: Vec<f64>,
    /// Of the first-move advantage, 0 if it is given.
    pub(super) advantage: f64,
}

pub(super) fn standard_errors(
    fit: &Fit,
    games: &[Game],
    matches: &Matches,
    blocks: &Blocks,
) -> Errors {
    let middle = Spread::new(fit, games, matches, blocks).middle();
    // Where numbers give out, nothing is known.
    let mut variances = vec![f64::INFINITY; fit.columns.count];
    if let Some(root) = fit.root(blocks) {
        for (chunk, from) in variances.chunks_mut(LANES).zip((0..).step_by(LANES)) {
            let columns = root.inverse_columns::<LANES>(from);
            chunk.copy_from_slice(&middle.quadratic(&columns)[..chunk.len()]);
        }
    }
    let error = |column: Option<usize>| match column.map(|column| variances[column]) {
        None => 0.0,
        Some(variance) if variance.is_finite() => variance.max(0.0).sqrt(),
        Some(_) => UNKNOWN,
    };
    let bots = fit.columns.bots.iter().map(|&column| error(column)).collect();
    Errors { bots, advantage: error(fit.columns.advantage) }
}

/// The observations that the fit is made of.
struct Spread<'a> {
    fit: &'a Fit,
    games: &'a [Game],
    matches: &'a Matches,
    observations: Vec<&'a Observation>,
    /// How many of them each bot has.
    of_bot: Vec<u32>,
}

impl<'a> Spread<'a> {
    fn new(fit: &'a Fit, games: &'a [Game], matches: &'a Matches, blocks: &Blocks) -> Self {
        let is_fitted = |game: &Game| {
            blocks.of[game.bots.one as usize] == blocks.of[game.bots.two as usize]
                && game.compares()
        };
        let all = matches.observations().iter();
        let observations: Vec<_> =
            all.filter(|each| matches.games_of(each, games).any(is_fitted)).collect();
        let mut spread =
            Self { fit, games, matches, observations, of_bot: vec![0; blocks.of.len()] };
        for observation in &spread.observations {
            let (a, b) = spread.bots(observation);
            spread.of_bot[a] += 1;
            spread.of_bot[b] += 1;
        }
        spread
    }

    fn bots(&self, observation: &Observation) -> (usize, usize) {
        let first = self.matches.games_of(observation, self.games).next();
        let (a, b) = first.map(Game::meeting).expect("an observation is of one game or two");
        (a as usize, b as usize)
    }

    /// B of the sandwich.
    fn middle(&self) -> Matrix {
        let columns = &self.fit.columns;
        let mut middle = Matrix::zero(columns.count);
        let mut score = vec![0.0; columns.count];
        for observation in &self.observations {
            let (a, b) = self.bots(observation);
            let seen = f64::from(self.of_bot[a].min(self.of_bot[b]));
            let lean = LEAN / (LEAN + seen);
            let weight = f64::from(observation.times).powi(2);
            for game in self.matches.games_of(observation, self.games) {
                self.add_game(game, &mut score, &mut middle, weight * lean);
            }
            let places = [columns.bots[a], columns.bots[b], columns.advantage, columns.draws];
            let sparse: Vec<_> =
                places.into_iter().flatten().map(|place| (place, score[place])).collect();
            middle.add_outer(&sparse, weight * (1.0 - lean));
            for (place, _) in sparse {
                score[place] = 0.0;
            }
        }
        middle
    }

    /// Adds a game's score, and its expected information times `weight`.
    fn add_game(&self, game: &Game, score: &mut [f64], middle: &mut Matrix, weight: f64) {
        if !game.compares() {
            return;
        }
        let BySide { one, two } = game.bots.map(|bot| bot as usize);
        let chances = self.fit.chances(one, two);
        let (seen, drawn) = match game.marks[Side::One] {
            Mark::Win => (0.5, 0.0),
            Mark::Draw => (0.0, 1.0),
            Mark::Loss => (-0.5, 0.0),
        };
        let surplus = seen - (chances.win - chances.loss) / 2.0;
        self.fit.columns.add_score(score, (one, two), surplus, drawn - chances.draw);
        self.fit.columns.add_information(middle, (one, two), chances, weight);
    }
}
