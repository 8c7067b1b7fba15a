//! Moodle: `FULLNAME_ID_assignsubmission_PLUGIN/path`, with a final `_` before version 4.1, and
//! `FULLNAME_ID_assignsubmission_PLUGIN_FILE` without folders. Groups have their name and number in
//! place of a person's. People without a group are `Default group` without a number.

use super::{Parsed, is_number};

pub(super) fn parse(path: &str) -> Option<Parsed<'_>> {
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    let (person, plugin) = first.split_once("_assignsubmission_")?;
    let (name, id) = match person.rsplit_once('_') {
        Some((name, id)) if is_number(id) => (name, id),
        Some((name, "")) => (name, name),
        _ => (person, person),
    };
    let flat = || plugin.split_once('_').map_or("", |(_, file)| file);
    let file = if rest.is_empty() { flat() } else { rest };
    (!file.is_empty()).then_some(Parsed { id, name, file, ..Parsed::default() })
}
