//! In-memory state that the player and the pages share.

use crate::kgp::Lobby;
use crate::live::Hub;
use crate::play::HumanGames;
use crate::standings::Standings;

/// In-memory state that the player and the pages share. Clones share the same state.
#[derive(Debug, Clone, Default)]
pub struct Exchange {
    /// Latest tables of the ladders.
    pub standings: Standings,
    /// Running games.
    pub live: Hub,
    /// Games of people against bots.
    pub people: HumanGames,
    /// Connected remote players.
    pub lobby: Lobby,
}
