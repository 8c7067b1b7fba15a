//! The rules of every game: positions, moves, playing, endings, adjudication and text.
//!
//! This room must not know time, bots or files.
//!
//! [`Rules`] (immutable, shared) and [`Rules::Position`] (plain data) are two things. Search
//! and playouts are generic over [`Rules`]; the referee looks games up by name and uses the
//! object-safe [`Game`] and [`Table`].

mod catalogue;
pub mod coloured_awale;
mod face;
mod holes;
pub mod isholo;
mod observe;
mod perft;
mod rules;
mod spec;
mod text;
#[cfg(test)]
pub(crate) mod toy;
pub mod two_row;

use catalogue::unknown_game;
pub use catalogue::{find, names};
pub use face::{Game, Named, Table, game_of};
pub use observe::{Observer, Spot, Step, Steps};
pub use perft::{Perft, perft};
pub use rules::{Illegal, MoveFault, MoveList, Outcome, Rules, TextFault, Turn};
pub use spec::{GameSpec, SpecFault, SpecFaults};
