//! Login and logout.

use askama::Template;
use axum::Form;
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use pitmaster_core::i18n::{Message, said};
use serde::Deserialize;

use super::super::app::App;
use super::super::client::Client;
use super::super::page::{self, Layout};
use super::super::problem::Problem;
use crate::database::{Login, Passphrase};

#[derive(Template)]
#[template(path = "login.html")]
struct LoginPage {
    layout: Layout,
    login: String,
    next: String,
    error: Option<String>,
}

/// Target after the login.
#[derive(Debug, Deserialize)]
pub(super) struct LoginQuery {
    #[serde(default)]
    next: String,
}

/// Form data of a login.
#[derive(Deserialize)]
pub(super) struct LoginForm {
    login: String,
    passphrase: String,
    #[serde(default)]
    next: String,
}

/// Shows the form.
pub(super) async fn form(
    State(app): State<App>,
    client: Client,
    Query(LoginQuery { next }): Query<LoginQuery>,
) -> Response {
    let layout = client.layout(&app);
    page::render(&LoginPage { layout, login: String::new(), next: page::typed(&next), error: None })
}

/// Opens a session. The response to an unknown login equals that to a wrong passphrase.
pub(super) async fn log_in(
    State(app): State<App>,
    client: Client,
    Form(LoginForm { login, passphrase, next }): Form<LoginForm>,
) -> Result<Response, Problem> {
    let passphrase = Passphrase::new(passphrase);
    let Client { now, address, agent, secret, .. } = &client;
    let entered = app
        .database()
        .log_in(&login, passphrase, *now, *address, agent.clone(), secret.clone())
        .await?;
    let again = |status: StatusCode, why: Message| {
        let layout = client.layout(&app);
        let error = Some(why.to(client.lang));
        (
            status,
            page::render(&LoginPage {
                layout,
                login: page::typed(&login),
                next: page::typed(&next),
                error,
            }),
        )
    };
    Ok(match entered {
        Login::In { secret, .. } => {
            let cookie = AppendHeaders([(header::SET_COOKIE, app.transport().give(&secret))]);
            (cookie, Redirect::to(local(&next))).into_response()
        }
        Login::Wrong => {
            let why = said!("The login or the passphrase is wrong.");
            again(StatusCode::FORBIDDEN, why).into_response()
        }
        Login::Blocked { until } => {
            let seconds = until.since(*now).as_secs().max(1);
            let why = said!("Too many tries; try again in {} s.", seconds);
            let wait = AppendHeaders([(header::RETRY_AFTER, seconds)]);
            (wait, again(StatusCode::TOO_MANY_REQUESTS, why)).into_response()
        }
    })
}

/// Ends the session, if there is one.
pub(super) async fn log_out(
    State(app): State<App>,
    client: Client,
) -> Result<impl IntoResponse, Problem> {
    if let Some((person, session)) = &client.person {
        app.database().end_session(client.act(person), person.id, session.id).await?;
    }
    let cookie = AppendHeaders([(header::SET_COOKIE, app.transport().take())]);
    Ok((cookie, Redirect::to("/")))
}

/// Returns a path of this site; the front page for anything else, such as a URL of another site.
pub(in super::super) fn local(next: &str) -> &str {
    let is_path = next.starts_with('/') && !next.starts_with("//") && !next.contains(['\\', '\t']);
    let is_plain = next.bytes().all(|byte| (b'!'..=b'~').contains(&byte));
    if is_path && is_plain { next } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_led_to_another_site() {
        assert_eq!(local("/c/awale/me?x=1"), "/c/awale/me?x=1");
        for next in [
            "",
            "c",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "/\t/evil.example",
            "/\r\nSet-Cookie: a=b",
            "javascript:alert(1)",
            "/é",
        ] {
            assert_eq!(local(next), "/", "{next:?}");
        }
    }
}
