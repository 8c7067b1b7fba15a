//! Reader of `[bots]` and `[[bot]]`: the participants, as far as the file names them.

use std::collections::HashMap;

use pitmaster_core::BotName;
use pitmaster_core::config::{Field, Section};
use pitmaster_core::diagnostics::Diagnostics;
use pitmaster_players::PREFIX;

use crate::model::Word;
use crate::{BotEntry, Bots, Located, Location};

pub(super) fn read_bots(top: &Section<'_>, notes: &mut Diagnostics<'_>) -> Bots {
    let mut bots = Bots::default();
    if let Some(section) = top.section("bots", notes) {
        bots.include = read_patterns(&section, "include", notes);
        bots.exclude = read_patterns(&section, "exclude", notes);
        if let Some(entry) = section.field("absent", notes) {
            bots.absent = Word::of(&entry, notes).unwrap_or(bots.absent);
        }
    }
    if let Some(entries) = top.field("bot", notes) {
        let list = if entries.node.table().is_some() {
            entries.wrong("[[bot]] with two brackets, so that there can be several", notes);
            Vec::new()
        } else {
            entries.list(notes)
        };
        bots.entries = list.iter().filter_map(|entry| read_bot(top, entry, notes)).collect();
    }
    judge_bots(top, &bots, notes);
    bots
}

fn read_patterns(
    section: &Section<'_>,
    name: &str,
    notes: &mut Diagnostics<'_>,
) -> Vec<Located<String>> {
    let Some(entry) = section.field(name, notes) else { return Vec::new() };
    entry.list(notes).iter().filter_map(|item| read_pattern(item, notes)).collect()
}

fn read_pattern(entry: &Field<'_>, notes: &mut Diagnostics<'_>) -> Option<Located<String>> {
    let text = entry.some_text(notes)?;
    if let Err(error) = glob::Pattern::new(&text.value) {
        let message =
            format!("{:?} is no pattern: {}; write it like \"bots/*\"", text.value, error.msg);
        notes.fault(entry.place, &entry.key, message);
        return None;
    }
    Some(text)
}

fn read_bot(top: &Section<'_>, entry: &Field<'_>, notes: &mut Diagnostics<'_>) -> Option<BotEntry> {
    let section = top.inside("bot", entry, notes)?;
    let name = section.field("name", notes).and_then(|entry| read_name(&entry, notes));
    let display = section.field("display", notes).and_then(|entry| entry.text(notes));
    let anchor =
        section.field("anchor", notes).and_then(|entry| entry.number(-10_000.0..=10_000.0, notes));
    let Some(path) = section.field("path", notes) else {
        let message = "it is missing; write path = \"bots/…\"";
        notes.missing(section.place, "bot.path", message);
        return None;
    };
    let path = path.some_text(notes)?;
    let display = display.map(|text| text.value);
    let in_process = read_in_process(&section, &path, notes);
    Some(BotEntry { place: section.place, path, name, display, anchor, in_process })
}

/// Only house bots can play in process.
fn read_in_process(
    section: &Section<'_>,
    path: &Located<String>,
    notes: &mut Diagnostics<'_>,
) -> bool {
    let Some(entry) = section.field("in_process", notes) else { return false };
    let wanted = entry.truth(notes).unwrap_or_default();
    if wanted && !path.value.starts_with(PREFIX) {
        let message = "only a house bot can play in process; leave it out, or name one by its path";
        notes.fault(entry.place, &entry.key, message);
    }
    wanted
}

pub(super) fn read_name(
    entry: &Field<'_>,
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
    entry: &Field<'_>,
    notes: &mut Diagnostics<'_>,
) -> Option<Located<BotName>> {
    let text = entry.text(notes)?;
    if text.value.starts_with("house:") {
        return Some(Located { value: BotName::of_house(&text.value), place: text.place });
    }
    read_name(entry, notes)
}

fn judge_bots(top: &Section<'_>, bots: &Bots, notes: &mut Diagnostics<'_>) {
    let include = top.node.get("bots").and_then(|bots| bots.get("include"));
    let mut written = [top.node.get("bot"), include].into_iter().flatten();
    if written.all(|list| list.list().is_some_and(<[_]>::is_empty)) {
        let message = "no bots take part; write [bots] include = [\"bots/*\"] or some [[bot]]";
        notes.missing(top.place, "bots", message);
    }
    judge_names(bots, notes);
}

/// Checks that names are unique. Names in manifests are checked later.
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
