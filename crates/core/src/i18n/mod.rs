//! Translation of texts for people. English is written in the code; other languages are gettext
//! catalogs, such as `locales/fr.po` for French.
//!
//! The module does not know where messages come from. Names of files, keys, events, endings and
//! commands are not messages: they are the same in every language.

mod markdown;
mod message;
mod po;
mod wrap;

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

pub use markdown::{page, sentences};
pub use message::{Fill, Message};
pub use wrap::wrap;

pub use crate::said;

/// Catalog of the French translations.
const FRENCH: &str = include_str!("../../locales/fr.po");

/// Language of texts for people.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Lang {
    /// English, the source language.
    #[default]
    English,
    /// French.
    French,
}

impl Lang {
    /// All languages.
    pub const ALL: [Self; 2] = [Self::English, Self::French];

    /// Language code, as in HTML and in environment variables.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::French => "fr",
        }
    }

    /// Language of a locale such as `fr_CA.UTF-8`; English if it is not supported.
    pub fn of_locale(locale: &str) -> Self {
        let code = locale.split(['_', '.', '-', '@']).next().unwrap_or_default();
        code.to_ascii_lowercase().parse().unwrap_or_default()
    }

    /// Translates a text without placeholders. Texts missing from the catalog stay English; a test
    /// checks that every text written as `said!(…)` or `.text(…)` is in the catalog.
    pub fn text(self, english: &str) -> &str {
        match self {
            Self::English => english,
            Self::French => french().get(english).copied().unwrap_or(english),
        }
    }

    /// Formats a number with decimals in this language.
    pub fn number(self, digits: &str) -> String {
        match self {
            Self::English => digits.to_owned(),
            Self::French => digits.replace('.', ","),
        }
    }
}

fn french() -> &'static HashMap<&'static str, &'static str> {
    static TABLE: OnceLock<HashMap<&str, &str>> = OnceLock::new();
    TABLE.get_or_init(|| translations().iter().copied().collect())
}

/// Messages of the French catalog: English, French. The catalog is parsed when it is first needed.
pub fn translations() -> &'static [(&'static str, &'static str)] {
    static ROWS: OnceLock<Vec<(&str, &str)>> = OnceLock::new();
    let row = |entry: po::Entry| (&*entry.id.leak(), &*spaced(&entry.text).leak());
    // The embedded catalog has no errors: a test parses it.
    ROWS.get_or_init(|| po::parse(FRENCH).unwrap_or_default().into_iter().map(row).collect())
}

/// French text with no-break spaces before punctuation.
fn spaced(french: &str) -> String {
    let signs = [" :", " ;", " !", " ?", " %", " »"];
    let opened = french.replace("« ", "«\u{a0}");
    signs.iter().fold(opened, |text, sign| text.replace(sign, &sign.replace(' ', "\u{a0}")))
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

impl FromStr for Lang {
    type Err = String;

    fn from_str(code: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|lang| lang.code() == code);
        found.ok_or_else(|| format!("there is no {code:?}; a language is en or fr"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_has_a_language() {
        let found = ["fr_FR.UTF-8", "fr", "FR-ca", "en_GB", "C", "", "français"];
        let codes: Vec<_> = found.iter().map(|locale| Lang::of_locale(locale).code()).collect();
        assert_eq!(codes, ["fr", "fr", "fr", "en", "en", "en", "en"]);
    }

    #[test]
    fn numbers_have_their_comma() {
        assert_eq!(Lang::French.number("-1.50"), "-1,50");
        assert_eq!(Lang::English.number("-1.50"), "-1.50");
    }

    #[test]
    fn signs_stay_with_their_words() {
        assert_eq!(spaced("« a » : 5 % ?"), "«\u{a0}a\u{a0}»\u{a0}: 5\u{a0}%\u{a0}?");
    }

    #[test]
    fn the_french_catalog_is_read_without_errors() {
        let entries = po::parse(FRENCH).unwrap();
        assert_eq!(entries.len(), translations().len());
        assert!(entries.len() > 500, "{}", entries.len());
        for field in ["Language: fr", "Content-Type: text/plain; charset=UTF-8"] {
            assert!(FRENCH.contains(&format!("\n\"{field}\\n\"\n")), "no field {field:?}");
        }
    }

    #[test]
    fn what_the_catalog_lacks_stays_english() {
        assert_eq!(Lang::French.text("no such message"), "no such message");
    }
}
