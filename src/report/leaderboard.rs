//! The ranking: as a file and for the terminal.

use std::io::{self, Write};

use super::number::fixed;
use super::sheet::Sheet;
use super::table::{Column, Table};
use crate::ratings::{Bound, Rating, Ratings, Roster, Row, Standings};
use crate::record::{Fault, Untrusted};

/// How much of a display name is shown, in characters.
const DISPLAY: usize = 80;

const COLUMNS: [&str; 17] = [
    "rank",
    "bot",
    "games",
    "distinct",
    "wins",
    "draws",
    "losses",
    "points",
    "win_rate",
    "win_rate_low",
    "win_rate_high",
    "elo_bound",
    "elo",
    "elo_low",
    "elo_high",
    "elo_group",
    "forfeits",
];

/// Writes `leaderboard.csv`: a line a bot in the order of the standings. `win_rate` is the
/// share of all games that were won, with Wilson's 95 % interval; `elo_bound` is `>`
/// or `<` where the games set only a lower or upper bound; Elo compares bots of the same
/// `elo_group`. Then a column for every kind of forfeit, the hash of what was handed in, and
/// what the bot calls itself: `displays`, by the bots' numbers.
pub fn leaderboard_csv(
    standings: &Standings,
    roster: &Roster,
    displays: &[Untrusted],
    out: impl Write,
) -> io::Result<()> {
    let columns = COLUMNS.into_iter().chain(Fault::NAMES).chain(["hash", "display"]);
    let mut sheet = Sheet::new(out, columns)?;
    for row in &standings.rows {
        write_counts(&mut sheet, row, roster)?;
        write_elo(&mut sheet, row.elo.as_ref())?;
        sheet.number(row.forfeited())?;
        row.forfeits.iter().try_for_each(|count| sheet.number(count))?;
        sheet.text(roster.bot(row.bot).hash.as_str())?;
        let display = displays.get(row.bot as usize);
        sheet.text(&display.map_or_else(String::new, |display| display.shown(DISPLAY)))?;
        sheet.end_row()?;
    }
    sheet.finish()
}

fn write_counts<W: Write>(sheet: &mut Sheet<W>, row: &Row, roster: &Roster) -> io::Result<()> {
    sheet.number(row.rank)?;
    sheet.text(roster.name(row.bot).as_str())?;
    for count in [row.games, row.distinct, row.wins, row.draws, row.losses] {
        sheet.number(count)?;
    }
    sheet.number(row.points)?;
    let rate = row.win_rate;
    for share in [rate.map(|r| r.value), rate.map(|r| r.low), rate.map(|r| r.high)] {
        sheet.maybe(share.map(|share| fixed(share, 4)))?;
    }
    Ok(())
}

fn write_elo<W: Write>(sheet: &mut Sheet<W>, elo: Option<&Rating>) -> io::Result<()> {
    sheet.text(elo.map_or("", |rating| rating.bound.mark()))?;
    let ends = [elo.map(|r| r.elo), elo.and_then(|r| r.low), elo.and_then(|r| r.high)];
    for end in ends {
        sheet.maybe(end.map(|end| fixed(end, 1)))?;
    }
    sheet.maybe(elo.map(|rating| rating.group + 1))
}

/// The ranking for a terminal of that many columns, with notes below it: what the marks
/// mean, what was repeated, which bots never met. Ends with a line feed.
pub fn leaderboard_table(standings: &Standings, roster: &Roster, width: usize) -> String {
    let mut table = Table::new(columns(standings));
    for row in &standings.rows {
        table.row(cells(row, roster, standings));
    }
    let mut text = table.render(width);
    for note in notes(standings) {
        text.push_str(&note);
        text.push('\n');
    }
    text
}

fn columns(standings: &Standings) -> Vec<Column> {
    let mut columns = vec![
        Column::number("#", 9),
        Column::text("bot", 9),
        Column::number("games", 3),
        Column::number("W-D-L", 6),
        Column::number("points", 8),
        Column::number("win rate", 4),
        Column::number("95 %", 2),
        Column::number("Elo", 7),
        Column::number("±", 5),
        Column::number("forfeits", 7),
    ];
    if has_repeats(standings) {
        columns.insert(3, Column::number("distinct", 1));
    }
    columns
}

fn cells(row: &Row, roster: &Roster, standings: &Standings) -> Vec<String> {
    let rate = |decimals: usize, share: f64| fixed(share * 100.0, decimals);
    let range = row.win_rate.map(|r| format!("{}–{}", rate(0, r.low), rate(0, r.high)));
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".into());
    let forfeits = row.forfeited();
    let mut cells = vec![
        row.rank.to_string(),
        roster.name(row.bot).to_string(),
        row.games.to_string(),
        format!("{}-{}-{}", row.wins, row.draws, row.losses),
        row.points.to_string(),
        or_dash(row.win_rate.map(|r| rate(1, r.value) + " %")),
        or_dash(range),
        or_dash(row.elo.map(|rating| format!("{}{}", rating.bound.mark(), fixed(rating.elo, 0)))),
        row.elo.as_ref().map(half_width).unwrap_or_default(),
        if forfeits == 0 { String::new() } else { forfeits.to_string() },
    ];
    if has_repeats(standings) {
        cells.insert(3, row.distinct.to_string());
    }
    cells
}

/// The larger half of the interval; nothing where an end is open or the rating is given.
fn half_width(rating: &Rating) -> String {
    let (Some(low), Some(high)) = (rating.low, rating.high) else { return String::new() };
    let half = (rating.elo - low).max(high - rating.elo);
    if half > 0.0 { format!("±{}", fixed(half, 0)) } else { String::new() }
}

fn has_repeats(standings: &Standings) -> bool {
    standings.distinct < standings.games
}

fn notes(standings: &Standings) -> Vec<String> {
    let mut notes = Vec::new();
    let bounds: Vec<_> =
        standings.rows.iter().filter_map(|row| row.elo.map(|rating| rating.bound)).collect();
    if bounds.contains(&Bound::Above) {
        notes.push("> at least: it won every game that would show how strong it is.".into());
    }
    if bounds.contains(&Bound::Below) {
        notes.push("< at most: it lost every game that would show how strong it is.".into());
    }
    if has_repeats(standings) {
        notes.push(format!(
            "{} of {} games were distinct; games played again narrow no interval.",
            standings.distinct, standings.games
        ));
    }
    notes.extend(standings.ratings.as_ref().into_iter().flat_map(rating_notes));
    notes
}

fn rating_notes(ratings: &Ratings) -> Vec<String> {
    let mut notes = Vec::new();
    if ratings.groups > 1 {
        notes.push(format!(
            "{} groups of bots never met: Elo compares bots of one group only.",
            ratings.groups
        ));
    }
    let first = ratings.first_move;
    if first.error > 0.0 {
        notes.push(format!(
            "Player 1 has an advantage of {} ±{} Elo; {} % of the games between equals are draws.",
            fixed(first.value, 0),
            fixed(first.half_width(), 0),
            fixed(ratings.draw_rate * 100.0, 1),
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::super::made_up::{self, csv};
    use super::*;
    use crate::ratings::{Game, Model, Ranking};

    fn example() -> (Standings, Roster) {
        let (records, roster) = made_up::tournament();
        let games: Vec<_> = records.iter().filter_map(|record| Game::of(record, &roster)).collect();
        let ranking = Ranking::default();
        (Standings::rated(roster.len(), &games, &ranking, &Model::default()), roster)
    }

    #[test]
    fn the_file() {
        let (standings, roster) = example();
        let displays =
            [&b"=HYPERLINK(\"http://x\")"[..], b"Alpha \x1b[31m", b"</script>"].map(Untrusted::new);
        let text = csv(|out| leaderboard_csv(&standings, &roster, &displays, out));
        insta::assert_snapshot!(text, @r#"
        rank,bot,games,distinct,wins,draws,losses,points,win_rate,win_rate_low,win_rate_high,elo_bound,elo,elo_low,elo_high,elo_group,forfeits,move-late,bank-empty,cpu-time,start-late,illegal-move,malformed-line,line-too-long,not-utf8,too-much-output,spoke-out-of-turn,closed-output,exited,would-not-start,did-not-build,suspended,hash,display
        1,beta,8,6,4,1,3,4.50,0.5000,0.1876,0.8124,,1561.7,1250.5,1873.0,1,1,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,c607f0e66519ff41d34c1c8e2e312228,</script>
        2,alpha,6,4,3,1,2,3.50,0.5000,0.1500,0.8500,,1438.3,1127.0,1749.5,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,644a9bc57c6063e2ba4028fa73ed5851,Alpha \u{1b}[31m
        3,evil,4,4,0,0,4,0.00,0.0000,0.0000,0.4899,<,610.0,,1168.3,1,4,1,0,0,0,1,0,0,0,0,0,0,0,1,1,0,cc1e030557251a13605883e0033a3f12,"'=HYPERLINK(""http://x"")"
        "#);
    }

    #[test]
    fn the_table() {
        let (standings, roster) = example();
        insta::assert_snapshot!(leaderboard_table(&standings, &roster, 100), @"
        #  bot    games  distinct  W-D-L  points  win rate   95 %   Elo     ±  forfeits
        1  beta       8         6  4-1-3    4.50    50.0 %  19–81  1562  ±311         1
        2  alpha      6         4  3-1-2    3.50    50.0 %  15–85  1438  ±311
        3  evil       4         4  0-0-4    0.00     0.0 %   0–49  <610               4
        < at most: it lost every game that would show how strong it is.
        7 of 9 games were distinct; games played again narrow no interval.
        Player 1 has an advantage of 410 ±488 Elo; 29.5 % of the games between equals are draws.
        ");
    }

    #[test]
    fn the_table_on_a_narrow_terminal() {
        let (standings, roster) = example();
        insta::assert_snapshot!(leaderboard_table(&standings, &roster, 40), @"
        #  bot    W-D-L  points   Elo  forfeits
        1  beta   4-1-3    4.50  1562         1
        2  alpha  3-1-2    3.50  1438
        3  evil   0-0-4    0.00  <610         4
        < at most: it lost every game that would show how strong it is.
        7 of 9 games were distinct; games played again narrow no interval.
        Player 1 has an advantage of 410 ±488 Elo; 29.5 % of the games between equals are draws.
        ");
    }

    #[test]
    fn a_tournament_without_games_has_a_table_too() {
        let (_, roster) = made_up::tournament();
        let ranking = Ranking::default();
        let standings = Standings::rated(roster.len(), &[], &ranking, &Model::default());
        insta::assert_snapshot!(leaderboard_table(&standings, &roster, 100), @"
        #  bot    games  W-D-L  points  win rate  95 %  Elo  ±  forfeits
        1  evil       0  0-0-0    0.00         -     -    -
        1  alpha      0  0-0-0    0.00         -     -    -
        1  beta       0  0-0-0    0.00         -     -    -
        ");
        let text = csv(|out| leaderboard_csv(&standings, &roster, &[], out));
        let first = text.lines().nth(1).unwrap();
        insta::assert_snapshot!(first, @"1,evil,0,0,0,0,0,0.00,,,,,,,,,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,cc1e030557251a13605883e0033a3f12,");
    }
}
