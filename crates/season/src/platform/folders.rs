//! Any other source: one folder or one archive per person, named after the person.

use std::collections::BTreeMap;

use super::{Export, Submission, SubmittedFile};

pub(super) fn submissions(export: Export<'_>) -> Vec<Submission> {
    let mut all = BTreeMap::<String, Submission>::new();
    for (entry, path) in export.paths.iter().enumerate() {
        let (person, file) = match path.split_once('/') {
            Some((person, file)) if !file.is_empty() => (person.to_owned(), file.to_owned()),
            _ => (stem(path).to_owned(), path.clone()),
        };
        let one = all.entry(person.clone()).or_default();
        one.id.clone_from(&person);
        one.name = person;
        one.files.push(SubmittedFile { entry, path: file });
    }
    all.into_values().collect()
}

/// The name of an archive or file without its extensions.
fn stem(name: &str) -> &str {
    let name = name.trim_end_matches('/');
    name.strip_suffix(".tar.gz")
        .unwrap_or_else(|| name.rsplit_once('.').map_or(name, |(stem, _)| stem))
}
