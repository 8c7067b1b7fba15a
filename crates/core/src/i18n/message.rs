//! Translatable messages: a text and its arguments, kept apart until the language is known.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Lang;

/// Message to a person, in any language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    english: Cow<'static, str>,
    fills: Vec<Fill>,
}

/// Argument of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fill {
    /// Text that is the same in every language: a name, a move, a whole number.
    Text(String),
    /// Number with decimals.
    Number(String),
    /// Nested message.
    Message(Message),
    /// Messages separated by commas.
    List(Vec<Message>),
}

/// Makes a message from its English text, with a `{}` for each value. The text must have an entry
/// in the catalog `crates/core/locales/fr.po`, where `{}` takes the values in order and `{2}` the
/// second one.
#[macro_export]
macro_rules! said {
    ($english:literal $(, $fill:expr)* $(,)?) => {
        $crate::i18n::Message::new($english, vec![$($crate::i18n::Fill::from($fill)),*])
    };
}

impl Message {
    /// Makes a message; used by `said!`.
    pub fn new(english: &'static str, fills: Vec<Fill>) -> Self {
        debug_assert_eq!(english.matches("{}").count(), fills.len(), "{english}");
        Self { english: english.into(), fills }
    }

    /// Renders the message in a language.
    pub fn to(&self, lang: Lang) -> String {
        filled(lang.text(&self.english), &self.fills, lang)
    }

    /// Replaces the arguments that are the same in every language.
    #[must_use]
    pub fn with_texts(self, other: &dyn Fn(String) -> String) -> Self {
        let fills = self.fills.into_iter().map(|fill| fill.with_texts(other)).collect();
        Self { fills, ..self }
    }
}

/// Text with its placeholders filled.
pub(super) fn filled(text: &str, fills: &[Fill], lang: Lang) -> String {
    let (mut done, mut rest, mut next) = (String::new(), text, 0);
    while let Some((before, place, after)) = split(rest) {
        done.push_str(before);
        next = place.unwrap_or(next + 1);
        if let Some(fill) = fills.get(next - 1) {
            done.push_str(&fill.to(lang));
        }
        rest = after;
    }
    done + rest
}

/// Text before the first placeholder, the placeholder's number if it has one, and the text after
/// it.
fn split(text: &str) -> Option<(&str, Option<usize>, &str)> {
    let begins = text.match_indices('{');
    begins.into_iter().find_map(|(begin, _)| {
        let end = begin + text[begin..].find('}')?;
        let inner = &text[begin + 1..end];
        let number = inner.parse().ok().filter(|number| *number > 0);
        let is_place = inner.is_empty() || number.is_some();
        is_place.then(|| (&text[..begin], number, &text[end + 1..]))
    })
}

impl Fill {
    /// Time with this many decimals and its unit: `1.020s`, `17.0ms`.
    pub fn time(time: Duration, decimals: usize) -> Self {
        Self::Number(format!("{time:.decimals$?}"))
    }

    /// Time with as many decimals as needed: `1s`, `1.5ms`.
    pub fn whole(time: Duration) -> Self {
        Self::Number(format!("{time:?}"))
    }

    /// Number with decimals, as formatted by the code.
    pub fn number(digits: impl Into<String>) -> Self {
        Self::Number(digits.into())
    }

    fn with_texts(self, other: &dyn Fn(String) -> String) -> Self {
        match self {
            Self::Text(text) => Self::Text(other(text)),
            Self::Number(digits) => Self::Number(digits),
            Self::Message(message) => Self::Message(message.with_texts(other)),
            Self::List(messages) => {
                Self::List(messages.into_iter().map(|it| it.with_texts(other)).collect())
            }
        }
    }

    /// Renders the argument in a language.
    pub fn to(&self, lang: Lang) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(digits) => lang.number(digits),
            Self::Message(message) => message.to(lang),
            Self::List(messages) => {
                let texts: Vec<_> = messages.iter().map(|message| message.to(lang)).collect();
                texts.join(", ")
            }
        }
    }
}

impl From<Message> for Fill {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

impl From<Vec<Message>> for Fill {
    fn from(messages: Vec<Message>) -> Self {
        Self::List(messages)
    }
}

impl From<String> for Fill {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for Fill {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<&str> for Fill {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

macro_rules! whole_numbers {
    ($($number:ty)*) => {$(
        impl From<$number> for Fill {
            fn from(number: $number) -> Self {
                Self::Text(number.to_string())
            }
        }
    )*};
}

whole_numbers!(u8 u16 u32 u64 usize i32 i64);

/// English text.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to(Lang::English))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_in_their_order() {
        let inner = said!("{} of {}", 3_u32, "four");
        let message = Message::new("a {} b {} {c} {", vec!["1{}".into(), inner.into()]);
        assert_eq!(message.to(Lang::English), "a 1{} b 3 of four {c} {");
    }

    #[test]
    fn a_translation_may_have_another_order() {
        assert_eq!(split("x {2} y {} z"), Some(("x ", Some(2), " y {} z")));
        assert_eq!(split("y {} z"), Some(("y ", None, " z")));
        assert_eq!(split("{0} {x}"), None);
    }

    #[test]
    fn a_stored_message_is_translated_when_it_is_read() {
        let message = said!("{} of {}", Fill::number("1.5"), vec![said!("clean")]);
        let stored = serde_json::to_string(&message).unwrap();
        assert_eq!(serde_json::from_str::<Message>(&stored).unwrap(), message);
    }

    #[test]
    fn texts_are_replaced_wherever_they_stand() {
        let message = said!("{} of {}", "a/b", vec![said!("{}: {}", "a/c", Fill::number("1.5"))]);
        let short = message.with_texts(&|text| text.replace("a/", ""));
        assert_eq!(short.to(Lang::English), "b of c: 1.5");
    }

    #[test]
    fn numbers_are_written_as_the_reader_writes_them() {
        let message = Message::new("no such message: {}", vec![Fill::number("1.5")]);
        assert_eq!(message.to(Lang::French), "no such message: 1,5");
    }
}
