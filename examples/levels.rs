//! Whether the levels of the house bots are levels: each plays the one below it, in 400 games
//! with sides swapped after each of 200 openings, which are random.
//!
//! ```sh
//! cargo run --release --example levels -- [GAME…]
//! ```
//!
//! Players that a game's own file names, in process and without a clock, so that the same table
//! comes out on every machine. Draws count half. What was last printed for the games of the
//! table lies in `tests/golden/players/levels.txt`.

use std::error::Error;

use pitmaster::games::{Game, GameSpec, Table, Turn, find};
use pitmaster::players::{Player, PlayerSpec, Unlimited, presets, seat};
use pitmaster::record::{BySide, Seed, Side};
use rayon::prelude::*;

/// Different families: one sowing, laps, children, territory, closed holes, few seeds, no store.
const GAMES: &[&str] = &["coloured-awale", "kalah", "oware"];
const PAIRS: u64 = 200;
/// Random plies before the players take over.
const OPENING: u32 = 4;
/// A game that goes on for longer is settled as it stands.
const MAX_PLIES: u32 = 600;

type Fault = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Fault> {
    let given: Vec<_> = std::env::args().skip(1).collect();
    let games =
        if given.is_empty() { GAMES.iter().map(ToString::to_string).collect() } else { given };
    println!(
        "{:<16} {:<6} {:>6} {:>5} {:>5} {:>5}  settings",
        "game", "levels", "score", "won", "drawn", "lost"
    );
    for game in games {
        table(&game)?;
    }
    Ok(())
}

/// Three lines: each level against the one below.
fn table(name: &str) -> Result<(), Fault> {
    let spec: GameSpec = name.parse()?;
    let texts = presets(&spec)?;
    let game = find(&spec)?;
    for level in 1..=3 {
        let pairing = format!("{level}-{}", level - 1);
        if texts[level] == texts[level - 1] {
            println!("{name:<16} {pairing:<6}  equal settings: {}", texts[level]);
            continue;
        }
        let players = [level, level - 1].map(|level| format!("preset,level={level}"));
        let [won, drawn, lost] = contest(&*game, &spec, &players)?;
        let score = (won as f64 + drawn as f64 / 2.0) / (2 * PAIRS) as f64 * 100.0;
        println!(
            "{name:<16} {pairing:<6} {score:>5.1}% {won:>5} {drawn:>5} {lost:>5}  {}",
            texts[level]
        );
    }
    Ok(())
}

/// The games that the first of the players won, drew and lost.
fn contest(game: &dyn Game, spec: &GameSpec, players: &[String; 2]) -> Result<[u64; 3], Fault> {
    let all = (0..PAIRS).into_par_iter().map(|pair| play_pair(game, spec, players, pair));
    all.try_reduce(|| [0; 3], |a, b| Ok([a[0] + b[0], a[1] + b[1], a[2] + b[2]]))
}

fn play_pair(
    game: &dyn Game,
    spec: &GameSpec,
    players: &[String; 2],
    pair: u64,
) -> Result<[u64; 3], Fault> {
    let seed = Seed(1).derive(&format!("pair {pair}"));
    let mut results = [0; 3];
    for first in Side::BOTH {
        let mut seats = BySide::new(seated(spec, &players[0])?, seated(spec, &players[1])?);
        if first == Side::Two {
            seats = BySide::new(seats.two, seats.one);
        }
        let result = match play(game, &mut seats, seed)? {
            Some(winner) if winner == first => 0,
            None => 1,
            Some(_) => 2,
        };
        results[result] += 1;
    }
    Ok(results)
}

fn seated(game: &GameSpec, player: &str) -> Result<Box<dyn Player>, Fault> {
    Ok(seat(game, &player.parse::<PlayerSpec>()?)?)
}

/// Plays one game; chance and the opening follow from the seed.
fn play(
    game: &dyn Game,
    seats: &mut BySide<Box<dyn Player>>,
    seed: Seed,
) -> Result<Option<Side>, Fault> {
    let mut table = game.begin();
    let mut rng = seed.stream("chance");
    for side in Side::BOTH {
        seats[side].begin(seed.derive(&format!("player {side}")));
    }
    for ply in 0..MAX_PLIES {
        let step = match table.turn() {
            Turn::Over(outcome) => return Ok(outcome.winner),
            Turn::Chance => table.draw(&mut rng),
            Turn::Player(_) if ply < OPENING => table.play_random(&mut rng).unwrap_or_default(),
            Turn::Player(side) => chosen(&mut *table, &mut *seats[side])?,
        };
        for side in Side::BOTH {
            seats[side].follow(&step)?;
        }
    }
    Ok(table.adjudicate().winner)
}

fn chosen(table: &mut dyn Table, player: &mut dyn Player) -> Result<String, Fault> {
    let mut written = String::new();
    table.play(&player.choose(&mut Unlimited).text, &mut written)?;
    Ok(written)
}
