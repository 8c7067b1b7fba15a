//! Ladders and the queue in the API.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use pitmaster_season::course::Action;
use serde_json::{Value, json};

use super::super::super::app::App;
use super::super::super::problem::Problem;
use super::Bearer;
use crate::standings::{LadderTable, TableRow};

/// `GET ladders/{ladder}`: the latest table, with an entity tag.
pub(super) async fn ladder(
    State(app): State<App>,
    bearer: Bearer,
    Path(slug): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let found = app.database().ladder_at(bearer.course(), &slug).await?;
    let ladder = found.open(&bearer.found.actor, Action::ViewResults)?;
    let table = ladder.table(app.standings(), &bearer.found.actor, bearer.now).unwrap_or_default();
    // The state of the ladder is also in the document, and changes without a new table.
    let tag = format!("\"{}-{}\"", table.revision, ladder.state.name());
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let is_known = known.is_some_and(|known| known.split(',').any(|it| it.trim() == tag));
    let tag = HeaderValue::from_str(&tag).unwrap_or(HeaderValue::from_static("\"0\""));
    // The response depends on the token: only its own client may cache it, and must revalidate it.
    let headers = [
        (header::ETAG, tag),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
    ];
    if is_known {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let document = document(&ladder.slug, ladder.state.name(), &table);
    Ok((headers, Json(document)).into_response())
}

fn document(slug: &str, state: &str, table: &LadderTable) -> Value {
    json!({
        "ladder": slug,
        "state": state,
        "revision": table.revision,
        "made": table.made.to_string(),
        "games": table.games,
        "rows": table.rows.iter().map(row).collect::<Vec<_>>(),
    })
}

fn row(row: &TableRow) -> Value {
    let rating = row.rating;
    json!({
        "rank": row.rank,
        "name": row.name.as_str(),
        "version": row.version.map(|version| version.number),
        "games": row.games,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "forfeits": row.forfeits,
        "elo": rating.map(|rating| rating.elo),
        "within": rating.and_then(|rating| rating.within),
    })
}

/// `GET queue`: waiting times for verdicts.
pub(super) async fn queue(State(app): State<App>, bearer: Bearer) -> Result<Json<Value>, Problem> {
    let course = app.database().course(bearer.course()).await?;
    course.open(&bearer.found.actor, Action::ViewResults)?;
    let queue = app.database().examinations().await?;
    let seconds = queue.usual.map(|usual| usual.as_secs_f64());
    Ok(Json(json!({"waiting": queue.waiting, "usual_seconds": seconds})))
}
