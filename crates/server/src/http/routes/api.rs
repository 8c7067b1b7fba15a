//! The API, for programs: a token instead of a session, JSON instead of pages.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::http::request::Parts;
use pitmaster_season::course::{Role, Scope};
use serde::Serialize;

use super::super::app::App;
use super::super::problem::{Kind, Problem};
use crate::database::{TokenActor, TokenSecret};

/// The token of a request. A cookie is never accepted here, so that no page of another site can
/// make a browser use the API.
#[derive(Debug)]
pub(super) struct Bearer(TokenActor);

impl axum::extract::FromRequestParts<App> for Bearer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let sent = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let secret = sent.and_then(|sent| sent.strip_prefix("Bearer ")).unwrap_or_default();
        let secret: TokenSecret = secret.parse().map_err(|_| Problem::new(Kind::LogIn))?;
        let now = app.now();
        let found = app.database().token(secret, now).await?;
        let token = found.ok_or_else(|| Problem::new(Kind::LogIn))?;
        app.count(token.person.id, now)?;
        Ok(Self(token))
    }
}

/// Whose a token is, and what it is for.
#[derive(Debug, Serialize)]
pub(super) struct Me {
    person: String,
    name: String,
    course: String,
    role: Option<&'static str>,
    group: Option<String>,
    token: String,
    scopes: Vec<&'static str>,
    expires: String,
}

/// `GET /api/v1/me`: any token may ask what it is.
pub(super) async fn me(State(_): State<App>, Bearer(found): Bearer) -> Json<Me> {
    let TokenActor { token, person, actor } = found;
    let membership = actor.memberships.first();
    Json(Me {
        person: person.id.to_string(),
        name: person.known.name,
        course: token.facts.course.to_string(),
        role: membership.map(|member| Role::name(member.role)),
        group: membership.and_then(|member| member.group).map(|group| group.to_string()),
        token: token.facts.name,
        scopes: token.facts.scopes.iter().copied().map(Scope::name).collect(),
        expires: token.facts.expires.to_string(),
    })
}
