//! Games that a group asks for, in the API.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use pitmaster_season::course::{Action, Actor};
use serde_json::{Value, json};

use super::super::super::app::App;
use super::super::super::ladder_games::{Game, request_at};
use super::super::super::problem::{Kind, Problem};
use super::super::course::asks::{AskForm, QUOTAS, played};
use super::Bearer;
use super::accounts::{own_group, parsed};
use super::games::{course_of, row};
use crate::database::{Course, GameRequest};

/// `POST asks`: requests games.
pub(super) async fn ask(
    State(app): State<App>,
    bearer: Bearer,
    body: Bytes,
) -> Result<Response, Problem> {
    // Members may know that the course exists, whatever scopes their token has.
    let reader = bearer.reader();
    let course = app.database().course(bearer.course()).await?;
    let course = course.open(&reader, Action::ViewResults)?;
    let actor = &bearer.found.actor;
    let group = own_group(&bearer, course.facts.id).ok_or_else(|| Problem::new(Kind::NotFound))?;
    app.database().group(group).await?.open(actor, Action::AskForGames)?;
    let request = parsed::<AskForm>(&body)?.checked(&app, actor, &course).await?;
    let person = bearer.found.person.id;
    let asked = app.database().request_games(bearer.act(), person, request, QUOTAS.to_vec());
    let id = asked.await?.to_string();
    let request = request_at(&app, &reader, &course, &id, Action::ViewEvidence).await?;
    let body = Json(document(&app, &reader, &course, &request).await?);
    let location = format!("/api/v1/asks/{id}");
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], body).into_response())
}

/// `GET asks/{id}`: a request with its games so far.
pub(super) async fn asked(
    State(app): State<App>,
    bearer: Bearer,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    let (course, actor) = (course_of(&app, &bearer).await?, &bearer.found.actor);
    let request = request_at(&app, actor, &course, &id, Action::ViewEvidence).await?;
    document(&app, actor, &course, &request).await.map(Json)
}

async fn document(
    app: &App,
    actor: &Actor,
    course: &Course,
    request: &GameRequest,
) -> Result<Value, Problem> {
    let games = played(app, actor, course, request).await?;
    let games: Vec<_> = games
        .iter()
        .map(|(game, _)| row(&Game::name_in(request, &game.outcome.id), game))
        .collect();
    let [own, opponent] = &request.bots;
    Ok(json!({
        "id": request.id.to_string(),
        "ladder": request.ladder_slug,
        "bot": own.name.as_str(),
        "number": own.version,
        "opponent": opponent.name.as_str(),
        "opponent_number": opponent.version,
        "pairs": request.facts.pairs,
        "state": request.state.name(),
        "games": games,
    }))
}
