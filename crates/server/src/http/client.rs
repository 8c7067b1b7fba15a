//! Clients of the pages, identified by a session cookie.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use pitmaster_core::i18n::Lang;
use pitmaster_season::course::{Actor, CourseId, Utc};

use super::app::App;
use super::language::preferred;
use super::page::{Layout, Reader};
use super::problem::{Kind, Problem};
use crate::database::{Act, By, Person, Session, SessionSecret};
use crate::live::FeedKey;

/// Header of requests that a page makes by itself. They do not count as use of a session, so that
/// an open page does not keep it alive.
pub(super) const REFRESH: &str = "x-refresh";

/// Client of a page.
#[derive(Debug)]
pub(super) struct Client {
    /// Actor for permission checks.
    pub actor: Actor,
    /// The person, if somebody is logged in.
    pub person: Option<(Person, Session)>,
    /// Secret of the request's cookie, whether or not it belongs to a session.
    pub secret: Option<SessionSecret>,
    /// Language of the response.
    pub lang: Lang,
    /// IP address of the client; `None` behind a proxy that is not trusted.
    pub address: Option<IpAddr>,
    /// `User-Agent` of the browser.
    pub agent: Option<String>,
    /// Arrival time of the request.
    pub now: Utc,
}

impl Client {
    /// Logged-in person and session.
    ///
    /// # Errors
    /// Nobody is logged in.
    pub(super) fn logged_in(&self) -> Result<&(Person, Session), Problem> {
        self.person.as_ref().ok_or_else(|| Problem::new(Kind::LogIn))
    }

    /// Whether the person is a member of a course.
    pub(super) fn is_member(&self, course: CourseId) -> bool {
        self.actor.memberships.iter().any(|member| member.course == course)
    }

    /// Act on the person's own account, for the audit log.
    pub(super) fn act(&self, person: &Person) -> Act {
        Act { by: By::Person(person.id), at: self.now, address: self.address }
    }

    /// Act in a course, for the audit log.
    ///
    /// # Errors
    /// Nobody is logged in.
    pub(super) fn act_in(&self, course: CourseId) -> Result<Act, Problem> {
        self.logged_in()?;
        Ok(Act { by: by(&self.actor, course), at: self.now, address: self.address })
    }

    /// Page layout for this client.
    pub(super) fn layout(&self, app: &App) -> Layout {
        let reader = match &self.person {
            Some((person, _)) => Reader::Person(person.known.name.clone()),
            None => Reader::Guest,
        };
        Layout::new(self.lang, app.site(), reader)
    }
}

impl FromRequestParts<App> for Client {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let now = app.now();
        let secret = app.transport().read(&parts.headers);
        let found = match secret.clone() {
            Some(secret) if is_background(parts) => {
                app.database().session_without_use(secret, now).await?
            }
            Some(secret) => app.database().session(secret, now).await?,
            None => None,
        };
        let mut client = Self {
            actor: Actor::guest(),
            person: None,
            secret,
            lang: preferred(&parts.headers),
            address: peer(parts),
            agent: agent(&parts.headers),
            now,
        };
        if let Some((session, person, actor)) = found {
            app.count(person.id, now)?;
            client.lang = person.known.language.unwrap_or(client.lang);
            client.actor = actor;
            client.person = Some((person, session));
        } else {
            app.count_guest(client.address, now)?;
        }
        Ok(client)
    }
}

/// Whether the page made the request by itself. Event streams are reopened automatically.
fn is_background(parts: &Parts) -> bool {
    parts.headers.contains_key(REFRESH) || parts.uri.path().ends_with("/stream")
}

impl Client {
    /// Owner of the client's live feeds.
    pub(super) fn feed_key(&self) -> FeedKey {
        match &self.person {
            Some((_, session)) => FeedKey::Session(session.id.to_string()),
            None => FeedKey::Guest,
        }
    }
}

/// Extractor for public routes, which counts the request for its IP address.
#[derive(Debug)]
pub(super) struct Counted;

impl FromRequestParts<App> for Counted {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        app.count_guest(peer(parts), app.now()).map(|()| Self)
    }
}

/// Capacity in which an actor acts in a course.
pub(super) fn by(actor: &Actor, course: CourseId) -> By {
    let member = actor.memberships.iter().find(|member| member.course == course);
    match (actor.person, member) {
        (None, _) => By::Server,
        (Some(person), _) if actor.is_admin => By::Admin(person),
        (Some(person), Some(member)) => By::Member(person, member.role),
        (Some(person), None) => By::Person(person),
    }
}

/// IP address of the peer.
pub(super) fn peer(parts: &Parts) -> Option<IpAddr> {
    parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip())
}

fn agent(headers: &HeaderMap) -> Option<String> {
    let agent = headers.get(header::USER_AGENT)?.to_str().ok()?;
    Some(agent.to_owned())
}
