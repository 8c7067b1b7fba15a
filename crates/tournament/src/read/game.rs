//! Reader of `[game]`: a name or a file that describes a game, and the options, which the game
//! itself validates.

use std::collections::BTreeMap;
use std::sync::Arc;

use pitmaster_core::config::{Entry, Field, Kind, Section};
use pitmaster_core::diagnostics::Diagnostics;
use pitmaster_games::{self as games, DynGame, GameSpec, SpecError, SpecErrors};

use super::GameFiles;
use crate::Location;

pub(super) fn read_game(
    top: &Section<'_>,
    files: &mut GameFiles<'_>,
    notes: &mut Diagnostics<'_>,
) -> Option<Arc<dyn DynGame>> {
    let Some(entry) = top.field("game", notes) else {
        let message = "it is missing; write a section [game] with name = \"coloured-awale\"";
        notes.missing(Location::START, "game", message);
        return None;
    };
    let named = match entry.node.kind {
        Kind::Text(_) => named_by_text(&entry, notes),
        _ => named_by_section(top, &entry, notes),
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

/// Named game with the locations of its parts.
struct NamedGame {
    spec: GameSpec,
    name: Location,
    options: BTreeMap<String, OptionPlace>,
}

impl NamedGame {
    /// Reports an error at the location of the affected part.
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
fn named_by_text(entry: &Field<'_>, notes: &mut Diagnostics<'_>) -> Option<NamedGame> {
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
fn named_by_section(
    top: &Section<'_>,
    entry: &Field<'_>,
    notes: &mut Diagnostics<'_>,
) -> Option<NamedGame> {
    let section = top.inside("game", entry, notes)?;
    let Some(name) = section.field("name", notes) else {
        let message = "it is missing; write name = \"coloured-awale\"";
        notes.missing(section.place, "game.name", message);
        return None;
    };
    let name = name.some_text(notes);
    let mut options = BTreeMap::new();
    let mut values = BTreeMap::new();
    for Entry { key, at, node } in section.entries().iter().filter(|entry| entry.key != "name") {
        let field = section.field_at(key, node, notes);
        if let Some(text) = option_text(&field, notes) {
            let place = OptionPlace { name: notes.place(*at), value: field.place };
            options.insert(key.clone(), place);
            values.insert(key.clone(), text);
        }
    }
    let name = name?;
    let spec = GameSpec { name: name.value, options: values };
    Some(NamedGame { spec, name: name.place, options })
}

/// Value of a game's option, as on the command line.
fn option_text(entry: &Field<'_>, notes: &mut Diagnostics<'_>) -> Option<String> {
    match entry.node.kind {
        Kind::List(_) => {
            let items = entry.list(notes);
            let texts: Option<Vec<_>> = items.iter().map(|item| plain_text(item, notes)).collect();
            texts.map(|texts| texts.join("+"))
        }
        _ => plain_text(entry, notes),
    }
}

fn plain_text(entry: &Field<'_>, notes: &mut Diagnostics<'_>) -> Option<String> {
    match &entry.node.kind {
        Kind::Bool(true) => Some("on".into()),
        Kind::Bool(false) => Some("off".into()),
        Kind::Integer { value: Some(value), .. } => Some(value.to_string()),
        Kind::Integer { literal, .. } | Kind::Float { literal, .. } => Some(literal.clone()),
        Kind::Text(_) => entry.text(notes).map(|text| text.value),
        Kind::List(_) | Kind::Table(_) | Kind::Date | Kind::Null => {
            entry.wrong("a text, a number, true, false or a list of such", notes);
            None
        }
    }
}
