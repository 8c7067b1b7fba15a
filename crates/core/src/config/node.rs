//! Tree of values with their locations, independent of the file's syntax.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostics::Diagnostics;

/// Value and its location.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Start of the value, as a byte offset.
    pub at: usize,
    /// The value.
    pub kind: Kind,
}

/// Value of a [`Node`].
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Null, which exists only in JSON.
    Null,
    /// True or false.
    Bool(bool),
    /// Whole number.
    Integer {
        /// Digits, with the prefix of their base.
        literal: String,
        /// `None` if it does not fit.
        value: Option<i64>,
    },
    /// Number with a fraction or an exponent.
    Float {
        /// Digits.
        literal: String,
        /// Nearest number.
        value: f64,
    },
    /// Date or time.
    Date,
    /// Text.
    Text(String),
    /// List.
    List(Vec<Node>),
    /// Table, in the order of the file. No key repeats.
    Table(Vec<Entry>),
}

/// Value under a key of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Key, without the tables around it.
    pub key: String,
    /// Start of the key, as a byte offset.
    pub at: usize,
    /// Value.
    pub node: Node,
}

impl Node {
    /// Empty table at the start of a file.
    pub const EMPTY: Self = Self { at: 0, kind: Kind::Table(Vec::new()) };

    /// The value, if it is a text.
    pub fn text(&self) -> Option<&str> {
        if let Kind::Text(text) = &self.kind { Some(text) } else { None }
    }

    /// The value, if it is a whole number that fits.
    pub fn integer(&self) -> Option<i64> {
        if let Kind::Integer { value, .. } = self.kind { value } else { None }
    }

    /// The value, if it is a number.
    pub fn number(&self) -> Option<f64> {
        if let Kind::Float { value, .. } = self.kind {
            return Some(value);
        }
        self.integer().map(|number| number as f64)
    }

    /// The value, if it is true or false.
    pub fn truth(&self) -> Option<bool> {
        if let Kind::Bool(truth) = self.kind { Some(truth) } else { None }
    }

    /// The items, if it is a list.
    pub fn list(&self) -> Option<&[Self]> {
        if let Kind::List(items) = &self.kind { Some(items) } else { None }
    }

    /// The entries, if it is a table.
    pub fn table(&self) -> Option<&[Entry]> {
        if let Kind::Table(entries) = &self.kind { Some(entries) } else { None }
    }

    /// Value under a key, if it is a table that has the key.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.table()?.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// Description for a message: short values as written, others by kind.
    pub fn shown(&self) -> String {
        match &self.kind {
            Kind::Null => "null".into(),
            Kind::Bool(truth) => truth.to_string(),
            Kind::Integer { literal, .. } | Kind::Float { literal, .. } => literal.clone(),
            Kind::Date => "a date".into(),
            Kind::Text(text) if text.chars().count() <= 60 => format!("{text:?}"),
            Kind::Text(_) => "this long text".into(),
            Kind::List(_) => "a list".into(),
            Kind::Table(_) => "a section".into(),
        }
    }
}

/// Syntax error of a TOML file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// Location as a byte offset.
    pub at: usize,
    /// Message of the parser, which may have several lines.
    pub message: String,
}

/// Parses as much of a TOML file as possible. Values recovered from a line with a syntax error are
/// guesses.
pub fn parse_toml(text: &str) -> (Node, Vec<SyntaxError>) {
    let (table, errors) = DeTable::parse_recoverable(text);
    let errors = errors.iter().map(|error| SyntaxError {
        at: error.span().unwrap_or_default().start,
        message: error.message().to_owned(),
    });
    (Node { at: 0, kind: table_kind(table.get_ref()) }, errors.collect())
}

/// Parses a TOML file. Its syntax errors go into the diagnostics, one for each line.
pub fn read_toml(text: &str, diagnostics: &mut Diagnostics<'_>) -> Node {
    let (root, errors) = parse_toml(text);
    for SyntaxError { at, message } in errors {
        diagnostics.syntax(at, format!("not TOML: {}", message.replace('\n', ", ")));
    }
    root
}

fn toml_node(value: &Spanned<DeValue<'_>>) -> Node {
    let kind = match value.get_ref() {
        DeValue::String(text) => Kind::Text(text.to_string()),
        DeValue::Integer(digits) => Kind::Integer {
            literal: digits.to_string(),
            value: i64::from_str_radix(digits.as_str(), digits.radix()).ok(),
        },
        DeValue::Float(digits) => Kind::Float {
            literal: digits.to_string(),
            value: digits.as_str().parse().unwrap_or(f64::NAN),
        },
        DeValue::Boolean(truth) => Kind::Bool(*truth),
        DeValue::Datetime(_) => Kind::Date,
        DeValue::Array(items) => Kind::List(items.iter().map(toml_node).collect()),
        DeValue::Table(table) => table_kind(table),
    };
    Node { at: value.span().start, kind }
}

/// The parser sorts keys by name; here they are in the order of the file.
fn table_kind(table: &DeTable<'_>) -> Kind {
    let entry = |(key, value): (&Spanned<_>, _)| Entry {
        key: AsRef::<str>::as_ref(key.get_ref()).to_owned(),
        at: key.span().start,
        node: toml_node(value),
    };
    let mut entries: Vec<_> = table.iter().map(entry).collect();
    entries.sort_by_key(|entry| entry.at);
    Kind::Table(entries)
}
