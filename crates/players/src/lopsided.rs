//! Estimated distance of positions from an even game.

use pitmaster_core::Seed;
use pitmaster_games::{GameSpec, Turn};
use rayon::prelude::*;

use super::{BuildError, Nodes, Player, PlayerSpec, build};

/// Nodes that the expert searches for one position.
const NODES: u64 = 5_000;

/// Maximum number of forced moves played before the expert evaluates.
const FORCED: u32 = 8;

/// Number of seeds by which one side is ahead in each of the positions, estimated by the expert
/// after a short search. The positions are texts in the game's notation and are evaluated in
/// parallel, independently.
///
/// # Errors
/// Fails if the expert does not support the game.
///
/// # Panics
/// Panics if a text is not a position of the game.
pub fn distances_from_even(game: &GameSpec, positions: &[&str]) -> Result<Vec<f64>, BuildError> {
    let expert: PlayerSpec = "expert,hash=1MiB".parse().expect("a house bot");
    let seated = || build(game, &expert);
    drop(seated()?);
    let judge = |expert: &mut Box<dyn Player>, position: &&str| distance(&mut **expert, position);
    let expert = || seated().expect("it was seated before");
    Ok(positions.par_iter().map_init(expert, judge).collect())
}

fn distance(expert: &mut dyn Player, position: &str) -> f64 {
    expert.begin_at(position, Seed(0)).expect("a position is read as it was written");
    for _ in 0..FORCED {
        match expert.turn() {
            Turn::Over(outcome) => {
                return outcome.score.one.abs_diff(outcome.score.two).into();
            }
            Turn::Chance => break,
            Turn::Player(_) => {
                let choice = expert.choose(&mut Nodes::new(NODES));
                if let Some(seeds) = choice.thought.seeds {
                    return seeds.abs();
                }
                expert.follow(&choice.text).expect("it plays by the rules");
            }
        }
    }
    // No estimate for either side.
    0.0
}
