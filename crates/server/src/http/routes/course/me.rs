//! Group page: the group's bots, the upload form, and notes.

use askama::Template;
use axum::extract::State;
use axum::response::{Redirect, Response};
use pitmaster_core::Untrusted;
use pitmaster_core::i18n::{Lang, said};
use pitmaster_season::course::{Action, VersionState};
use serde_json::Value;

use super::super::super::app::App;
use super::super::super::page::{self, Layout, minute};
use super::super::super::problem::Problem;
use super::asks::{self, AskSection};
use super::bot::versions;
use super::docs::mebibytes;
use super::front::{deadlines, queue_text};
use super::{Head, Visit, frozen, grades, version};
use crate::database::{Bot, DeadlineRow, Group, MAX_BOTS_PER_GROUP, Note, PublishedGrade, Version};

/// Number of versions per bot on this page. The bot's page shows all.
const MAX_VERSIONS: usize = 8;

/// Number of notes.
const MAX_NOTES: usize = 30;

#[derive(Template)]
#[template(path = "me.html")]
struct MePage {
    layout: Layout,
    head: Head,
    /// URL of the live feed.
    stream: String,
    /// The reader's group; `None` for a person without one.
    group: Option<Group>,
    /// The reader's grade, once it is published.
    grade: Option<PublishedGrade>,
    /// Bots with the shown versions, and whether the bot has no active version.
    bots: Vec<(Bot, Vec<Version>, bool)>,
    /// Games that the group asks for.
    asks: Option<AskSection>,
    can_add: bool,
    can_upload: bool,
    queue: String,
    /// Deadlines with the remaining time.
    deadlines: Vec<(DeadlineRow, String)>,
    /// Frozen versions of the group, with the names of their deadlines.
    frozen: Vec<(String, Option<Version>)>,
    /// Notes: time, text, and whether it is new.
    notes: Vec<(String, String, bool)>,
    last_note: i64,
}

impl MePage {
    /// Refresh interval of a bot's versions, in seconds.
    fn pause(versions: &[Version]) -> u32 {
        if versions.iter().any(|version| version.state.is_in_work()) { 3 } else { 15 }
    }
}

/// Shows the page. Guests must log in first.
pub(in super::super) async fn page(
    State(app): State<App>,
    visit: Visit,
) -> Result<Response, Problem> {
    let (person, _) = visit.client.logged_in()?;
    // Read first, so that the feed reports later changes.
    let own = visit.own(&app).await?;
    let queue = app.examinations().await?;
    let stream = visit.stream(&app, &[], Some(&queue), Some(&own));
    let group = match visit.group() {
        Some(group) => {
            app.database().group(group).await?.open(&visit.client.actor, Action::ViewEvidence).ok()
        }
        None => None,
    };
    let bots = match &group {
        Some(group) => bots(&app, &visit, group).await?,
        None => Vec::new(),
    };
    let groups = group.as_ref().map(|group| group.id);
    let frozen = match groups {
        Some(group) => frozen::of_group(&app, &visit, group).await?,
        None => Vec::new(),
    };
    let asks = match groups {
        Some(group) => Some(AskSection::of(&app, &visit, group, &bots).await?),
        None => None,
    };
    let can_upload = visit.may_with(Action::Upload, groups.as_slice());
    let notes = app.database().last_notes(person.id, MAX_NOTES as u32).await?;
    let grade = app.database().published_grade(visit.course.facts.id, person.id).await?;
    let layout = visit.client.layout(&app);
    let page = MePage {
        asks,
        grade: grade.open(&visit.client.actor, Action::ViewGrade).ok(),
        can_add: can_upload && group.is_some() && bots.len() < MAX_BOTS_PER_GROUP as usize,
        can_upload: can_upload && group.is_some(),
        queue: queue_text(&queue, &layout),
        stream,
        deadlines: deadlines(&app, &visit).await?,
        frozen,
        last_note: notes.iter().map(|note| note.seq).max().unwrap_or_default(),
        notes: notes.iter().map(|note| line(note, layout.lang)).collect(),
        head: visit.head(),
        group,
        bots,
        layout,
    };
    Ok(page::render(&page))
}

async fn bots(
    app: &App,
    visit: &Visit,
    group: &Group,
) -> Result<Vec<(Bot, Vec<Version>, bool)>, Problem> {
    let all = app.database().bots(visit.course.facts.id).await?.into_iter();
    let open = all.filter_map(|bot| bot.open(&visit.client.actor, Action::ViewResults).ok());
    let mut bots = Vec::new();
    for bot in open.filter(|bot| bot.group == group.id && bot.retired.is_none()) {
        let mut versions = versions(app, visit, &bot).await?;
        let plays = |version: &Version| version.state == VersionState::Active;
        let is_idle = !versions.is_empty() && !versions.iter().any(plays);
        versions.truncate(MAX_VERSIONS);
        bots.push((bot, versions, is_idle));
    }
    Ok(bots)
}

/// Formats a note for the page.
fn line(note: &Note, lang: Lang) -> (String, String, bool) {
    (minute(note.made), text(note, lang), note.seen.is_none())
}

/// Text of a note. Its names come from the database, which validated them.
fn text(note: &Note, lang: Lang) -> String {
    let fact = |key: &str| note.data.get(key).and_then(Value::as_str).unwrap_or_default();
    let number = note.data.get("number").and_then(Value::as_u64).unwrap_or_default();
    let state = fact("state").parse::<VersionState>();
    let text = match (note.kind.as_str(), state) {
        ("version", Ok(state)) => {
            said!("{}, version {}: {}", fact("bot"), number, state.sentence())
        }
        ("fault", _) => said!(
            "{}, version {}: a fault of the server stopped its examination; tell your teacher.",
            fact("bot"),
            number
        ),
        ("games", _) if fact("state") == "done" => {
            said!("The games of {} against {} were played.", fact("bot"), fact("opponent"))
        }
        ("games", _) => said!(
            "The games of {} against {} could not be played; tell your teacher.",
            fact("bot"),
            fact("opponent")
        ),
        ("frozen", _) if number > 0 => said!("Version {} is frozen for the final.", number),
        ("frozen", _) => {
            said!("Nothing of your group was in time and valid, so nothing is frozen.")
        }
        _ => return Untrusted::new(note.data.to_string()).shown(300),
    };
    text.to(lang)
}

/// Marks the shown notes as seen.
pub(in super::super) async fn seen(
    State(app): State<App>,
    visit: Visit,
    axum::Form(SeenForm { up_to }): axum::Form<SeenForm>,
) -> Result<Redirect, Problem> {
    let (person, _) = visit.client.logged_in()?;
    app.database().mark_notes_seen(person.id, up_to, visit.client.now).await?;
    Ok(Redirect::to(&visit.address("/me")))
}

/// Form data of the notes.
#[derive(serde::Deserialize)]
pub(in super::super) struct SeenForm {
    up_to: i64,
}
