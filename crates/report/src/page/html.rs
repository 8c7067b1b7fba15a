//! Template data of a page, in which everything is text in the reader's language.

use askama::Template;
use pitmaster_core::i18n::Lang;

use super::chunks::Pack;
use crate::Chart;

/// The whole page, `page.html`.
#[derive(Template)]
#[template(path = "page.html")]
#[derive(Debug)]
pub(super) struct Html<'p> {
    pub(super) lang: Lang,
    pub(super) script_sources: &'static str,
    pub(super) title: &'p str,
    pub(super) dated: String,
    pub(super) version: &'static str,
    pub(super) style: &'static str,
    pub(super) script: String,
    pub(super) overview: Option<Overview>,
    pub(super) tournaments: Vec<Tournament>,
    pub(super) data: String,
    pub(super) packed: Vec<&'p Pack>,
}

/// Overview of several tournaments.
#[derive(Debug)]
pub(super) struct Overview {
    pub(super) title: String,
    pub(super) notes: Vec<String>,
    pub(super) table: String,
}

/// One tournament.
#[derive(Debug)]
pub(super) struct Tournament {
    pub(super) key: String,
    pub(super) title: String,
    pub(super) facts: Vec<Fact>,
    pub(super) standings: String,
    pub(super) standings_notes: Vec<String>,
    pub(super) standings_charts: Vec<Drawing>,
    pub(super) left_out: Option<LeftOut>,
    pub(super) course: Option<Course>,
    pub(super) crosstable: Option<Drawing>,
    pub(super) charts: Vec<Drawing>,
    pub(super) bots: Vec<Bot>,
    pub(super) workers: Option<Workers>,
    pub(super) game_count: String,
}

/// Fact about a tournament.
#[derive(Debug)]
pub(super) struct Fact {
    pub(super) name: String,
    pub(super) value: String,
}

/// Bracket, rounds or ladder.
#[derive(Debug)]
pub(super) struct Course {
    pub(super) title: String,
    pub(super) charts: Vec<Drawing>,
}

/// Bots that take no part because they cannot play.
#[derive(Debug)]
pub(super) struct LeftOut {
    pub(super) table: String,
    /// Multi-line reasons, such as compiler output.
    pub(super) reasons: Vec<Reason>,
    /// Note that they have no games.
    pub(super) without_games: String,
}

/// Full reason why a bot cannot play.
#[derive(Debug)]
pub(super) struct Reason {
    pub(super) bot: String,
    pub(super) why: String,
}

/// The machines that played.
#[derive(Debug)]
pub(super) struct Workers {
    pub(super) table: String,
    pub(super) notes: Vec<String>,
}

/// A chart in the page.
#[derive(Debug)]
pub(super) struct Drawing {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) note: String,
    pub(super) svg: String,
}

/// A bot in the list.
#[derive(Debug)]
pub(super) struct Bot {
    /// Number of the bot, if the reader may see its details.
    pub(super) number: Option<usize>,
    pub(super) shown: String,
    pub(super) about: String,
}

/// A table that can be sorted, `table.html`.
#[derive(Template)]
#[template(path = "table.html")]
#[derive(Debug)]
pub(super) struct Table {
    pub(super) title: String,
    pub(super) filter: bool,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Row>,
}

/// Header of a column.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) heading: String,
    pub(super) explained: String,
    /// `number`, `text`, or empty if it is not sortable.
    pub(super) sort: &'static str,
    pub(super) class: &'static str,
}

/// One bot's row.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) bot: Option<usize>,
    pub(super) cells: Vec<Cell>,
}

/// One value.
#[derive(Default, Debug)]
pub(super) struct Cell {
    pub(super) text: String,
    /// Sort key, if it differs from the text.
    pub(super) value: Option<String>,
    pub(super) svg: String,
    pub(super) href: Option<String>,
    pub(super) heads: bool,
    pub(super) class: &'static str,
}

impl Html<'_> {
    /// A text of the template in the page's language.
    fn t<'t>(&self, english: &'t str) -> &'t str {
        self.lang.text(english)
    }
}

impl Drawing {
    /// A chart of the tournament of that key.
    pub(super) fn of(key: &str, chart: Chart) -> Self {
        let Chart { name, title, caption, svg } = chart;
        Self { id: format!("{key}-chart-{name}"), title, note: caption, svg }
    }
}
