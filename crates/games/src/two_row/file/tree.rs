//! Tree of values with their locations, the same for JSON and TOML. This module does not know the
//! meaning of the values.

use std::collections::BTreeSet;

use pitmaster_core::diagnostics::{Diagnostic, Lines, Location};

/// A value and where it starts, in bytes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub(super) at: usize,
    pub(super) kind: Kind,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Null,
    Bool(bool),
    Number(i64),
    /// A number that is not whole, or far too great.
    Float(f64),
    Date,
    Text(String),
    List(Vec<Node>),
    /// In the order of the file.
    Table(Vec<Entry>),
}

/// A value under a key.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub(super) key: String,
    /// Where the key starts, in bytes.
    pub(super) at: usize,
    pub(super) node: Node,
}

impl Node {
    pub(super) const EMPTY: Self = Self { at: 0, kind: Kind::Table(Vec::new()) };

    pub(super) fn text(&self) -> Option<&str> {
        if let Kind::Text(text) = &self.kind { Some(text) } else { None }
    }

    pub(super) fn number(&self) -> Option<i64> {
        if let Kind::Number(number) = self.kind { Some(number) } else { None }
    }

    /// Whether there is something in it: nothing, zero and what is empty is false.
    pub(super) fn truth(&self) -> bool {
        match &self.kind {
            Kind::Null => false,
            Kind::Bool(is) => *is,
            Kind::Number(number) => *number != 0,
            Kind::Float(number) => *number != 0.0,
            Kind::Date => true,
            Kind::Text(text) => !text.is_empty(),
            Kind::List(list) => !list.is_empty(),
            Kind::Table(table) => !table.is_empty(),
        }
    }

    /// What stands there, for a message: short values as they are, others by kind.
    pub(super) fn shown(&self) -> String {
        match &self.kind {
            Kind::Null => "null".into(),
            Kind::Bool(is) => is.to_string(),
            Kind::Number(number) => number.to_string(),
            Kind::Float(number) => number.to_string(),
            Kind::Date => "a date".into(),
            Kind::Text(text) if text.chars().count() <= 60 => format!("{text:?}"),
            Kind::Text(_) => "this long text".into(),
            Kind::List(_) => "this list".into(),
            Kind::Table(_) => "a table".into(),
        }
    }
}

/// All that was found wrong or worth a note so far.
#[derive(Debug)]
pub(super) struct Findings<'t> {
    lines: Lines<'t>,
    faults: Vec<Diagnostic>,
    notes: Vec<String>,
    /// Lines that cannot be read. What is read out of them is a guess and not judged.
    broken: BTreeSet<u32>,
}

impl<'t> Findings<'t> {
    pub(super) fn on(text: &'t str) -> Self {
        let lines = Lines::of(text);
        Self { lines, faults: Vec::new(), notes: Vec::new(), broken: BTreeSet::new() }
    }

    pub(super) fn place(&self, at: usize) -> Location {
        self.lines.place(at)
    }

    /// A fault; the same one is not said twice.
    pub(super) fn fault(&mut self, at: usize, key: &str, message: impl Into<String>) {
        let place = self.place(at);
        let fault = Diagnostic { place, key: key.to_owned(), message: message.into() };
        if !self.broken.contains(&place.line) && !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// That something else should stand there.
    pub(super) fn wrong(&mut self, key: &str, node: &Node, wanted: &str) {
        let message = format!("{} cannot stand here; it is {wanted}", node.shown());
        self.fault(node.at, key, message);
    }

    /// A fault of what is not there: not judged while parts of the file cannot be read.
    pub(super) fn missing(&mut self, key: &str, message: &str) {
        if self.broken.is_empty() {
            self.fault(0, key, message);
        }
    }

    /// A line that cannot be read.
    pub(super) fn syntax(&mut self, at: usize, message: String) {
        let line = self.place(at).line;
        if !self.broken.contains(&line) {
            self.fault(at, "", message);
            self.broken.insert(line);
        }
    }

    /// Something worth knowing that is no fault.
    pub(super) fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Whether something was wrong with a parameter, in whatever table.
    pub(super) fn has_fault_of(&self, name: &str) -> bool {
        self.faults.iter().any(|fault| fault.key.rsplit('.').next() == Some(name))
    }

    /// The notes, or all faults in the order of the file.
    pub(super) fn finish(mut self) -> Result<Vec<String>, Vec<Diagnostic>> {
        if self.faults.is_empty() {
            return Ok(self.notes);
        }
        self.faults.sort_by_key(|fault| fault.place);
        Err(self.faults)
    }
}
