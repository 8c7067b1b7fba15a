//! Ratings of a running tournament: an incremental fit for new games.
//!
//! A few more games hardly change the information. So its root is reused for one more Newton step,
//! which is a single pass over the results instead of about twenty. The spread of the population
//! and the lengths of the intervals stay those of the last whole fit. New games can require a whole
//! fit: see [`RunningRatings::needs_whole_fit`].

use std::collections::HashMap;
use std::sync::Arc;

use pitmaster_core::Mark;

use super::blocks::Blocks;
use super::cells::Cell;
use super::covariance::Reference;
use super::fit::Fit;
use super::matrix::Cholesky;
use super::population::Posteriors;
use super::{Bound, Elo, Method, Model, Placing, Ratings, centered, references};
use crate::{Game, Matches};

/// Share of new games above which a whole fit is required.
const MANY: f64 = 0.05;
/// Step length at which a refit ends, in natural units: a fiftieth of a rating point. The rest is
/// part of the next refit.
const SHORTEST: f64 = 1e-4;

/// Ratings with random effects that follow new games.
#[derive(Debug, Clone)]
pub struct RunningRatings {
    ratings: Ratings,
    /// Strengths of the ratings, relative to the references.
    strength: Vec<f64>,
    fit: Fit,
    root: Option<Arc<Cholesky>>,
    blocks: Arc<Blocks>,
    references: Arc<Vec<Reference>>,
    scale: Elo,
    /// Index of the first of the two cells of every two bots, the lower number first.
    cells: HashMap<[usize; 2], usize>,
    /// Weight of a game: less than 1 if the games of a pair are correlated.
    weight: f64,
    games: f64,
    /// Games since the last whole fit.
    new: f64,
    is_shaken: bool,
}

impl RunningRatings {
    /// Whole fit of these games by random effects, regardless of the model's method.
    ///
    /// # Panics
    /// Panics if a game names a bot that is not below `bots`.
    pub fn new(bots: usize, matches: &Matches, model: &Model) -> Self {
        let model = &Model { method: Method::RandomEffects, ..model.clone() };
        let cells = Cell::distinct(matches);
        let [blocks, alone] = Blocks::connected(bots, &cells, model);
        let bounds = Placing::bounds_of_bots(&alone, &cells);
        let games = cells.iter().map(Cell::games).sum();
        let fits = Posteriors::of_population(cells, &blocks, matches, model);
        let ratings = Ratings::of_posteriors(&fits, &blocks, &bounds, model);
        let references = references(&blocks, &bounds, model);
        let (weight, best) = (fits.strength_ratio.recip(), fits.into_best());
        let pairs = best.fit.cells.chunks_exact(2).map(|both| [both[0].one, both[0].two]);
        Self {
            strength: centered(&best.fit.strength, &references),
            cells: pairs.zip((0..).step_by(2)).collect(),
            ratings,
            fit: best.fit,
            root: best.root,
            blocks: Arc::new(blocks),
            references: Arc::new(references),
            scale: model.scale,
            weight,
            games,
            new: 0.0,
            is_shaken: false,
        }
    }

    /// Ratings as of the last fit or refit.
    pub fn ratings(&self) -> &Ratings {
        &self.ratings
    }

    /// Counts a distinct game for the next refit. Ignores a game that both forfeited.
    pub fn add(&mut self, game: &Game) {
        let results = match (game.marks.one, game.marks.two) {
            (Mark::Loss, Mark::Loss) => return,
            (Mark::Win, _) => [self.weight, 0.0, 0.0],
            (Mark::Draw, _) => [0.0, self.weight, 0.0],
            (Mark::Loss, _) => [0.0, 0.0, self.weight],
        };
        self.new += 1.0;
        let [one, two] = [game.bots.one, game.bots.two].map(|bot| bot as usize);
        let is_known = |bot: usize| {
            self.ratings.bots.get(bot).copied().flatten().is_some_and(|r| r.bound == Bound::Both)
        };
        if !is_known(one) || !is_known(two) || self.blocks.of[one] != self.blocks.of[two] {
            self.is_shaken = true;
            return;
        }
        let both = [one.min(two), one.max(two)];
        let cells = Arc::make_mut(&mut self.fit.cells);
        let place = *self.cells.entry(both).or_insert_with(|| {
            let [lower, higher] = both;
            cells.extend([(lower, higher), (higher, lower)].map(Cell::empty));
            cells.len() - 2
        });
        cells[place + usize::from(one > two)].add(results);
    }

    /// Whether a whole fit is required: two bots met that were not comparable, or one whose rating
    /// the games did not bound, or a twentieth of all games is new.
    pub fn needs_whole_fit(&self) -> bool {
        self.is_shaken || self.root.is_none() || self.new > MANY * self.games
    }

    /// Updates the ratings by all games counted so far. Intervals move with them and keep their
    /// lengths.
    pub fn refit(&mut self) -> &Ratings {
        let root = self.root.take();
        self.root = self.fit.climb(&self.blocks, root, SHORTEST);
        let strength = centered(&self.fit.strength, &self.references);
        for ((rating, now), before) in
            self.ratings.bots.iter_mut().zip(&strength).zip(&self.strength)
        {
            if let Some(rating) = rating {
                let moved = (now - before) * self.scale;
                rating.elo += moved;
                rating.low = rating.low.map(|low| low + moved);
                rating.high = rating.high.map(|high| high + moved);
            }
        }
        self.ratings.first_move.value = self.fit.advantage * self.scale;
        self.ratings.draw_rate = self.fit.draws_between_equals();
        self.strength = strength;
        &self.ratings
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Seed;
    use rand::RngExt as _;

    use super::*;
    use crate::matches::fixtures::game;

    /// Games of every two of eight bots in turn, the stronger one more likely to win.
    fn tournament(count: u32) -> Vec<Game> {
        let mut rng = Seed(5).stream("running");
        let one_game = |number: u32| {
            let (one, step) = (number % 8, 1 + number / 8 % 7);
            let two = (one + step) % 8;
            let chance = 1.0 / (1.0 + (f64::from(two) * 0.3 - f64::from(one) * 0.3).exp());
            let mark = if rng.random_bool(0.1) {
                'd'
            } else if rng.random_bool(chance) {
                'w'
            } else {
                'l'
            };
            game(one, two, mark, number, number.into())
        };
        (0..count).map(one_game).collect()
    }

    #[test]
    fn a_refit_agrees_with_a_whole_fit() {
        let (games, model) = (tournament(2000), Model::default());
        let mut running = RunningRatings::new(8, &Matches::new(&games[..1920]), &model);
        for some in games[1920..].chunks(20) {
            for game in some {
                running.add(game);
            }
            running.refit();
        }
        assert!(!running.needs_whole_fit());
        let whole = RunningRatings::new(8, &Matches::new(&games), &model);
        for (refitted, whole) in running.ratings.bots.iter().zip(&whole.ratings.bots) {
            let [refitted, whole] = [refitted, whole].map(|rating| rating.unwrap());
            assert!((refitted.elo - whole.elo).abs() < 0.2, "{refitted:?} {whole:?}");
            assert!((refitted.high.unwrap() - whole.high.unwrap()).abs() < 2.0);
        }
        let [refitted, whole] = [&running, &whole].map(|all| all.ratings.first_move.value);
        assert!((refitted - whole).abs() < 0.2, "{refitted} {whole}");
    }

    #[test]
    fn new_meetings_and_games_that_change_more_are_told_from_others() {
        let met = (0..60).map(|n| game(0, 1, if n % 3 == 0 { 'l' } else { 'w' }, n, n.into()));
        let more = (60..120).map(|n| game(1, 2, if n % 2 == 0 { 'l' } else { 'w' }, n, n.into()));
        let games: Vec<_> = met.chain(more).chain([game(0, 3, 'w', 200, 200)]).collect();
        let start = RunningRatings::new(5, &Matches::new(&games), &Model::default());
        let with = |games: &[Game]| {
            let mut running = start.clone();
            for game in games {
                running.add(game);
            }
            running
        };
        // Bots 0 and 2 had not met.
        let mut met = with(&[game(2, 0, 'w', 300, 300)]);
        assert!(!met.needs_whole_fit());
        let (before, after) = (*start.ratings().of(2).unwrap(), *met.refit().of(2).unwrap());
        assert!(after.elo > before.elo, "{before:?} {after:?}");
        assert!(!with(&[game(2, 0, '-', 300, 300)]).needs_whole_fit());
        // Bot 3 has lost its only game, and bot 4 has none.
        assert!(with(&[game(3, 0, 'w', 300, 300)]).needs_whole_fit());
        assert!(with(&[game(4, 0, 'w', 300, 300)]).needs_whole_fit());
        let many: Vec<_> = (300..320).map(|n| game(0, 1, 'w', n, n.into())).collect();
        assert!(with(&many).needs_whole_fit());
    }
}
