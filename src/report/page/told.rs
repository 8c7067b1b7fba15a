//! A tournament in words and tables for its chapter of a page.

use std::time::Duration;

use super::data::{BotData, EndingData};
use super::html::{Bot, Cell, Column, Fact, Row, Table};
use super::index::KindOfEnding;
use crate::language::{Lang, Message, said};
use crate::ratings::{Matches, Model, Standings};
use crate::record::Limits;
use crate::report::{Listing, Names, Played, Times, ending_label, leaderboard, wdl_bar};
use crate::tournament::{FormatPlan, show_duration};

/// What is known of a tournament beside its games. Whatever its readers must not see has been
/// taken out of it.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// What it is called.
    pub title: &'a str,
    /// Its game, with options and version.
    pub rules: &'a str,
    /// Under which limits it was played.
    pub limits: &'a Limits,
    /// Who met whom, and why.
    pub plan: &'a FormatPlan,
    /// How Elo is fitted.
    pub model: &'a Model,
    /// The standings, rated.
    pub standings: &'a Standings,
    /// All games, gathered.
    pub matches: &'a Matches,
    /// All games, in the plan's order.
    pub played: &'a Played,
    /// Times of moves.
    pub times: &'a Times,
    /// Who is called what.
    pub names: &'a Names,
    /// Who wrote each bot, by the bots' numbers; nothing where that is not known or not told.
    pub authors: &'a [String],
    /// Which bots its readers may look at closely, by the bots' numbers.
    pub own: &'a [bool],
    /// What is to be said below the standings.
    pub notes: &'a [Message],
}

impl Told<'_> {
    /// The numbers of bots on the page, their places in the standings, by their numbers.
    pub(super) fn places(&self) -> Vec<u32> {
        let mut places = vec![0; self.standings.rows.len()];
        for (place, row) in self.standings.rows.iter().enumerate() {
            places[row.bot as usize] = place as u32;
        }
        places
    }

    /// What stands above the standings.
    pub(super) fn facts(&self, lang: Lang) -> Vec<Fact> {
        let fact = |name: Message, value: String| Fact { name: name.to(lang), value };
        let Standings { games, distinct, rows, .. } = self.standings;
        let count = if distinct < games {
            said!("{}, {} of them distinct", *games, *distinct).to(lang)
        } else {
            games.to_string()
        };
        let format: Vec<_> = self.plan.stages.iter().map(|stage| stage.shown()).collect();
        vec![
            fact(said!("Game"), self.rules.to_owned()),
            fact(said!("Format"), format.join(" → ")),
            fact(said!("Limits"), limits(self.limits, lang)),
            fact(said!("Bots"), rows.len().to_string()),
            fact(said!("Games"), count),
        ]
    }

    /// The standings, with a drawing of wins, draws and losses beside them.
    pub(super) fn standings_table(&self, lang: Lang) -> Table {
        let listing = leaderboard(self.standings, self.names);
        let mut table = table(&listing, lang);
        table.title = said!("Standings").to(lang);
        let bar = Column {
            heading: said!("results").to(lang),
            explained: said!("wins, draws and losses").to(lang),
            sort: "",
            class: "bar",
        };
        let at = 1 + table.columns.iter().position(|column| column.class.is_empty()).unwrap_or(0);
        table.columns.insert(at, bar);
        for (place, row) in self.standings.rows.iter().enumerate() {
            let svg = wdl_bar(row.wins, row.draws, row.losses, lang);
            let shown = &mut table.rows[place];
            shown.bot = Some(place);
            shown.cells.insert(at, Cell { svg, class: "bar", ..Cell::default() });
        }
        table
    }

    pub(super) fn standings_notes(&self, lang: Lang) -> Vec<String> {
        let listing = leaderboard(self.standings, self.names);
        let below = self.notes.iter().map(|note| note.to(lang));
        listing.notes(lang).chain(below).collect()
    }

    /// The bots for the list of them.
    pub(super) fn bots(&self, lang: Lang) -> Vec<Bot> {
        let bot = |(number, row): (usize, &crate::ratings::Row)| Bot {
            number,
            shown: self.names.name(row.bot).to_owned(),
            about: self.about(row.bot, lang),
            own: self.own[row.bot as usize],
        };
        self.standings.rows.iter().enumerate().map(bot).collect()
    }

    /// What a bot calls itself, if that is something else, and who wrote it.
    fn about(&self, bot: u32, lang: Lang) -> String {
        let display = self.names.display(bot);
        let display = (display != self.names.name(bot)).then(|| display.to_owned());
        let authors = self.authors.get(bot as usize).filter(|authors| !authors.is_empty());
        let authors = authors.map(|authors| said!("by {}", authors).to(lang));
        let parts = [display.filter(|display| !display.is_empty()), authors];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    pub(super) fn bot_data(&self) -> Vec<BotData> {
        let known = |row: &crate::ratings::Row| BotData {
            name: self.names.name(row.bot).to_owned(),
            shown: self.names.name(row.bot).to_owned(),
            elo: row.elo.map(|rating| rating.elo),
            low: row.elo.and_then(|rating| rating.low),
            high: row.elo.and_then(|rating| rating.high),
            rank: row.rank,
            forfeits: row.forfeited(),
            own: self.own[row.bot as usize],
        };
        self.standings.rows.iter().map(known).collect()
    }
}

/// Endings with what people call them.
pub(super) fn labelled(endings: &[KindOfEnding], lang: Lang) -> Vec<EndingData> {
    let labelled = |ending: &KindOfEnding| EndingData {
        name: ending.name.clone(),
        label: ending_label(&ending.name, lang),
        forfeit: ending.forfeit,
    };
    endings.iter().map(labelled).collect()
}

/// A table of what stands on the screen.
fn table(listing: &Listing, lang: Lang) -> Table {
    let heads = listing.heads(lang);
    let shown = || heads.iter().enumerate().filter(|(_, head)| head.on_screen);
    let column = |head: &crate::report::Head<'_>| Column {
        heading: head.title.clone(),
        explained: String::new(),
        sort: if head.is_number { "number" } else { "text" },
        class: if head.is_number { "number" } else { "" },
    };
    let columns: Vec<_> = shown().map(|(_, head)| column(head)).collect();
    let names = shown().position(|(_, head)| head.name == "bot");
    let rows = listing.rows(lang).map(|row| {
        let cell = |(at, (place, head)): (usize, (usize, &crate::report::Head<'_>))| {
            let value = &row[place];
            Cell {
                text: value.shown.clone(),
                value: (value.shown != value.file).then(|| value.file.to_owned()),
                heads: Some(at) == names,
                class: if head.is_number { "number" } else { "" },
                ..Cell::default()
            }
        };
        Row { bot: None, cells: shown().enumerate().map(cell).collect() }
    });
    let rows: Vec<_> = rows.collect();
    Table { title: String::new(), filter: rows.len() > 8, columns, rows }
}

fn limits(limits: &Limits, lang: Lang) -> String {
    let shown = |time: Duration| show_duration(time);
    let told = [
        limits.per_move.map(|time| said!("{} a move", shown(time))),
        limits.bank.map(|bank| {
            said!("an account of {} and {} a move", shown(bank.initial), shown(bank.increment))
        }),
        limits.per_game.map(|time| said!("{} a game", shown(time))),
        limits.plies.map(|plies| said!("{} plies", plies)),
    ];
    let told: Vec<_> = told.into_iter().flatten().map(|limit| limit.to(lang)).collect();
    told.join(", ")
}
