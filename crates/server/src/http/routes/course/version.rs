//! Version pages: states for everybody, build logs and findings for their owners and the staff.

use std::borrow::Borrow;
use std::path::Path as FilePath;

use askama::Template;
use axum::Form;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use pitmaster_check::Finding;
use pitmaster_core::i18n::{Lang, Message};
use pitmaster_core::is_hidden;
use pitmaster_season::course::{
    Action, Actor, Facts, Object as _, VersionEvent, VersionState, may,
};
use serde::Deserialize;
use tokio_util::io::ReaderStream;

use super::super::super::app::App;
use super::super::super::page::{self, Layout};
use super::super::super::problem::{Kind, Problem};
use super::{Head, Visit, version_at};
use crate::database::{Bot, JobState, Step, Version};
use crate::uploads::plain_name;

/// Maximum size of a shown build log, in bytes and in characters.
const MAX_LOG: usize = 64 * 1024;

/// Evidence of a version, for its owners and the staff.
#[derive(Debug)]
pub(in super::super) struct Evidence {
    /// End of the build log; `None` if there is none.
    pub log: Option<String>,
    /// Findings of the full check; `None` until it has ended.
    pub findings: Option<Vec<Finding>>,
    /// State transitions of the version.
    pub steps: Vec<Step>,
    /// Whether a fault of the server stopped the examination.
    pub is_stuck: bool,
}

impl Evidence {
    /// Collects the evidence of a version. The caller must be allowed to see it.
    pub(in super::super) async fn of(app: &App, version: &Version) -> Result<Self, Problem> {
        let jobs = app.database().jobs_of(version.id).await?;
        let is_stuck = version.state.is_in_work()
            && jobs.last().is_some_and(|job| job.state == JobState::Failed);
        Ok(Self {
            log: build_log(app, version).await?,
            findings: findings(version),
            steps: app.database().steps(version.id).await?,
            is_stuck,
        })
    }
}

impl Evidence {
    /// Build log; `None` if it is empty.
    fn written_log(&self) -> Option<&str> {
        self.log.as_deref().filter(|log| !log.trim().is_empty())
    }
}

/// Findings of the full check of a version.
pub(in super::super) fn findings(version: &Version) -> Option<Vec<Finding>> {
    let found = version.check_report.as_ref()?.get("report")?.get("findings")?;
    serde_json::from_value(found.clone()).ok()
}

/// End of a version's build log, escaped and truncated.
pub(in super::super) async fn build_log(
    app: &App,
    version: &Version,
) -> Result<Option<String>, Problem> {
    let Some(hash) = &version.hash else { return Ok(None) };
    if !hash.as_str().bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(None);
    }
    // The path is documented in `docs/server.md`. A version without a build step has no log.
    let path = app.database().folder().join("bots").join(hash.as_str()).join("build.log");
    let read = tokio::task::spawn_blocking(move || end_of(&path)).await;
    let end = read.map_err(|error| Problem::new(Kind::Internal).caused_by(error.to_string()))?;
    Ok(end.map(|bytes| quoted(&String::from_utf8_lossy(&bytes), MAX_LOG)))
}

/// Reads the last bytes of a file; `None` if it cannot be read.
fn end_of(path: &FilePath) -> Option<Vec<u8>> {
    use std::io::{Read as _, Seek as _, SeekFrom};
    let mut file = std::fs::File::open(path).ok()?;
    let begin = file.metadata().ok()?.len().saturating_sub(MAX_LOG as u64);
    file.seek(SeekFrom::Start(begin)).ok()?;
    let mut bytes = Vec::new();
    file.take(MAX_LOG as u64).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Whether an actor who sees the course sees a version. Outsiders see only versions that could
/// play.
pub(in super::super) fn is_shown(actor: &Actor, version: &Version) -> bool {
    let could_play = version.state.has_passed() || version.state == VersionState::Suspended;
    could_play || may(actor, Action::ViewEvidence, &version.facts()).is_ok()
}

/// Short name of a version's state.
pub(super) fn state_name(
    state: impl Borrow<VersionState>,
    lang: impl Borrow<Lang>,
) -> &'static str {
    let lang = *lang.borrow();
    match *state.borrow() {
        VersionState::Received => lang.text("waits to be built"),
        VersionState::Staged => lang.text("being built"),
        VersionState::Built => lang.text("being validated"),
        VersionState::Valid => lang.text("valid"),
        VersionState::Active => lang.text("plays"),
        VersionState::Passed => lang.text("passed"),
        VersionState::Replaced => lang.text("replaced"),
        VersionState::Superseded => lang.text("superseded"),
        VersionState::Refused => lang.text("refused"),
        VersionState::FailedBuild => lang.text("build failed"),
        VersionState::FailedValidation => lang.text("validation failed"),
        VersionState::Suspended => lang.text("stopped"),
        VersionState::Withdrawn => lang.text("withdrawn"),
    }
}

/// Maximum length of a shown reason, in characters.
const MAX_REASON: usize = 4000;

/// Escapes a text that may quote the output of a bot or its build: invisible characters, and
/// characters with an effect on the page. Backslashes are unchanged, because people compare the
/// text with their source.
pub(super) fn quoted(text: &str, limit: usize) -> String {
    let escaped = |c: char| match c {
        '\n' | '\t' => c.to_string(),
        c if is_hidden(c) => c.escape_unicode().to_string(),
        c => c.to_string(),
    };
    text.chars().take(limit).map(escaped).collect()
}

#[derive(Template)]
#[template(path = "version.html")]
#[expect(clippy::struct_excessive_bools, reason = "what the reader may do, each a form")]
struct VersionPage {
    layout: Layout,
    head: Head,
    bot: Bot,
    version: Version,
    evidence: Option<Evidence>,
    /// URL of the live feed; `None` for a version of another group.
    stream: Option<String>,
    can_choose: bool,
    can_withdraw: bool,
    can_suspend: bool,
    can_retry: bool,
}

impl VersionPage {
    fn said(&self, message: impl Borrow<Message>) -> String {
        message.borrow().to(self.layout.lang)
    }

    /// URL path of the version's page, or of a form on it.
    fn at(&self, rest: &str) -> String {
        self.head.at(&format!("/bots/{}/versions/{}{rest}", self.bot.name, self.version.number))
    }
}

/// Shows a version.
pub(in super::super) async fn page(
    State(app): State<App>,
    visit: Visit,
    Path((_, name, number)): Path<(String, String, String)>,
) -> Result<Response, Problem> {
    let bot = visit.bot(&app, &name, Action::ViewResults).await?;
    let stream = visit.stream_of_own(&app, bot.group).await?;
    let version = visit.version(&app, &bot, &number, Action::ViewResults).await?;
    let may = |action| may(&visit.client.actor, action, &version.facts()).is_ok();
    let event = |event| version.state.after(event).is_ok();
    let evidence =
        if may(Action::ViewEvidence) { Some(Evidence::of(&app, &version).await?) } else { None };
    let is_open = bot.retired.is_none();
    let page = VersionPage {
        can_choose: may(Action::ChooseVersion) && is_open && event(VersionEvent::Chosen),
        can_withdraw: may(Action::ChooseVersion) && is_open && event(VersionEvent::Withdrawn),
        can_suspend: may(Action::Suspend) && event(VersionEvent::Suspended),
        can_retry: may(Action::Suspend) && evidence.as_ref().is_some_and(|it| it.is_stuck),
        layout: visit.client.layout(&app),
        head: visit.head(),
        evidence,
        stream,
        bot,
        version,
    };
    Ok(page::render(&page))
}

/// Downloads the file that was handed in.
pub(in super::super) async fn upload(
    State(app): State<App>,
    visit: Visit,
    Path((_, name, number)): Path<(String, String, String)>,
) -> Result<Response, Problem> {
    let bot = visit.bot(&app, &name, Action::ViewResults).await?;
    let version = visit.version(&app, &bot, &number, Action::ViewEvidence).await?;
    let internal = |error: String| Problem::new(Kind::Internal).caused_by(error);
    let file = tokio::fs::File::open(app.uploads().path(version.upload)).await;
    let file = file.map_err(|error| internal(format!("upload {}: {error}", version.upload)))?;
    let attached = format!("attachment; filename=\"{}\"", download_name(&version.file_name));
    let attached = HeaderValue::from_str(&attached).map_err(|error| internal(error.to_string()))?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream")),
        (header::CONTENT_LENGTH, HeaderValue::from(version.bytes)),
        (header::CONTENT_DISPOSITION, attached),
    ];
    Ok((headers, Body::from_stream(ReaderStream::new(file))).into_response())
}

/// File name for a header, which is ASCII.
fn download_name(file_name: &str) -> String {
    let name: String = plain_name(file_name).chars().filter(char::is_ascii).collect();
    if name.is_empty() { "upload".to_owned() } else { name }
}

/// Form data of an activation.
#[derive(Deserialize)]
pub(in super::super) struct ActivateForm {
    for_good: Option<String>,
}

/// Activates a version.
pub(in super::super) async fn choose(
    State(app): State<App>,
    visit: Visit,
    Path((_, name, number)): Path<(String, String, String)>,
    Form(choice): Form<ActivateForm>,
) -> Result<Redirect, Problem> {
    let (bot, version) = visit.to_change(&app, &name, &number, Action::ChooseVersion).await?;
    let act = visit.client.act_in(bot.course.id)?;
    app.database().choose_version(act, version.id, choice.for_good.is_some()).await?;
    Ok(visit.back_to(&version))
}

/// Withdraws a version.
pub(in super::super) async fn withdraw(
    State(app): State<App>,
    visit: Visit,
    Path((_, name, number)): Path<(String, String, String)>,
) -> Result<Redirect, Problem> {
    let (bot, version) = visit.to_change(&app, &name, &number, Action::ChooseVersion).await?;
    let act = visit.client.act_in(bot.course.id)?;
    app.database().withdraw_version(act, version.id, "").await?;
    Ok(visit.back_to(&version))
}

/// Form data of a suspension.
#[derive(Deserialize)]
pub(in super::super) struct SuspendForm {
    why: String,
}

/// Suspends a version.
pub(in super::super) async fn suspend(
    State(app): State<App>,
    visit: Visit,
    Path((_, name, number)): Path<(String, String, String)>,
    Form(SuspendForm { why }): Form<SuspendForm>,
) -> Result<Redirect, Problem> {
    let (bot, version) = visit.to_change(&app, &name, &number, Action::Suspend).await?;
    let act = visit.client.act_in(bot.course.id)?;
    app.database().suspend_version(act, version.id, why.as_str()).await?;
    Ok(visit.back_to(&version))
}

/// Retries the examination of a version.
pub(in super::super) async fn retry(
    State(app): State<App>,
    visit: Visit,
    Path((_, name, number)): Path<(String, String, String)>,
) -> Result<Redirect, Problem> {
    let (bot, version) = visit.to_change(&app, &name, &number, Action::Suspend).await?;
    let act = visit.client.act_in(bot.course.id)?;
    app.database().retry_version(act, version.id).await?;
    Ok(visit.back_to(&version))
}

impl Visit {
    /// Looks up a version of a bot by its number, with permission for an action. A hidden version
    /// is treated as absent.
    async fn version(
        &self,
        app: &App,
        bot: &Bot,
        number: &str,
        action: Action,
    ) -> Result<Version, Problem> {
        let actor = &self.client.actor;
        let version = version_at(app, actor, bot.id, number, action).await?;
        if !is_shown(actor, &version) {
            let facts = Facts { is_deleted: true, ..version.facts() };
            may(actor, Action::ViewEvidence, &facts)?;
        }
        Ok(version)
    }

    /// Looks up a version to change, with its bot.
    async fn to_change(
        &self,
        app: &App,
        name: &str,
        number: &str,
        action: Action,
    ) -> Result<(Bot, Version), Problem> {
        let bot = self.bot(app, name, action).await?;
        let version = self.version(app, &bot, number, action).await?;
        Ok((bot, version))
    }

    fn back_to(&self, version: &Version) -> Redirect {
        let rest = format!("/bots/{}/versions/{}", version.name, version.number);
        Redirect::to(&self.address(&rest))
    }
}
