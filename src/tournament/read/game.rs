//! `[game]`: a name and the options that the game itself judges.

use std::collections::BTreeMap;
use std::sync::Arc;

use toml::de::DeValue;

use crate::games::{self, Game, GameSpec, SpecFault};
use crate::tournament::section::{Entry, Notes, Section};
use crate::tournament::{Place, did_you_mean};

pub(super) fn read_game(top: &Section<'_>, notes: &mut Notes<'_>) -> Option<Arc<dyn Game>> {
    let Some(entry) = top.entry("game", notes) else {
        let message = "it is missing; write a section [game] with name = \"coloured-awale\"";
        notes.missing(Place::START, "game", message);
        return None;
    };
    let named = match entry.value {
        DeValue::String(_) => named_by_text(&entry, notes),
        _ => named_by_section(&entry, notes),
    };
    find_game(named?, notes)
}

/// A game as it was named, with the places of its parts.
struct NamedGame {
    spec: GameSpec,
    name: Place,
    options: BTreeMap<String, OptionPlace>,
}

impl NamedGame {
    /// Where the part that a fault is about stands.
    fn place_of(&self, fault: &SpecFault) -> Place {
        let option = refused_option(fault).and_then(|option| self.options.get(option));
        match (option, fault) {
            (Some(option), SpecFault::BadValue { .. }) => option.value,
            (Some(option), _) => option.name,
            (None, _) => self.name,
        }
    }
}

/// Where an option's name and its value stand.
#[derive(Clone, Copy)]
struct OptionPlace {
    name: Place,
    value: Place,
}

/// `game = "name,option=value"`: all parts stand in one place.
fn named_by_text(entry: &Entry<'_>, notes: &mut Notes<'_>) -> Option<NamedGame> {
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

/// `[game]` with a name, and options beside it.
fn named_by_section(entry: &Entry<'_>, notes: &mut Notes<'_>) -> Option<NamedGame> {
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

/// The value of a game's option, as the command line would write it.
fn option_text(entry: &Entry<'_>, notes: &mut Notes<'_>) -> Option<String> {
    match entry.value {
        DeValue::Boolean(true) => Some("on".into()),
        DeValue::Boolean(false) => Some("off".into()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Float(number) => Some(number.to_string()),
        _ => entry.some_text(notes).map(|text| text.value),
    }
}

/// Looks the game up; an option that it refuses is noted and taken away, so that the
/// others are judged too.
fn find_game(mut named: NamedGame, notes: &mut Notes<'_>) -> Option<Arc<dyn Game>> {
    loop {
        let fault = match games::find(&named.spec) {
            Ok(game) => return Some(game),
            Err(fault) => fault,
        };
        let option = refused_option(&fault);
        let key = option.map_or("game.name".to_owned(), |option| format!("game.{option}"));
        notes.fault(named.place_of(&fault), &key, spec_message(&fault));
        named.spec.options.remove(option?)?;
    }
}

fn refused_option(fault: &SpecFault) -> Option<&str> {
    match fault {
        SpecFault::UnknownOption { option, .. } => Some(option),
        SpecFault::BadValue { option, .. } => Some(option),
        SpecFault::Form(_) | SpecFault::UnknownGame { .. } => None,
    }
}

/// Where there is only one game, naming it says what was meant.
fn spec_message(fault: &SpecFault) -> String {
    let meant = match fault {
        SpecFault::UnknownGame { name, known } if known.contains(", ") => {
            did_you_mean(name, known.split(", "))
        }
        _ => None,
    };
    match meant {
        Some(meant) => format!("{fault}; did you mean {meant}?"),
        None => fault.to_string(),
    }
}
