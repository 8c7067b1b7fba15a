//! Documentation for students: uploading, examination, limits and the protocol.

use std::sync::LazyLock;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use pitmaster_core::i18n::Lang;
use pitmaster_season::course::{Action, Quota};

use super::super::super::app::App;
use super::super::super::markdown;
use super::super::super::page::{self, Layout};
use super::super::super::problem::Problem;
use super::super::super::upload::MAX_BYTES;
use super::{Head, Visit};
use crate::database::{Ladder, MAX_BOTS_PER_GROUP};

/// Protocol between Pitmaster and bots, from the book.
fn protocol(lang: Lang) -> &'static str {
    static ENGLISH: LazyLock<String> =
        LazyLock::new(|| markdown::fragment(include_str!("../../../../../../protocol.md")));
    static FRENCH: LazyLock<String> = LazyLock::new(|| {
        markdown::fragment(include_str!("../../../../../../docs/fr/protocole.md"))
    });
    match lang {
        Lang::English => &ENGLISH,
        Lang::French => &FRENCH,
    }
}

/// Converts the protocol, so that the first reader does not wait for it.
pub(crate) fn prepare_documents() {
    for lang in Lang::ALL {
        protocol(lang);
    }
}

#[derive(Template)]
#[template(path = "docs.html")]
struct DocsPage {
    layout: Layout,
    head: Head,
    ladders: Vec<Ladder>,
    protocol: &'static str,
}

/// Maximum size of an upload, in MiB.
pub(super) fn mebibytes() -> u64 {
    MAX_BYTES / 1024 / 1024
}

/// Maximum number of bots of a group.
fn bots() -> u32 {
    MAX_BOTS_PER_GROUP
}

/// Maximum number of uploads of a group per hour.
fn an_hour() -> u32 {
    Quota::UPLOADS_AN_HOUR.limit
}

/// Maximum number of uploads of a group per day.
fn a_day() -> u32 {
    Quota::UPLOADS_A_DAY.limit
}

/// Shows the page.
pub(in super::super) async fn page(
    State(app): State<App>,
    visit: Visit,
) -> Result<Response, Problem> {
    let layout = visit.client.layout(&app);
    let protocol = protocol(layout.lang);
    let ladders = app.database().ladders(visit.course.facts.id).await?.into_iter();
    let seen = ladders.filter_map(|it| it.open(&visit.client.actor, Action::ViewResults).ok());
    let (ladders, head) = (seen.collect(), visit.head());
    Ok(page::render(&DocsPage { layout, head, ladders, protocol }))
}
