//! What the staff does by a program: invitations, groups, deadlines, and the audit log.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use pitmaster_core::BotHash;
use pitmaster_core::i18n::said;
use pitmaster_season::course::{
    Action, CourseId, Deadline, DeadlineId, FreezePolicy, GroupId, Guarded, Role, Utc,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::super::app::App;
use super::super::super::problem::{Kind, Problem};
use super::super::course::admin::{
    AuditQuery, INVITATION_VALIDITY, PAGE_SIZE, grace, named_policy, wrong_time,
};
use super::Bearer;
use super::accounts::parsed;
use crate::database::{
    AuditEntry, DeadlineRow, DeadlineSettings, FrozenVersion, Group, Member, NewInvite,
};

/// Checks that the token's owner may perform an action on its course. Returns the course.
async fn staff(app: &App, bearer: &Bearer, action: Action) -> Result<CourseId, Problem> {
    let course = app.database().course(bearer.course()).await?;
    Ok(course.open(&bearer.found.actor, action)?.facts.id)
}

/// Groups of a course that were not removed.
async fn groups(app: &App, bearer: &Bearer, course: CourseId) -> Result<Vec<Group>, Problem> {
    let groups = app.database().groups(course).await?.into_iter();
    let reader = bearer.reader();
    Ok(groups.filter_map(|group| group.open(&reader, Action::ViewResults).ok()).collect())
}

/// Request for an invitation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InviteRequest {
    role: String,
    /// Slug of the group of a student.
    group: Option<String>,
}

/// Invitation with its code, which is shown only here.
#[derive(Serialize)]
pub(super) struct Invitation {
    code: String,
    expires: String,
}

/// `POST invites`: creates an invitation.
pub(super) async fn invite(
    State(app): State<App>,
    bearer: Bearer,
    body: Bytes,
) -> Result<(StatusCode, Json<Invitation>), Problem> {
    let course = staff(&app, &bearer, Action::Invite).await?;
    let InviteRequest { role, group } = parsed(&body)?;
    let role: Role = role.parse().map_err(|_| Problem::new(Kind::Malformed))?;
    let groups = groups(&app, &bearer, course).await?;
    let group = match group {
        None => None,
        Some(slug) => Some(id_of(&groups, &slug).ok_or_else(|| Problem::new(Kind::NotFound))?),
    };
    let expires = bearer.now.plus(INVITATION_VALIDITY);
    let invite = NewInvite { course, role, group, person: None, expires };
    let code = app.database().invite(bearer.act(), invite).await?;
    let invitation = Invitation { code: code.reveal().to_owned(), expires: expires.to_string() };
    Ok((StatusCode::CREATED, Json(invitation)))
}

fn id_of(groups: &[Group], slug: &str) -> Option<GroupId> {
    groups.iter().find(|group| group.slug == slug).map(|group| group.id)
}

/// Request to create or change a group.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupRequest {
    group: String,
    name: Option<String>,
    /// Logins or student numbers of students who are moved into the group.
    #[serde(default)]
    members: Vec<String>,
}

/// `PUT groups`: creates or renames a group, and moves students of the course into it. Nothing is
/// changed if one of them is not found.
pub(super) async fn put_group(
    State(app): State<App>,
    bearer: Bearer,
    body: Bytes,
) -> Result<Json<Value>, Problem> {
    let course = staff(&app, &bearer, Action::ManageGroups).await?;
    let GroupRequest { group: slug, name, members } = parsed(&body)?;
    let students = app.database().members(course).await?;
    let mut moved = Vec::new();
    for name in &members {
        let found = students.iter().find(|member| is_student(member, name));
        let absent = || said!("No student of the course has the login or number {}.", name.clone());
        let found = found.ok_or_else(|| Problem::new(Kind::Refused).because(absent()))?;
        moved.push(found.person.id);
    }
    let database = app.database();
    let known = groups(&app, &bearer, course).await?;
    let id = match (id_of(&known, &slug), &name) {
        (None, name) => {
            let name = name.as_deref().unwrap_or(&slug);
            database.add_group(bearer.act(), course, &slug, name).await?
        }
        (Some(id), Some(name)) => {
            database.rename_group(bearer.act(), id, name).await?;
            id
        }
        (Some(id), None) => id,
    };
    for person in moved {
        database.set_member(bearer.act(), person, course, Role::Student, Some(id)).await?;
    }
    let members = app.database().members(course).await?.into_iter();
    let own = members.filter(|member| member.group == Some(id) && member.ended.is_none());
    let names = own.filter_map(|member| {
        let known = member.person.known;
        known.login.or(known.student_no)
    });
    let mut names: Vec<_> = names.collect();
    names.sort();
    Ok(Json(json!({"group": slug, "members": names})))
}

/// Whether this is a student with this login or student number.
fn is_student(member: &Member, name: &str) -> bool {
    let known = &member.person.known;
    let is_it = [&known.login, &known.student_no].iter().any(|it| it.as_deref() == Some(name));
    is_it && member.role == Role::Student && member.ended.is_none()
}

/// `GET deadlines`: all deadlines of the course.
pub(super) async fn deadlines(
    State(app): State<App>,
    bearer: Bearer,
) -> Result<Json<Value>, Problem> {
    let actor = &bearer.found.actor;
    let course = staff(&app, &bearer, Action::ViewResults).await?;
    let all = app.database().deadlines(course).await?.into_iter();
    let open = all.filter_map(|deadline| deadline.open(actor, Action::ViewResults).ok());
    let rows: Vec<_> = open.map(|deadline| document(&deadline)).collect();
    Ok(Json(json!({"deadlines": rows})))
}

fn document(deadline: &DeadlineRow) -> Value {
    let rule = &deadline.settings.rule;
    json!({
        "id": deadline.id.to_string(),
        "name": deadline.settings.name,
        "at": rule.at.to_string(),
        "grace_minutes": rule.grace.as_secs() / 60,
        "policy": rule.policy.name(),
    })
}

/// Request to set a deadline.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeadlineRequest {
    name: String,
    at: String,
    #[serde(default)]
    grace_minutes: u64,
    policy: Option<String>,
}

/// `POST deadlines`: sets a deadline.
pub(super) async fn set_deadline(
    State(app): State<App>,
    bearer: Bearer,
    body: Bytes,
) -> Result<(StatusCode, Json<Value>), Problem> {
    let course = staff(&app, &bearer, Action::SetDeadline).await?;
    let DeadlineRequest { name, at, grace_minutes, policy } = parsed(&body)?;
    let at = Utc::of_minute(&at).ok_or_else(wrong_time)?;
    let policy = match policy {
        None => FreezePolicy::NewestPassing,
        Some(name) => named_policy(&name).ok_or_else(|| Problem::new(Kind::Malformed))?,
    };
    let rule = Deadline { at, grace: grace(grace_minutes), policy };
    let settings = DeadlineSettings { name, rule, late_rule: String::new(), ladder: None };
    let id = app.database().add_deadline(bearer.act(), course, settings).await?;
    let deadline =
        app.database().deadline(id).await?.open(&bearer.reader(), Action::ViewResults)?;
    Ok((StatusCode::CREATED, Json(document(&deadline))))
}

/// `POST deadlines/{id}/freeze`: freezes what counts at a deadline that has passed.
pub(super) async fn freeze(
    State(app): State<App>,
    bearer: Bearer,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    let found = match id.parse::<DeadlineId>() {
        Ok(id) => app.database().deadline(id).await?,
        Err(_) => Guarded::new(None),
    };
    let deadline = found.open(&bearer.found.actor, Action::Freeze)?;
    let waiting = app.database().freeze(bearer.act(), deadline.id).await?;
    let frozen = app.database().frozen(deadline.id).await?;
    let groups = groups(&app, &bearer, deadline.course.id).await?;
    let slug = |id: GroupId| groups.iter().find(|group| group.id == id).map(|it| it.slug.as_str());
    let row = |FrozenVersion { group, version, .. }: FrozenVersion| {
        let (id, hash) = version.unzip();
        json!({
            "group": slug(group),
            "version": id.map(|id| id.to_string()),
            "hash": hash.as_ref().map(BotHash::as_str),
        })
    };
    let rows: Vec<_> = frozen.into_iter().map(row).collect();
    let waiting: Vec<_> = waiting.into_iter().filter_map(slug).collect();
    Ok(Json(json!({"deadline": deadline.id.to_string(), "frozen": rows, "waiting": waiting})))
}

/// `GET audit`: what was done in the course, oldest first.
pub(super) async fn audit(
    State(app): State<App>,
    bearer: Bearer,
    Query(AuditQuery { after }): Query<AuditQuery>,
) -> Result<Json<Value>, Problem> {
    let course = staff(&app, &bearer, Action::ViewAudit).await?;
    let lines = app.database().audit(Some(course), after, PAGE_SIZE).await?;
    let next = lines.last().map(|line| line.number);
    let next = next.filter(|_| lines.len() == PAGE_SIZE as usize);
    let rows: Vec<_> = lines.iter().map(entry).collect();
    Ok(Json(json!({"entries": rows, "next": next})))
}

fn entry(line: &AuditEntry) -> Value {
    json!({
        "number": line.number,
        "at": line.at.to_string(),
        "person": line.who.map(|who| who.to_string()),
        "role": line.role,
        "action": line.action,
        "kind": line.kind,
        "object": line.object,
        "before": line.before,
        "after": line.after,
        "address": line.address,
    })
}
