//! Typed access to the tables of a file, with diagnostics.
//!
//! This module does not know tournaments. It reads typed values from tables and never stops at an
//! error.

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::names_in;
use super::model::Word;
use super::{
    Diagnostic, Lines, Located, Location, did_you_mean, parse_duration, parse_size, show_duration,
    show_size,
};

/// Errors found so far.
#[derive(Debug)]
pub(super) struct Diagnostics<'t> {
    lines: Lines<'t>,
    faults: Vec<Diagnostic>,
    /// Lines that are not valid TOML. Values recovered from them are guesses and are not checked.
    broken: BTreeSet<u32>,
}

impl<'t> Diagnostics<'t> {
    pub(super) fn on(text: &'t str) -> Self {
        Self { lines: Lines::of(text), faults: Vec::new(), broken: BTreeSet::new() }
    }

    pub(super) fn place(&self, span: Range<usize>) -> Location {
        self.lines.place(span.start)
    }

    pub(super) fn syntax(&mut self, error: &toml::de::Error) {
        let place = self.place(error.span().unwrap_or_default());
        if self.broken.insert(place.line) {
            let message = format!("not TOML: {}", error.message().replace('\n', ", "));
            self.faults.push(Diagnostic { place, key: String::new(), message });
        }
    }

    pub(super) fn fault(&mut self, place: Location, key: &str, message: impl Into<String>) {
        if !self.broken.contains(&place.line) {
            self.faults.push(Diagnostic { place, key: key.to_owned(), message: message.into() });
        }
    }

    /// Reports a missing entry, unless parts of the file cannot be parsed.
    pub(super) fn missing(&mut self, place: Location, key: &str, message: impl Into<String>) {
        if self.broken.is_empty() {
            self.fault(place, key, message);
        }
    }

    /// All errors, in file order.
    pub(super) fn into_faults(mut self) -> Vec<Diagnostic> {
        self.faults.sort_by_key(|fault| fault.place);
        self.faults
    }
}

/// Table of the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Section<'a> {
    name: &'static str,
    pub(super) place: Location,
    pub(super) table: &'a DeTable<'a>,
}

/// Value under a key of a table.
#[derive(Debug, Clone)]
pub(super) struct Entry<'a> {
    pub(super) key: String,
    pub(super) place: Location,
    pub(super) value: &'a DeValue<'a>,
}

impl<'a> Section<'a> {
    /// Makes the section for the whole file.
    pub(super) fn top(table: &'a DeTable<'a>, notes: &mut Diagnostics<'_>) -> Self {
        let section = Self { name: "", place: Location::START, table };
        section.judge_names(notes);
        section
    }

    /// Makes a section for an inner table. Its names are checked, except those of a game, whose
    /// options the game knows.
    pub(super) fn inside(
        name: &'static str,
        entry: &Entry<'a>,
        notes: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        let DeValue::Table(table) = entry.value else {
            entry.wrong("a section", notes);
            return None;
        };
        let section = Self { name, place: entry.place, table };
        if name != "game" {
            section.judge_names(notes);
        }
        Some(section)
    }

    /// Inner section with this full name, if present.
    pub(super) fn section(&self, name: &'static str, notes: &mut Diagnostics<'_>) -> Option<Self> {
        let last = name.rsplit('.').next().unwrap_or(name);
        let entry = self.entry(last, notes)?;
        Self::inside(name, &entry, notes)
    }

    /// Entry with this name.
    pub(super) fn entry(&self, name: &str, notes: &Diagnostics<'_>) -> Option<Entry<'a>> {
        let value = self.table.get(name)?;
        Some(self.entry_at(name, value, notes))
    }

    pub(super) fn entry_at(
        &self,
        name: &str,
        value: &'a Spanned<DeValue<'a>>,
        notes: &Diagnostics<'_>,
    ) -> Entry<'a> {
        Entry { key: self.key(name), place: notes.place(value.span()), value: value.get_ref() }
    }

    /// Name with the name of its section.
    pub(super) fn key(&self, name: &str) -> String {
        if self.name.is_empty() { name.to_owned() } else { format!("{}.{name}", self.name) }
    }

    fn judge_names(&self, notes: &mut Diagnostics<'_>) {
        let known = names_in(self.name);
        for name in self.table.keys().filter(|name| !known.contains(&name.get_ref().as_ref())) {
            let place = notes.place(name.span());
            let message = unknown_name(self.name, name.get_ref(), &known);
            notes.fault(place, &self.key(name.get_ref()), message);
        }
    }
}

fn unknown_name(section: &str, name: &str, known: &[&str]) -> String {
    if let Some(meant) = did_you_mean(name, known.iter().copied()) {
        return format!("there is no such key; did you mean {meant}?");
    }
    let here = if section.is_empty() { "the file".into() } else { format!("[{section}]") };
    format!("there is no such key; {here} has {}", known.join(", "))
}

impl<'a> Entry<'a> {
    /// Reports that another value is expected here.
    pub(super) fn wrong(&self, wanted: &str, notes: &mut Diagnostics<'_>) {
        let found = found(self.value);
        notes.fault(self.place, &self.key, format!("{found} cannot stand here; write {wanted}"));
    }

    pub(super) fn text(&self, notes: &mut Diagnostics<'_>) -> Option<Located<String>> {
        let DeValue::String(text) = self.value else {
            self.wrong("a text in quotes", notes);
            return None;
        };
        if text.chars().any(char::is_control) || text.chars().count() > 1000 {
            self.wrong("one line of at most 1000 characters", notes);
            return None;
        }
        Some(Located { value: text.to_string(), place: self.place })
    }

    /// Reads a text that must not be empty.
    pub(super) fn some_text(&self, notes: &mut Diagnostics<'_>) -> Option<Located<String>> {
        let text = self.text(notes)?;
        if text.value.is_empty() {
            self.wrong("a text that is not empty", notes);
            return None;
        }
        Some(text)
    }

    pub(super) fn truth(&self, notes: &mut Diagnostics<'_>) -> Option<bool> {
        let DeValue::Boolean(truth) = self.value else {
            self.wrong("true or false", notes);
            return None;
        };
        Some(*truth)
    }

    pub(super) fn integer(
        &self,
        range: RangeInclusive<i64>,
        notes: &mut Diagnostics<'_>,
    ) -> Option<i64> {
        let number = self.integer_in(&range);
        if number.is_none() {
            self.wrong(&whole_number(&range), notes);
        }
        number
    }

    /// Reads a number that may be `"off"`; an invalid value is read as the default.
    pub(super) fn integer_or_off(
        &self,
        range: RangeInclusive<i64>,
        default: Option<i64>,
        notes: &mut Diagnostics<'_>,
    ) -> Option<i64> {
        if self.is_off() {
            return None;
        }
        let number = self.integer_in(&range);
        if number.is_none() {
            self.wrong(&format!("{} or \"off\"", whole_number(&range)), notes);
        }
        number.or(default)
    }

    fn integer_in(&self, range: &RangeInclusive<i64>) -> Option<i64> {
        let DeValue::Integer(digits) = self.value else { return None };
        let number = i64::from_str_radix(digits.as_str(), digits.radix()).ok()?;
        range.contains(&number).then_some(number)
    }

    pub(super) fn number(
        &self,
        range: RangeInclusive<f64>,
        notes: &mut Diagnostics<'_>,
    ) -> Option<f64> {
        let number = match self.value {
            DeValue::Integer(digits) => {
                i64::from_str_radix(digits.as_str(), digits.radix()).ok().map(|n| n as f64)
            }
            DeValue::Float(digits) => digits.as_str().parse().ok(),
            _ => None,
        };
        let number = number.filter(|number| range.contains(number));
        if number.is_none() {
            self.wrong(&format!("a number from {} to {}", range.start(), range.end()), notes);
        }
        number
    }

    pub(super) fn duration(
        &self,
        range: RangeInclusive<Duration>,
        notes: &mut Diagnostics<'_>,
    ) -> Option<Duration> {
        let duration = self.duration_in(&range);
        if duration.is_none() {
            self.wrong(&some_duration(&range), notes);
        }
        duration
    }

    /// Reads a duration that may be `"off"`; an invalid value is read as the default.
    pub(super) fn duration_or_off(
        &self,
        range: RangeInclusive<Duration>,
        default: Option<Duration>,
        notes: &mut Diagnostics<'_>,
    ) -> Option<Duration> {
        if self.is_off() {
            return None;
        }
        let duration = self.duration_in(&range);
        if duration.is_none() {
            self.wrong(&format!("{}, or \"off\"", some_duration(&range)), notes);
        }
        duration.or(default)
    }

    fn duration_in(&self, range: &RangeInclusive<Duration>) -> Option<Duration> {
        let DeValue::String(text) = self.value else { return None };
        parse_duration(text).ok().filter(|duration| range.contains(duration))
    }

    pub(super) fn size(
        &self,
        range: RangeInclusive<u64>,
        notes: &mut Diagnostics<'_>,
    ) -> Option<u64> {
        let size = self.size_in(&range);
        if size.is_none() {
            let (least, most) = (show_size(*range.start()), show_size(*range.end()));
            self.wrong(&format!("a size with its unit, from \"{least}\" to \"{most}\""), notes);
        }
        size
    }

    fn size_in(&self, range: &RangeInclusive<u64>) -> Option<u64> {
        let DeValue::String(text) = self.value else { return None };
        parse_size(text).filter(|size| range.contains(size))
    }

    fn is_off(&self) -> bool {
        matches!(self.value, DeValue::String(text) if text == "off")
    }

    pub(super) fn word<W: Word>(&self, notes: &mut Diagnostics<'_>) -> Option<W> {
        let text = if let DeValue::String(text) = self.value { text.as_ref() } else { "" };
        let known = W::WORDS.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        if known.is_none() {
            let words = || W::WORDS.iter().map(|(word, _)| *word);
            let wanted = match did_you_mean(text, words()) {
                Some(meant) => format!("\"{meant}\""),
                None => words().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" or "),
            };
            self.wrong(&wanted, notes);
        }
        known
    }

    /// Entries of a list, each with its own location.
    pub(super) fn list(&self, notes: &mut Diagnostics<'_>) -> Vec<Self> {
        let DeValue::Array(values) = self.value else {
            self.wrong("a list in [ ]", notes);
            return Vec::new();
        };
        let entry = |value: &'a Spanned<DeValue<'a>>| Self {
            key: self.key.clone(),
            place: notes.place(value.span()),
            value: value.get_ref(),
        };
        values.iter().map(entry).collect()
    }
}

fn whole_number(range: &RangeInclusive<i64>) -> String {
    format!("a whole number from {} to {}", range.start(), range.end())
}

fn some_duration(range: &RangeInclusive<Duration>) -> String {
    let (least, most) = (show_duration(*range.start()), show_duration(*range.end()));
    format!("a duration from \"{least}\" to \"{most}\", such as \"1.5s\"")
}

/// Description of the value for a message: short values literally, others by kind.
fn found(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) if text.chars().count() <= 60 => format!("{text:?}"),
        DeValue::String(_) => "this long text".into(),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Datetime(_) => "a date".into(),
        DeValue::Array(_) => "a list".into(),
        DeValue::Table(_) => "a section".into(),
    }
}
