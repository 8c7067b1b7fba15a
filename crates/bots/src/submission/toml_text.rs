//! TOML reader that reports every error in one pass, with its location and the correction.
//!
//! Must not depend on the meaning of the keys.

use std::ops::Range;
use std::path::Path;

use pitmaster_core::diagnostics::{Lines, did_you_mean};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{FileError, shown};

/// A text or list item with its byte range.
pub(super) type Placed<T> = (T, Range<usize>);

/// Maximum number of reported errors.
const MAX_TOLD: usize = 30;

/// Maximum number of collected errors. To locate one, its whole line is scanned, and a file can be
/// one line.
const MAX_NOTED: usize = 300;

/// A table of a file with the errors found so far.
pub(super) struct TomlText<'t> {
    lines: Lines<'t>,
    table: DeTable<'t>,
    faults: Vec<(usize, String)>,
    broken_lines: Vec<u32>,
}

impl<'t> TomlText<'t> {
    /// Parses as much as possible. Syntax errors are kept for the end.
    pub(super) fn parse(text: &'t str) -> Self {
        let lines = Lines::of(text);
        let (table, errors) = DeTable::parse_recoverable(text);
        let offset = |error: &toml::de::Error| error.span().map_or(0, |span| span.start);
        let mut faults: Vec<_> =
            errors.iter().map(|error| (offset(error), syntax_words(error.message()))).collect();
        faults.sort_by_key(|(at, _)| *at);
        faults.truncate(MAX_NOTED);
        // What else is wrong in a line mostly follows from the first.
        faults.dedup_by_key(|(at, _)| lines.place(*at).line);
        let broken_lines = faults.iter().map(|(at, _)| lines.place(*at).line).collect();
        Self { lines, table: table.into_inner(), broken_lines, faults }
    }

    /// Adds an error at a byte offset.
    pub(super) fn fault(&mut self, offset: usize, what: impl Into<String>) {
        if self.faults.len() < MAX_NOTED {
            self.faults.push((offset, what.into()));
        }
    }

    /// Adds an error for a missing key. In a file with syntax errors the key may exist.
    pub(super) fn missing(&mut self, what: &str) {
        if self.broken_lines.is_empty() {
            self.fault(0, what);
        }
    }

    /// Adds an error for every key that is not in `known`.
    pub(super) fn only(&mut self, known: &[&str]) {
        let unknown: Vec<_> = self
            .table
            .keys()
            .filter(|key| !known.contains(&key.get_ref().as_ref()))
            .take(MAX_NOTED)
            .map(|key| (key.span().start, no_such_key(key.get_ref(), known)))
            .collect();
        self.faults.extend(unknown);
    }

    /// Returns whether a key exists.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// What a placed text is read as, or a note of why it cannot be.
    pub(super) fn note<T>(
        &mut self,
        (text, span): &Placed<String>,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        read(text).map_err(|what| self.fault(span.start, what)).ok()
    }

    /// Text value of a key.
    pub(super) fn text(&mut self, key: &str, right: &str) -> Option<Placed<String>> {
        let value = self.value(key)?;
        let span = value.span();
        match value.get_ref().as_str() {
            Some(text) => Some((text.to_owned(), span)),
            None => self.wrong_type(key, &value, "a text", right),
        }
    }

    /// Boolean value of a key.
    pub(super) fn flag(&mut self, key: &str, right: &str) -> Option<bool> {
        let value = self.value(key)?;
        match value.get_ref().as_bool() {
            Some(flag) => Some(flag),
            None => self.wrong_type(key, &value, "true or false", right),
        }
    }

    /// List of texts at a key; `None` unless all items are texts.
    pub(super) fn list(&mut self, key: &str, right: &str) -> Option<Placed<Vec<Placed<String>>>> {
        let value = self.value(key)?;
        self.texts_of(key, &value, right)
    }

    /// List of lists of texts at a key. A single list counts as a list with one item.
    pub(super) fn lists(&mut self, key: &str, right: &str) -> Vec<Placed<Vec<Placed<String>>>> {
        let Some(value) = self.value(key) else { return Vec::new() };
        match value.get_ref().as_array() {
            Some(items) if items.iter().any(|item| item.get_ref().is_array()) => {
                items.iter().filter_map(|item| self.texts_of(key, item, right)).collect()
            }
            Some(items) if items.iter().next().is_none() => Vec::new(),
            _ => self.texts_of(key, &value, right).into_iter().collect(),
        }
    }

    /// All errors in the order of the file, or the value that was read.
    pub(super) fn finish<T>(mut self, file: &Path, read: Option<T>) -> Result<T, Vec<FileError>> {
        match read {
            Some(read) if self.faults.is_empty() => Ok(read),
            _ => {
                self.faults.sort_by_key(|(offset, _)| *offset);
                let told = self.faults.iter().take(MAX_TOLD);
                let mut faults: Vec<_> = told.map(|fault| self.placed(file, fault)).collect();
                if self.faults.len() > MAX_TOLD {
                    faults.push(FileError::whole(file, "and more of the kind"));
                }
                Err(faults)
            }
        }
    }

    fn is_broken(&self, offset: usize) -> bool {
        !self.broken_lines.is_empty() && self.broken_lines.contains(&self.lines.place(offset).line)
    }

    fn placed(&self, file: &Path, (offset, what): &(usize, String)) -> FileError {
        let place = Some(self.lines.place(*offset));
        FileError { file: file.to_owned(), place, what: what.clone() }
    }

    fn value(&self, key: &str) -> Option<Spanned<DeValue<'t>>> {
        self.table.get(key).cloned()
    }

    fn texts_of(
        &mut self,
        key: &str,
        value: &Spanned<DeValue<'t>>,
        right: &str,
    ) -> Option<Placed<Vec<Placed<String>>>> {
        let Some(items) = value.get_ref().as_array() else {
            return self.wrong_type(key, value, "a list of texts", right);
        };
        let text_of = |item: &Spanned<DeValue<'t>>| {
            item.get_ref().as_str().map(|text| (text.to_owned(), item.span())).ok_or(item.clone())
        };
        match items.iter().map(text_of).collect() {
            Ok(texts) => Some((texts, value.span())),
            Err(item) => self.wrong_type(key, &item, "a list of texts", right),
        }
    }

    /// Notes a value of a wrong type, unless the syntax of its line is broken anyway.
    fn wrong_type<T>(
        &mut self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        wanted: &str,
        right: &str,
    ) -> Option<T> {
        let offset = value.span().start;
        if !self.is_broken(offset) {
            let is = value.get_ref().type_str();
            self.fault(
                offset,
                format!("`{key}` is {wanted}, and here is a TOML {is}; write {right}"),
            );
        }
        None
    }
}

fn syntax_words(message: &str) -> String {
    format!("this is not TOML: {}", shown(message))
}

fn no_such_key(key: &str, known: &[&str]) -> String {
    let key_shown = shown(key);
    match did_you_mean(key, known.iter().copied()) {
        Some(near) => format!("there is no key `{key_shown}`; did you mean `{near}`?"),
        None => format!("there is no key `{key_shown}`; there are {}", known.join(", ")),
    }
}
