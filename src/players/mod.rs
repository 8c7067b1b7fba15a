//! Built-in players that search a position: the house bots.
//!
//! This room must not know processes or the wire. Whoever drives a [`Player`] tells it all that
//! is played and asks it for moves; how long it may think is a [`Budget`], which a clock, a
//! count of nodes or a test can fill.
//!
//! Inside, a player is a [`Mind`]: generic over the game, without dynamic dispatch while it
//! searches. [`seat`] looks a game and a player up by name and sets the one before a board of
//! the other.

mod alpha_beta;
mod bout;
mod budget;
mod candidates;
mod evaluate;
mod expert;
mod greedy;
mod mind;
mod minimaxer;
mod monte_carlo;
mod negamaxer;
mod options;
mod preset;
mod random;
mod scorer;
mod seat;
mod series;
mod settings;
mod spec;
#[cfg(test)]
mod tests;
mod tree;

pub use bout::{Bout, Conditions, play_bout};
pub use budget::{Budget, Nodes, Unlimited};
pub use evaluate::{AwaleWeights, Evaluate, Judged, Lead, TwoRowWeights, Weights};
pub use expert::{Expert, ExpertOptions};
pub use mind::{Chosen, Mind, Thought};
pub use preset::{by_file, presets};
pub use seat::{Choice, Idle, Player, SeatFault, seat};
pub use series::{Series, Tally};
pub use spec::{Algorithm, PREFIX, PlayerFault, PlayerSpec};

/// Counted up when a change of the players' code makes any of them choose other moves: a
/// player of another version is another bot.
pub const VERSION: u32 = 1;
