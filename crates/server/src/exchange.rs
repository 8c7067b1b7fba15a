//! What the player and the pages tell each other while the server runs.

use crate::kgp::Lobby;
use crate::live::Hub;
use crate::play::HumanGames;
use crate::standings::Standings;

/// What the player and the pages share, beside what is stored. Clones share it too.
#[derive(Debug, Clone, Default)]
pub struct Exchange {
    /// The latest tables of the ladders.
    pub standings: Standings,
    /// The games that are being played.
    pub live: Hub,
    /// The games of people against bots.
    pub people: HumanGames,
    /// The remote players that are connected.
    pub lobby: Lobby,
}
