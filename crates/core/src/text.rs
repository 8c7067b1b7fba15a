//! Untrusted text written by a bot. It stays bytes until a report shows it.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Arbitrary bytes that a bot wrote, never to be printed unescaped.
///
/// This type deliberately has no `Display`: use [`Untrusted::shown`] to get text. In JSON, valid
/// UTF-8 is a string as it is (JSON escapes it), and other bytes are `{"bytes":[…]}`.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Untrusted(Vec<u8>);

impl Untrusted {
    /// Wraps bytes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    /// Wraps at most the first `limit` bytes.
    pub fn capped(bytes: &[u8], limit: usize) -> Self {
        Self(bytes[..bytes.len().min(limit)].to_vec())
    }

    /// The raw bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Safe text of at most `limit` characters. Control, bidirectional and other invisible
    /// characters are escaped as `\u{…}`, bytes that are not UTF-8 as `\x..`. Backslashes are
    /// doubled, and truncation is marked with `…`.
    pub fn shown(&self, limit: usize) -> String {
        let mut text = String::new();
        let mut left = limit;
        for chunk in self.0.utf8_chunks() {
            let valid = chunk.valid().chars().map(Piece::Char);
            let invalid = chunk.invalid().iter().copied().map(Piece::Byte);
            for piece in valid.chain(invalid) {
                if left == 0 {
                    text.push('…');
                    return text;
                }
                left -= 1;
                piece.push_to(&mut text);
            }
        }
        text
    }

    /// Safe text with several lines: like [`Untrusted::shown`], but keeps line feeds and tabs.
    pub fn shown_lines(&self, limit: usize) -> String {
        let mut lines: Vec<String> = Vec::new();
        let mut left = limit;
        for line in self.0.split(|&byte| byte == b'\n') {
            let shown = Self::new(line.strip_suffix(b"\r").unwrap_or(line)).shown(left);
            left = left.saturating_sub(shown.chars().count() + 1);
            lines.push(shown);
            if left == 0 {
                break;
            }
        }
        lines.join("\n")
    }
}

enum Piece {
    Char(char),
    Byte(u8),
}

impl Piece {
    fn push_to(&self, text: &mut String) {
        use std::fmt::Write as _;
        match *self {
            Self::Char('\\') => text.push_str("\\\\"),
            Self::Char(c) if is_hidden(c) => {
                let _ = write!(text, "\\u{{{:x}}}", u32::from(c));
            }
            Self::Char(c) => text.push(c),
            Self::Byte(byte) => {
                let _ = write!(text, "\\x{byte:02x}");
            }
        }
    }
}

/// Whether a character would act on a terminal or page, or be invisible there: controls,
/// bidirectional marks, zero-width and tag characters, line separators, the byte order mark.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
}

impl fmt::Debug for Untrusted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Untrusted({:?})", self.shown(200))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form {
    Text(String),
    Bytes { bytes: Vec<u8> },
}

impl Serialize for Untrusted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => Form::Bytes { bytes: self.0.clone() }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Untrusted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Form::deserialize(deserializer)? {
            Form::Text(text) => Self(text.into_bytes()),
            Form::Bytes { bytes } => Self(bytes),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_on_a_terminal_is_escaped() {
        let text = Untrusted::new(b"a\x1b[31m\xff\\\xe2\x80\xae\n".to_vec());
        assert_eq!(text.shown(100), "a\\u{1b}[31m\\xff\\\\\\u{202e}\\u{a}");
    }

    #[test]
    fn length_is_capped_and_marked() {
        assert_eq!(Untrusted::new("abcdef").shown(3), "abc…");
        assert_eq!(Untrusted::new("abc").shown(3), "abc");
    }

    #[test]
    fn lines_stay_lines() {
        let text = Untrusted::new("one\r\ntwo\x07\n");
        assert_eq!(text.shown_lines(100), "one\ntwo\\u{7}\n");
    }

    #[test]
    fn json_keeps_every_byte() {
        for bytes in [&b"plain"[..], b"\xff\x00", "é\u{202e}".as_bytes()] {
            let text = Untrusted::new(bytes);
            let json = serde_json::to_string(&text).expect("serialises");
            assert_eq!(serde_json::from_str::<Untrusted>(&json).expect("parses"), text);
        }
    }
}
