//! Blackboard: flat files `ASSIGNMENT_USER_attempt_YYYY-MM-DD-HH-MM-SS[_NAME]`. All attempts are in
//! the archive, each with a text file of its metadata.

use std::collections::BTreeMap;

use super::{Export, Parsed, Submission, by_id};

/// Length of `YYYY-MM-DD-HH-MM-SS`.
const DATE: usize = 19;

pub(super) fn parse(path: &str) -> Option<Parsed<'_>> {
    let name = path.rsplit('/').next()?;
    let (before, after) = name.split_once("_attempt_")?;
    let (_, user) = before.rsplit_once('_')?;
    let (date, file) = after.split_at_checked(DATE)?;
    let is_date = date.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let file = file.strip_prefix('_').unwrap_or(file);
    is_date.then_some(Parsed { id: user, name: user, handed_in: date, file, is_late: false })
}

/// The text file of an attempt has no file name part.
pub(super) fn is_metadata(path: &str) -> bool {
    parse(path).is_some_and(|parsed| parsed.file == ".txt")
}

pub(super) fn submissions(export: Export<'_>) -> Vec<Submission> {
    let mut last = BTreeMap::<&str, &str>::new();
    for parsed in export.paths.iter().filter_map(|path| parse(path)) {
        let date = last.entry(parsed.id).or_default();
        *date = parsed.handed_in.max(date);
    }
    let is_last = |it: &Parsed<'_>| last.get(it.id) == Some(&it.handed_in);
    let mut all = by_id(export, |path| parse(path).filter(is_last));
    for one in &mut all {
        let about = one.files.iter().position(|file| file.path == ".txt");
        let about = about.map(|at| one.files.remove(at).entry);
        let text = about.and_then(|entry| export.texts.get(&entry));
        let name = text.and_then(|text| name_in(text, &one.id));
        one.name = name.unwrap_or_else(|| one.name.clone());
    }
    all
}

/// `Name: First Last (user)`.
fn name_in(text: &str, user: &str) -> Option<String> {
    let line =
        text.lines().find_map(|line| line.trim_start_matches('\u{feff}').strip_prefix("Name:"))?;
    let name = line.trim().strip_suffix(&format!("({user})")).unwrap_or(line);
    Some(name.trim().to_owned())
}
