//! Diagnostics of a file, and suggestions for misspelled words.

use std::fmt;

use strsim::osa_distance;

use super::Location;

/// Error in a file. All errors of a file are found in one pass and shown together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Location of the error.
    pub place: Location,
    /// Key with its section, such as `clock.per_move`; empty if the error concerns the whole file.
    pub key: String,
    /// Problem and, after a semicolon, how to fix it.
    pub message: String,
}

/// Formatted as `3:14: clock.per_move: …`, to follow a file name and a colon as in compiler output.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colon = if self.key.is_empty() { "" } else { ": " };
        write!(f, "{}: {}{colon}{}", self.place, self.key, self.message)
    }
}

/// Returns the known word that was probably meant, if one is close enough: at most one typo for
/// every three characters, and at least one character right. A swap of neighbors is one typo.
pub fn did_you_mean<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let word = plain(word);
    known
        .into_iter()
        .map(|candidate| (osa_distance(&word, &plain(candidate)), candidate))
        .filter(|&(slips, candidate)| {
            slips <= 1.max(candidate.len() / 3) && slips < candidate.len()
        })
        .min_by_key(|&(slips, _)| slips)
        .map(|(_, candidate)| candidate)
}

/// Hint for an unknown word: the word that was probably meant, or else all known words after `has`
/// (`it has`). If there are many and there is a reference for them, the reference instead.
pub fn hint<'k>(
    has: &str,
    word: &str,
    known: impl IntoIterator<Item = &'k str>,
    else_look: Option<&str>,
) -> String {
    const FEW: usize = 8;
    let known: Vec<_> = known.into_iter().collect();
    match (did_you_mean(word, known.iter().copied()), else_look) {
        (Some(meant), _) => format!("did you mean {meant}?"),
        (None, _) if known.is_empty() => format!("{has} none"),
        (None, Some(else_look)) if known.len() > FEW => else_look.to_owned(),
        (None, _) => format!("{has} {}", known.join(", ")),
    }
}

/// Normalizes a word: case and the kind of dash do not count as typos. Long words are truncated,
/// since they match nothing and would be slow.
fn plain(word: &str) -> String {
    let same = |c: char| if c == '-' || c == ' ' { '_' } else { c.to_ascii_lowercase() };
    word.chars().map(same).take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted() {
        let count = |a: &str, b: &str| osa_distance(&plain(a), &plain(b));
        assert_eq!(count("pairs", "pairs"), 0);
        assert_eq!(count("paris", "pairs"), 1);
        assert_eq!(count("per-move", "per_move"), 0);
        assert_eq!(count("", "abc"), 3);
        assert_eq!(count("kitten", "sitting"), 3);
    }

    #[test]
    fn only_near_words_are_suggested() {
        let known = ["per_move", "per_game", "plies"];
        assert_eq!(did_you_mean("permove", known), Some("per_move"));
        assert_eq!(did_you_mean("Plys", known), None);
        assert_eq!(did_you_mean("plie", known), Some("plies"));
        assert_eq!(did_you_mean("increment", known), None);
        for (word, meant) in [
            ("rum", Some("run")),
            ("Run", Some("run")),
            ("dialekt", Some("dialect")),
            ("bulid", Some("build")),
            ("m", None),
            ("", None),
        ] {
            assert_eq!(did_you_mean(word, ["run", "build", "dialect", "n"]), meant, "{word}");
        }
    }
}
