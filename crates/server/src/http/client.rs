//! Clients: who sends a request, found out from the cookie of a session or from a token.

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

/// Header of requests that a page makes by itself. They are no use of a session: a page that is left
/// open must not keep it alive.
pub(super) const REFRESH: &str = "x-refresh";

/// Who sends the request of a page.
#[derive(Debug)]
pub(super) struct Client {
    /// What permissions ask about.
    pub actor: Actor,
    /// The person, if somebody is logged in.
    pub person: Option<(Person, Session)>,
    /// The secret that came with the request, whether it opens a session or not.
    pub secret: Option<SessionSecret>,
    /// Language of the answer.
    pub lang: Lang,
    /// Address from which the request came; `None` behind a proxy that is not trusted to tell it.
    pub address: Option<IpAddr>,
    /// The browser, as it calls itself.
    pub agent: Option<String>,
    /// When the request came.
    pub now: Utc,
}

impl Client {
    /// The person and the session.
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

    /// An act of the person for the audit log, on the own account.
    pub(super) fn act(&self, person: &Person) -> Act {
        Act { by: By::Person(person.id), at: self.now, address: self.address }
    }

    /// An act of the person in a course, for the audit log.
    ///
    /// # Errors
    /// Nobody is logged in.
    pub(super) fn act_in(&self, course: CourseId) -> Result<Act, Problem> {
        self.logged_in()?;
        Ok(Act { by: by(&self.actor, course), at: self.now, address: self.address })
    }

    /// The layout of a page for this client.
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
            Some(secret) if is_at_rest(parts) => {
                app.database().session_at_rest(secret, now).await?
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

/// Whether a page makes the request by itself. Streams are opened anew whenever they end.
fn is_at_rest(parts: &Parts) -> bool {
    parts.headers.contains_key(REFRESH) || parts.uri.path().ends_with("/stream")
}

impl Client {
    /// Whose its live feeds are.
    pub(super) fn feed_key(&self) -> FeedKey {
        match &self.person {
            Some((_, session)) => FeedKey::Session(session.id.to_string()),
            None => FeedKey::Guest,
        }
    }
}

/// A request that counts for its address, whoever sends it, and needs nobody.
#[derive(Debug)]
pub(super) struct Counted;

impl FromRequestParts<App> for Counted {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        app.count_guest(peer(parts), app.now()).map(|()| Self)
    }
}

/// As what somebody acts in a course.
pub(super) fn by(actor: &Actor, course: CourseId) -> By {
    let member = actor.memberships.iter().find(|member| member.course == course);
    match (actor.person, member) {
        (None, _) => By::Server,
        (Some(person), _) if actor.is_admin => By::Admin(person),
        (Some(person), Some(member)) => By::Member(person, member.role),
        (Some(person), None) => By::Person(person),
    }
}

/// Address of the other end of the connection.
pub(super) fn peer(parts: &Parts) -> Option<IpAddr> {
    parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip())
}

fn agent(headers: &HeaderMap) -> Option<String> {
    let agent = headers.get(header::USER_AGENT)?.to_str().ok()?;
    Some(agent.to_owned())
}
