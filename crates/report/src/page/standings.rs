//! Sortable standings table: the columns of the leaderboard, and in addition tie-breaks, time, and
//! whether the difference to the next bot is significant.

use pitmaster_core::i18n::{Lang, Message, said};
use pitmaster_ratings::{Significance, Standings, TieBreak};

use super::html::{Cell, Column, Row, Table};
use super::view::TournamentView;
use crate::leaderboard::ranks;
use crate::left_out::left_out_table;
use crate::{Head, LeftOut, Listing, Shown, leaderboard, wdl_bar};

/// Minimum number of rows for a filter box.
const MANY: usize = 8;

/// Columns of the table of times that the standings show too, by their names in files.
const TIMES: [&str; 2] = ["mean_ms", "mean_share"];

/// Standings table of the tournament with that key.
pub(super) fn table(key: &str, told: &TournamentView<'_>, lang: Lang) -> Table {
    let board = leaderboard(told.drawn.standings, told.drawn.names);
    let times = told.drawn.times.listing(told.drawn.standings, told.drawn.names, None);
    let mut table = Table {
        title: said!("Standings").to(lang),
        filter: told.drawn.standings.rows.len() > MANY,
        columns: Vec::new(),
        rows: (0..told.drawn.standings.rows.len()).map(row).collect(),
    };
    for (place, head) in board.heads(lang).iter().enumerate().filter(|(_, head)| head.on_screen) {
        add(&mut table, &board, place, head, lang);
        if head.name == "bot" {
            link_bots(&mut table, key, told);
            add_results(&mut table, told.drawn.standings, lang);
        }
    }
    add_tie_breaks(&mut table, told, lang);
    for (place, head) in times.heads(lang).iter().enumerate() {
        if TIMES.contains(&head.name) && head.on_screen {
            add(&mut table, &times, place, head, lang);
        }
    }
    add_significance(&mut table, told.drawn.standings, lang);
    table
}

fn row(place: usize) -> Row {
    Row { bot: Some(place), cells: Vec::new() }
}

/// Bots that cannot play, with the full reason.
pub(super) fn left_out(bots: &[LeftOut], lang: Lang) -> Table {
    let mut table = plain(said!("Left out").to(lang), &left_out_table(bots), lang);
    for (row, bot) in table.rows.iter_mut().zip(bots) {
        let Some(cell) = row.cells.last_mut() else { continue };
        let why = bot.why();
        (cell.text, cell.value) = (if why.is_empty() { cell.text.clone() } else { why }, None);
        cell.class = "lines";
    }
    table
}

/// Sortable table of a listing without bots. Its first column contains row headers.
pub(super) fn plain(title: String, listing: &Listing, lang: Lang) -> Table {
    let rows = listing.rows(lang).map(|_| Row { bot: None, cells: Vec::new() }).collect();
    let mut table = Table { title, filter: false, columns: Vec::new(), rows };
    for (place, head) in listing.heads(lang).iter().enumerate() {
        add(&mut table, listing, place, head, lang);
    }
    table.rows.iter_mut().for_each(|row| row.cells[0].heads = true);
    table
}

/// Adds a column of a listing.
fn add(table: &mut Table, listing: &Listing, place: usize, head: &Head<'_>, lang: Lang) {
    table.columns.push(column(head.title.clone(), String::new(), head.is_number));
    for (row, mut values) in table.rows.iter_mut().zip(listing.rows(lang)) {
        let Shown { shown, file } = values.swap_remove(place);
        let value = (shown != file).then(|| file.to_owned());
        row.cells.push(Cell {
            text: shown,
            value,
            class: class(head.is_number),
            ..Cell::default()
        });
    }
}

fn column(heading: String, explained: String, is_number: bool) -> Column {
    let sort = if is_number { "number" } else { "text" };
    Column { heading, explained, sort, class: class(is_number) }
}

fn class(is_number: bool) -> &'static str {
    if is_number { "number" } else { "" }
}

/// Links the names just added to their bots, if the reader may see these.
fn link_bots(table: &mut Table, key: &str, told: &TournamentView<'_>) {
    for (place, row) in told.drawn.standings.rows.iter().enumerate() {
        let Some(cell) = table.rows[place].cells.last_mut() else { continue };
        cell.heads = true;
        cell.href = told.own[row.bot as usize].then(|| format!("#bot={key}:{place}"));
    }
}

fn add_results(table: &mut Table, standings: &Standings, lang: Lang) {
    table.columns.push(Column {
        heading: said!("results").to(lang),
        explained: said!("wins, draws and losses").to(lang),
        sort: "",
        class: "bar",
    });
    for (place, row) in standings.rows.iter().enumerate() {
        let svg = wdl_bar(row.wins, row.draws, row.losses, lang);
        table.rows[place].cells.push(Cell { svg, class: "bar", ..Cell::default() });
    }
}

/// Adds a column for each tie-break that decided between two rows.
fn add_tie_breaks(table: &mut Table, told: &TournamentView<'_>, lang: Lang) {
    let rules = told.drawn.plan.ranking.tie_breaks.iter().enumerate();
    let decided = &told.tie_breaks.decided;
    for (at, rule) in rules.filter(|(at, rule)| **rule != TieBreak::Wins && decided[*at]) {
        let explained = said!("a tie-break, where points are equal").to(lang);
        table.columns.push(column(name(*rule).to(lang), explained, true));
        for (row, values) in table.rows.iter_mut().zip(&told.tie_breaks.of_rows) {
            let digits = values[at].map_or(String::new(), |value| format!("{value:.2}"));
            let (text, value) = (lang.number(&digits), Some(digits));
            row.cells.push(Cell { text, value, class: "number", ..Cell::default() });
        }
    }
}

fn name(rule: TieBreak) -> Message {
    match rule {
        TieBreak::Direct => said!("direct encounter"),
        TieBreak::Buchholz => said!("Buchholz"),
        TieBreak::BuchholzCut1 => said!("Buchholz cut 1"),
        TieBreak::SonnebornBerger => said!("Sonneborn-Berger"),
        TieBreak::Wins => said!("wins"),
    }
}

/// Adds for each row the ranks without a significant Elo difference, if that was tested.
fn add_significance(table: &mut Table, standings: &Standings, lang: Lang) {
    let Some(significance) = standings.significance().filter(Significance::is_known) else {
        return;
    };
    let explained =
        said!("ranks that Elo cannot tell apart from this one (95 %, corrected by Holm)");
    table.columns.push(Column {
        heading: said!("alike").to(lang),
        explained: explained.to(lang),
        sort: "number",
        class: "number",
    });
    for place in 0..standings.rows.len() {
        let around = significance.around(place);
        let value = Some(standings.rows[around.start].rank.to_string());
        let text = ranks(&standings.rows[around]).unwrap_or_default();
        table.rows[place].cells.push(Cell { text, value, class: "number", ..Cell::default() });
    }
}
