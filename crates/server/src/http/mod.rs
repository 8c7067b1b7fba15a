//! HTTP: connections, headers, errors, accounts and pages.

mod app;
mod asset;
mod bounds;
mod client;
mod cookie;
mod errors;
mod feed;
mod headers;
mod ladder_games;
mod language;
mod listen;
mod markdown;
mod metrics;
mod outcome;
mod pace;
mod page;
mod problem;
mod readers;
mod refusal;
mod routes;
mod socket;
mod throttle;
mod unchanged;
mod upload;

pub use app::{App, AppSettings, Log};
pub use cookie::Transport;
pub use listen::{ConnectionLimits, serve};
pub use metrics::{LaneUse, ReadLanes, metrics_router};
pub use pace::Pace;
pub(crate) use routes::prepare_documents;
pub use routes::router;

use pitmaster_core::GameId;

/// Name of a game in URLs.
pub(crate) fn game_name(ladder: &str, id: &GameId) -> String {
    ladder_games::Game::name(ladder, id)
}
