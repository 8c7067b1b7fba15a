//! Replacement of a person's names in texts.

use pitmaster_core::BotName;
use serde_json::Value;

/// A person to be forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forgetting {
    /// Name of the person's bot.
    pub name: BotName,
    /// Name that it gets.
    pub pseudonym: BotName,
    /// Other texts that name the person: the id, the name, the address.
    pub words: Vec<String>,
}

/// Minimum length of a number to be replaced anywhere. Shorter ones are replaced only as a whole
/// string or path component.
const MIN_NUMBER_LEN: usize = 5;

impl Forgetting {
    /// All texts that name the person, the longest first, so that none is a part of a later one.
    fn needles(&self) -> Vec<&str> {
        let words = self.words.iter().map(String::as_str).map(str::trim);
        let mut all: Vec<_> = words.chain([self.name.as_str()]).collect();
        all.retain(|word| !word.is_empty());
        all.sort_by_key(|word| (std::cmp::Reverse(word.len()), *word));
        all.dedup();
        all
    }

    /// Replaces the person's names in a text by the pseudonym.
    pub fn redact(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for needle in self.needles() {
            text = replaced(&text, needle, self.pseudonym.as_str());
        }
        text
    }

    /// Returns whether a text names the person.
    pub fn is_in(&self, text: &str) -> bool {
        self.redact(text) != text
    }

    /// Redacts a JSON text.
    pub(super) fn redact_json(&self, text: &str) -> String {
        let Ok(mut value) = serde_json::from_str::<Value>(text) else { return "null".into() };
        self.redact_value(&mut value);
        value.to_string()
    }

    /// Redacts all strings of a value.
    pub(super) fn redact_value(&self, value: &mut Value) {
        match value {
            Value::String(text) if self.needles().contains(&text.trim()) => {
                *text = self.pseudonym.to_string();
            }
            Value::String(text) => *text = self.redact(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.redact_value(item)),
            Value::Object(fields) => {
                fields.values_mut().for_each(|field| self.redact_value(field));
            }
            _ => {}
        }
    }
}

/// Replaces whole-word matches of a needle.
fn replaced(text: &str, needle: &str, by: &str) -> String {
    let is_short =
        needle.len() < MIN_NUMBER_LEN && needle.bytes().all(|byte| byte.is_ascii_digit());
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(needle) {
        let (before, after) = (&rest[..at], &rest[at + needle.len()..]);
        let previous = before.chars().next_back().or(out.chars().next_back());
        let is_whole = is_end(previous, is_short) && is_end(after.chars().next(), is_short);
        out.push_str(before);
        out.push_str(if is_whole { by } else { needle });
        rest = after;
    }
    out + rest
}

/// Whether a word can end next to this character.
fn is_end(neighbor: Option<char>, is_short: bool) -> bool {
    match neighbor {
        None => !is_short,
        Some(c) if is_short => matches!(c, '/' | '"' | '\''),
        Some(c) => !c.is_alphanumeric(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forgetting(name: &str, words: &[&str]) -> Forgetting {
        Forgetting {
            name: name.parse().unwrap(),
            pseudonym: "gone-1".parse().unwrap(),
            words: words.iter().map(|word| (*word).to_owned()).collect(),
        }
    }

    #[test]
    fn only_whole_words_are_replaced() {
        let person = forgetting("4200101", &["Participant 4200101", "Zoë M", "z@x.example"]);
        for (text, redacted) in [
            ("/class/bots/4200101/bot.py", "/class/bots/gone-1/bot.py"),
            ("bot 4200101: late", "bot gone-1: late"),
            ("Participant 4200101, Zoë M", "gone-1, gone-1"),
            ("<z@x.example>", "<gone-1>"),
            ("14200101 and 42001012", "14200101 and 42001012"),
            ("Zoë Müller", "Zoë Müller"),
            ("4200101", "gone-1"),
            ("4200101 4200101", "gone-1 gone-1"),
        ] {
            assert_eq!(person.redact(text), redacted);
            assert_eq!(person.is_in(text), text != redacted, "{text}");
        }
    }

    #[test]
    fn a_short_number_is_replaced_in_paths_and_strings_only() {
        let person = forgetting("20", &["20"]);
        let text = "pairs = 20\ninclude = [\"class/bots/20\", '20']\npath = 'x/120'";
        assert_eq!(
            person.redact(text),
            "pairs = 20\ninclude = [\"class/bots/gone-1\", 'gone-1']\npath = 'x/120'"
        );
        let mut value = serde_json::json!({"bots": ["20", "a"], "pairs": 20, "x": "20 seeds"});
        person.redact_value(&mut value);
        assert_eq!(
            value,
            serde_json::json!({"bots": ["gone-1", "a"], "pairs": 20, "x": "20 seeds"})
        );
    }
}
