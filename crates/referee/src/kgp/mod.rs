//! Kalah Game Protocol (KGP), version 1.0: the server's side of a connection.
//!
//! Remote players of Kalah speak this protocol over TCP or WebSocket. [`Connection`] is a state
//! machine: bytes and instants go in; lines, events and the next instant come out. It knows no
//! sockets and no clocks. [`KgpSeat`] converts a client's answers to moves of a game.
//!
//! The specification, the reference server and the existing clients differ. In such cases this
//! server sends only what every client can handle, and accepts what any client sends. Its rules:
//!
//! | rule | |
//! |---|---|
//! | K1 | The first line is `2 kgp 1 0 1`. |
//! | K2 | Every line but `goodbye` has an ID. None has a reference without an ID. |
//! | K3 | Every line ends with CR LF, and is a WebSocket message of its own. |
//! | K4 | Values of options are quoted strings, except the integers of `time:clock` and `time:opclock`. |
//! | K5 | A client gets `kgp`, `ok`, `error`, `ping`, `set`, `state`, `stop` and `goodbye`, and nothing else. |
//! | K6 | `error` has one string, and is followed by `goodbye`. |
//! | K7 | Options and modes are words or strings. Blanks, CR, and missing IDs are no errors. |
//! | K8 | A line of more than 16 KiB ends the connection. |
//! | K9 | So do more than 16 KiB or 50 lines a second in the long run. |
//! | K10 | So does a client that has chosen no mode after 20 s. |
//! | K11 | A client that was silent for 30 s, or is about to be paired, gets a `ping` and has 20 s to answer. |
//! | K12 | One state at a time; each is followed by a `stop`. Later moves are ignored. `yield` ends the turn. |
//! | K13 | Without a move, a legal one is drawn from the game's seed and noted. The third time in a row, the game is lost. |
//! | K14 | An illegal move loses the game. |
//! | K15 | A second `mode` is answered with `ok` and changes nothing. |
//! | K16 | A token may be used twice at once; its clients never meet each other. |
//! | K17 | `auth:token` names the entrant. |
//! | K18 | `auth:forget` revokes a token, without an answer. |
//! | K19 | `game:id`, `game:uri` and `game:opponent` come before the first state of a game. |
//! | K20 | The last `info:comment` of a turn belongs to its move; 4 KiB of it are kept. |

#[cfg(any(test, feature = "fixtures"))]
pub mod client;
mod connection;
mod encode;
mod grammar;
mod pace;
mod seat;
#[cfg(test)]
mod tests;

pub use connection::{Connection, End, Event, GameFacts, Hello};
pub use encode::{Command, Value};
pub use grammar::{Arg, Line, parse};
pub use seat::{Answer, KgpSeat, SeatError};

use std::time::Duration;

/// Maximum length of a line in bytes, without its end.
pub const LINE_LIMIT: usize = 16 * 1024;

/// Bytes of a comment or a name that are kept.
pub const TEXT_LIMIT: usize = 4096;

/// Time of a move, network included.
pub const TURN: Duration = Duration::from_secs(5);

/// Time in which a client has to choose a mode.
pub const MODE: Duration = Duration::from_secs(20);

/// Silence after which a client gets a `ping`.
pub const SILENCE: Duration = Duration::from_secs(30);

/// Time in which a client has to answer a `ping`.
pub const PONG: Duration = Duration::from_secs(20);

/// Number of consecutive turns without a move after which the game is lost.
pub const MISSED_TURNS: u32 = 3;
