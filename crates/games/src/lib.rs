//! Rules of mancala games: positions, moves, playing, endings, adjudication and notation.
//!
//! Coloured Awale, Isholo and every two-row game that the parameters of [`two_row`] describe:
//! Kalah, Oware, Congkak, Bao and many more. The crate knows no clocks, bots or files.
//!
//! [`Rules`] (immutable, shared) and [`Rules::Position`] (plain data) are two types. Search and
//! playouts are generic over [`Rules`]. The referee looks games up by name and uses the object-safe
//! [`DynGame`] and [`GameState`], where a move is a text:
//!
//! ```
//! use pitmaster_games::{GameSpec, Turn, find};
//!
//! let spec: GameSpec = "kalah".parse()?;
//! let game = find(&spec)?;
//! let mut position = game.begin();
//! let mut written = String::new();
//! position.play("3", &mut written).expect("a legal move");
//! // The last seed fell into the store: player 1 moves again.
//! assert_eq!(position.turn(), Turn::Player(pitmaster_core::Side::One));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod catalogue;
pub mod coloured_awale;
mod counting;
mod dyn_game;
mod family;
mod holes;
pub mod isholo;
mod kgp;
mod observe;
mod perft;
mod rules;
mod shape;
mod spec;
mod text;
#[cfg(any(test, feature = "fixtures"))]
pub mod toy;
pub mod two_row;

use catalogue::unknown_game;
pub use catalogue::{AnyRules, Known, descriptions, find, look_up, names};
pub use counting::{Count, Counting};
pub use dyn_game::{DynGame, GameState, Named, game_of};
pub use family::{Description, Family};
pub use kgp::{KgpBoard, kgp_move, kgp_pit, kgp_size};
pub use observe::{Observer, Spot, Step, Steps};
pub use perft::{Perft, perft};
pub use rules::{Illegal, MoveError, MoveList, Outcome, Rules, TextError, Turn};
use shape::ONE_KIND;
pub use shape::{Contents, HoleMark, HoleShape, Shape};
pub use spec::{GameSpec, SpecError, SpecErrors};
