//! What makes a game the same game: its key, and the id and seed that follow from it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{BotId, BySide, Limits, Seed};

/// Everything that identifies a game of a tournament. Never a position in a list, so that
/// bots can come and go and shares can be played elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GameKey {
    /// The rules with their options and version: `coloured-awale,both_40=off@1`.
    pub rules: String,
    /// The limits.
    pub limits: Limits,
    /// The stage of the tournament, from 1.
    pub stage: u32,
    /// The round of the stage, from 1; 0 in formats without rounds.
    pub round: u32,
    /// Who plays which side.
    pub bots: BySide<BotId>,
    /// Texts of the steps made before the bots are asked, joined by spaces, those of chance among
    /// them; empty: none.
    pub opening: String,
    /// The number of the pair among the meetings of these two bots, from 1. Its two games
    /// differ by the sides.
    pub pair: u32,
}

/// A game's id: the first 64 bits of the hash of its key, 16 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GameId(String);

impl GameKey {
    /// How many plies of the record are the opening's.
    pub fn opening_plies(&self) -> usize {
        self.opening.split_ascii_whitespace().count()
    }

    /// The id that follows from the key.
    pub fn id(&self) -> GameId {
        let json = serde_json::to_vec(self).expect("a key always serialises");
        GameId(blake3::hash(&json).to_hex()[..16].to_owned())
    }

    /// The seed of the game in a tournament of that seed.
    pub fn seed(&self, tournament: Seed) -> Seed {
        tournament.derive(&format!("game {}", self.id()))
    }
}

impl GameId {
    /// All sixteen digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for GameId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_id = text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
        if is_id {
            Ok(Self(text.to_ascii_lowercase()))
        } else {
            Err(format!("a game id is 16 hexadecimal digits, not {text:?}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::BotHash;

    fn key() -> GameKey {
        let bot = |name: &str| BotId {
            name: name.parse().expect("a name"),
            hash: BotHash::of(name.as_bytes()),
        };
        GameKey {
            rules: "coloured-awale@1".into(),
            limits: Limits::default(),
            stage: 1,
            round: 1,
            bots: BySide::new(bot("a"), bot("b")),
            opening: String::new(),
            pair: 1,
        }
    }

    #[test]
    fn the_id_is_pinned_because_stores_hold_it() {
        insta::assert_snapshot!(key().id(), @"77e9b491745c8f35");
    }

    #[test]
    fn sides_and_pairs_make_different_games() {
        let swapped = GameKey { bots: key().bots.swapped(), ..key() };
        let next = GameKey { pair: 2, ..key() };
        assert_ne!(key().id(), swapped.id());
        assert_ne!(key().id(), next.id());
        assert_ne!(key().seed(Seed(1)), key().seed(Seed(2)));
    }
}
