//! Simulation results of house bots, one row per game: the first-move advantage, the relative
//! strength of the players, and properties of the games.

use std::io::{self, Write};

use pitmaster_players::Tally;
use pitmaster_ratings::{Interval, score_of_pairs, z_for_all};

use super::csv_tables::Sheet;
use super::number::fixed;
use super::table::{Column, Table};

/// A row: one game, or one variant of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimulationRow {
    /// Name and options of the game.
    pub game: String,
    /// Non-default parameters, as comma-separated options.
    pub parameters: String,
    /// Results of the simulated games.
    pub tally: Tally,
}

/// Columns of the CSV file, with descriptions.
pub const SIMULATION_COLUMNS: &[(&str, &str)] = &[
    ("game", "its name and options"),
    ("parameters", "what is not the default, for two-row games"),
    ("pairs", "pairs of games, with the sides swapped"),
    ("distinct_pairs", "pairs that repeat none before; the scores count these"),
    ("first_score", "what whoever moved first got of the points, from 0 to 1"),
    ("first_low", "the lower end of its 95 % interval"),
    ("first_high", "the upper end"),
    ("first_low_all", "the same, so that the intervals of all rows hold together in 95 %"),
    ("first_high_all", "the upper end"),
    ("a_score", "what player A got of the points"),
    ("a_low", "the lower end of its 95 % interval"),
    ("a_high", "the upper end"),
    ("draws", "the share of drawn games"),
    ("cut", "the share of games that the limit of plies ended"),
    ("plies", "the mean number of plies"),
    ("branching", "the mean number of moves to choose from"),
];

impl SimulationRow {
    fn games(&self) -> f64 {
        2.0 * self.tally.pairs as f64
    }

    fn draw_rate(&self) -> f64 {
        self.tally.draws as f64 / self.games()
    }

    fn cut_rate(&self) -> f64 {
        self.tally.cut as f64 / self.games()
    }

    fn mean_plies(&self) -> f64 {
        self.tally.plies as f64 / self.games()
    }

    /// Mean number of moves to choose from. 0 for a game that ends at its start.
    fn branching(&self) -> f64 {
        if self.tally.plies == 0 {
            0.0
        } else {
            self.tally.choices as f64 / self.tally.plies as f64
        }
    }
}

/// Writes the rows as CSV.
pub fn simulation_csv(rows: &[SimulationRow], out: impl Write) -> io::Result<()> {
    let mut sheet = Sheet::new(out, SIMULATION_COLUMNS.iter().map(|(name, _)| *name))?;
    for row in rows {
        sheet.text(&row.game)?;
        sheet.text(&row.parameters)?;
        sheet.number(row.tally.pairs)?;
        sheet.number(row.tally.distinct)?;
        let together = score_of_pairs(row.tally.first, z_for_all(rows.len()));
        interval(&mut sheet, score_of_pairs(row.tally.first, z_for_all(1)), true)?;
        interval(&mut sheet, together, false)?;
        interval(&mut sheet, score_of_pairs(row.tally.a, z_for_all(1)), true)?;
        for rate in [row.draw_rate(), row.cut_rate()] {
            sheet.number(fixed(rate, 4))?;
        }
        sheet.number(fixed(row.mean_plies(), 1))?;
        sheet.number(fixed(row.branching(), 2))?;
        sheet.end_row()?;
    }
    sheet.finish()
}

fn interval<W: Write>(
    sheet: &mut Sheet<W>,
    interval: Option<Interval>,
    value: bool,
) -> io::Result<()> {
    if value {
        sheet.maybe(interval.map(|interval| fixed(interval.value, 4)))?;
    }
    sheet.maybe(interval.map(|interval| fixed(interval.low, 4)))?;
    sheet.maybe(interval.map(|interval| fixed(interval.high, 4)))
}

/// Formats the rows for the terminal. The score of the first move is drawn between 0 and 100 %,
/// with intervals that cover simultaneously for all rows.
pub fn simulation_table(rows: &[SimulationRow], width: usize) -> String {
    let mut table = Table::new(vec![
        Column::text("game", 9),
        Column::number("pairs", 4),
        Column::number("distinct", 3),
        Column::number("first", 9),
        Column::number(SCALE, 6),
        Column::number("A", 5),
        Column::number("draws", 3),
        Column::number("cut", 2),
        Column::number("plies", 2),
        Column::number("moves", 1),
    ]);
    let z = z_for_all(rows.len());
    for row in rows {
        let first = score_of_pairs(row.tally.first, z);
        table.row(vec![
            row.game.clone(),
            row.tally.pairs.to_string(),
            row.tally.distinct.to_string(),
            first.map_or(String::new(), |first| percent(first.value)),
            first.map_or(String::new(), drawn),
            score_of_pairs(row.tally.a, z).map_or(String::new(), |a| percent(a.value)),
            percent(row.draw_rate()),
            percent(row.cut_rate()),
            fixed(row.mean_plies(), 1),
            fixed(row.branching(), 1),
        ]);
    }
    table.render(width)
}

fn percent(rate: f64) -> String {
    format!("{} %", fixed(100.0 * rate, 1))
}

/// Number of columns of the drawing minus one, even so that there is a middle column.
const STEPS: usize = 30;
const SCALE: &str = "0 %           50 %        100 %";

/// Draws `├──●──┤` at its position, with `│` at 50 %.
fn drawn(score: Interval) -> String {
    let at = |rate: f64| (rate * STEPS as f64).round() as usize;
    let (low, value, high) = (at(score.low), at(score.value), at(score.high));
    let mark = |column: usize| match column {
        _ if column == value => '●',
        _ if column == low => '├',
        _ if column == high => '┤',
        _ if (low..high).contains(&column) => '─',
        _ if column == STEPS / 2 => '│',
        _ => '·',
    };
    (0..=STEPS).map(mark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> [SimulationRow; 2] {
        let tally = Tally {
            pairs: 100,
            distinct: 80,
            first: [5, 15, 40, 15, 5],
            a: [0, 0, 0, 10, 70],
            draws: 12,
            cut: 2,
            plies: 12_340,
            choices: 61_700,
            nodes: 1_234_000,
        };
        let empty = Tally { plies: 0, first: [0; 5], a: [0; 5], ..tally.clone() };
        let oware = "holes=6,capt_on=2+3";
        [("oware", oware, tally), ("over", "", empty)].map(|(game, parameters, tally)| {
            SimulationRow { game: game.into(), parameters: parameters.into(), tally }
        })
    }

    #[test]
    fn a_row_a_game() {
        let mut bytes = Vec::new();
        simulation_csv(&rows(), &mut bytes).unwrap();
        insta::assert_snapshot!(String::from_utf8(bytes).unwrap(), @r#"
        game,parameters,pairs,distinct_pairs,first_score,first_low,first_high,first_low_all,first_high_all,a_score,a_low,a_high,draws,cut,plies,branching
        oware,"holes=6,capt_on=2+3",100,80,0.5000,0.4486,0.5514,0.4415,0.5585,0.9688,0.9398,0.9840,0.0600,0.0100,61.7,5.00
        over,,100,80,,,,,,,,,0.0600,0.0100,0.0,0.00
        "#);
        insta::assert_snapshot!(simulation_table(&rows(), 140), @"
        game   pairs  distinct   first  0 %           50 %        100 %       A  draws    cut  plies  moves
        oware    100        80  50.0 %  ·············├─●─┤·············  96.9 %  6.0 %  1.0 %   61.7    5.0
        over     100        80                                                   6.0 %  1.0 %    0.0    0.0
        ");
        insta::assert_snapshot!(simulation_table(&rows(), 70), @"
        game   pairs   first  0 %           50 %        100 %       A  draws
        oware    100  50.0 %  ·············├─●─┤·············  96.9 %  6.0 %
        over     100                                                   6.0 %
        ");
    }

    #[test]
    fn scores_are_drawn_where_they_are() {
        let drawn = |low, value, high| drawn(Interval { value, low, high });
        insta::assert_snapshot!(drawn(0.4, 0.5, 0.6), @"············├──●──┤············");
        insta::assert_snapshot!(drawn(0.0, 0.0, 0.1), @"●──┤···········│···············");
        insta::assert_snapshot!(drawn(0.9, 1.0, 1.0), @"···············│···········├──●");
        insta::assert_snapshot!(drawn(0.7, 0.7, 0.7), @"···············│·····●·········");
    }
}
