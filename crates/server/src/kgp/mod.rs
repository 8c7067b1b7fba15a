//! KGP (Kalah Game Protocol): remote players of Kalah, over TCP and WebSocket.
//!
//! The protocol itself is a state machine in `referee`. This module contains its sockets, the
//! authentication of entrants by token, and the lobby in which clients wait until the player of the
//! open ladder pairs them. Remote entrants play on that ladder only: nobody knows which machine
//! plays for them, so no grade may depend on them.

mod auth;
mod listen;
mod lobby;
mod session;
mod socket;

pub use self::lobby::Lobby;

pub(crate) use self::listen::listen;
pub(crate) use self::lobby::{Order, RemoteEntrant, Waiting};
pub(crate) use self::session::{Context, serve};
pub(crate) use self::socket::WebSocketClient;

use pitmaster_season::course::{Action, CourseState, Utc};
use serde_json::json;

use crate::database::{Act, By, Database, DatabaseError};
use crate::player::server;

/// Slug of a course's ladder for remote entrants.
pub const OPEN_LADDER: &str = "open";

/// Tournament file of the open ladder.
const TOURNAMENT: &str = include_str!("open.toml");

/// Creates the open ladder of every course that is not closed and has none.
///
/// # Errors
/// The database fails.
pub(crate) fn add_ladders(database: &Database, now: Utc) -> Result<(), DatabaseError> {
    let see = Action::ViewResults;
    let courses = database.courses().wait()?.into_iter();
    for course in courses.filter_map(|course| course.open(&server(), see).ok()) {
        let known = database.ladder_at(course.facts.id, OPEN_LADDER).wait()?;
        if course.facts.state == CourseState::Closed || known.open(&server(), see).is_ok() {
            continue;
        }
        let act = Act { by: By::Server, at: now, address: None };
        let file = TOURNAMENT.to_owned();
        database.add_ladder(act, course.facts.id, OPEN_LADDER, file, json!([])).wait()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
