//! Ladder pages with the latest published table. No request computes a table.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use pitmaster_season::course::{Action, GroupId};

use super::super::super::app::App;
use super::super::super::page::{self, Layout};
use super::super::super::problem::Problem;
use super::{Head, Visit, live};
use crate::database::Ladder;
use crate::standings::{LadderTable, TableRow};

/// Ladder with its latest table.
#[derive(Debug)]
pub(super) struct View {
    /// The ladder.
    pub ladder: Ladder,
    /// Latest table; `None` before the first one.
    pub table: Option<Arc<LadderTable>>,
    /// Group of the reader, whose rows are highlighted.
    pub own: Option<GroupId>,
    /// Maximum number of rows to show.
    pub most: usize,
}

impl View {
    /// Creates the view of a ladder with its table.
    pub(super) fn of(app: &App, visit: &Visit, ladder: Ladder, most: usize) -> Self {
        let table = ladder.table(app.standings(), &visit.client.actor, visit.client.now);
        Self { ladder, table, own: visit.group(), most }
    }

    pub(super) fn rows(&self) -> &[TableRow] {
        let rows = self.table.as_ref().map_or(&[][..], |table| &table.rows);
        &rows[..rows.len().min(self.most)]
    }

    pub(super) fn is_cut(&self) -> bool {
        self.table.as_ref().is_some_and(|table| table.rows.len() > self.most)
    }

    pub(super) fn is_own(&self, row: &TableRow) -> bool {
        row.version.is_some_and(|version| Some(version.group) == self.own)
    }

    pub(super) fn rank(row: &TableRow) -> String {
        row.rank.map_or_else(|| "–".into(), |rank| rank.to_string())
    }

    pub(super) fn elo(row: &TableRow) -> String {
        row.rating.map_or_else(|| "–".into(), |rating| format!("{:.0}", rating.elo))
    }

    /// Half width of the interval of a rating; empty for a fixed one.
    pub(super) fn within(row: &TableRow) -> String {
        match row.rating {
            Some(rating) if rating.within == Some(0.0) => String::new(),
            Some(rating) => match rating.within {
                Some(within) => format!("± {within:.0}"),
                None => "± ∞".into(),
            },
            None => String::new(),
        }
    }

    /// Half width as a number to sort by; empty if there is none.
    pub(super) fn half_width(row: &TableRow) -> String {
        let within = row.rating.and_then(|rating| rating.within).filter(|within| *within > 0.0);
        within.map_or_else(String::new, |within| format!("{within:.0}"))
    }
}

#[derive(Template)]
#[template(path = "ladder.html")]
struct LadderPage {
    layout: Layout,
    head: Head,
    /// URL of the live feed.
    stream: String,
    view: View,
    running: Vec<live::Row>,
}

/// Shows a ladder's table.
pub(in super::super) async fn page(
    State(app): State<App>,
    visit: Visit,
    Path((_, slug)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let found = app.database().ladder_at(visit.course.facts.id, &slug).await?;
    let ladder = found.open(&visit.client.actor, Action::ViewResults)?;
    let stream = visit.stream(&app, std::slice::from_ref(&ladder), None, None);
    let running = live::running(&app, &visit, &ladder);
    let view = View::of(&app, &visit, ladder, usize::MAX);
    let layout = visit.client.layout(&app);
    Ok(page::render(&LadderPage { layout, head: visit.head(), stream, view, running }))
}
