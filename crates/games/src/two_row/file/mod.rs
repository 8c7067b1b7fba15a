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

mod findings;
mod json;
mod legacy;
mod player;
mod read;
mod source;
#[cfg(test)]
mod tests;
mod vary;
mod write;

use super::params::Params;

pub use legacy::FileVersion;
pub use player::{AiParams, Algorithm, Difficulty, Player, Scorer};
pub use read::{read, read_nameless};
pub use vary::{Choice, Choices};

/// Game as described by a file.
#[derive(Debug, Clone, PartialEq)]
pub struct GameFile {
    /// Name of the game.
    pub name: String,
    /// One-line description; may be empty.
    pub about: String,
    /// Region where it is played; may be empty.
    pub region: String,
    /// Origin; may be empty.
    pub origin: String,
    /// Parameters of the game.
    pub params: Params,
    /// Variants, in the order of the file; the game itself is not among them.
    pub variants: Vec<Variant>,
    /// Parameters that a player may change.
    pub vari_params: Vec<Choice>,
    /// House bot settings.
    pub player: Player,
    /// Other texts, by key: rules, references, deviations.
    pub texts: Vec<(String, String)>,
    /// Notes about translated names and numbers, and about ambiguities.
    pub notes: Vec<String>,
}

/// Variant of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// Name, without that of the game.
    pub name: String,
    /// All parameters, those of the game included.
    pub params: Params,
}

impl GameFile {
    /// Parameters of a variant by any spelling of its name; the game's own name gives those of the
    /// game.
    pub fn variant(&self, name: &str) -> Option<&Params> {
        let slug = super::catalogue::slug;
        if slug(&self.name) == slug(name) {
            return Some(&self.params);
        }
        let variant = self.variants.iter().find(|variant| slug(&variant.name) == slug(name));
        variant.map(|variant| &variant.params)
    }
}
