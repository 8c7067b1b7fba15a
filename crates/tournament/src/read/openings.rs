//! Reader of `[openings]`: the openings of the games.

use pitmaster_core::Limits;
use pitmaster_core::config::Section;
use pitmaster_core::diagnostics::Diagnostics;

use crate::{MOST_OPENINGS, OpeningSource, Openings};

/// Maximum number of random plies. With more, the bots would play too little of a game.
const MOST_PLIES: i64 = 100;

pub(super) fn read_openings(
    top: &Section<'_>,
    limits: &Limits,
    notes: &mut Diagnostics<'_>,
) -> Openings {
    let Some(section) = top.section("openings", notes) else { return Openings::default() };
    let source = read_file(&section, notes).or_else(|| read_random(&section, limits, notes));
    if source.is_none() && ["plies", "file"].iter().all(|key| section.field(key, notes).is_none()) {
        let message = "nothing says which; write plies = 4, or file = \"openings.txt\"";
        notes.missing(section.place, "openings", message);
    }
    Openings { source: source.unwrap_or_default(), place: section.place, ..Openings::default() }
}

fn read_file(section: &Section<'_>, notes: &mut Diagnostics<'_>) -> Option<OpeningSource> {
    let file = section.field("file", notes)?.some_text(notes)?;
    for key in ["plies", "count"] {
        if let Some(entry) = section.field(key, notes) {
            let message = "it is for random openings, and here is a file; leave one of them out";
            notes.fault(entry.place, &entry.key, message);
        }
    }
    Some(OpeningSource::File(file.value))
}

fn read_random(
    section: &Section<'_>,
    limits: &Limits,
    notes: &mut Diagnostics<'_>,
) -> Option<OpeningSource> {
    let count = section.field("count", notes);
    let count = count.and_then(|entry| entry.integer(1..=MOST_OPENINGS.into(), notes));
    let entry = section.field("plies", notes)?;
    let plies = entry.integer(1..=MOST_PLIES, notes)?;
    if let Some(limit) = limits.plies.filter(|&limit| plies >= i64::from(limit)) {
        let message = format!("nothing is left to be played, as clock.plies is {limit}");
        notes.fault(entry.place, &entry.key, message);
    }
    Some(OpeningSource::Random { plies: plies as u32, count: count.map(|count| count as u32) })
}
