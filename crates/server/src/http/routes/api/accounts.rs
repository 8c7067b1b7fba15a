//! Accounts and bots in the API: joining with a code, and adding a bot.

use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use pitmaster_core::i18n::said;
use pitmaster_season::course::{Action, CourseId, GroupId, Scope};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::super::app::App;
use super::super::super::client::Client;
use super::super::super::problem::{Kind, Problem};
use super::super::course::course_at;
use super::Bearer;
use crate::database::{Act, By, InviteCode, NewToken, Newcomer, Passphrase};

/// Validity of the token of a new account: a semester, or until the course ends.
const TOKEN_VALIDITY: Duration = Duration::from_hours(24 * 150);

/// Request to join.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JoinRequest {
    code: String,
    login: String,
    passphrase: String,
    /// Name that the group and the staff see; the login if it is missing.
    name: Option<String>,
}

/// New account with its token, which is shown only here.
#[derive(Serialize)]
pub(super) struct Joined {
    token: String,
}

/// `POST join`: redeems a code, and creates a token for uploading and reading.
pub(super) async fn join(
    State(app): State<App>,
    client: Client,
    body: Bytes,
) -> Result<(StatusCode, Json<Joined>), Problem> {
    let JoinRequest { code, login, passphrase, name } = parsed(&body)?;
    let code = InviteCode::typed(&code)?;
    let course = app.database().invitation(code.clone(), client.now).await?.offer.course;
    let name = name.unwrap_or_else(|| login.clone());
    let passphrase = Passphrase::new(passphrase);
    let newcomer = Newcomer { code, name, login, passphrase, agent: client.agent.clone() };
    let (person, _) = app.database().redeem(newcomer, client.now, client.address).await?;
    let act = Act { by: By::Person(person), at: client.now, address: client.address };
    // Nobody has the secret of the new account's initial session.
    app.database().end_sessions(act, person, None).await?;
    let (name, scopes) = ("pitmaster join".to_owned(), vec![Scope::Upload, Scope::Read]);
    let token = NewToken { person, course, name, scopes, expires: client.now.plus(TOKEN_VALIDITY) };
    let (_, secret) = app.database().create_token(act, token).await?;
    Ok((StatusCode::CREATED, Json(Joined { token: secret.reveal().to_owned() })))
}

/// Request to add a bot.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewBotRequest {
    name: String,
}

/// `POST courses/{course}/bots`: adds a bot to the client's group.
pub(super) async fn add_bot(
    State(app): State<App>,
    bearer: Bearer,
    Path(course): Path<String>,
    body: Bytes,
) -> Result<(StatusCode, Json<Value>), Problem> {
    let course = course_at(&app, &bearer.reader(), &course, Action::ViewResults).await?.facts.id;
    let group = own_group(&bearer, course).ok_or_else(|| Problem::new(Kind::NotFound))?;
    let group = app.database().group(group).await?.open(&bearer.found.actor, Action::Upload)?;
    let NewBotRequest { name } = parsed(&body)?;
    app.database().add_bot(bearer.act(), group.id, &name).await?;
    Ok((StatusCode::CREATED, Json(json!({"bot": format!("{}.{name}", group.slug)}))))
}

/// Group of a token in a course.
pub(super) fn own_group(bearer: &Bearer, course: CourseId) -> Option<GroupId> {
    let mut memberships = bearer.found.actor.memberships.iter();
    memberships.find(|member| member.course == course)?.group
}

/// Parses the JSON body of a request.
pub(super) fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(body).map_err(|error| {
        Problem::new(Kind::Malformed)
            .because(said!("The body is not what is expected: {}.", error.to_string()))
    })
}
