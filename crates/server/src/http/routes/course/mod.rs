//! Course pages.
//!
//! Handlers look up courses, bots and versions by functions of this module, which check
//! permissions. Absent and hidden objects give the same response.

pub(super) mod admin;
pub(super) mod asks;
pub(super) mod bot;
pub(super) mod docs;
pub(super) mod finals;
pub(super) mod front;
pub(super) mod frozen;
pub(super) mod game;
pub(super) mod games;
pub(super) mod grades;
pub(super) mod ladder;
pub(super) mod live;
pub(super) mod me;
pub(super) mod members;
pub(super) mod play;
pub(super) mod settings;
pub(super) mod stream;
pub(super) mod tv;
pub(super) mod version;

use std::collections::HashMap;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use pitmaster_core::BotName;
use pitmaster_season::course::{
    Action, Actor, CourseId, EntryId, Facts, GroupId, Guarded, Role, may,
};

use super::super::app::App;
use super::super::client::Client;
use super::super::feed;
use super::super::problem::Problem;
use crate::database::{Bot, Course, Examinations, Ladder, OwnState, Version};

/// Request for a page of a course that the client may see.
#[derive(Debug)]
pub(super) struct Visit {
    /// Client of the request.
    pub client: Client,
    /// The course.
    pub course: Course,
}

impl FromRequestParts<App> for Visit {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let client = Client::from_request_parts(parts, app).await?;
        let path = Path::<HashMap<String, String>>::from_request_parts(parts, app).await;
        // A path that is not UTF-8 matches no course.
        let slug = path.ok().and_then(|Path(mut path)| path.remove("course")).unwrap_or_default();
        let course = course_at(app, &client.actor, &slug, Action::ViewResults).await?;
        Ok(Self { client, course })
    }
}

/// Looks up a course by its slug, with permission for an action.
pub(super) async fn course_at(
    app: &App,
    actor: &Actor,
    slug: &str,
    action: Action,
) -> Result<Course, Problem> {
    Ok(app.database().course_at(slug).await?.open(actor, action)?)
}

/// Looks up a bot by its name, with permission for an action. An invalid name is treated as absent.
pub(super) async fn bot_at(
    app: &App,
    actor: &Actor,
    course: CourseId,
    name: &str,
    action: Action,
) -> Result<Bot, Problem> {
    let found = match name.parse::<BotName>() {
        Ok(name) => app.database().bot_named(course, name).await?,
        Err(_) => Guarded::new(None),
    };
    Ok(found.open(actor, action)?)
}

/// Looks up a version of a bot by its number, with permission for an action.
pub(super) async fn version_at(
    app: &App,
    actor: &Actor,
    bot: EntryId,
    number: &str,
    action: Action,
) -> Result<Version, Problem> {
    let found = match number.parse() {
        Ok(number) => app.database().version_numbered(bot, number).await?,
        Err(_) => Guarded::new(None),
    };
    Ok(found.open(actor, action)?)
}

impl Visit {
    /// Whether the client may perform an action on the course.
    pub(super) fn may(&self, action: Action) -> bool {
        self.may_with(action, &[])
    }

    /// Whether the client may perform an action on an object of these groups.
    pub(super) fn may_with(&self, action: Action, groups: &[GroupId]) -> bool {
        let facts = Facts { course: Some(&self.course.facts), groups, ..Facts::default() };
        may(&self.client.actor, action, &facts).is_ok()
    }

    /// Group of the client in the course.
    pub(super) fn group(&self) -> Option<GroupId> {
        self.membership().and_then(|(_, group)| group)
    }

    fn membership(&self) -> Option<(Role, Option<GroupId>)> {
        let mut all = self.client.actor.memberships.iter();
        let member = all.find(|member| member.course == self.course.facts.id)?;
        Some((member.role, member.group))
    }

    /// Data that all pages of the course share.
    pub(super) fn head(&self) -> Head {
        Head {
            slug: self.course.slug.clone(),
            title: self.course.settings.title.clone(),
            is_member: self.membership().is_some(),
            is_staff: self.may(Action::ViewPeople),
            can_play: self.may(Action::Play),
        }
    }

    /// URL path of a page of the course.
    pub(super) fn address(&self, rest: &str) -> String {
        format!("/c/{}{rest}", self.course.slug)
    }

    /// URL of the live feed of a page. Must be called before the page is rendered, so that the feed
    /// reports later changes.
    pub(super) fn stream(
        &self,
        app: &App,
        ladders: &[Ladder],
        queue: Option<&Examinations>,
        own: Option<&OwnState>,
    ) -> String {
        let reader = (&self.client.actor, self.client.now, &self.course);
        feed::course::address(app, reader, ladders, queue, own)
    }

    /// State of the client's group.
    pub(super) async fn own(&self, app: &App) -> Result<OwnState, Problem> {
        feed::course::own(app, &self.client.actor, &self.course).await
    }

    /// URL of the live feed of a group's page; `None` for another group.
    pub(super) async fn stream_of_own(
        &self,
        app: &App,
        group: GroupId,
    ) -> Result<Option<String>, Problem> {
        if self.group() != Some(group) {
            return Ok(None);
        }
        let own = self.own(app).await?;
        Ok(Some(self.stream(app, &[], None, Some(&own))))
    }
}

/// Data that all pages of a course share.
#[derive(Debug, Clone)]
pub(super) struct Head {
    /// Slug of the course.
    pub slug: String,
    /// Title of the course.
    pub title: String,
    /// Whether the reader is a member of the course.
    pub is_member: bool,
    /// Whether the reader may see the staff pages.
    pub is_staff: bool,
    /// Whether the reader may play against bots.
    pub can_play: bool,
}

impl Head {
    /// URL path of a page of the course.
    pub(super) fn at(&self, rest: &str) -> String {
        format!("/c/{}{rest}", self.slug)
    }
}
