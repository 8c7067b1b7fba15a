//! For programs that watch the server: whether it runs, and whether it can serve.

use axum::extract::State;

use super::super::app::App;
use super::super::client::Counted;
use super::super::problem::Problem;

/// `GET /healthz`: the process answers.
pub(super) async fn healthz() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: the database answers too.
pub(super) async fn readyz(State(app): State<App>, _: Counted) -> Result<&'static str, Problem> {
    app.database().queue_state().await?;
    Ok("ready\n")
}
