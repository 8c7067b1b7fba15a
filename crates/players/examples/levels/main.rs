//! Levels of the house bots: whether each wins 75 to 95 % against the level below, in every game.
//!
//! ```sh
//! cargo run --release -p pitmaster-players --example levels -- table [GAME…]
//! cargo run --release -p pitmaster-players --example levels -- tune FOLDER [GAME…]
//! cargo run --release -p pitmaster-players --example levels -- apply FOLDER
//! cargo run --release -p pitmaster-players --example levels -- pace [GAME…]
//! ```
//!
//! `table` plays each level against the one below, without a clock, so that the same table is
//! printed on every machine: `tests/golden/players/levels.txt`, which `.ci/full` compares. `tune`
//! chooses depths or nodes and the percentage of random moves for each game and writes a small file
//! per game; games that have a file are skipped. `apply` copies these files into the games of the
//! catalogue; Coloured Awale and Isholo are set by hand in `crates/players/src/evaluate`. `pace`
//! measures the time per move of level 3.

mod apply;
mod levels;
mod pace;
mod series;
mod table;
mod tune;

use std::error::Error;

use pitmaster_games::{GameSpec, names, two_row};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let given: Vec<_> = std::env::args().skip(1).collect();
    let given: Vec<_> = given.iter().map(String::as_str).collect();
    match &given[..] {
        ["table"] => table::print(&measured()?),
        ["table", games @ ..] => table::print(&all_or(games)?),
        ["tune", folder, games @ ..] => tune::tune_all(folder.as_ref(), &all_or(games)?),
        ["apply", folder] => apply::apply(folder.as_ref()),
        ["pace", games @ ..] => pace::print(&all_or(games)?),
        _ => Err("expected table, tune FOLDER, apply FOLDER or pace".into()),
    }
}

/// These games, or all of them.
fn all_or(given: &[&str]) -> Outcome<Vec<GameSpec>> {
    let all: Vec<_> = names().filter(|name| *name != two_row::named::ANY).collect();
    let names = if given.is_empty() { &all } else { given };
    Ok(names.iter().map(|name| name.parse()).collect::<Result<_, _>>()?)
}

/// Games that are not in the table because their searches take minutes.
const NOT_MEASURED: [&str; 3] = ["isholo-3", "j_odu", "je_ki_n_je"];

/// Games of the table.
fn measured() -> Outcome<Vec<GameSpec>> {
    let mut games = all_or(&[])?;
    games.retain(|game| !NOT_MEASURED.contains(&game.to_string().as_str()));
    Ok(games)
}
