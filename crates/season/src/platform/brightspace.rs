//! Brightspace: folders `N-N - First Last - DATE TIME`, with an `index.html` next to them. Each
//! attempt has its own folder.

use std::collections::BTreeMap;

use jiff::civil::DateTime;

use super::{Export, Parsed, Submission, by_id, is_number};
use crate::time::submission_time;

pub(super) fn parse(path: &str) -> Option<Parsed<'_>> {
    let mut parts = path.split('/');
    let found = parts.find_map(|part| Some((part, folder(part)?)))?;
    let (part, (id, name, handed_in)) = found;
    let start = path.find(part)? + part.len() + 1;
    let file = path.get(start..).filter(|file| !file.is_empty())?;
    Some(Parsed { id, name, handed_in, file, is_late: false })
}

/// `12345-678 - Ada Lovelace - Nov 20, 2026 1158 PM`: the first number is the person's.
fn folder(name: &str) -> Option<(&str, &str, &str)> {
    let (id, rest) = name.split_once(" - ")?;
    let (person, date) = rest.rsplit_once(" - ")?;
    let (user, attempt) = id.split_once('-')?;
    (is_number(user) && is_number(attempt)).then_some((user, person, date))
}

pub(super) fn submissions(export: Export<'_>) -> Vec<Submission> {
    let mut last = BTreeMap::<&str, (Option<DateTime>, &str)>::new();
    for parsed in export.paths.iter().filter_map(|path| parse(path)) {
        let time = (submission_time(parsed.handed_in), parsed.handed_in);
        let latest = last.entry(parsed.id).or_insert(time);
        if time.0 >= latest.0 {
            *latest = time;
        }
    }
    let is_last = |it: &Parsed<'_>| last.get(it.id).is_some_and(|(_, date)| *date == it.handed_in);
    by_id(export, |path| parse(path).filter(is_last))
}
