//! Crosstable of points between bots.

use std::io::{self, Write};

use pitmaster_ratings::{Matches, PointsFor, Roster, Standings};

use super::csv_tables::Sheet;

/// Writes `crosstable.csv`: one row and one column per bot, in the order of the standings. A cell
/// contains the points that the row's bot scored against the column's bot, and is empty if they
/// have not met.
pub fn crosstable_csv(
    standings: &Standings,
    matches: &Matches,
    points: &PointsFor,
    roster: &Roster,
    out: impl Write,
) -> io::Result<()> {
    let names = standings.rows.iter().map(|row| roster.name(row.bot).as_str());
    let mut sheet = Sheet::new(out, ["rank", "bot", "points"].into_iter().chain(names))?;
    for row in &standings.rows {
        sheet.number(row.rank)?;
        sheet.text(roster.name(row.bot).as_str())?;
        sheet.number(row.points)?;
        for column in &standings.rows {
            let tally = matches.between(row.bot, column.bot);
            sheet.maybe((tally.games() > 0).then(|| points.tally(&tally)))?;
        }
        sheet.end_row()?;
    }
    sheet.finish()
}

#[cfg(test)]
mod tests {
    use pitmaster_ratings::{Game, Ranking};

    use super::super::fixtures::{self, csv};
    use super::*;

    #[test]
    fn the_file() {
        let (records, roster) = fixtures::tournament();
        let games: Vec<_> = records.iter().filter_map(|record| Game::of(record, &roster)).collect();
        let (matches, ranking) = (Matches::new(&games), Ranking::default());
        let standings = Standings::from_matches(roster.len(), &games, &matches, &ranking);
        let text = csv(|out| crosstable_csv(&standings, &matches, &ranking.points, &roster, out));
        insta::assert_snapshot!(text, @"
        rank,bot,points,beta,alpha,evil
        1,beta,4.50,,2.50,2.00
        2,alpha,3.50,2.50,,1.00
        3,evil,0.00,0.00,0.00,
        ");
    }
}
