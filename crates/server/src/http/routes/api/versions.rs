//! Versions in the API: uploads, states, evidence and activation.

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

/// JSON document of a version.
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
    /// Meaning of the state, and what to do.
    sentence: String,
    why: Option<String>,
    note: String,
    bytes: u64,
    /// BLAKE3 hash of the bytes that were sent.
    upload: String,
    /// Hash of the files.
    hash: Option<String>,
    began: String,
    received: String,
    is_checked: bool,
    /// URL path of the version's page.
    page: String,
}

/// Document of a version, with data that is not in its row.
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

/// Looks up a version, with permission for an action. A malformed id is treated as absent.
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

/// `POST courses/{course}/bots/{bot}/versions`: the version is committed before the response.
pub(super) async fn hand_in(
    State(app): State<App>,
    bearer: Bearer,
    Path((course, bot)): Path<(String, String)>,
    Query(UploadQuery { note }): Query<UploadQuery>,
    request: Request,
) -> Result<Response, Problem> {
    // Members may know that the course exists, whatever scopes their token has.
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
    // A client that may upload also sees its upload, even without the scope to read.
    let version = app.database().version(id).await?.open(&bearer.reader(), Action::ViewEvidence)?;
    let body = Json(document(&app, &bearer, version).await?);
    Ok((status, [(header::LOCATION, location)], body).into_response())
}

/// Query parameters of an upload.
#[derive(Deserialize)]
pub(super) struct UploadQuery {
    note: Option<String>,
}

/// `GET versions/{id}`: the version.
pub(super) async fn version(
    State(app): State<App>,
    bearer: Bearer,
    Path(id): Path<String>,
) -> Result<Json<Document>, Problem> {
    let version = version_of(&app, &bearer, &id, Action::ViewEvidence).await?;
    document(&app, &bearer, version).await.map(Json)
}

/// `GET versions/{id}/log`: the end of the build log.
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

/// `GET versions/{id}/check`: the findings of the full check.
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

/// Request to activate a version; the body may be empty.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ActivateRequest {
    for_good: bool,
}

/// `POST versions/{id}/activate`: activates the version.
pub(super) async fn activate(
    State(app): State<App>,
    bearer: Bearer,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Json<Document>, Problem> {
    let version = version_of(&app, &bearer, &id, Action::ChooseVersion).await?;
    let choice: ActivateRequest =
        if body.is_empty() { ActivateRequest::default() } else { parsed(&body)? };
    app.database().choose_version(bearer.act(), version.id, choice.for_good).await?;
    let version =
        app.database().version(version.id).await?.open(&bearer.reader(), Action::ViewEvidence)?;
    document(&app, &bearer, version).await.map(Json)
}
