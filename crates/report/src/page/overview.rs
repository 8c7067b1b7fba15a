//! Overview of several tournaments side by side, with each bot's places.

use askama::Template as _;
use pitmaster_core::i18n::{Lang, said};

use super::html::{Cell, Column, Overview, Row, Table};
use super::view::TournamentView;

/// A bot by name, with its ranks in all tournaments of a page.
#[derive(Debug, Default)]
pub(super) struct Standing {
    titles: Vec<String>,
    bots: Vec<Line>,
}

#[derive(Debug)]
struct Line {
    name: String,
    /// Rank and number of bots in each tournament.
    ranks: Vec<Option<(u32, usize)>>,
}

impl Standing {
    /// Adds a tournament.
    pub(super) fn add(&mut self, told: &TournamentView<'_>) {
        self.titles.push(told.title.to_owned());
        let (number, among) = (self.titles.len(), told.drawn.standings.rows.len());
        for row in &told.drawn.standings.rows {
            let name = told.drawn.names.name(row.bot);
            let known = self.bots.iter().position(|bot| bot.name == name);
            let at = known.unwrap_or_else(|| {
                self.bots.push(Line { name: name.to_owned(), ranks: Vec::new() });
                self.bots.len() - 1
            });
            let line = &mut self.bots[at];
            line.ranks.resize(number - 1, None);
            line.ranks.push(Some((row.rank, among)));
        }
    }

    /// The table, if there are several tournaments: best first, by the mean share of other bots
    /// ranked below.
    pub(super) fn shown(&mut self, lang: Lang) -> askama::Result<Option<Overview>> {
        if self.titles.len() < 2 {
            return Ok(None);
        }
        let tournaments = self.titles.len();
        self.bots.iter_mut().for_each(|line| line.ranks.resize(tournaments, None));
        self.bots.sort_by(|a, b| b.above().total_cmp(&a.above()).then_with(|| a.name.cmp(&b.name)));
        let rows = self.bots.iter().map(|line| line.row(lang)).collect();
        let title = said!("Overview").to(lang);
        let table = Table { title: title.clone(), filter: true, columns: self.columns(lang), rows };
        let note = said!(
            "Rank in each tournament, ordered by the mean share of the other bots of a \
             tournament that a bot ranked above."
        );
        Ok(Some(Overview { title, notes: vec![note.to(lang)], table: table.render()? }))
    }

    fn columns(&self, lang: Lang) -> Vec<Column> {
        let column = |heading: String, sort, class| Column {
            heading,
            explained: String::new(),
            sort,
            class,
        };
        let mut columns = vec![column(said!("bot").to(lang), "text", "")];
        columns.push(column(said!("stood above").to(lang), "number", "number"));
        columns.push(column(said!("tournaments").to(lang), "number", "number"));
        let titles = self.titles.iter();
        columns.extend(titles.map(|title| column(title.clone(), "number", "number")));
        columns
    }
}

impl Line {
    /// Mean share of other bots ranked below, from 0 to 1.
    fn above(&self) -> f64 {
        let played = self.ranks.iter().flatten();
        let share = |(rank, among): &(u32, usize)| match among.saturating_sub(1) {
            0 => 1.0,
            others => (*among as f64 - f64::from(*rank)) / others as f64,
        };
        let shares: Vec<_> = played.map(share).collect();
        shares.iter().sum::<f64>() / shares.len().max(1) as f64
    }

    fn row(&self, lang: Lang) -> Row {
        let number = |text: String, value: String| Cell {
            text,
            value: Some(value),
            class: "number",
            ..Cell::default()
        };
        let name = Cell { text: self.name.clone(), heads: true, ..Cell::default() };
        let above = self.above();
        let percent = lang.number(&format!("{:.1}", above * 100.0)) + "\u{a0}%";
        let played = self.ranks.iter().flatten().count().to_string();
        let mut cells = vec![name, number(percent, format!("{above:.4}"))];
        cells.push(number(played.clone(), played));
        cells.extend(self.ranks.iter().map(|rank| match rank {
            Some((rank, among)) => {
                number(said!("{} of {}", *rank, *among).to(lang), rank.to_string())
            }
            None => number("–".into(), String::new()),
        }));
        Row { bot: None, cells }
    }
}
