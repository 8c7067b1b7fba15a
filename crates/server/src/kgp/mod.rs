//! KGP: remote players of Kalah, over TCP and WebSocket.
//!
//! The protocol is a state machine elsewhere. Here are its sockets, the entrants that tokens name, and
//! the lobby in which connected clients wait until the player of the open ladder pairs them. Remote
//! entrants play on that ladder only: nobody knows what machine answers, so no grade depends on them.

mod entrance;
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

/// Name in addresses of a course's ladder for remote entrants.
pub const OPEN_LADDER: &str = "open";

/// Tournament file of that ladder.
const TOURNAMENT: &str = include_str!("open.toml");

/// Makes the open ladder of every course that is not over and has none.
///
/// # Errors
/// Those of the database.
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
