//! Whether the levels of the house bots are levels: each plays the one below it, in 200 pairs of
//! games, whose first four plies are random.
//!
//! ```sh
//! cargo run --release --example levels -- [GAME…]
//! ```
//!
//! Players that a game's own file names, in process and without a clock, so that the same table
//! comes out on every machine. Draws count half; the score is over the distinct pairs. A game
//! longer than 600 plies is settled as it stands. What was last printed lies in
//! `tests/golden/players/levels.txt`.

use std::error::Error;

use pitmaster::core::Seed;
use pitmaster::games::GameSpec;
use pitmaster::players::{PlayerSpec, Series, Tally, presets};

/// Games of different families: captures by number, across and by laps; children, territory,
/// rounds; having no seeds wins, having none loses.
const GAMES: &[&str] = &[
    "coloured-awale",
    "kalah",
    "kalah_empty",
    "oware",
    "congkak",
    "bao",
    "depouiller",
    "ohojichi",
    "songo",
    "toguz_kumalak",
    "weg",
];

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<_> = std::env::args().skip(1).collect();
    let games =
        if given.is_empty() { GAMES.iter().map(ToString::to_string).collect() } else { given };
    println!("game            levels   score  distinct  drawn  settings of the higher level");
    for game in games {
        table(&game)?;
    }
    Ok(())
}

/// A line for the lowest level, and one for each of the others against the one below it.
fn table(name: &str) -> Result<(), Box<dyn Error>> {
    let game: GameSpec = name.parse()?;
    let settings = presets(&game)?;
    println!("{name:<15} {:<30}  {}", 0, settings[0]);
    for level in 1..settings.len() {
        let below = level - 1;
        if settings[level] == settings[below] {
            println!("{name:<15} {level}-{below} equal settings, not played   {}", settings[level]);
            continue;
        }
        let Tally { a, pairs, distinct, draws, .. } = contest(&game, level, below)?;
        let points: u64 = a.iter().zip(0..).map(|(pairs, points)| pairs * points).sum();
        let score = points as f64 / (4 * distinct) as f64 * 100.0;
        println!(
            "{name:<15} {level}-{below} {score:>9.1}% {:>9} {draws:>6}  {}",
            format!("{distinct}/{pairs}"),
            settings[level]
        );
    }
    Ok(())
}

fn contest(game: &GameSpec, level: usize, below: usize) -> Result<Tally, Box<dyn Error>> {
    let [a, b] = [level, below].map(|level| format!("preset,level={level}").parse::<PlayerSpec>());
    let series = Series {
        game: game.clone(),
        players: [a?, b?],
        pairs: 200,
        plies: 600,
        random_plies: 4,
        seed: Seed(1),
    };
    Ok(series.play(|| ())?)
}
