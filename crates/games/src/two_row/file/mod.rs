//! Files that describe a two-row game: JSON in three versions, as written by the program that the
//! parameters come from, and TOML for people. The caller reads the file; this module takes its
//! text.
//!
//! [`read`] finds every error in one pass, each with its location. The notes of the [`GameFile`]
//! list what it translated from older names and numbers.
//!
//! ```toml
//! name = "Little Kalah"
//! about = "one line about it"
//! age = "present"                  # or "2024-11", "2025-09": how numbers are meant
//!
//! holes = 4
//! nbr_start = 3
//! stores = true
//! sow_stores = "OWN"               # enums by name of any age, in either case, or by number
//! capt_on = [2, 3]
//!
//! [variants.Large]                 # what is different
//! holes = 8
//!
//! [vari_params]                    # what a player may change
//! nbr_start = [3, 4]
//! mustshare = "any"
//!
//! [player]                         # how a house bot plays it
//! algorithm = "negamaxer"
//! ai_params.mm_depth = [1, 3, 5, 7]
//! scorer.mx_stores_m = 4
//! ```
//!
//! The sections `[game_constants]` and `[game_info]` of JSON are also allowed in TOML, and
//! parameters are allowed at the top level of a JSON file.

mod json;
mod legacy;
mod player;
mod read;
mod source;
#[cfg(test)]
mod tests;
mod tree;
mod vary;
mod write;

use super::params::Params;

pub use legacy::FileVersion;
pub use player::{AiParams, Algorithm, Difficulty, Player, Scorer};
pub use read::{read, read_nameless};
pub use vary::{Choice, Choices};

/// A game as a file describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct GameFile {
    /// Its name.
    pub name: String,
    /// One line about it; may be empty.
    pub about: String,
    /// Where it is played; may be empty.
    pub region: String,
    /// Where it comes from; may be empty.
    pub origin: String,
    /// What it is.
    pub params: Params,
    /// Its variants, in the order of the file; the game itself is not among them.
    pub variants: Vec<Variant>,
    /// The parameters that a player may change.
    pub vari_params: Vec<Choice>,
    /// How a house bot plays it.
    pub player: Player,
    /// Other texts, by key: rules, references, deviations.
    pub texts: Vec<(String, String)>,
    /// What was translated, and what could be meant otherwise.
    pub notes: Vec<String>,
}

/// A variant of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// Its name, without the game's.
    pub name: String,
    /// What it is: all parameters, those of the game included.
    pub params: Params,
}

impl GameFile {
    /// The parameters of a variant, by any writing of its name; of the game itself by its own.
    pub fn variant(&self, name: &str) -> Option<&Params> {
        let slug = super::catalogue::slug;
        if slug(&self.name) == slug(name) {
            return Some(&self.params);
        }
        let variant = self.variants.iter().find(|variant| slug(&variant.name) == slug(name));
        variant.map(|variant| &variant.params)
    }
}
