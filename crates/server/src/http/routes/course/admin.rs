//! Staff pages: people, groups, invitations, deadlines, the state of the course, and the audit log.

use std::borrow::Borrow;
use std::time::Duration;

use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::response::{Redirect, Response};
use pitmaster_core::Untrusted;
use pitmaster_core::i18n::{Lang, said};
use pitmaster_season::course::{
    Action, CourseState, Deadline, DeadlineId, FreezePolicy, GroupId, Guarded, Role, Utc,
    Visibility,
};
use serde::Deserialize;

use super::super::super::app::App;
use super::super::super::page::{self, Layout};
use super::super::super::problem::{Kind, Problem};
use super::{Head, Visit, members};
use crate::database::{
    Act, AuditEntry, CourseSettings, DeadlineRow, DeadlineSettings, FinalRun, FinalState, Group,
    Imported, InviteCode, Ladder, LadderState, Member, NewInvite,
};
use crate::finals::{self, Final, FinalError};
use crate::standings::FinalProgress;
use crate::students::read_list;

/// Time after which an invitation expires.
pub(in super::super) const INVITATION_VALIDITY: Duration = Duration::from_hours(30 * 24);

/// Number of audit log entries per page.
pub(in super::super) const PAGE_SIZE: u32 = 100;

#[derive(Template)]
#[template(path = "admin.html")]
#[expect(clippy::struct_excessive_bools, reason = "what the reader may do, each a form")]
struct AdminPage {
    layout: Layout,
    head: Head,
    state: CourseState,
    settings: CourseSettings,
    members: Vec<Member>,
    groups: Vec<Group>,
    ladders: Vec<Ladder>,
    deadlines: Vec<DeadlineView>,
    can_invite: bool,
    can_group: bool,
    can_set: bool,
    can_freeze: bool,
    can_edit: bool,
    can_audit: bool,
    can_grade: bool,
}

impl AdminPage {
    fn is_now(&self, state: &str) -> bool {
        state == self.state.name()
    }

    fn group_of(&self, member: &Member) -> &str {
        let group = self.groups.iter().find(|group| Some(group.id) == member.group);
        group.map_or("–", |group| &group.slug)
    }

    /// Instant at which the public table of a ladder is frozen, formatted for a form field.
    fn frozen_view(ladder: &Ladder) -> String {
        ladder.frozen_view_at.map_or_else(String::new, Self::field)
    }

    /// Name of a language in that language.
    fn language(lang: impl Borrow<Lang>) -> &'static str {
        match lang.borrow() {
            Lang::English => "English",
            Lang::French => "Français",
        }
    }

    fn audience(visibility: impl Borrow<Visibility>, lang: impl Borrow<Lang>) -> &'static str {
        let lang = *lang.borrow();
        match visibility.borrow() {
            Visibility::Members => lang.text("members of the course"),
            Visibility::World => lang.text("everybody"),
        }
    }

    /// An instant, formatted for a form field.
    fn field(at: impl Borrow<Utc>) -> String {
        page::minute(*at.borrow()).replace(' ', "T")
    }

    /// Whether this is the default role of invitations. Staff codes must be requested explicitly.
    fn is_usual(role: impl Borrow<Role>) -> bool {
        *role.borrow() == Role::Student
    }

    fn course_state(state: impl Borrow<CourseState>, lang: impl Borrow<Lang>) -> &'static str {
        let lang = *lang.borrow();
        match state.borrow() {
            CourseState::Draft => lang.text("being prepared"),
            CourseState::Open => lang.text("in progress"),
            CourseState::Paused => lang.text("paused"),
            CourseState::Frozen => lang.text("frozen"),
            CourseState::Closed => lang.text("closed"),
        }
    }

    fn ladder_state(state: impl Borrow<LadderState>, lang: impl Borrow<Lang>) -> &'static str {
        let lang = *lang.borrow();
        match state.borrow() {
            LadderState::Open => lang.text("in progress"),
            LadderState::Paused => lang.text("paused"),
            LadderState::Closed => lang.text("closed"),
        }
    }
}

/// New invitation codes, which are shown only once.
#[derive(Template)]
#[template(path = "codes.html")]
pub(super) struct CodesPage {
    pub layout: Layout,
    pub head: Head,
    pub imported: Vec<Imported>,
    pub codes: Vec<InviteCode>,
}

#[derive(Template)]
#[template(path = "audit.html")]
struct AuditPage {
    layout: Layout,
    head: Head,
    lines: Vec<AuditEntry>,
    members: Vec<Member>,
    next: Option<i64>,
}

impl AuditPage {
    /// Name of the person who acted; the id of somebody who is not in the course.
    fn who(&self, line: &AuditEntry) -> String {
        let Some(who) = line.who else { return "–".into() };
        let member = self.members.iter().find(|member| member.person.id == who);
        member.map_or_else(|| who.to_string(), |member| member.person.known.name.clone())
    }

    /// Summary of the change in one line.
    fn change(line: &AuditEntry) -> String {
        let shown = |value: &Option<serde_json::Value>| {
            let text = value.as_ref().map(ToString::to_string).unwrap_or_default();
            Untrusted::new(text).shown(300)
        };
        match (&line.before, &line.after) {
            (None, _) => shown(&line.after),
            _ => format!("{} → {}", shown(&line.before), shown(&line.after)),
        }
    }
}

/// Deadline, as the staff sees it.
#[derive(Debug)]
struct DeadlineView {
    row: DeadlineRow,
    /// Number of groups whose version is decided.
    groups: usize,
    /// Number of groups that have a version that counts.
    versions: usize,
    finals: Vec<FinalView>,
}

impl DeadlineView {
    /// Label of the freeze policy.
    fn policy(&self, lang: impl Borrow<Lang>) -> &'static str {
        let lang = *lang.borrow();
        match self.row.settings.rule.policy {
            FreezePolicy::Chosen => lang.text("the chosen one, otherwise the newest valid one"),
            FreezePolicy::NewestPassing => lang.text("the newest valid one"),
        }
    }
}

/// Final of a deadline, as the staff sees it.
#[derive(Debug)]
struct FinalView {
    file: Final,
    run: Option<FinalRun>,
    /// Status in words.
    status: String,
}

impl FinalView {
    fn of(file: Final, runs: &[FinalRun], playing: Option<&FinalProgress>, lang: Lang) -> Self {
        let name = file.name();
        let run = runs.iter().find(|run| run.name == name).cloned();
        let playing = playing.filter(|now| {
            now.name == name && run.as_ref().is_some_and(|run| run.course == now.course)
        });
        let status = match (run.as_ref().map(|run| run.state), playing) {
            (Some(FinalState::Requested), Some(now)) if now.games > 0 => {
                said!(
                    "{} of {} games are played. The ladders and new versions wait.",
                    now.done,
                    now.games
                )
            }
            (Some(FinalState::Requested), _) => {
                said!("It begins when the running games have ended.")
            }
            (Some(FinalState::Stopped), _) => said!("It was stopped. The finished games are kept."),
            (Some(FinalState::Played), _) => said!("All games are played."),
            (Some(FinalState::Failed), _) => {
                let why = run.as_ref().and_then(|run| run.why.as_deref()).unwrap_or_default();
                said!("It failed: {}", Untrusted::new(why).shown(500))
            }
            (None, _) if file.has_results => said!("Games of it are stored."),
            (None, _) => said!("It is ready. Change its file if you like."),
        };
        Self { file, run, status: status.to(lang) }
    }

    /// Whether the server plays the final, or will play it.
    fn is_requested(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.state == FinalState::Requested)
    }

    /// Whether there are results to publish.
    fn can_publish(&self) -> bool {
        self.file.has_results && !self.is_requested()
    }
}

impl Visit {
    /// Act in the course, if the client may perform the action.
    pub(super) fn staff(&self, action: Action) -> Result<Act, Problem> {
        Guarded::new(Some(self.course.clone())).open(&self.client.actor, action)?;
        self.client.act_in(self.course.facts.id)
    }

    pub(super) fn to_admin(&self) -> Redirect {
        Redirect::to(&self.address("/admin"))
    }
}

/// Shows the page.
pub(in super::super) async fn page(
    State(app): State<App>,
    visit: Visit,
) -> Result<Response, Problem> {
    visit.staff(Action::ViewPeople)?;
    let course = visit.course.facts.id;
    let (database, actor) = (app.database(), &visit.client.actor);
    let all = database.deadlines(course).await?.into_iter();
    let (runs, playing) = (database.final_runs(course).await?, app.standings().playing());
    let mut deadlines = Vec::new();
    for row in all.filter_map(|row| row.open(actor, Action::ViewResults).ok()) {
        let frozen = database.frozen(row.id).await?;
        let versions = frozen.iter().filter(|frozen| frozen.version.is_some()).count();
        let finals = finals::of_deadline(database.folder(), &visit.course, &row).into_iter();
        let view = |file: Final| FinalView::of(file, &runs, playing.as_ref(), visit.client.lang);
        let finals = finals.map(view).collect();
        deadlines.push(DeadlineView { row, groups: frozen.len(), versions, finals });
    }
    let groups = database.groups(course).await?.into_iter();
    let ladders = database.ladders(course).await?.into_iter();
    let page = AdminPage {
        state: visit.course.facts.state,
        settings: visit.course.settings.clone(),
        members: database.members(course).await?,
        groups: groups.filter_map(|it| it.open(actor, Action::ViewResults).ok()).collect(),
        ladders: ladders.filter_map(|it| it.open(actor, Action::ViewResults).ok()).collect(),
        deadlines,
        can_invite: visit.may(Action::Invite),
        can_group: visit.may(Action::ManageGroups),
        can_set: visit.may(Action::SetDeadline),
        can_freeze: visit.may(Action::Freeze),
        can_edit: visit.may(Action::EditCourse),
        can_audit: visit.may(Action::ViewAudit),
        can_grade: visit.may(Action::ExportGrades),
        layout: visit.client.layout(&app),
        head: visit.head(),
    };
    Ok(page::render(&page))
}

/// Form data of a list of students.
#[derive(Deserialize)]
pub(in super::super) struct ImportForm {
    people: String,
}

/// Imports students, and shows their codes once.
pub(in super::super) async fn import(
    State(app): State<App>,
    visit: Visit,
    Form(ImportForm { people }): Form<ImportForm>,
) -> Result<Response, Problem> {
    let act = visit.staff(Action::Invite)?;
    let rows = read_list(&people).map_err(|why| Problem::new(Kind::Refused).because(why))?;
    let expires = visit.client.now.plus(INVITATION_VALIDITY);
    let imported = app.database().import(act, visit.course.facts.id, rows, expires).await?;
    let (layout, head) = (visit.client.layout(&app), visit.head());
    Ok(page::render(&CodesPage { layout, head, imported, codes: Vec::new() }))
}

/// Form data of an invitation.
#[derive(Deserialize)]
pub(in super::super) struct InviteForm {
    role: String,
    #[serde(default)]
    group: String,
}

/// Creates an invitation, and shows its code once.
pub(in super::super) async fn invite(
    State(app): State<App>,
    visit: Visit,
    Form(InviteForm { role, group }): Form<InviteForm>,
) -> Result<Response, Problem> {
    let act = visit.staff(Action::Invite)?;
    let role: Role = role.parse().map_err(|_| Problem::new(Kind::Malformed))?;
    let group = group_id(&group)?;
    let (course, expires) = (visit.course.facts.id, visit.client.now.plus(INVITATION_VALIDITY));
    let invite = NewInvite { course, role, group, person: None, expires };
    let codes = vec![app.database().invite(act, invite).await?];
    let (layout, head) = (visit.client.layout(&app), visit.head());
    Ok(page::render(&CodesPage { layout, head, imported: Vec::new(), codes }))
}

/// Group of a form field; `None` if it is empty.
pub(super) fn group_id(text: &str) -> Result<Option<GroupId>, Problem> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| Problem::new(Kind::NotFound))
}

/// Form data of a group.
#[derive(Deserialize)]
pub(in super::super) struct GroupForm {
    slug: String,
    name: String,
}

/// Creates a group.
pub(in super::super) async fn add_group(
    State(app): State<App>,
    visit: Visit,
    Form(GroupForm { slug, name }): Form<GroupForm>,
) -> Result<Redirect, Problem> {
    let act = visit.staff(Action::ManageGroups)?;
    app.database().add_group(act, visit.course.facts.id, &slug, &name).await?;
    Ok(visit.to_admin())
}

/// Form data of a deadline.
#[derive(Deserialize)]
pub(in super::super) struct DeadlineForm {
    name: String,
    at: String,
    grace: u64,
    policy: String,
}

/// Grace period of so many minutes, at most a week.
pub(in super::super) fn grace(minutes: u64) -> Duration {
    Duration::from_secs(60 * minutes.min(7 * 24 * 60))
}

/// Rule for which version counts, by its name.
pub(in super::super) fn named_policy(name: &str) -> Option<FreezePolicy> {
    FreezePolicy::ALL.into_iter().find(|policy| policy.name() == name)
}

/// Creates a deadline.
pub(in super::super) async fn add_deadline(
    State(app): State<App>,
    visit: Visit,
    Form(form): Form<DeadlineForm>,
) -> Result<Redirect, Problem> {
    let act = visit.staff(Action::SetDeadline)?;
    let policy = named_policy(&form.policy);
    let (Some(at), Some(policy)) = (Utc::of_minute(&form.at), policy) else {
        return Err(wrong_time());
    };
    let rule = Deadline { at, grace: grace(form.grace), policy };
    let settings =
        DeadlineSettings { name: form.name, rule, late_rule: String::new(), ladder: None };
    app.database().add_deadline(act, visit.course.facts.id, settings).await?;
    Ok(visit.to_admin())
}

impl Visit {
    /// Looks up a deadline of the course, with permission for an action.
    pub(super) async fn deadline(
        &self,
        app: &App,
        id: &str,
        action: Action,
    ) -> Result<DeadlineRow, Problem> {
        let absent = || Problem::new(Kind::NotFound);
        let id: DeadlineId = id.parse().map_err(|_| absent())?;
        let found = app.database().deadline(id).await?.open(&self.client.actor, action)?;
        if found.course.id == self.course.facts.id { Ok(found) } else { Err(absent()) }
    }
}

/// Removes a deadline without frozen versions.
pub(in super::super) async fn remove_deadline(
    State(app): State<App>,
    visit: Visit,
    Path((_, id)): Path<(String, String)>,
) -> Result<Redirect, Problem> {
    let act = visit.staff(Action::SetDeadline)?;
    let deadline = visit.deadline(&app, &id, Action::SetDeadline).await?;
    app.database().remove_deadline(act, deadline.id).await?;
    Ok(visit.to_admin())
}

/// Freezes the versions that count at a deadline that has passed.
pub(in super::super) async fn freeze(
    State(app): State<App>,
    visit: Visit,
    Path((_, id)): Path<(String, String)>,
) -> Result<Redirect, Problem> {
    let act = visit.staff(Action::Freeze)?;
    let deadline = visit.deadline(&app, &id, Action::Freeze).await?;
    app.database().freeze(act, deadline.id).await?;
    Ok(visit.to_admin())
}

/// Writes the tournament file of a final with the versions that are frozen at a deadline.
pub(in super::super) async fn write_final(
    State(app): State<App>,
    visit: Visit,
    Path((_, id)): Path<(String, String)>,
) -> Result<Redirect, Problem> {
    let act = visit.staff(Action::Freeze)?;
    let deadline = visit.deadline(&app, &id, Action::Freeze).await?;
    let (database, course) = (app.database().clone(), visit.course.clone());
    let written = tokio::task::spawn_blocking(move || {
        let settings = finals::settings(&course, &deadline)?;
        finals::write(&database, act, &course, &deadline, &settings)
    });
    match written.await {
        Ok(Ok(_)) => Ok(visit.to_admin()),
        Ok(Err(FinalError::Database(error))) => Err(error.into()),
        Ok(Err(FinalError::TooFew)) => {
            let why = said!("A final needs the frozen versions of at least two groups.");
            Err(Problem::new(Kind::Refused).because(why))
        }
        Ok(Err(error)) => {
            let why = said!("The final cannot be written: {}", error.to_string());
            Err(Problem::new(Kind::Conflict).because(why))
        }
        Err(panic) => Err(Problem::new(Kind::Internal).caused_by(panic.to_string())),
    }
}

/// Refusal of an instant that cannot be read.
pub(in super::super) fn wrong_time() -> Problem {
    Problem::new(Kind::Refused).because(said!("Write the time as 2026-11-20T22:59, in UTC."))
}

/// Position after which the list of the log continues.
#[derive(Deserialize)]
pub(in super::super) struct AuditQuery {
    #[serde(default)]
    pub after: i64,
}

/// Shows the audit log of the course, oldest first.
pub(in super::super) async fn audit(
    State(app): State<App>,
    visit: Visit,
    Query(AuditQuery { after }): Query<AuditQuery>,
) -> Result<Response, Problem> {
    visit.staff(Action::ViewAudit)?;
    let lines = app.database().audit(Some(visit.course.facts.id), after, PAGE_SIZE).await?;
    let next = lines.last().map(|line| line.number).filter(|_| lines.len() == PAGE_SIZE as usize);
    let members = app.database().members(visit.course.facts.id).await?;
    let (layout, head) = (visit.client.layout(&app), visit.head());
    Ok(page::render(&AuditPage { layout, head, lines, members, next }))
}
