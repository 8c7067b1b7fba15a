//! Account page: passphrase, sessions and tokens of the logged-in person.

use std::time::Duration;

use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use pitmaster_core::i18n::{Message, said};
use pitmaster_season::course::{Action, CourseId, Scope, SessionId, TokenId};
use serde::Deserialize;

use super::super::app::App;
use super::super::client::Client;
use super::super::page::{self, Layout, minute};
use super::super::problem::{Kind, Problem};
use super::super::refusal;
use crate::database::{
    Course, DatabaseError, Login, NewToken, Passphrase, Person, Session, Token, TokenSecret,
};

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    layout: Layout,
    person: Person,
    own_session: SessionId,
    sessions: Vec<Session>,
    tokens: Vec<Token>,
    courses: Vec<Course>,
    /// New token, which is shown only once.
    made: Option<TokenSecret>,
    error: Option<String>,
}

impl AccountPage {
    async fn load(app: &App, client: &Client) -> Result<Self, Problem> {
        let (person, session) = client.logged_in()?;
        let courses = app.database().courses().await?.into_iter();
        let mut tokens = app.database().tokens(person.id).await?;
        tokens.retain(|token| token.revoked.is_none() && token.facts.expires > client.now);
        Ok(Self {
            layout: client.layout(app),
            own_session: session.id,
            sessions: app.database().sessions(person.id, client.now).await?,
            tokens,
            courses: courses
                .filter_map(|course| course.open(&client.actor, Action::ViewResults).ok())
                .filter(|course| client.is_member(course.facts.id))
                .collect(),
            person: person.clone(),
            made: None,
            error: None,
        })
    }

    async fn with_error(app: &App, client: &Client, why: &Message) -> Result<Response, Problem> {
        let error = Some(why.to(client.lang));
        let page = Self { error, ..Self::load(app, client).await? };
        Ok((StatusCode::UNPROCESSABLE_ENTITY, page::render(&page)).into_response())
    }

    fn course_of(&self, token: &Token) -> &str {
        let course = self.courses.iter().find(|course| course.facts.id == token.facts.course);
        course.map_or("–", |course| &course.settings.title)
    }
}

/// Shows the page.
pub(super) async fn page(State(app): State<App>, client: Client) -> Result<Response, Problem> {
    Ok(page::render(&AccountPage::load(&app, &client).await?))
}

/// Form data of a new passphrase.
#[derive(Deserialize)]
pub(super) struct PassphraseForm {
    old: String,
    new: String,
}

/// Changes the passphrase and ends all other sessions.
pub(super) async fn change_passphrase(
    State(app): State<App>,
    client: Client,
    Form(PassphraseForm { old, new }): Form<PassphraseForm>,
) -> Result<Response, Problem> {
    let (person, session) = client.logged_in()?;
    let [old, new] = [old, new].map(Passphrase::new);
    let changed =
        app.database().change_passphrase(client.act(person), person.id, session.id, old, new).await;
    match changed {
        Ok(Login::In { secret, .. }) => {
            let cookie = AppendHeaders([(header::SET_COOKIE, app.transport().give(&secret))]);
            Ok((cookie, Redirect::to("/account")).into_response())
        }
        Ok(Login::Wrong) => {
            let why = said!("The old passphrase is wrong.");
            AccountPage::with_error(&app, &client, &why).await
        }
        Ok(Login::Blocked { until }) => Err(Problem::too_many(until.since(client.now))),
        Err(DatabaseError::Refused(refusal)) => {
            AccountPage::with_error(&app, &client, &refusal::message(&refusal)).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Ends one of the person's sessions.
pub(super) async fn end_session(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
) -> Result<Redirect, Problem> {
    let (person, _) = client.logged_in()?;
    let id: SessionId = id.parse().map_err(|_| Problem::new(Kind::NotFound))?;
    app.database().end_session(client.act(person), person.id, id).await?;
    Ok(Redirect::to("/account"))
}

/// Ends all of the person's sessions except this one.
pub(super) async fn end_others(
    State(app): State<App>,
    client: Client,
) -> Result<Redirect, Problem> {
    let (person, session) = client.logged_in()?;
    app.database().end_sessions(client.act(person), person.id, Some(session.id)).await?;
    Ok(Redirect::to("/account"))
}

/// Form data of a token. A scope is present if its box is checked.
#[derive(Deserialize)]
pub(super) struct TokenForm {
    course: String,
    name: String,
    days: u32,
    upload: Option<String>,
    read: Option<String>,
    kgp: Option<String>,
    admin: Option<String>,
}

impl TokenForm {
    fn scopes(&self) -> Vec<Scope> {
        let checked = |scope: &Scope| match scope {
            Scope::Upload => self.upload.is_some(),
            Scope::Read => self.read.is_some(),
            Scope::Kgp => self.kgp.is_some(),
            Scope::Admin => self.admin.is_some(),
        };
        Scope::ALL.iter().copied().filter(checked).collect()
    }
}

/// Creates a token, and shows it once.
pub(super) async fn create_token(
    State(app): State<App>,
    client: Client,
    Form(form): Form<TokenForm>,
) -> Result<Response, Problem> {
    let (person, _) = client.logged_in()?;
    let course: CourseId = form.course.parse().map_err(|_| Problem::new(Kind::NotFound))?;
    if !client.is_member(course) {
        return Err(Problem::new(Kind::NotFound));
    }
    let token = NewToken {
        person: person.id,
        course,
        scopes: form.scopes(),
        expires: client.now.plus(Duration::from_secs(u64::from(form.days) * 86_400)),
        name: form.name,
    };
    match app.database().create_token(client.act(person), token).await {
        Ok((_, secret)) => {
            let page =
                AccountPage { made: Some(secret), ..AccountPage::load(&app, &client).await? };
            Ok(page::render(&page))
        }
        Err(DatabaseError::Refused(refusal)) => {
            AccountPage::with_error(&app, &client, &refusal::message(&refusal)).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Revokes one of the person's tokens.
pub(super) async fn revoke_token(
    State(app): State<App>,
    client: Client,
    Path(id): Path<String>,
) -> Result<Redirect, Problem> {
    let (person, _) = client.logged_in()?;
    let id: TokenId = id.parse().map_err(|_| Problem::new(Kind::NotFound))?;
    let token = app.database().token_with_id(id).await?;
    let token = token.open(&client.actor, Action::ManageAccount)?;
    app.database().revoke_token(client.act(person), token.id).await?;
    Ok(Redirect::to("/account"))
}
