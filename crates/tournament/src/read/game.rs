//! Reader of `[game]`: a name or a file that describes a game, and the options, which the game
//! itself validates.

use std::collections::BTreeMap;
use std::sync::Arc;

use pitmaster_games::{self as games, DynGame, GameSpec, SpecError, SpecErrors};
use toml::de::DeValue;

use super::GameFiles;
use crate::Location;
use crate::config_reader::{Diagnostics, Entry, Section};

pub(super) fn read_game(
    top: &Section<'_>,
    files: &mut GameFiles<'_>,
    notes: &mut Diagnostics<'_>,
) -> Option<Arc<dyn DynGame>> {
    let Some(entry) = top.entry("game", notes) else {
        let message = "it is missing; write a section [game] with name = \"coloured-awale\"";
        notes.missing(Location::START, "game", message);
        return None;
    };
    let named = match entry.value {
        DeValue::String(_) => named_by_text(&entry, notes),
        _ => named_by_section(&entry, notes),
    }?;
    match find_game(&named.spec, files) {
        Ok(game) => Some(game),
        Err(SpecErrors(faults)) => {
            for fault in &faults {
                named.note(fault, notes);
            }
            None
        }
    }
}

fn find_game(spec: &GameSpec, files: &mut GameFiles<'_>) -> Result<Arc<dyn DynGame>, SpecErrors> {
    if spec.is_file() { games::find(&files(spec)?) } else { games::find(spec) }
}

/// Game as it was named, with the locations of its parts.
struct NamedGame {
    spec: GameSpec,
    name: Location,
    options: BTreeMap<String, OptionPlace>,
}

impl NamedGame {
    /// Reports an error at the location of the part that it is about.
    fn note(&self, fault: &SpecError, notes: &mut Diagnostics<'_>) {
        let mut about = fault.options().iter();
        let written = about.find_map(|option| self.options.get_key_value(option));
        let (place, key) = match (written, fault) {
            (Some((option, place)), SpecError::BadValue { .. }) => (place.value, option.as_str()),
            (Some((option, place)), _) => (place.name, option.as_str()),
            (None, _) => (self.name, "name"),
        };
        notes.fault(place, &format!("game.{key}"), fault.to_string());
    }
}

/// Locations of an option's name and value.
#[derive(Clone, Copy)]
struct OptionPlace {
    name: Location,
    value: Location,
}

/// Reads `game = "name,option=value"`, where all parts have one location.
fn named_by_text(entry: &Entry<'_>, notes: &mut Diagnostics<'_>) -> Option<NamedGame> {
    let text = entry.text(notes)?;
    match text.value.parse::<GameSpec>() {
        Ok(spec) => {
            let here = OptionPlace { name: text.place, value: text.place };
            let options = spec.options.keys().map(|name| (name.clone(), here)).collect();
            Some(NamedGame { spec, name: text.place, options })
        }
        Err(fault) => {
            notes.fault(text.place, &entry.key, fault.to_string());
            None
        }
    }
}

/// Reads `[game]` with a name and options.
fn named_by_section(entry: &Entry<'_>, notes: &mut Diagnostics<'_>) -> Option<NamedGame> {
    let section = Section::inside("game", entry, notes)?;
    let Some(name) = section.entry("name", notes) else {
        let message = "it is missing; write name = \"coloured-awale\"";
        notes.missing(section.place, "game.name", message);
        return None;
    };
    let name = name.some_text(notes);
    let mut options = BTreeMap::new();
    let mut values = BTreeMap::new();
    for (key, value) in section.table.iter().filter(|(key, _)| key.get_ref() != "name") {
        let entry = section.entry_at(key.get_ref(), value, notes);
        if let Some(text) = option_text(&entry, notes) {
            let place = OptionPlace { name: notes.place(key.span()), value: entry.place };
            options.insert(key.get_ref().to_string(), place);
            values.insert(key.get_ref().to_string(), text);
        }
    }
    let name = name?;
    let spec = GameSpec { name: name.value, options: values };
    Some(NamedGame { spec, name: name.place, options })
}

/// Value of a game's option, as on the command line.
fn option_text(entry: &Entry<'_>, notes: &mut Diagnostics<'_>) -> Option<String> {
    match entry.value {
        DeValue::Array(_) => {
            let items = entry.list(notes);
            let texts: Option<Vec<_>> = items.iter().map(|item| plain_text(item, notes)).collect();
            texts.map(|texts| texts.join("+"))
        }
        _ => plain_text(entry, notes),
    }
}

fn plain_text(entry: &Entry<'_>, notes: &mut Diagnostics<'_>) -> Option<String> {
    match entry.value {
        DeValue::Boolean(true) => Some("on".into()),
        DeValue::Boolean(false) => Some("off".into()),
        DeValue::Integer(number) => {
            let digits = i64::from_str_radix(number.as_str(), number.radix());
            Some(digits.map_or_else(|_| number.to_string(), |digits| digits.to_string()))
        }
        DeValue::Float(number) => Some(number.to_string()),
        DeValue::String(_) => entry.text(notes).map(|text| text.value),
        DeValue::Array(_) | DeValue::Table(_) | DeValue::Datetime(_) => {
            entry.wrong("a text, a number, true, false or a list of such", notes);
            None
        }
    }
}
