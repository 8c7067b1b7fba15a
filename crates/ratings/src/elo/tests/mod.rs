//! Tests of the fit.

mod intervals;
mod maximum_likelihood;
mod properties;
mod random_effects;
mod references;
mod ties;

use pitmaster_core::{BySide, Seed};
use statrs::distribution::{ContinuousCDF, Normal};

use super::*;
use crate::interval::z;
use crate::matches::fixtures::{game, games};

fn fit(bots: usize, games: &[Game], model: &Model) -> Ratings {
    Ratings::fit(bots, games, &Matches::new(games), model)
}

fn elo(ratings: &Ratings, bot: u32) -> Elo {
    ratings.of(bot).unwrap().elo
}
