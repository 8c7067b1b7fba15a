//! The wire protocol, and one refereed game as a sans-I/O state machine: rules, clock, dialects.
//!
//! The referee takes lines and instants and returns actions. It knows no async runtimes and no
//! processes. A driver asks [`Referee::next`], carries out the action, reports the result, and asks
//! again:
//!
//! - [`Action::Start`]: start that side's process, then call [`Referee::started`] or
//!   [`Referee::fault`].
//! - [`Action::Send`]: before a turn ([`Referee::is_turn`]), first pass on what the bot has already
//!   written ([`Referee::early`], [`Referee::early_part`]). Then take the time, send
//!   [`Referee::outbox`] and call [`Referee::sent`].
//! - [`Action::Listen`]: wait for a line ([`Referee::line`]), for the end of the process
//!   ([`Referee::fault`]), or until the deadline ([`Referee::waited`], then
//!   [`Referee::timeout`]). Meanwhile, report the CPU time that the resting side uses
//!   ([`Referee::charge_idle_cpu`]) and ask again: it can end the game or extend the deadline.
//! - [`Action::End`]: send [`Referee::farewell`] to both sides, pass on their remaining lines
//!   ([`Referee::after`]), and take the record with [`Referee::finish`].
//!
//! The module [`kgp`] is the server's side of another protocol, for remote players of Kalah.
//!
//! [`replay`] plays a record again by the rules, and [`verify`] compares it with its ending.
//!
//! ```
//! use pitmaster_core::{At, BotHash, BotId, BySide, Dialect, GameKey, Limits, Seed, Side};
//! use pitmaster_referee::{Action, Referee, SeatSetup, Setup};
//!
//! let bot = |name: &str| BotId { name: name.parse().expect("a name"), hash: BotHash::of(b"") };
//! let game = pitmaster_games::find(&"coloured-awale".parse()?)?;
//! let seat = SeatSetup { dialect: Dialect::Arena, lenient: false, greeted: None, per_move: None };
//! let mut referee = Referee::new(Setup {
//!     key: GameKey {
//!         rules: game.id(),
//!         limits: Limits::default(),
//!         stage: 1,
//!         round: 0,
//!         bots: BySide::new(bot("one"), bot("two")),
//!         opening: String::new(),
//!         pair: 1,
//!     },
//!     game,
//!     seed: Seed(1),
//!     seats: BySide::new(seat.clone(), seat),
//!     position: None,
//! })?;
//! assert!(matches!(referee.next(), Action::Start(Side::One)));
//! referee.started(Side::One, At::START);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod clock;
mod finish;
#[cfg(any(test, feature = "fixtures"))]
pub mod fixtures;
mod game;
mod input;
mod judge;
pub mod kgp;
mod output;
pub mod protocol;
mod refusal;
mod replay;
mod seat;
#[cfg(test)]
mod tests;

pub use game::{Action, Leftovers, Referee, Setup, SetupError};
pub use refusal::{board_after, describe_fault, refused_in, why_illegal};
pub use replay::{Replay, replay, rules_of, verify};
pub use seat::{ProcessFate, SeatSetup};
