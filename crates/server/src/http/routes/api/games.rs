//! Games of ladders in the API: lists, records and evidence.

use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::{Extension, Json};
use pitmaster_core::{BySide, Mark, Side};
use pitmaster_report::GameFile;
use pitmaster_season::course::Action;
use pitmaster_store::{GamesOf, ListedGame};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::super::app::App;
use super::super::super::feed::{self, FeedRequest, Form};
use super::super::super::ladder_games::{Game, LadderGames, PAGE_SIZE, known_bot, running_row};
use super::super::super::listen::ConnectionCloser;
use super::super::super::problem::Problem;
use super::super::course::game::file_of;
use super::super::course::games::instant;
use super::Bearer;
use crate::database::Course;

/// Query parameters of a list.
#[derive(Debug, Deserialize)]
pub(super) struct ListQuery {
    bot: Option<String>,
    after: Option<u64>,
}

/// Course of a token.
pub(super) async fn course_of(app: &App, bearer: &Bearer) -> Result<Course, Problem> {
    let course = app.database().course(bearer.course()).await?;
    Ok(course.open(&bearer.reader(), Action::ViewResults)?)
}

/// `GET ladders/{ladder}/games`: the latest games, or those before the number `after`.
pub(super) async fn list(
    State(app): State<App>,
    bearer: Bearer,
    Path(slug): Path<String>,
    Query(asked): Query<ListQuery>,
) -> Result<Json<Value>, Problem> {
    let (course, actor) = (course_of(&app, &bearer).await?, &bearer.found.actor);
    let games = LadderGames::of(&app, actor, &course, &slug, Action::ViewResults).await?;
    let of = match &asked.bot {
        Some(name) => GamesOf::Bot(known_bot(&app, actor, &games.ladder, name).await?),
        None => GamesOf::All,
    };
    let mut found = games.latest(of, asked.after).await?;
    let has_more = found.len() > PAGE_SIZE;
    found.truncate(PAGE_SIZE);
    let next = found.last().filter(|_| has_more).map(|game| game.number);
    let name = |game: &ListedGame| Game::name(&slug, &game.outcome.id);
    let rows: Vec<_> = found.iter().map(|game| row(&name(game), game)).collect();
    let running: Vec<_> = app.live().of_ladder(games.ladder.id).iter().map(running_row).collect();
    Ok(Json(json!({"ladder": slug, "games": rows, "next": next, "running": running})))
}

/// Row of a game with this name in URLs.
pub(super) fn row(name: &str, game: &ListedGame) -> Value {
    let (key, ending) = (&game.outcome.key, &game.outcome.ending);
    let score = ending.score();
    let points = BySide::from_fn(|side: Side| match ending.mark(side) {
        Some(Mark::Win) => 1.0,
        Some(Mark::Draw) => 0.5,
        _ => 0.0,
    });
    json!({
        "id": name,
        "number": game.number,
        "started": instant(game.started_at).to_string(),
        "bots": [key.bots.one.name.as_str(), key.bots.two.name.as_str()],
        "pair": key.pair,
        "winner": ending.winner().map(Side::number),
        "points": [points.one, points.two],
        "score": [score.one, score.two],
        "ending": ending.name(),
        "plies": game.plies,
    })
}

/// `GET games/{game}`: moves and times, without other output of the bots.
pub(super) async fn game(
    State(app): State<App>,
    bearer: Bearer,
    Path(name): Path<String>,
) -> Result<Json<GameFile>, Problem> {
    let game = find(&app, &bearer, &name, Action::ViewResults).await?;
    Ok(Json(game.for_all()))
}

/// `GET games/{game}/evidence`: the file for `pitmaster debug`, with the output of the client's own
/// bot.
pub(super) async fn evidence(
    State(app): State<App>,
    bearer: Bearer,
    Path(name): Path<String>,
) -> Result<Response, Problem> {
    file_of(&find(&app, &bearer, &name, Action::ViewEvidence).await?)
}

/// `GET games/{game}/stream`: one line per event.
pub(super) async fn stream(
    State(app): State<App>,
    bearer: Bearer,
    Path(name): Path<String>,
    Query(asked): Query<feed::StreamQuery>,
    closer: Option<Extension<ConnectionCloser>>,
) -> Result<Response, Problem> {
    let course = course_of(&app, &bearer).await?;
    let request = FeedRequest {
        after: asked.after.as_deref(),
        form: Form::Lines,
        key: bearer.feed_key(),
        closer: closer.map(|Extension(it)| it).unwrap_or_default(),
    };
    feed::open(&app, &bearer.found.actor, &course, &name, request).await
}

async fn find(app: &App, bearer: &Bearer, name: &str, action: Action) -> Result<Game, Problem> {
    let course = course_of(app, bearer).await?;
    Game::find(app, &bearer.found.actor, &course, name, action).await
}
