//! Health checks for monitoring: liveness and readiness.

use axum::extract::State;

use super::super::app::App;
use super::super::client::Counted;
use super::super::problem::Problem;

/// `GET /healthz`: succeeds if the process responds.
pub(super) async fn healthz() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: succeeds if the database responds too.
pub(super) async fn readyz(State(app): State<App>, _: Counted) -> Result<&'static str, Problem> {
    app.database().queue_state().await?;
    Ok("ready\n")
}
