//! The rules of every game: positions, moves, playing, endings, adjudication and text.
//!
//! This room must not know time, bots or files.
//!
//! [`Rules`] (immutable, shared) and [`Rules::Position`] (plain data) are two things. Search
//! and playouts are generic over [`Rules`]; the referee looks games up by name and uses the
//! object-safe [`Game`] and [`Table`].

mod catalogue;
pub mod coloured_awale;
mod counting;
mod face;
mod holes;
pub mod isholo;
mod observe;
mod perft;
mod rules;
mod shape;
mod spec;
mod text;
#[cfg(test)]
pub(crate) mod toy;
pub mod two_row;

use catalogue::unknown_game;
pub use catalogue::{AnyRules, Known, find, look_up, names};
pub use counting::{Count, Counting};
pub use face::{Game, Named, Table, game_of};
pub use observe::{Observer, Spot, Step, Steps};
pub use perft::{Perft, perft};
pub use rules::{Illegal, MoveFault, MoveList, Outcome, Rules, TextFault, Turn};
use shape::ONE_KIND;
pub use shape::{Contents, HoleMark, HoleShape, Shape};
pub use spec::{GameSpec, SpecFault, SpecFaults};
