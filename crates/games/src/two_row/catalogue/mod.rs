//! Built-in games as data: one embedded file each, parsed on demand.

mod games;
mod slug;
#[cfg(test)]
mod tests;

use pitmaster_core::diagnostics::did_you_mean;

use super::file::{self, GameFile};
use super::params::Params;

pub use games::ENTRIES;
pub use slug::slug;

/// Game of the catalogue, not yet parsed.
#[derive(Debug)]
pub struct Entry {
    /// Name in commands and files.
    pub slug: &'static str,
    text: &'static str,
}

impl Entry {
    /// Parses the file of the game.
    pub fn file(&self) -> GameFile {
        file::read(self.text, None).expect("a test reads every game of the catalogue")
    }

    /// Text of the embedded file.
    pub fn text(&self) -> &'static str {
        self.text
    }
}

/// Error for a name that the catalogue does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unknown {
    /// No such game.
    #[error("the catalogue has no game {name:?}{}", or_meant(*.meant))]
    Game {
        /// Requested name.
        name: String,
        /// Suggested name.
        meant: Option<&'static str>,
    },
    /// No such variant of the game.
    #[error("{game} has no variant {variant:?}{}", variants(.known))]
    Variant {
        /// Name of the game.
        game: &'static str,
        /// Requested variant.
        variant: String,
        /// All variants of the game.
        known: Vec<String>,
    },
}

fn or_meant(meant: Option<&str>) -> String {
    meant.map(|meant| format!("; did you mean {meant}?")).unwrap_or_default()
}

fn variants(known: &[String]) -> String {
    if known.is_empty() { String::new() } else { format!("; it has {}", known.join(", ")) }
}

/// Finds a game by any spelling of its name.
pub fn find(name: &str) -> Option<&'static Entry> {
    let slug = slug(name);
    let at = ENTRIES.binary_search_by(|entry| entry.slug.cmp(&slug)).ok()?;
    Some(&ENTRIES[at])
}

/// Finds a game (`weg`) or a variant of one (`weg::weg_10_4`), by any spelling of the names.
///
/// # Errors
/// Fails if there is no game or variant with that name.
pub fn look_up(name: &str) -> Result<Found, Unknown> {
    let (game, variant) = name.split_once("::").map_or((name, None), |(a, b)| (a, Some(b)));
    let Some(entry) = find(game) else {
        let meant = did_you_mean(&slug(game), ENTRIES.iter().map(|entry| entry.slug));
        return Err(Unknown::Game { name: game.to_owned(), meant });
    };
    let file = entry.file();
    let Some(variant) = variant else {
        let params = file.params.clone();
        return Ok(Found { slug: entry.slug.to_owned(), params, file });
    };
    let Some(params) = file.variant(variant).cloned() else {
        let known = file.variants.iter().map(|variant| slug(&variant.name)).collect();
        return Err(Unknown::Variant { game: entry.slug, variant: variant.to_owned(), known });
    };
    let variant = slug(variant);
    let is_itself = variant == entry.slug;
    let slug = if is_itself { variant } else { format!("{}::{variant}", entry.slug) };
    Ok(Found { slug, params, file })
}

/// Game or variant found by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Canonical name.
    pub slug: String,
    /// Parameters.
    pub params: Params,
    /// File of the game, or of the game that it is a variant of.
    pub file: GameFile,
}
