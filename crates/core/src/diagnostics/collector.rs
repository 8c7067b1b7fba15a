//! Collector of the diagnostics of a file.

use std::collections::BTreeSet;

use super::{Diagnostic, Lines, Location};

/// Errors found in a file so far, and remarks that are not errors.
#[derive(Debug)]
pub struct Diagnostics<'t> {
    lines: Lines<'t>,
    faults: Vec<Diagnostic>,
    notes: Vec<String>,
    /// Lines with syntax errors. Values recovered from them are guesses and are not checked.
    broken: BTreeSet<u32>,
}

impl<'t> Diagnostics<'t> {
    /// Starts without errors.
    pub fn on(text: &'t str) -> Self {
        let lines = Lines::of(text);
        Self { lines, faults: Vec::new(), notes: Vec::new(), broken: BTreeSet::new() }
    }

    /// Location of a byte offset.
    pub fn place(&self, at: usize) -> Location {
        self.lines.place(at)
    }

    /// Adds an error, unless its line has a syntax error.
    pub fn fault(&mut self, place: Location, key: &str, message: impl Into<String>) {
        if !self.broken.contains(&place.line) {
            self.report(place, key, message);
        }
    }

    /// Adds an error at a byte offset, unless its line has a syntax error.
    pub fn fault_at(&mut self, at: usize, key: &str, message: impl Into<String>) {
        self.fault(self.place(at), key, message);
    }

    /// Adds an error even if its line has a syntax error. Duplicates are reported once.
    pub fn report(&mut self, place: Location, key: &str, message: impl Into<String>) {
        let fault = Diagnostic { place, key: key.to_owned(), message: message.into() };
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// Adds an error for a missing key, unless the file has syntax errors, which may hide the key.
    pub fn missing(&mut self, place: Location, key: &str, message: impl Into<String>) {
        if self.broken.is_empty() {
            self.report(place, key, message);
        }
    }

    /// Adds a syntax error, the first one of each line.
    pub fn syntax(&mut self, at: usize, message: impl Into<String>) {
        let place = self.place(at);
        if self.broken.insert(place.line) {
            self.report(place, "", message);
        }
    }

    /// Adds a remark that is not an error.
    pub fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Errors so far, in the order in which they were found.
    pub fn faults(&self) -> &[Diagnostic] {
        &self.faults
    }

    /// The remarks, or all errors in file order.
    ///
    /// # Errors
    /// All errors, if there are any.
    pub fn finish(mut self) -> Result<Vec<String>, Vec<Diagnostic>> {
        if self.faults.is_empty() {
            return Ok(self.notes);
        }
        self.faults.sort_by_key(|fault| fault.place);
        Err(self.faults)
    }
}
