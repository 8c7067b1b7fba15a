//! One game as a state machine: rules, clock and dialects.
//!
//! It takes lines and instants and says what to do next; it must not know runtimes or
//! processes. Whoever drives it asks [`Referee::next`], does that, tells what came of it, and
//! asks again:
//!
//! - [`Do::Start`]: start that side's process → [`Referee::started`] or [`Referee::fault`];
//! - [`Do::Send`]: before a turn ([`Referee::is_turn`]) first hand over what the bot has
//!   written already ([`Referee::early`], [`Referee::early_part`]); then take the time, send
//!   [`Referee::outbox`] → [`Referee::sent`];
//! - [`Do::Listen`]: wait for a line → [`Referee::line`], or for its end → [`Referee::fault`],
//!   or until the instant has passed → [`Referee::timeout`];
//!   When its time is over, first say how long it waited for a core ([`Referee::waited`]).
//!   While a side is listened to, what the other uses of the core ([`Referee::stole`]) may end the
//!   game or extend that instant: ask again for what to do;
//! - [`Do::End`]: say [`Referee::farewell`] to both, hand over what else they write
//!   ([`Referee::after`]), and take the record with [`Referee::finish`].

mod ask;
mod clock;
mod game;
mod hear;
mod judge;
#[cfg(test)]
pub(crate) mod made_up;
mod part;
mod refusal;
mod replay;
mod seat;
#[cfg(test)]
mod tests;

pub use game::{Do, Leftovers, Referee, Setup, SetupFault};
pub use refusal::{board_after, describe_fault, refused_in, why_illegal};
pub use replay::{Replay, replay, rules_of, verify};
pub use seat::{Farewell, SeatSetup};
