//! Versions in the API: handing in, states, evidence, and choosing.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use pitmaster_core::Untrusted;
use pitmaster_core::i18n::said;
use pitmaster_season::course::{Action, Guarded, VersionId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::super::app::App;
use super::super::super::problem::{Kind, Problem};
use super::super::super::upload::{self, Sender};
use super::super::course::version::{build_log, findings};
use super::super::course::{bot_at, course_at};
use super::Bearer;
use super::accounts::parsed;
use crate::database::{Received, Version, Via};

/// A version as programs see it.
#[derive(Debug, Serialize)]
pub(super) struct Document {
    id: String,
    bot: String,
    number: u32,
    state: &'static str,
    /// Whether the state still changes by itself.
    is_in_work: bool,
    /// Whether it passed its validation games.
    has_passed: bool,
    /// What the state means and what to do.
    sentence: String,
    why: Option<String>,
    note: String,
    bytes: u64,
    /// BLAKE3 of the bytes that were sent.
    upload: String,
    /// Hash of the files.
    hash: Option<String>,
    began: String,
    received: String,
    is_checked: bool,
    /// Address of its page.
    page: String,
}

/// What a document of a version needs beside the version.
async fn document(app: &App, bearer: &Bearer, version: Version) -> Result<Document, Problem> {
    let course = app.database().course(version.course.id).await?;
    let course = course.open(&bearer.reader(), Action::ViewResults).ok();
    let slug = course.map(|course| course.slug).unwrap_or_default();
    Ok(Document {
        id: version.id.to_string(),
        number: version.number,
        state: version.state.name(),
        is_in_work: version.state.is_in_work(),
        has_passed: version.state.has_passed(),
        sentence: version.state.sentence().to(bearer.lang),
        why: version.why.map(|why| Untrusted::new(why.to(bearer.lang)).shown_lines(4000)),
        note: version.note,
        bytes: version.bytes,
        upload: version.upload.to_string(),
        hash: version.hash.map(|hash| hash.as_str().to_owned()),
        began: version.began.to_string(),
        received: version.received.to_string(),
        is_checked: version.check_report.is_some(),
        page: format!("/c/{slug}/bots/{}/versions/{}", version.name, version.number),
        bot: version.name.to_string(),
    })
}

/// A version for an action. What is no id is absent.
async fn version_of(
    app: &App,
    bearer: &Bearer,
    id: &str,
    action: Action,
) -> Result<Version, Problem> {
    let found = match id.parse::<VersionId>() {
        Ok(id) => app.database().version(id).await?,
        Err(_) => Guarded::new(None),
    };
    Ok(found.open(&bearer.found.actor, action)?)
}

/// `POST courses/{course}/bots/{bot}/versions`: committed before it is answered.
pub(super) async fn hand_in(
    State(app): State<App>,
    bearer: Bearer,
    Path((course, bot)): Path<(String, String)>,
    Query(Note { note }): Query<Note>,
    request: Request,
) -> Result<Response, Problem> {
    // That the course is there is no secret to its members, whatever their token is for.
    let course = course_at(&app, &bearer.reader(), &course, Action::ViewResults).await?;
    let actor = &bearer.found.actor;
    let bot = bot_at(&app, actor, course.facts.id, &bot, Action::Upload).await?;
    let sender =
        Sender { person: bearer.found.person.id, bot: bot.id, act: bearer.act(), via: Via::Push };
    let received = upload::receive(&app, sender, note, request).await?;
    let (status, id) = match received {
        Received::New(id, _) => (StatusCode::CREATED, id),
        Received::Again(id, _) => (StatusCode::OK, id),
    };
    let location = format!("/api/v1/versions/{id}");
    // Whoever may hand in sees what was handed in, also without the scope to read.
    let version = app.database().version(id).await?.open(&bearer.reader(), Action::ViewEvidence)?;
    let body = Json(document(&app, &bearer, version).await?);
    Ok((status, [(header::LOCATION, location)], body).into_response())
}

/// What an upload says in its address.
#[derive(Deserialize)]
pub(super) struct Note {
    note: Option<String>,
}

/// `GET versions/{id}`.
pub(super) async fn version(
    State(app): State<App>,
    bearer: Bearer,
    Path(id): Path<String>,
) -> Result<Json<Document>, Problem> {
    let version = version_of(&app, &bearer, &id, Action::ViewEvidence).await?;
    document(&app, &bearer, version).await.map(Json)
}

/// `GET versions/{id}/log`.
pub(super) async fn log(
    State(app): State<App>,
    bearer: Bearer,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let version = version_of(&app, &bearer, &id, Action::ViewEvidence).await?;
    let log = build_log(&app, &version).await?.ok_or_else(|| {
        Problem::new(Kind::NotFound).because(said!("This version has no build log."))
    })?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], log).into_response())
}

/// `GET versions/{id}/check`.
pub(super) async fn check(
    State(app): State<App>,
    bearer: Bearer,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    let version = version_of(&app, &bearer, &id, Action::ViewEvidence).await?;
    let found = findings(&version);
    let is_checked = found.is_some();
    let lang = bearer.lang;
    let rows = found.unwrap_or_default().into_iter().map(|finding| {
        json!({
            "what": finding.what,
            "level": finding.level().name(),
            "times": finding.times,
            "about": finding.what.about().to(lang),
            "came": finding.came.to(lang),
            "expected": finding.expected.to(lang),
            "advice": finding.advice.to(lang),
        })
    });
    let rows: Vec<Value> = rows.collect();
    Ok(Json(json!({"is_checked": is_checked, "findings": rows})))
}

/// What a choice says; an empty body says nothing.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Choice {
    for_good: bool,
}

/// `POST versions/{id}/activate`.
pub(super) async fn activate(
    State(app): State<App>,
    bearer: Bearer,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Json<Document>, Problem> {
    let version = version_of(&app, &bearer, &id, Action::ChooseVersion).await?;
    let choice: Choice = if body.is_empty() { Choice::default() } else { parsed(&body)? };
    app.database().choose_version(bearer.act(), version.id, choice.for_good).await?;
    let version =
        app.database().version(version.id).await?.open(&bearer.reader(), Action::ViewEvidence)?;
    document(&app, &bearer, version).await.map(Json)
}
