//! Typed access to the keys of a manifest, with its messages.
//!
//! Must not depend on the meaning of the keys.

use std::path::Path;

use pitmaster_core::config::{Kind, Node, parse_toml};
use pitmaster_core::diagnostics::{Diagnostics, Location, did_you_mean};
use pitmaster_core::i18n::said;

use super::fault::{FileError, shown};

/// A text or list with its byte offset.
pub(super) type Placed<T> = (T, usize);

/// Words of a list.
pub(super) type Words<'n> = Vec<Placed<&'n str>>;

/// Maximum number of reported errors.
const MAX_REPORTED: usize = 30;

/// Maximum number of collected errors. To locate one, its whole line is scanned, and a file can be
/// one line.
const MAX_COLLECTED: usize = 300;

/// A manifest with the errors found so far.
pub(super) struct Keys<'n, 't> {
    root: &'n Node,
    diagnostics: Diagnostics<'t>,
    /// An example of each key.
    right: fn(&str) -> &'static str,
}

/// Parses as much as possible. Syntax errors are the first diagnostics.
pub(super) fn parse(text: &str) -> (Node, Diagnostics<'_>) {
    let (root, mut errors) = parse_toml(text);
    let mut diagnostics = Diagnostics::on(text);
    // Further errors in a line mostly follow from the first.
    errors.sort_by_key(|error| error.at);
    for error in errors.iter().take(MAX_COLLECTED) {
        diagnostics.syntax(error.at, format!("this is not TOML: {}", shown(&error.message)));
    }
    (root, diagnostics)
}

impl<'n, 't> Keys<'n, 't> {
    /// The keys of a table. Adds an error for every key that is not in `known`.
    pub(super) fn of(
        root: &'n Node,
        mut diagnostics: Diagnostics<'t>,
        known: &[&str],
        right: fn(&str) -> &'static str,
    ) -> Self {
        let entries = root.table().unwrap_or_default().iter();
        let unknown = entries.filter(|entry| !known.contains(&entry.key.as_str()));
        for entry in unknown.take(MAX_COLLECTED) {
            let place = diagnostics.place(entry.at);
            diagnostics.report(place, "", no_such_key(&entry.key, known));
        }
        Self { root, diagnostics, right }
    }

    /// Adds an error at a byte offset.
    pub(super) fn fault(&mut self, offset: usize, what: impl Into<String>) {
        if self.diagnostics.faults().len() < MAX_COLLECTED {
            let place = self.diagnostics.place(offset);
            self.diagnostics.report(place, "", what);
        }
    }

    /// Adds an error for a missing key, unless syntax errors may hide the key.
    pub(super) fn missing(&mut self, what: &str) {
        self.diagnostics.missing(Location::START, "", what);
    }

    /// Returns whether a key exists.
    pub(super) fn has(&self, key: &str) -> bool {
        self.root.get(key).is_some()
    }

    /// Parses a placed text, or adds an error.
    pub(super) fn note<T>(
        &mut self,
        (text, offset): Placed<&str>,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        read(text).map_err(|what| self.fault(offset, what)).ok()
    }

    /// Text value of a key.
    pub(super) fn text(&mut self, key: &str) -> Option<Placed<&'n str>> {
        let node = self.root.get(key)?;
        let text = node.text().map(|text| (text, node.at));
        text.or_else(|| self.wrong_type(key, node, "a text"))
    }

    /// Boolean value of a key.
    pub(super) fn flag(&mut self, key: &str) -> Option<bool> {
        let node = self.root.get(key)?;
        node.truth().or_else(|| self.wrong_type(key, node, "true or false"))
    }

    /// List of texts at a key; `None` unless all items are texts.
    pub(super) fn list(&mut self, key: &str) -> Option<Placed<Words<'n>>> {
        let node = self.root.get(key)?;
        self.texts_of(key, node)
    }

    /// List of lists of texts at a key. A single list counts as a list with one item.
    pub(super) fn lists(&mut self, key: &str) -> Vec<Placed<Words<'n>>> {
        let Some(node) = self.root.get(key) else { return Vec::new() };
        match node.list() {
            Some(items) if items.iter().any(|item| item.list().is_some()) => {
                items.iter().filter_map(|item| self.texts_of(key, item)).collect()
            }
            Some([]) => Vec::new(),
            _ => self.texts_of(key, node).into_iter().collect(),
        }
    }

    /// All errors in the order of the file, or the value that was read.
    pub(super) fn finish<T>(self, file: &Path, read: Option<T>) -> Result<T, Vec<FileError>> {
        let found = match (read, self.diagnostics.finish()) {
            (Some(read), Ok(_)) => return Ok(read),
            (_, found) => found.err().unwrap_or_default(),
        };
        let more = found.len() > MAX_REPORTED;
        let reported = found.into_iter().take(MAX_REPORTED).map(|fault| FileError {
            file: file.to_owned(),
            place: Some(fault.place),
            what: said!("{}", fault.message),
        });
        Err(reported
            .chain(more.then(|| FileError::whole(file, said!("and more of the kind"))))
            .collect())
    }

    fn texts_of(&mut self, key: &str, node: &'n Node) -> Option<Placed<Words<'n>>> {
        let wanted = "a list of texts";
        let Some(items) = node.list() else { return self.wrong_type(key, node, wanted) };
        let text_of = |item: &'n Node| item.text().map(|text| (text, item.at)).ok_or(item);
        match items.iter().map(text_of).collect() {
            Ok(texts) => Some((texts, node.at)),
            Err(item) => self.wrong_type(key, item, wanted),
        }
    }

    /// Adds an error for a value of a wrong type, unless its line has a syntax error.
    fn wrong_type<T>(&mut self, key: &str, node: &Node, wanted: &str) -> Option<T> {
        if self.diagnostics.faults().len() < MAX_COLLECTED {
            let (is, right) = (type_name(node), (self.right)(key));
            let what = format!("`{key}` is {wanted}, and here is a TOML {is}; write {right}");
            self.diagnostics.fault_at(node.at, "", what);
        }
        None
    }
}

/// The type of a value, as named in the TOML specification.
fn type_name(node: &Node) -> &'static str {
    match node.kind {
        Kind::Bool(_) => "boolean",
        Kind::Integer { .. } => "integer",
        Kind::Float { .. } => "float",
        Kind::Date => "datetime",
        Kind::Text(_) => "string",
        Kind::List(_) => "array",
        Kind::Table(_) => "table",
        Kind::Null => "null",
    }
}

fn no_such_key(key: &str, known: &[&str]) -> String {
    let key_shown = shown(key);
    match did_you_mean(key, known.iter().copied()) {
        Some(near) => format!("there is no key `{key_shown}`; did you mean `{near}`?"),
        None => format!("there is no key `{key_shown}`; there are {}", known.join(", ")),
    }
}
