//! Members of a course, for its staff: their groups, new codes, and the end of a membership.

use std::borrow::Borrow;

use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use pitmaster_core::i18n::{Lang, said};
use pitmaster_season::course::{Action, PersonId, Role};
use serde::Deserialize;

use super::super::super::app::App;
use super::super::super::page::{self, Layout};
use super::super::super::problem::{Kind, Problem};
use super::admin::{CodesPage, INVITATION_VALIDITY, group_id};
use super::{Head, Visit};
use crate::database::Member;

/// Page of a member.
#[derive(Template)]
#[template(path = "member.html")]
struct MemberPage {
    layout: Layout,
    head: Head,
    member: Member,
    /// Slug of the member's group.
    group: Option<String>,
    can_invite: bool,
    /// Whether the end of the membership is to be confirmed.
    is_ending: bool,
}

/// Name of a role.
pub(super) fn role_name(role: impl Borrow<Role>, lang: impl Borrow<Lang>) -> &'static str {
    let lang = *lang.borrow();
    match role.borrow() {
        Role::Teacher => lang.text("teacher"),
        Role::Assistant => lang.text("assistant"),
        Role::Student => lang.text("student"),
    }
}

/// Whether somebody is a student of the course now.
pub(super) fn is_student(member: &Member) -> bool {
    member.role == Role::Student && member.ended.is_none()
}

impl MemberPage {
    async fn of(app: &App, visit: &Visit, member: Member) -> Result<Self, Problem> {
        let actor = &visit.client.actor;
        let group = match member.group {
            Some(group) => app.database().group(group).await?.open(actor, Action::ViewResults).ok(),
            None => None,
        };
        Ok(Self {
            layout: visit.client.layout(app),
            head: visit.head(),
            group: group.map(|group| group.slug),
            can_invite: visit.may(Action::Invite) && member.ended.is_none(),
            is_ending: false,
            member,
        })
    }
}

impl Visit {
    /// Looks up somebody who is or was a member of the course.
    async fn member(&self, app: &App, person: &str) -> Result<Member, Problem> {
        let absent = || Problem::new(Kind::NotFound);
        let person: PersonId = person.parse().map_err(|_| absent())?;
        let mut members = app.database().members(self.course.facts.id).await?.into_iter();
        members.find(|member| member.person.id == person).ok_or_else(absent)
    }
}

/// Shows a member.
pub(in super::super) async fn page(
    State(app): State<App>,
    visit: Visit,
    Path((_, person)): Path<(String, String)>,
) -> Result<Response, Problem> {
    visit.staff(Action::ViewPeople)?;
    let member = visit.member(&app, &person).await?;
    Ok(page::render(&MemberPage::of(&app, &visit, member).await?))
}

/// Form data of a membership.
#[derive(Deserialize)]
pub(in super::super) struct MembershipForm {
    #[serde(default)]
    group: String,
}

/// Moves a student of the course to a group.
pub(in super::super) async fn set_group(
    State(app): State<App>,
    visit: Visit,
    Path((_, person)): Path<(String, String)>,
    Form(MembershipForm { group }): Form<MembershipForm>,
) -> Result<Redirect, Problem> {
    let act = visit.staff(Action::ManageGroups)?;
    let member = visit.member(&app, &person).await?;
    if !is_student(&member) {
        return Err(Problem::new(Kind::NotFound));
    }
    let (person, course) = (member.person.id, visit.course.facts.id);
    let group = group_id(&group)?;
    app.database().set_member(act, person, course, Role::Student, group).await?;
    Ok(visit.to_admin())
}

/// Creates a code with which a student chooses a new passphrase, and shows it once.
pub(in super::super) async fn renew_code(
    State(app): State<App>,
    visit: Visit,
    Path((_, person)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let act = visit.staff(Action::Invite)?;
    let member = visit.member(&app, &person).await?;
    let (course, expires) = (visit.course.facts.id, visit.client.now.plus(INVITATION_VALIDITY));
    let codes = vec![app.database().renew_code(act, course, member.person.id, expires).await?];
    let (layout, head) = (visit.client.layout(&app), visit.head());
    Ok(page::render(&CodesPage { layout, head, imported: Vec::new(), codes }))
}

/// Form data of the confirmation to end a membership.
#[derive(Deserialize)]
pub(in super::super) struct EndForm {
    sure: Option<String>,
}

/// Ends a membership. The first request shows a confirmation.
pub(in super::super) async fn end(
    State(app): State<App>,
    visit: Visit,
    Path((_, person)): Path<(String, String)>,
    Form(EndForm { sure }): Form<EndForm>,
) -> Result<Response, Problem> {
    let act = visit.staff(Action::Invite)?;
    let member = visit.member(&app, &person).await?;
    if visit.client.actor.person == Some(member.person.id) {
        let why = said!("You cannot end your own membership.");
        return Err(Problem::new(Kind::Conflict).because(why));
    }
    if sure.is_none() {
        let page = MemberPage { is_ending: true, ..MemberPage::of(&app, &visit, member).await? };
        return Ok(page::render(&page));
    }
    app.database().end_member(act, member.person.id, visit.course.facts.id).await?;
    Ok(visit.to_admin().into_response())
}
