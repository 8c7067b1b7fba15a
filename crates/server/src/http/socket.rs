//! `GET /socket`: remote players of Kalah over WebSocket.

use axum::extract::State;
use axum::extract::ws::{WebSocketUpgrade, rejection::WebSocketUpgradeRejection};
use axum::response::Response;

use super::app::App;
use super::client::Counted;
use super::problem::{Kind, Problem};
use crate::kgp::{WebSocketClient, serve};

/// Upgrades a connection to KGP, if a slot is free. Clients authenticate by the protocol. Cookies
/// are ignored, so a page of another site gains nothing.
pub(super) async fn socket(
    State(app): State<App>,
    _: Counted,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let Some(context) = app.kgp() else { return Err(Problem::new(Kind::NotFound)) };
    let upgrade = upgrade.map_err(|_| Problem::new(Kind::Malformed))?;
    let place = context.lobby.slot().ok_or_else(|| Problem::new(Kind::Unavailable))?;
    Ok(WebSocketClient::limited(upgrade).on_upgrade(|socket| async move {
        serve(context, WebSocketClient(socket)).await;
        drop(place);
    }))
}
