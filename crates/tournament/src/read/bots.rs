//! Reader of `[bots]` and `[[bot]]`: the participants, as far as the file names them.

use std::collections::HashMap;

use pitmaster_core::BotName;
use pitmaster_players::PREFIX;
use toml::de::DeValue;

use crate::config_reader::{Diagnostics, Entry, Section};
use crate::{BotEntry, Bots, Located, Location};

pub(super) fn read_bots(top: &Section<'_>, notes: &mut Diagnostics<'_>) -> Bots {
    let mut bots = Bots::default();
    if let Some(section) = top.section("bots", notes) {
        bots.include = read_patterns(&section, "include", notes);
        bots.exclude = read_patterns(&section, "exclude", notes);
        if let Some(entry) = section.entry("absent", notes) {
            bots.absent = entry.word(notes).unwrap_or(bots.absent);
        }
    }
    if let Some(entries) = top.entry("bot", notes) {
        let list = if matches!(entries.value, DeValue::Table(_)) {
            entries.wrong("[[bot]] with two brackets, so that there can be several", notes);
            Vec::new()
        } else {
            entries.list(notes)
        };
        bots.entries = list.iter().filter_map(|entry| read_bot(entry, notes)).collect();
    }
    judge_bots(top, &bots, notes);
    bots
}

fn read_patterns(
    section: &Section<'_>,
    name: &str,
    notes: &mut Diagnostics<'_>,
) -> Vec<Located<String>> {
    let Some(entry) = section.entry(name, notes) else { return Vec::new() };
    entry.list(notes).iter().filter_map(|item| read_pattern(item, notes)).collect()
}

fn read_pattern(entry: &Entry<'_>, notes: &mut Diagnostics<'_>) -> Option<Located<String>> {
    let text = entry.some_text(notes)?;
    if let Err(error) = glob::Pattern::new(&text.value) {
        let message =
            format!("{:?} is no pattern: {}; write it like \"bots/*\"", text.value, error.msg);
        notes.fault(entry.place, &entry.key, message);
        return None;
    }
    Some(text)
}

fn read_bot(entry: &Entry<'_>, notes: &mut Diagnostics<'_>) -> Option<BotEntry> {
    let section = Section::inside("bot", entry, notes)?;
    let name = section.entry("name", notes).and_then(|entry| read_name(&entry, notes));
    let display = section.entry("display", notes).and_then(|entry| entry.text(notes));
    let anchor =
        section.entry("anchor", notes).and_then(|entry| entry.number(-10_000.0..=10_000.0, notes));
    let Some(path) = section.entry("path", notes) else {
        let message = "it is missing; write path = \"bots/…\"";
        notes.missing(section.place, "bot.path", message);
        return None;
    };
    let path = path.some_text(notes)?;
    let display = display.map(|text| text.value);
    let in_process = read_in_process(&section, &path, notes);
    Some(BotEntry { place: section.place, path, name, display, anchor, in_process })
}

/// Only bots that are part of this program can play inside it.
fn read_in_process(
    section: &Section<'_>,
    path: &Located<String>,
    notes: &mut Diagnostics<'_>,
) -> bool {
    let Some(entry) = section.entry("in_process", notes) else { return false };
    let wanted = entry.truth(notes).unwrap_or_default();
    if wanted && !path.value.starts_with(PREFIX) {
        let message = "only a house bot can play in process; leave it out, or name one by its path";
        notes.fault(entry.place, &entry.key, message);
    }
    wanted
}

pub(super) fn read_name(
    entry: &Entry<'_>,
    notes: &mut Diagnostics<'_>,
) -> Option<Located<BotName>> {
    let text = entry.text(notes)?;
    match text.value.parse() {
        Ok(value) => Some(Located { value, place: text.place }),
        Err(fault) => {
            let tamed = BotName::tamed(&text.value);
            notes.fault(text.place, &entry.key, format!("{fault}; \"{tamed}\" would do"));
            None
        }
    }
}

/// Name of a participant, which may be a house bot: `house:greedy`.
pub(super) fn read_participant(
    entry: &Entry<'_>,
    notes: &mut Diagnostics<'_>,
) -> Option<Located<BotName>> {
    let text = entry.text(notes)?;
    if text.value.starts_with("house:") {
        return Some(Located { value: BotName::of_house(&text.value), place: text.place });
    }
    read_name(entry, notes)
}

fn is_empty_list(value: &DeValue<'_>) -> bool {
    matches!(value, DeValue::Array(items) if items.is_empty())
}

fn judge_bots(top: &Section<'_>, bots: &Bots, notes: &mut Diagnostics<'_>) {
    let bots_table = top.table.get("bots").and_then(|bots| bots.get_ref().as_table());
    let include = bots_table.and_then(|table| table.get("include"));
    let written = [top.table.get("bot"), include].into_iter().flatten();
    if written.map(toml::Spanned::get_ref).all(is_empty_list) {
        let message = "no bots take part; write [bots] include = [\"bots/*\"] or some [[bot]]";
        notes.missing(top.place, "bots", message);
    }
    judge_names(bots, notes);
}

/// Checks that names are unique. Names in the bots' own files are checked where they are known.
fn judge_names(bots: &Bots, notes: &mut Diagnostics<'_>) {
    let mut seen: HashMap<&BotName, Location> = HashMap::new();
    for name in bots.entries.iter().filter_map(|entry| entry.name.as_ref()) {
        if let Some(first) = seen.get(&name.value) {
            let message = format!(
                "\"{}\" is the bot of line {} already; choose another",
                name.value, first.line
            );
            notes.fault(name.place, "bot.name", message);
        } else {
            seen.insert(&name.value, name.place);
        }
    }
}
