//! Likelihood of superiority for every pair of bots.

use pitmaster_core::i18n::said;
use pitmaster_ratings::{Row, Standings};

use super::data_table::{Cell, Field, Heading, Listing};
use super::leaderboard::share;
use super::names::Names;
use super::number::fixed;

/// One row and one column per bot, in the order of the standings: the likelihood, from 0 to 1, that
/// the row's bot is stronger than the column's. Empty if no games compare the two. In files the
/// columns are called `over NAME`.
pub fn superiority(standings: &Standings, names: &Names) -> Listing {
    let places = 1_u32..;
    let rows: Vec<(u32, &Row)> = places.zip(&standings.rows).collect();
    let mut fields = vec![
        Field::new(Heading::number("place", said!("#"), 9), |row: &(u32, &Row)| {
            Cell::number(row.0)
        }),
        Field::new(Heading::text("bot", said!("bot"), 9), |row: &(u32, &Row)| {
            Cell::text(names.name(row.1.bot))
        }),
    ];
    fields.extend(rows.iter().map(|&(place, column)| {
        let name = format!("over {}", names.name(column.bot));
        let heading = Heading::of_bot(name, place);
        Field::new(heading, move |row: &(u32, &Row)| {
            let ratings = standings.ratings.as_ref().filter(|_| row.1.bot != column.bot);
            cell(ratings.and_then(|ratings| ratings.superiority(row.1.bot, column.bot)))
        })
    }));
    let note = said!(
        "Likelihood that the bot of the row is stronger than the bot of the column, in percent."
    );
    Listing::new("superiority", fields, &rows, vec![note])
}

fn cell(likelihood: Option<f64>) -> Cell {
    let shown = match likelihood {
        None => String::new(),
        Some(sure) if sure > 0.995 => ">99".into(),
        Some(unsure) if unsure < 0.005 => "<1".into(),
        Some(likelihood) => fixed(likelihood * 100.0, 0),
    };
    share(likelihood).shown(shown)
}

#[cfg(test)]
mod tests {
    use pitmaster_core::i18n::Lang;
    use pitmaster_ratings::{Game, Model, Ranking};

    use super::super::csv_tables::CsvForm;
    use super::super::fixtures::{self, csv};
    use super::*;

    #[test]
    fn the_matrix() {
        let (records, roster) = fixtures::tournament();
        let games: Vec<_> = records.iter().filter_map(|record| Game::of(record, &roster)).collect();
        let standings =
            Standings::rated(roster.len(), &games, &Ranking::default(), &Model::default());
        let matrix = superiority(&standings, &Names::of(&roster, &[]));
        insta::assert_snapshot!(matrix.render(100, Lang::English), @"
        #  bot     1   2   3
        1  beta       59  95
        2  alpha  41      94
        3  evil    5   6
        Likelihood that the bot of the row is stronger than the bot of the column, in percent.
        ");
        insta::assert_snapshot!(csv(|out| matrix.csv(CsvForm::Plain, out)), @"
        place,bot,over beta,over alpha,over evil
        1,beta,,0.5862,0.9476
        2,alpha,0.4138,,0.9429
        3,evil,0.0524,0.0571,
        ");
    }
}
