//! Leaderboard: one list of columns for all output formats.

use pitmaster_core::i18n::{Fill, Message, said};
use pitmaster_core::{Fault, ending_label};
use pitmaster_ratings::{Bound, Interval, Method, Rating, Ratings, Row, Significance, Standings};

use super::data_table::{Cell, Field, Heading, Listing};
use super::left_out;
use super::names::Names;
use super::number::fixed;

/// The leaderboard, one row per bot in the order of the standings. Notes below it explain marks,
/// repetitions, and groups of bots that never met.
///
/// `win_rate` is the share of all games that were won, with Wilson's 95 % interval. `elo_bound` is
/// `>` or `<` if the games set only a lower or upper bound. Elo compares bots of the same
/// `elo_group`. `left_out` is the reason why a bot takes no part: [`Listing::add_left_out`].
pub fn leaderboard(standings: &Standings, names: &Names) -> Listing {
    let significance = standings.significance().filter(Significance::is_known);
    let notes = notes(standings, significance.as_ref());
    let mut fields = counts(standings, names);
    fields.extend(rates());
    fields.extend(elo());
    fields.extend(forfeits());
    fields.push(field(text("hash", said!("hash"), 1).in_files(), |row| {
        Cell::text(names.hash(row.bot))
    }));
    let display = text("display", said!("calls itself"), 1).in_files();
    fields.push(field(display, |row| Cell::text(names.display(row.bot))));
    let left_out = text(left_out::COLUMN, said!("left out because"), 1).in_files();
    fields.push(field(left_out, |_| Cell::nothing()));
    let p_next = number("p_next", said!("p"), 1).if_asked();
    fields.push(field(p_next, move |row| {
        let p = p_next_of(standings, significance.as_ref(), row);
        p.map_or_else(Cell::nothing, |p| Cell::number(fixed(p, 4)))
    }));
    Listing::new("leaderboard", fields, &standings.rows, notes)
}

fn field<'a>(heading: Heading, cell: impl Fn(&Row) -> Cell + 'a) -> Field<'a, Row> {
    Field::new(heading, cell)
}

fn number(name: &'static str, title: Message, importance: u8) -> Heading {
    Heading::number(name, title, importance)
}

fn text(name: &'static str, title: Message, importance: u8) -> Heading {
    Heading::text(name, title, importance)
}

fn counts<'a>(standings: &Standings, names: &'a Names) -> Vec<Field<'a, Row>> {
    let distinct = number("distinct", said!("distinct"), 1).on_screen_if(has_repeats(standings));
    vec![
        field(number("rank", said!("#"), 9), |row| Cell::number(row.rank)),
        field(text("bot", said!("bot"), 9), |row| Cell::text(names.name(row.bot))),
        field(number("games", said!("games"), 3), |row| Cell::number(row.games)),
        field(distinct, |row| Cell::number(row.distinct)),
        field(number("wins", said!("wins"), 6).in_files(), |row| Cell::number(row.wins)),
        field(number("draws", said!("draws"), 6).in_files(), |row| Cell::number(row.draws)),
        field(number("losses", said!("losses"), 6).in_files(), |row| Cell::number(row.losses)),
        field(number("w-d-l", said!("W-D-L"), 6).on_screen(), |row| {
            w_d_l(row.wins, row.draws, row.losses)
        }),
        field(number("points", said!("points"), 8), |row| Cell::number(row.points)),
    ]
}

fn rates<'a>() -> Vec<Field<'a, Row>> {
    let end = |of: fn(&Interval) -> f64| move |row: &Row| share(row.win_rate.as_ref().map(of));
    vec![
        field(number("win_rate", said!("win rate"), 4), |row| {
            percent(row.win_rate.map(|rate| rate.value))
        }),
        field(number("win_rate_low", said!("low"), 2).in_files(), end(|rate| rate.low)),
        field(number("win_rate_high", said!("high"), 2).in_files(), end(|rate| rate.high)),
        field(number("win_rate_95", said!("95 %"), 2).on_screen(), |row| ends(row.win_rate)),
    ]
}

/// Wins, draws and losses, with dashes that spreadsheets do not parse as dates.
pub(super) fn w_d_l(wins: u32, draws: u32, losses: u32) -> Cell {
    Cell::text(format!("{wins}–{draws}–{losses}")).shown(format!("{wins}-{draws}-{losses}"))
}

/// A share of 1, with four decimals.
pub(super) fn share(share: Option<f64>) -> Cell {
    share.map_or_else(Cell::nothing, |share| Cell::number(fixed(share, 4)))
}

/// The same, shown in per cent.
pub(super) fn percent(rate: Option<f64>) -> Cell {
    let shown = rate.map_or("-".into(), |rate| fixed(rate * 100.0, 1) + " %");
    share(rate).shown(shown)
}

/// Both ends of an interval, in percent.
pub(super) fn ends(rate: Option<Interval>) -> Cell {
    let end = |share: f64| fixed(share * 100.0, 0);
    Cell::text(rate.map_or("-".into(), |rate| format!("{}–{}", end(rate.low), end(rate.high))))
}

fn elo<'a>() -> Vec<Field<'a, Row>> {
    let elo = |end: Option<f64>| match end {
        Some(end) => Cell::number(fixed(end, 1)).shown(fixed(end, 0)),
        None => Cell::nothing(),
    };
    vec![
        field(text("elo_bound", said!("bound"), 1).in_files(), |row| {
            Cell::text(row.elo.map_or("", |rating| rating.bound.mark()))
        }),
        field(number("elo", said!("Elo"), 7), move |row| {
            let shown = |r: Rating| format!("{}{}", r.bound.mark(), fixed(r.elo, 0));
            elo(row.elo.map(|rating| rating.elo)).shown(row.elo.map_or("-".into(), shown))
        }),
        field(number("elo_low", said!("low"), 5).in_files(), move |row| {
            elo(row.elo.and_then(|rating| rating.low))
        }),
        field(number("elo_high", said!("high"), 5).in_files(), move |row| {
            elo(row.elo.and_then(|rating| rating.high))
        }),
        field(number("elo_error", said!("±"), 5).on_screen(), |row| {
            row.elo.as_ref().map_or_else(Cell::nothing, half_width)
        }),
        field(number("elo_group", said!("group"), 1).in_files(), |row| {
            row.elo.map_or_else(Cell::nothing, |rating| Cell::number(rating.group + 1))
        }),
    ]
}

fn forfeits<'a>() -> Vec<Field<'a, Row>> {
    let all = field(number("forfeits", said!("forfeits"), 7), |row| {
        let forfeited = row.forfeited();
        let shown = if forfeited == 0 { String::new() } else { forfeited.to_string() };
        Cell::number(forfeited).shown(shown)
    });
    let kinds = Fault::NAMES.into_iter().enumerate().map(|(place, name)| {
        field(number(name, ending_label(name), 1).in_files(), move |row| {
            Cell::number(row.forfeits[place])
        })
    });
    std::iter::once(all).chain(kinds).collect()
}

/// Ratio between the two halves of an interval from which on both are shown.
const SKEWED: f64 = 1.5;

/// The larger half of the interval. On screen, both halves if they differ much. Empty if an end is
/// open or the rating is fixed.
fn half_width(rating: &Rating) -> Cell {
    let (Some(low), Some(high)) = (rating.low, rating.high) else { return Cell::nothing() };
    let [below, above] = [rating.elo - low, high - rating.elo];
    let (short, long) = (below.min(above), below.max(above));
    if long <= 0.0 {
        return Cell::nothing();
    }
    Cell::number(fixed(long, 1)).shown(if long > SKEWED * short {
        format!("-{} +{}", fixed(below, 0), fixed(above, 0))
    } else {
        format!("±{}", fixed(long, 0))
    })
}

fn has_repeats(standings: &Standings) -> bool {
    standings.distinct < standings.games - standings.absences
}

/// Maximum number of notes.
const MOST_NOTES: usize = 3;

/// Notes in the order of their importance.
fn notes(standings: &Standings, significance: Option<&Significance>) -> Vec<Message> {
    let ratings = standings.ratings.as_ref();
    let mut notes: Vec<_> = ratings.and_then(groups).into_iter().collect();
    if standings.absences > 0 {
        notes.push(said!(
            "{} games were not played because a bot cannot play; they count in points, not in \
             Elo.",
            standings.absences
        ));
    }
    notes.extend(ratings.into_iter().flat_map(|ratings| marks(ratings, &standings.rows)));
    notes.extend(significance.and_then(|all| alike(&standings.rows, all)));
    if has_repeats(standings) {
        notes.push(said!(
            "{} of {} games were distinct; repeated games do not narrow intervals.",
            standings.distinct,
            standings.games - standings.absences
        ));
    }
    notes.extend(ratings.and_then(first_move));
    notes.truncate(MOST_NOTES);
    notes
}

/// Explanation of the marks: the games alone leave one end of the interval open.
fn marks(ratings: &Ratings, rows: &[Row]) -> Vec<Message> {
    let is_marked = |bound| rows.iter().filter_map(|row| row.elo).any(|elo| elo.bound == bound);
    let [above, below] = [Bound::Above, Bound::Below].map(is_marked);
    match ratings.method {
        _ if !above && !below => Vec::new(),
        Method::RandomEffects => vec![said!(
            "> or <: it won, or lost, every game that would limit its Elo; the spread of all bots \
             sets the limit."
        )],
        Method::BayesElo { .. } => vec![said!(
            "> or <: it won, or lost, every game that would limit its Elo; virtual draws set the \
             limit."
        )],
        Method::MaximumLikelihood { .. } => {
            let above =
                above.then(|| said!("> at least: it won every game that would limit its Elo."));
            let below =
                below.then(|| said!("< at most: it lost every game that would limit its Elo."));
            above.into_iter().chain(below).collect()
        }
    }
}

/// Ranks of neighboring rows, `1–3`; `None` if they have only one.
pub(super) fn ranks(rows: &[Row]) -> Option<String> {
    let (first, last) = (rows.first()?.rank, rows.last()?.rank);
    (first != last).then(|| format!("{first}–{last}"))
}

/// Maximum number of groups that are listed.
const MOST_GROUPS: usize = 5;

/// Groups of ranks without significant differences in Elo.
fn alike(rows: &[Row], significance: &Significance) -> Option<Message> {
    let runs = significance.runs();
    if runs.is_empty() {
        return Some(said!("Elo tells all ranks apart (95 %, corrected by Holm)."));
    }
    let groups: Vec<_> = runs.into_iter().filter_map(|run| ranks(&rows[run])).collect();
    let (listed, more) = groups.split_at(groups.len().min(MOST_GROUPS));
    let listed = listed.join(", ");
    match more.len() {
        // Only groups of bots with the same rank.
        0 if listed.is_empty() => None,
        0 => Some(said!("Elo cannot tell the ranks of a group apart (95 %): {}.", listed)),
        more => Some(said!(
            "Elo cannot tell the ranks of a group apart (95 %): {}, and {} more groups.",
            listed,
            more
        )),
    }
}

/// Corrected p-value of the difference in Elo to the next row.
fn p_next_of(standings: &Standings, significance: Option<&Significance>, row: &Row) -> Option<f64> {
    let place = standings.rows.iter().position(|other| other.bot == row.bot)?;
    let has_next = place + 1 < standings.rows.len();
    significance.filter(|_| has_next)?.p_value(place, place + 1)
}

fn groups(ratings: &Ratings) -> Option<Message> {
    (ratings.groups > 1).then(|| {
        said!("{} groups of bots never met: Elo compares bots of one group only.", ratings.groups)
    })
}

fn first_move(ratings: &Ratings) -> Option<Message> {
    let first = ratings.first_move;
    (first.error > 0.0).then(|| {
        said!(
            "Player 1 has an advantage of {} ±{} Elo; {} % of the games between equals are draws.",
            fixed(first.value, 0),
            fixed(first.half_width(), 0),
            Fill::number(fixed(ratings.draw_rate * 100.0, 1)),
        )
    })
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Untrusted;
    use pitmaster_core::i18n::Lang;
    use pitmaster_ratings::{Game, Model, Ranking, Roster};

    use super::super::csv_tables::CsvForm;
    use super::super::fixtures::{self, csv};
    use super::*;

    fn example() -> (Standings, Roster) {
        let (records, roster) = fixtures::tournament();
        let games: Vec<_> = records.iter().filter_map(|record| Game::of(record, &roster)).collect();
        let ranking = Ranking::default();
        (Standings::rated(roster.len(), &games, &ranking, &Model::default()), roster)
    }

    #[test]
    fn the_file() {
        let (standings, roster) = example();
        let displays =
            [&b"=HYPERLINK(\"http://x\")"[..], b"Alpha \x1b[31m", b"</script>"].map(Untrusted::new);
        let names = Names::of(&roster, &displays);
        let text = csv(|out| leaderboard(&standings, &names).csv(CsvForm::Plain, out));
        insta::assert_snapshot!(text, @r#"
        rank,bot,games,distinct,wins,draws,losses,points,win_rate,win_rate_low,win_rate_high,elo_bound,elo,elo_low,elo_high,elo_group,forfeits,move-late,bank-empty,cpu-time,stole-time,start-late,illegal-move,malformed-line,line-too-long,not-utf8,too-much-output,spoke-out-of-turn,closed-output,exited,would-not-start,did-not-build,suspended,starved,hash,display,left_out
        1,beta,8,4,4,1,3,4.50,0.5000,0.1500,0.8500,,1523.3,1316.7,1775.4,1,1,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,c607f0e66519ff41d34c1c8e2e312228,</script>,
        2,alpha,6,4,3,1,2,3.50,0.5000,0.1500,0.8500,,1476.7,1230.2,1684.6,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,644a9bc57c6063e2ba4028fa73ed5851,Alpha \u{1b}[31m,
        3,evil,4,2,0,0,4,0.00,0.0000,0.0000,0.6576,<,983.8,-329.2,1576.1,1,4,1,0,0,0,0,1,0,0,0,0,0,0,0,1,1,0,0,cc1e030557251a13605883e0033a3f12,"'=HYPERLINK(""http://x"")",
        "#);
    }

    #[test]
    fn the_table() {
        let (standings, roster) = example();
        insta::assert_snapshot!(leaderboard(&standings, &Names::of(&roster, &[])).render(100, Lang::English), @"
        #  bot    games  distinct  W-D-L  points  win rate   95 %   Elo           ±  forfeits
        1  beta       8         4  4-1-3    4.50    50.0 %  15–85  1523        ±252         1
        2  alpha      6         4  3-1-2    3.50    50.0 %  15–85  1477        ±246
        3  evil       4         2  0-0-4    0.00     0.0 %   0–66  <984  -1313 +592         4
        2 games were not played because a bot cannot play; they count in points, not in Elo.
        > or <: it won, or lost, every game that would limit its Elo; the spread of all bots sets the limit.
        Elo cannot tell the ranks of a group apart (95 %): 1–3.
        ");
    }

    #[test]
    fn the_table_in_french() {
        let (standings, roster) = example();
        let displays = ["Éloïse Ñandú", "Çà et là", ""].map(Untrusted::new);
        let names = Names::of(&roster, &displays);
        let listing = leaderboard(&standings, &names);
        insta::assert_snapshot!(listing.render(100, Lang::French), @"
        #  bot    parties  distinctes  V-N-D  points  % victoires   95 %   Elo           ±  forfaits
        1  beta         8           4  4-1-3    4,50       50,0 %  15–85  1523        ±252         1
        2  alpha        6           4  3-1-2    3,50       50,0 %  15–85  1477        ±246
        3  evil         4           2  0-0-4    0,00        0,0 %   0–66  <984  -1313 +592         4
        2 parties non jouées, faute d'un bot capable de jouer ; elles comptent dans les points, pas dans l'Elo.
        > ou < : il a gagné, ou perdu, toutes les parties qui borneraient son Elo ; la dispersion de tous les bots fixe la borne.
        L'Elo ne départage pas les rangs d'un groupe (95 %) : 1–3.
        ");
        let columns = ["rank", "display", "win_rate", "elo"].map(str::to_owned);
        let chosen = listing.select(&columns).unwrap();
        insta::assert_snapshot!(csv(|out| chosen.markdown("Coupe d'été", Lang::French, out)), @r#"
        **Coupe d'été**

        | # | se nomme | % victoires | Elo |
        | --: | :-- | --: | --: |
        | 1 |  | 50,0 % | 1523 |
        | 2 | Çà et là | 50,0 % | 1477 |
        | 3 | Éloïse Ñandú | 0,0 % | \<984 |

        2 parties non jouées, faute d'un bot capable de jouer ; elles comptent dans les points, pas dans l'Elo.

        \> ou \< : il a gagné, ou perdu, toutes les parties qui borneraient son Elo ; la dispersion de tous les bots fixe la borne.

        L'Elo ne départage pas les rangs d'un groupe (95 %) : 1–3.
        "#);
    }

    #[test]
    fn the_table_on_a_narrow_terminal() {
        let (standings, roster) = example();
        insta::assert_snapshot!(leaderboard(&standings, &Names::of(&roster, &[])).render(40, Lang::English), @"
        #  bot    W-D-L  points   Elo  forfeits
        1  beta   4-1-3    4.50  1523         1
        2  alpha  3-1-2    3.50  1477
        3  evil   0-0-4    0.00  <984         4
        2 games were not played because a bot cannot play; they count in points, not in Elo.
        > or <: it won, or lost, every game that would limit its Elo; the spread of all bots sets the limit.
        Elo cannot tell the ranks of a group apart (95 %): 1–3.
        ");
    }

    #[test]
    fn a_tournament_without_games_has_a_table_too() {
        let (_, roster) = fixtures::tournament();
        let ranking = Ranking::default();
        let standings = Standings::rated(roster.len(), &[], &ranking, &Model::default());
        insta::assert_snapshot!(leaderboard(&standings, &Names::of(&roster, &[])).render(100, Lang::English), @"
        #  bot    games  W-D-L  points  win rate  95 %  Elo  ±  forfeits
        1  evil       0  0-0-0    0.00         -     -    -
        1  alpha      0  0-0-0    0.00         -     -    -
        1  beta       0  0-0-0    0.00         -     -    -
        Player 1 has an advantage of 0 ±784 Elo; 0.0 % of the games between equals are draws.
        ");
        let listing = leaderboard(&standings, &Names::of(&roster, &[]));
        let text = csv(|out| listing.csv(CsvForm::Plain, out));
        let first = text.lines().nth(1).unwrap();
        insta::assert_snapshot!(first, @"1,evil,0,0,0,0,0,0.00,,,,,,,,,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,cc1e030557251a13605883e0033a3f12,,");
    }
}
