//! JSON parser that keeps the location of every value.
//!
//! serde_json unescapes the strings. The rest is parsed here, because serde_json does not keep
//! locations.

use pitmaster_core::config::{Entry, Kind, Node};

/// Maximum nesting depth.
const DEPTH: usize = 32;

/// Syntax error with its byte offset.
#[derive(Debug)]
pub(super) struct Broken {
    pub(super) at: usize,
    pub(super) message: String,
}

/// Result of parsing.
#[derive(Debug)]
pub(super) struct Json {
    pub(super) root: Node,
    /// End of the value and the following space, in bytes.
    pub(super) end: usize,
    /// Keys that occur twice in one table; the first one was kept.
    pub(super) twice: Vec<(String, usize)>,
}

/// Reads the value that the text starts with.
pub(super) fn read(text: &str) -> Result<Json, Broken> {
    let mut reader = Reader { text, at: 0, depth: 0, twice: Vec::new() };
    if text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    let root = reader.value()?;
    reader.space();
    Ok(Json { root, end: reader.at, twice: reader.twice })
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    twice: Vec<(String, usize)>,
}

impl Reader<'_> {
    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips whitespace and this character, if present.
    fn eat(&mut self, wanted: u8) -> bool {
        self.space();
        let there = self.peek() == Some(wanted);
        self.at += usize::from(there);
        there
    }

    fn broken<T>(&self, wanted: &str) -> Result<T, Broken> {
        let found = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        let found = found.map_or("the end of the file".into(), |found| format!("{found:?}"));
        let message = format!("not JSON: {found} stands where {wanted} should");
        Err(Broken { at: self.at, message })
    }

    fn value(&mut self) -> Result<Node, Broken> {
        self.space();
        let at = self.at;
        let kind = match self.peek() {
            Some(b'{') => self.nested(Self::table)?,
            Some(b'[') => self.nested(Self::list)?,
            Some(b'"') => Kind::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        Ok(Node { at, kind })
    }

    fn nested(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Kind, Broken>,
    ) -> Result<Kind, Broken> {
        if self.depth == DEPTH {
            return self.broken("less depth");
        }
        self.depth += 1;
        self.at += 1;
        let kind = read(self)?;
        self.depth -= 1;
        Ok(kind)
    }

    fn table(&mut self) -> Result<Kind, Broken> {
        let mut entries: Vec<Entry> = Vec::new();
        if self.eat(b'}') {
            return Ok(Kind::Table(entries));
        }
        loop {
            let entry = self.entry()?;
            if entries.iter().any(|other| other.key == entry.key) {
                self.twice.push((entry.key, entry.at));
            } else {
                entries.push(entry);
            }
            if self.eat(b'}') {
                return Ok(Kind::Table(entries));
            }
            if !self.eat(b',') {
                return self.broken("a comma or }");
            }
        }
    }

    fn entry(&mut self) -> Result<Entry, Broken> {
        self.space();
        let at = self.at;
        if self.peek() != Some(b'"') {
            return self.broken("a name in quotes");
        }
        let key = self.string()?;
        if !self.eat(b':') {
            return self.broken("a colon");
        }
        Ok(Entry { key, at, node: self.value()? })
    }

    fn list(&mut self) -> Result<Kind, Broken> {
        let mut nodes = Vec::new();
        if self.eat(b']') {
            return Ok(Kind::List(nodes));
        }
        loop {
            nodes.push(self.value()?);
            if self.eat(b']') {
                return Ok(Kind::List(nodes));
            }
            if !self.eat(b',') {
                return self.broken("a comma or ]");
            }
        }
    }

    fn string(&mut self) -> Result<String, Broken> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(_) => self.at += 1,
                None => {
                    self.at = start;
                    return self.broken("a text that ends");
                }
            }
        }
        self.at += 1;
        serde_json::from_str(&self.text[start..self.at]).map_err(|error| {
            let what = error.to_string();
            let what = what.split(" at line").next().unwrap_or_default();
            Broken { at: start, message: format!("not JSON: {what}") }
        })
    }

    fn number(&mut self) -> Result<Kind, Broken> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')) {
            self.at += 1;
        }
        let digits = &self.text[start..self.at];
        if let Ok(number) = serde_json::from_str(digits) {
            return Ok(Kind::Integer { literal: digits.to_owned(), value: Some(number) });
        }
        if let Ok(value) = serde_json::from_str(digits) {
            return Ok(Kind::Float { literal: digits.to_owned(), value });
        }
        self.at = start;
        self.broken("a number")
    }

    fn word(&mut self) -> Result<Kind, Broken> {
        let rest = &self.text[self.at..];
        let words =
            [("true", Kind::Bool(true)), ("false", Kind::Bool(false)), ("null", Kind::Null)];
        for (word, kind) in words {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(kind);
            }
        }
        self.broken("a value")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_places() {
        let text = "{\"a\": [1, -2.5, true], \"b\": {\"c\": \"\\u00e9\\n\"}, \"a\": null} x";
        let json = read(text).expect("json");
        let Kind::Table(entries) = json.root.kind else { panic!("no table") };
        assert_eq!(entries[0].at, 1);
        assert_eq!(
            entries[0].node.kind,
            Kind::List(vec![
                Node { at: 7, kind: Kind::Integer { literal: "1".into(), value: Some(1) } },
                Node { at: 10, kind: Kind::Float { literal: "-2.5".into(), value: -2.5 } },
                Node { at: 16, kind: Kind::Bool(true) },
            ])
        );
        let Kind::Table(inner) = &entries[1].node.kind else { panic!("no table") };
        assert_eq!(inner[0].node.text(), Some("é\n"));
        assert_eq!(json.twice, [("a".to_owned(), text.rfind("\"a\"").expect("there"))]);
        assert_eq!(&text[json.end..], "x");
    }

    #[test]
    fn what_is_no_json_says_where() {
        let deep = "[".repeat(100);
        for (text, at) in [
            ("", 0),
            ("{\"a\" 1}", 5),
            ("{\"a\": 1", 7),
            ("[1 2]", 3),
            ("{a: 1}", 1),
            ("[\"abc", 1),
            ("[\"\\q\"]", 1),
            ("[\"\\", 1),
            ("[1-2]", 1),
            ("[é]", 1),
            (&deep, DEPTH),
        ] {
            assert_eq!(read(text).expect_err(text).at, at, "{text}");
        }
    }
}
