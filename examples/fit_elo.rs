//! Elo of the bots in a results' folder, fitted anew from its database: a start for analyses
//! of one's own. A win counts 1 here and a draw ½, whatever the tournament file says.
//!
//! ```sh
//! cargo run --release --example fit_elo -- results/demo
//! ```

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use pitmaster::ratings::{Game, Model, Ranking, Rating, Roster, Standings};
use pitmaster::store::{BotState, Reader, StoreError};

fn main() -> ExitCode {
    let folder = std::env::args_os().nth(1).map_or_else(|| "results/demo".into(), PathBuf::from);
    match fit(&folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Reads the games that count, fits them and prints the bots, the best first.
fn fit(folder: &Path) -> Result<(), StoreError> {
    let reader = Reader::open(folder)?;

    let known = reader.bots()?;
    let active = known.into_iter().filter(|bot| bot.state == BotState::Active);
    let roster = Roster::new(active.map(|bot| bot.id));

    let mut games = Vec::new();
    reader.for_each_valid(|attempt| games.extend(Game::of(&attempt.record, &roster)))?;

    let standings = Standings::rated(roster.len(), &games, &Ranking::default(), &Model::default());
    for row in &standings.rows {
        let elo = row.elo.as_ref().map_or_else(|| "not rated".into(), shown);
        println!("{:<24} {elo}", roster.name(row.bot));
    }
    if let Some(ratings) = &standings.ratings {
        let first = &ratings.first_move;
        println!("player 1 has {:+.0} ± {:.0}", first.value, first.half_width());
    }
    Ok(())
}

/// `1683  1626 to 1740`; an open end is a dash.
fn shown(rating: &Rating) -> String {
    let end = |end: Option<f64>| end.map_or_else(|| "-".into(), |elo| format!("{elo:.0}"));
    let (low, high) = (end(rating.low), end(rating.high));
    format!("{:>5}  {low} to {high}", format!("{}{:.0}", rating.bound.mark(), rating.elo))
}
