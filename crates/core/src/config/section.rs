//! Typed access to the tables of a file, with diagnostics.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::{Entry, Node};
use crate::diagnostics::{Diagnostics, Located, Location, did_you_mean};
use crate::units::{parse_duration, parse_size, show_duration, show_size};

/// Keys of a section with this full name; `None` if any key is allowed.
pub type KnownKeys = fn(&str) -> Option<Vec<&'static str>>;

/// Table of the file.
#[derive(Debug, Clone, Copy)]
pub struct Section<'a> {
    name: &'static str,
    known: KnownKeys,
    /// Location of the table.
    pub place: Location,
    /// The table.
    pub node: &'a Node,
}

/// Value under a key of a table, or item of a list.
#[derive(Debug, Clone)]
pub struct Field<'a> {
    /// Key with its section, such as `clock.per_move`.
    pub key: String,
    /// Location of the value.
    pub place: Location,
    /// The value.
    pub node: &'a Node,
}

impl<'a> Section<'a> {
    /// Makes the section for the whole file and checks its keys.
    pub fn top(node: &'a Node, known: KnownKeys, notes: &mut Diagnostics<'_>) -> Self {
        let section = Self { name: "", known, place: Location::START, node };
        section.check_keys(notes);
        section
    }

    /// Makes a section for a table in this file and checks its keys. `name` is its full name.
    pub fn inside(
        &self,
        name: &'static str,
        field: &Field<'a>,
        notes: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        if field.node.table().is_none() {
            field.wrong("a section", notes);
            return None;
        }
        let section = Self { name, place: field.place, node: field.node, ..*self };
        section.check_keys(notes);
        Some(section)
    }

    /// Inner section with this full name, if present.
    pub fn section(&self, name: &'static str, notes: &mut Diagnostics<'_>) -> Option<Self> {
        let last = name.rsplit('.').next().unwrap_or(name);
        let field = self.field(last, notes)?;
        self.inside(name, &field, notes)
    }

    /// Field with this name.
    pub fn field(&self, name: &str, notes: &Diagnostics<'_>) -> Option<Field<'a>> {
        self.node.get(name).map(|node| self.field_at(name, node, notes))
    }

    /// Field with this name and value.
    pub fn field_at(&self, name: &str, node: &'a Node, notes: &Diagnostics<'_>) -> Field<'a> {
        Field { key: self.key(name), place: notes.place(node.at), node }
    }

    /// Entries in the order of the file.
    pub fn entries(&self) -> &'a [Entry] {
        self.node.table().unwrap_or_default()
    }

    /// Name with the name of its section.
    pub fn key(&self, name: &str) -> String {
        if self.name.is_empty() { name.to_owned() } else { format!("{}.{name}", self.name) }
    }

    fn check_keys(&self, notes: &mut Diagnostics<'_>) {
        let Some(known) = (self.known)(self.name) else { return };
        for Entry { key, at, .. } in self.entries() {
            if !known.contains(&key.as_str()) {
                notes.fault_at(*at, &self.key(key), unknown_name(self.name, key, &known));
            }
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

impl<'a> Field<'a> {
    /// Reports that another value is expected here.
    pub fn wrong(&self, wanted: &str, notes: &mut Diagnostics<'_>) {
        let message = format!("{} cannot stand here; write {wanted}", self.node.shown());
        notes.fault(self.place, &self.key, message);
    }

    /// Reads a text of one line.
    pub fn text(&self, notes: &mut Diagnostics<'_>) -> Option<Located<String>> {
        let Some(text) = self.node.text() else {
            self.wrong("a text in quotes", notes);
            return None;
        };
        if text.chars().any(char::is_control) || text.chars().count() > 1000 {
            self.wrong("one line of at most 1000 characters", notes);
            return None;
        }
        Some(Located { value: text.to_owned(), place: self.place })
    }

    /// Reads a text that must not be empty.
    pub fn some_text(&self, notes: &mut Diagnostics<'_>) -> Option<Located<String>> {
        let text = self.text(notes)?;
        let some = (!text.value.is_empty()).then_some(text);
        self.or_wrong(some, notes, || "a text that is not empty".into())
    }

    /// Reads true or false.
    pub fn truth(&self, notes: &mut Diagnostics<'_>) -> Option<bool> {
        self.or_wrong(self.node.truth(), notes, || "true or false".into())
    }

    /// Reads a whole number.
    pub fn integer(&self, range: RangeInclusive<i64>, notes: &mut Diagnostics<'_>) -> Option<i64> {
        self.or_wrong(self.integer_in(&range), notes, || whole_number(&range))
    }

    /// Reads a number that may be `"off"`; an invalid value is read as the default.
    pub fn integer_or_off(
        &self,
        range: RangeInclusive<i64>,
        default: Option<i64>,
        notes: &mut Diagnostics<'_>,
    ) -> Option<i64> {
        if self.is_off() {
            return None;
        }
        let wanted = || format!("{} or \"off\"", whole_number(&range));
        self.or_wrong(self.integer_in(&range), notes, wanted).or(default)
    }

    /// Reads a number, whole or not.
    pub fn number(&self, range: RangeInclusive<f64>, notes: &mut Diagnostics<'_>) -> Option<f64> {
        let number = self.node.number().filter(|number| range.contains(number));
        let wanted = || format!("a number from {} to {}", range.start(), range.end());
        self.or_wrong(number, notes, wanted)
    }

    /// Reads a duration.
    pub fn duration(
        &self,
        range: RangeInclusive<Duration>,
        notes: &mut Diagnostics<'_>,
    ) -> Option<Duration> {
        self.or_wrong(self.duration_in(&range), notes, || some_duration(&range))
    }

    /// Reads a duration that may be `"off"`; an invalid value is read as the default.
    pub fn duration_or_off(
        &self,
        range: RangeInclusive<Duration>,
        default: Option<Duration>,
        notes: &mut Diagnostics<'_>,
    ) -> Option<Duration> {
        if self.is_off() {
            return None;
        }
        let wanted = || format!("{}, or \"off\"", some_duration(&range));
        self.or_wrong(self.duration_in(&range), notes, wanted).or(default)
    }

    /// Reads a size in bytes.
    pub fn size(&self, range: RangeInclusive<u64>, notes: &mut Diagnostics<'_>) -> Option<u64> {
        let size = self.node.text().and_then(parse_size).filter(|size| range.contains(size));
        let wanted = || {
            let (least, most) = (show_size(*range.start()), show_size(*range.end()));
            format!("a size with its unit, from \"{least}\" to \"{most}\"")
        };
        self.or_wrong(size, notes, wanted)
    }

    /// Reads one of a few words, each with its value.
    pub fn word<W: Copy>(&self, words: &[(&str, W)], notes: &mut Diagnostics<'_>) -> Option<W> {
        let text = self.node.text().unwrap_or_default();
        let known = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        self.or_wrong(known, notes, || {
            let words = || words.iter().map(|(word, _)| *word);
            let meant =
                did_you_mean(text, words()).map_or_else(|| words().collect(), |it| vec![it]);
            meant.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" or ")
        })
    }

    /// Whether the value is a list.
    pub fn is_list(&self) -> bool {
        self.node.list().is_some()
    }

    /// Items of a list, each with its own location.
    pub fn list(&self, notes: &mut Diagnostics<'_>) -> Vec<Self> {
        let items = self.or_wrong(self.node.list(), notes, || "a list in [ ]".into());
        let field =
            |node: &'a Node| Self { key: self.key.clone(), place: notes.place(node.at), node };
        items.unwrap_or_default().iter().map(field).collect()
    }

    fn or_wrong<T>(
        &self,
        value: Option<T>,
        notes: &mut Diagnostics<'_>,
        wanted: impl FnOnce() -> String,
    ) -> Option<T> {
        if value.is_none() {
            self.wrong(&wanted(), notes);
        }
        value
    }

    fn integer_in(&self, range: &RangeInclusive<i64>) -> Option<i64> {
        self.node.integer().filter(|number| range.contains(number))
    }

    fn duration_in(&self, range: &RangeInclusive<Duration>) -> Option<Duration> {
        parse_duration(self.node.text()?).ok().filter(|duration| range.contains(duration))
    }

    fn is_off(&self) -> bool {
        self.node.text() == Some("off")
    }
}

fn whole_number(range: &RangeInclusive<i64>) -> String {
    format!("a whole number from {} to {}", range.start(), range.end())
}

fn some_duration(range: &RangeInclusive<Duration>) -> String {
    let (least, most) = (show_duration(*range.start()), show_duration(*range.end()));
    format!("a duration from \"{least}\" to \"{most}\", such as \"1.5s\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::read_toml;

    #[test]
    fn all_errors_are_found_in_one_pass() {
        let text = "sped = 1\n[clock]\nmove = \"5h\"\nwords = [\"a\", 2]\n = 3\nplies = 0x2000\n";
        let mut notes = Diagnostics::on(text);
        let root = read_toml(text, &mut notes);
        let known: KnownKeys =
            |name| if name.is_empty() { Some(vec!["speed", "clock"]) } else { None };
        let top = Section::top(&root, known, &mut notes);
        let clock = top.section("clock", &mut notes).expect("a section");
        let field = |name, notes: &Diagnostics<'_>| clock.field(name, notes).expect(name);
        let hour = Duration::from_hours(1);
        assert_eq!(field("move", &notes).duration(Duration::ZERO..=hour, &mut notes), None);
        for item in field("words", &notes).list(&mut notes) {
            item.word(&[("a", 1), ("b", 2)], &mut notes);
        }
        field("plies", &notes).integer_or_off(1..=100, None, &mut notes);
        let faults = notes.finish().expect_err("errors");
        let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(faults.join("\n"), @r#"
        1:1: sped: there is no such key; did you mean speed?
        3:8: clock.move: "5h" cannot stand here; write a duration from "0s" to "1h", such as "1.5s"
        4:15: clock.words: 2 cannot stand here; write "a" or "b"
        5:2: not TOML: unquoted keys cannot be empty, expected letters, numbers, `-`, `_`
        6:9: clock.plies: 0x2000 cannot stand here; write a whole number from 1 to 100 or "off"
        "#);
    }
}
