//! GitHub Classroom: `SLUG-submissions/SLUG-USERNAME/…` and `classroom_roster.csv` with the columns
//! identifier, github_username, github_id and name.

use std::collections::BTreeMap;

use super::{Export, Parsed, Submission, by_id};

pub(super) fn parse(path: &str) -> Option<Parsed<'_>> {
    let mut start = 0;
    let mut parts = path.split('/').peekable();
    while let Some(part) = parts.next() {
        start += part.len() + 1;
        let Some(slug) = part.strip_suffix("-submissions") else { continue };
        let repository = parts.peek()?;
        let user = repository.strip_prefix(slug)?.strip_prefix('-')?;
        let file = path.get(start + repository.len() + 1..).filter(|file| !file.is_empty())?;
        return Some(Parsed { id: user, name: user, file, ..Parsed::default() });
    }
    None
}

pub(super) fn is_metadata(path: &str) -> bool {
    path.rsplit('/').next() == Some("classroom_roster.csv")
}

pub(super) fn submissions(export: Export<'_>) -> Vec<Submission> {
    let roster = roster(export);
    let mut all = by_id(export, parse);
    for one in &mut all {
        if let Some((identifier, name)) = roster.get(&one.id) {
            one.name = if name.is_empty() { one.id.clone() } else { name.clone() };
            one.id.clone_from(identifier);
        }
    }
    all.sort_by(|a, b| a.id.cmp(&b.id));
    all
}

/// Identifier and name by username.
fn roster(export: Export<'_>) -> BTreeMap<String, (String, String)> {
    let mut people = BTreeMap::new();
    for text in export.texts.values() {
        let mut rows = csv::Reader::from_reader(text.as_bytes());
        let heads = rows.headers().cloned().unwrap_or_default();
        let column = |name: &str| heads.iter().position(|head| head == name);
        for row in rows.records().flatten() {
            let cell = |name: &str| column(name).and_then(|at| row.get(at)).unwrap_or_default();
            let person = (cell("identifier").to_owned(), cell("name").to_owned());
            people.insert(cell("github_username").to_owned(), person);
        }
    }
    people
}
