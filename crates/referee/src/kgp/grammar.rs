//! Lenient parser of KGP lines: accepts the lines of all existing clients.

use std::num::ParseIntError;

use pitmaster_games::KgpBoard;

/// Command of a line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// Its number, by which answers refer to it.
    pub id: Option<u64>,
    /// Number of the line that it answers.
    pub reference: Option<u64>,
    /// Name of the command.
    pub name: String,
    /// Arguments of the command.
    pub args: Vec<Arg>,
}

/// Argument of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arg {
    /// String in quotation marks, without its escapes.
    Text(String),
    /// Anything else: a number, a word or a board.
    Word(String),
}

impl Arg {
    /// Text of a string or a word.
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Word(text) => text,
        }
    }

    /// Value of an integer.
    pub fn integer(&self) -> Option<i64> {
        let Self::Word(word) = self else { return None };
        word.parse().ok()
    }

    /// Value of a real number or an integer.
    pub fn real(&self) -> Option<f64> {
        let Self::Word(word) = self else { return None };
        let is_plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.');
        word.parse().ok().filter(|_| word.bytes().all(is_plain))
    }

    /// Board.
    pub fn board(&self) -> Option<KgpBoard> {
        let Self::Word(word) = self else { return None };
        word.parse().ok()
    }
}

/// Parses a line without its end. Returns `None` if it is blank or malformed. An unclosed string
/// ends with the line.
pub fn parse(line: &str) -> Option<Line> {
    let mut rest = line.trim_start();
    let id = number(&mut rest).ok()?;
    rest = rest.trim_start();
    let reference = match rest.strip_prefix('@') {
        Some(after) => {
            rest = after;
            Some(number(&mut rest).ok()??)
        }
        None => None,
    };
    rest = rest.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let (name, mut rest) = rest.split_at(end);
    let is_apart = rest.is_empty() || rest.starts_with(|c: char| c.is_whitespace() || c == '"');
    if name.is_empty() || !is_apart {
        return None;
    }
    let mut args = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Some(Line { id, reference, name: name.to_owned(), args });
        }
        args.push(arg(&mut rest));
    }
}

/// Takes the digits at the front, if there are any. A number that is too large is an error.
fn number(rest: &mut &str) -> Result<Option<u64>, ParseIntError> {
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (digits, after) = rest.split_at(end);
    *rest = after;
    if digits.is_empty() { Ok(None) } else { digits.parse().map(Some) }
}

/// Takes the argument at the front.
fn arg(rest: &mut &str) -> Arg {
    if let Some(after) = rest.strip_prefix('"') {
        *rest = after;
        return Arg::Text(string(rest));
    }
    let end = rest.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(rest.len());
    let (word, after) = rest.split_at(end);
    *rest = after;
    Arg::Word(word.to_owned())
}

/// Takes a string after its quotation mark, up to the one that closes it.
fn string(rest: &mut &str) -> String {
    let mut text = String::new();
    let mut chars = rest.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => match chars.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(escaped) => text.push(escaped),
                None => text.push('\\'),
            },
            c => text.push(c),
        }
    }
    *rest = chars.as_str();
    text
}
