//! Joining a course with an invitation code.

use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::super::app::App;
use super::super::client::Client;
use super::super::page::{self, Layout};
use super::super::problem::Problem;
use super::super::refusal;
use crate::database::{DatabaseError, Invitation, InviteCode, Newcomer, Passphrase};

/// First step: the code.
#[derive(Template)]
#[template(path = "join.html")]
struct JoinPage {
    layout: Layout,
    error: Option<String>,
}

/// Second step: name, login and passphrase.
#[derive(Template)]
#[template(path = "welcome.html")]
struct WelcomePage {
    layout: Layout,
    code: String,
    invitation: Invitation,
    name: String,
    login: String,
    error: Option<String>,
}

/// Form data of both steps.
#[derive(Deserialize)]
pub(super) struct JoinForm {
    code: String,
    name: Option<String>,
    login: Option<String>,
    passphrase: Option<String>,
}

/// Shows the form of the code.
pub(super) async fn form(State(app): State<App>, client: Client) -> Response {
    page::render(&JoinPage { layout: client.layout(&app), error: None })
}

/// Accepts the code, and then the data of the account. A logged-in person joins immediately.
pub(super) async fn join(
    State(app): State<App>,
    client: Client,
    Form(sent): Form<JoinForm>,
) -> Result<Response, Problem> {
    let found = match InviteCode::typed(&sent.code) {
        Ok(code) => app.database().invitation(code.clone(), client.now).await.map(|it| (code, it)),
        Err(refusal) => Err(refusal.into()),
    };
    let (code, invitation) = match found {
        Ok(found) => found,
        Err(DatabaseError::Refused(refusal)) => {
            let error = Some(refusal::message(&refusal).to(client.lang));
            let form = page::render(&JoinPage { layout: client.layout(&app), error });
            return Ok((StatusCode::UNPROCESSABLE_ENTITY, form).into_response());
        }
        Err(error) => return Err(error.into()),
    };
    if let Some((person, _)) = &client.person {
        app.database().redeem_as(client.act(person), person.id, code).await?;
        return Ok(Redirect::to("/").into_response());
    }
    let form = WelcomePage {
        layout: client.layout(&app),
        code: code.reveal().to_owned(),
        invitation,
        name: page::typed(sent.name.as_deref().unwrap_or_default()),
        login: page::typed(sent.login.as_deref().unwrap_or_default()),
        error: None,
    };
    let Some(passphrase) = sent.passphrase.clone() else { return Ok(page::render(&form)) };
    let newcomer = Newcomer {
        code,
        name: sent.name.clone().unwrap_or_default(),
        login: sent.login.clone().unwrap_or_default(),
        passphrase: Passphrase::new(passphrase),
        agent: client.agent.clone(),
    };
    match app.database().redeem(newcomer, client.now, client.address).await {
        Ok((_, secret)) => {
            let cookie = AppendHeaders([(header::SET_COOKIE, app.transport().give(&secret))]);
            Ok((cookie, Redirect::to("/")).into_response())
        }
        Err(DatabaseError::Refused(refusal)) => {
            let error = Some(refusal::message(&refusal).to(client.lang));
            let form = page::render(&WelcomePage { error, ..form });
            Ok((StatusCode::UNPROCESSABLE_ENTITY, form).into_response())
        }
        Err(error) => Err(error.into()),
    }
}
