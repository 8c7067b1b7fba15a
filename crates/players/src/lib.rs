//! Built-in players: random, greedy, minimax, negamax, Monte Carlo tree search and an alpha-beta
//! expert.
//!
//! The crate knows no processes and no wire protocol. The caller passes every move to a [`Player`]
//! and asks it for its own. A [`Budget`] limits thinking; a clock, a node count or a test can fill
//! it.
//!
//! Internally a player is a [`Searcher`], generic over the game, without dynamic dispatch during
//! search. [`build`] looks up a game and a player by name:
//!
//! ```
//! use pitmaster_core::Seed;
//! use pitmaster_players::{Nodes, build};
//!
//! let mut player = build(&"oware".parse()?, &"expert".parse()?)?;
//! player.begin(Seed(1));
//! let choice = player.choose(&mut Nodes::new(10_000));
//! player.follow(&choice.text).expect("its own move is legal");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod alpha_beta;
mod bout;
mod budget;
mod build;
mod candidates;
mod endgame;
mod evaluate;
mod expert;
mod greedy;
mod lapses;
mod lopsided;
mod minimax;
mod monte_carlo;
mod negamax;
mod options;
mod preset;
mod random;
mod scorer;
mod searcher;
mod series;
mod settings;
mod spec;
#[cfg(test)]
mod tests;
mod tree;

pub use bout::{Bout, Conditions, play_bout};
pub use budget::{Before, Budget, Nodes, Unlimited};
pub use build::{BuildError, Choice, Idle, Player, build, build_with};
pub use endgame::{Bounds, Endgame, EndgameError, EndgameHeader, EndgameTable, Progress, Verified};
pub use evaluate::{
    AwaleJudge, AwaleNetwork, AwaleWeights, Evaluate, Judged, KalahNetwork, Lead, NO_LIMIT,
    Network, OwareNetwork, TwoRowJudge, TwoRowWeights, Weights, two_row_phase,
};
pub use expert::{Expert, ExpertOptions};
pub use lopsided::distances_from_even;
pub use preset::{by_file, presets};
pub use searcher::{Chosen, Searcher, Thought, Verdict};
pub use series::{Series, Tally};
pub use spec::{Algorithm, PREFIX, PlayerError, PlayerSpec};

/// Version of the players' code, incremented when a change makes any of them choose other moves. A
/// player of another version is another bot.
pub const VERSION: u32 = 3;
