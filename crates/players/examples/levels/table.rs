//! Table of all levels.

use pitmaster_games::GameSpec;
use pitmaster_players::{PlayerSpec, Tally, presets};

use super::Outcome;
use super::series::{full, probe, share};

/// Prints the rows of some games.
pub(crate) fn print(games: &[GameSpec]) -> Outcome<()> {
    println!("{HEADER}");
    for game in games {
        for row in rows(game)? {
            println!("{row}");
        }
    }
    Ok(())
}

const HEADER: &str =
    "game              levels    score  distinct  drawn  settings of the higher level";

/// Scores that a level should have against the one below.
pub(crate) const WANTED: std::ops::RangeInclusive<f64> = 0.75..=0.95;

/// A row for the lowest level, and one for each of the others against the one below.
fn rows(game: &GameSpec) -> Outcome<Vec<String>> {
    let settings = presets(game)?;
    let mut rows = vec![format!("{:<17} {:<32}  {}", game.to_string(), 0, settings[0])];
    for (level, settings) in settings.iter().enumerate().skip(1) {
        let tally = contest(game, &[preset(level)?, preset(level - 1)?])?;
        rows.push(row(game, &format!("{level}-{}", level - 1), &tally, settings));
    }
    Ok(rows)
}

fn preset(level: usize) -> Outcome<PlayerSpec> {
    Ok(format!("preset,level={level}").parse()?)
}

/// Plays a series of as many pairs as are affordable.
pub(crate) fn contest(game: &GameSpec, players: &[PlayerSpec; 2]) -> Outcome<Tally> {
    let probe = probe(game, players)?;
    Ok(full(game, players, &probe)?)
}

/// Row of a series.
pub(crate) fn row(game: &GameSpec, levels: &str, tally: &Tally, settings: &str) -> String {
    let score = share(tally) * 100.0;
    let pairs = format!("{}/{}", tally.distinct, tally.pairs);
    let (game, draws) = (game.to_string(), tally.draws);
    let row = format!("{game:<17} {levels:<8} {score:>5.1}% {pairs:>9} {draws:>6}  {settings}");
    row.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = include_str!("../../../../tests/golden/players/levels.txt");

    /// Fast games. `.ci/full` plays all of them.
    const QUICK: [&str; 4] = ["bakuk", "goat", "micro_wari", "tihbat"];

    #[test]
    fn some_games_are_played_as_the_table_has_it() {
        for name in QUICK {
            let rows = rows(&name.parse().expect(name)).expect(name);
            let is_of_game = |row: &&str| row.split_whitespace().next() == Some(name);
            assert_eq!(rows, TABLE.lines().filter(is_of_game).collect::<Vec<_>>());
        }
    }
}
