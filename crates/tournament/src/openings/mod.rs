//! Tournament openings, the same for every two bots.
//!
//! The module knows neither the location of an opening file nor which bots can receive an opening.

mod kept;
mod lines;
mod random;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use kept::KeptOpenings;
pub use lines::{Opening, OpeningError, play_opening, read_openings};
pub use random::random_openings;

use pitmaster_core::Dialect;

use super::Location;

/// Maximum number of random openings.
pub const MOST_OPENINGS: u32 = 10_000;

/// Openings of a tournament.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Openings {
    /// Source of the openings.
    pub source: OpeningSource,
    /// Location in the tournament file.
    pub place: Location,
    /// Openings in the game's notation, filled by [`random_openings`] or [`read_openings`]. Empty:
    /// every game begins at the plain start.
    pub list: Arc<[String]>,
}

/// Source of openings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningSource {
    /// No openings: every game begins at the plain start.
    #[default]
    None,
    /// Random plies.
    Random {
        /// Number of plies, chance steps not counted.
        plies: u32,
        /// Number of openings; `None`: one per pair, up to a maximum.
        count: Option<u32>,
    },
    /// File with one opening per line.
    File(String),
}

impl Openings {
    /// Opening of a pair: the first pair of every two bots has the first one.
    pub fn of_pair(&self, pair: u32) -> &str {
        match self.list.len() {
            0 => "",
            len => &self.list[(pair.max(1) - 1) as usize % len],
        }
    }

    /// Opening of a pair of bots with these dialects: empty if one of them cannot receive it.
    pub fn between(&self, dialects: [Dialect; 2], pair: u32) -> &str {
        let all_hear = dialects.into_iter().all(Dialect::hears_openings);
        if all_hear { self.of_pair(pair) } else { "" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_take_them_in_turns() {
        let list: Arc<[String]> = ["1", "2", "3"].map(str::to_owned).into();
        let openings = Openings { list, ..Openings::default() };
        assert_eq!(
            [1, 2, 3, 4, 6, 7].map(|pair| openings.of_pair(pair)),
            ["1", "2", "3", "1", "3", "1"]
        );
        assert_eq!(Openings::default().of_pair(5), "");
    }
}
