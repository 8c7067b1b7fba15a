//! How many random games a second a game plays on one core, by its name.
//!
//! ```sh
//! cargo run --release --example random_games -- coloured-awale,both_40=off 3
//! ```
//!
//! This goes through the object-safe face, as the referee does: there a move is a text. Code
//! that is generic over `Rules` is faster; `cargo bench --bench rules` says by how much.

use std::error::Error;
use std::time::{Duration, Instant};

use pitmaster::core::Seed;
use pitmaster::games::{DynGame, GameSpec, Turn, find};
use rand::Rng;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let spec: GameSpec = args.next().as_deref().unwrap_or("coloured-awale").parse()?;
    let seconds: f64 = args.next().as_deref().unwrap_or("1").parse()?;

    let game = find(&spec)?;
    let mut rng = Seed(1).stream("random games");
    let (mut games, mut plies) = (0_u64, 0_u64);
    let began = Instant::now();
    while began.elapsed() < Duration::try_from_secs_f64(seconds)? {
        plies += random_game(&*game, &mut rng);
        games += 1;
    }
    let rate = games as f64 / began.elapsed().as_secs_f64();
    let mean = plies as f64 / games.max(1) as f64;
    println!("{}: {rate:.0} random games a second, {mean:.0} plies each", game.spec());
    Ok(())
}

/// A game ends there at the latest: random play can circle for ever in games like Oware.
const MOST_PLIES: u64 = 400;

/// Plays a game and returns its number of plies.
fn random_game(game: &dyn DynGame, rng: &mut dyn Rng) -> u64 {
    let mut table = game.begin();
    let mut plies = 0;
    while plies < MOST_PLIES {
        match table.turn() {
            Turn::Over(_) => break,
            Turn::Chance => {
                table.draw(rng);
            }
            Turn::Player(_) => {
                table.play_random(rng);
            }
        }
        plies += 1;
    }
    plies
}
