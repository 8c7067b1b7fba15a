//! Gradescope: `assignment_ID_export/` with a folder per submission and `submission_metadata.yml`,
//! which names the submitters of each folder.

use super::{Export, Submission, SubmittedFile};

pub(super) fn is_in_export(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or_default();
    is_metadata(path) || (first.starts_with("assignment_") && first.ends_with("_export"))
}

pub(super) fn is_metadata(path: &str) -> bool {
    path.rsplit('/').next() == Some("submission_metadata.yml")
}

pub(super) fn submissions(export: Export<'_>) -> Vec<Submission> {
    let mut all = Vec::new();
    for (entry, text) in export.texts {
        let root = export.paths[*entry].trim_end_matches("submission_metadata.yml");
        for (folder, mut one) in people(text) {
            let inside = format!("{root}{folder}/");
            let file = |(entry, path): (usize, &String)| {
                let path = path.strip_prefix(&inside)?.to_owned();
                Some(SubmittedFile { entry, path })
            };
            one.files = export.paths.iter().enumerate().filter_map(file).collect();
            all.push(one);
        }
    }
    all.sort_by(|a, b| a.id.cmp(&b.id));
    all
}

/// Folders and their submitters. Parses only the subset of YAML that Gradescope writes: one key per
/// line, and the submitters as a list.
fn people(text: &str) -> Vec<(String, Submission)> {
    let mut all: Vec<(String, Submission)> = Vec::new();
    let mut is_submitter = false;
    for line in text.lines() {
        if let Some(folder) = line.strip_suffix(':').filter(|line| !line.starts_with([' ', '-'])) {
            all.push((unquoted(folder), Submission::default()));
            continue;
        }
        let Some((_, one)) = all.last_mut() else { continue };
        let line = line.trim_start().trim_start_matches("- ");
        let lone = || line.strip_suffix(':').map(|key| (key, ""));
        let Some((key, value)) = line.split_once(": ").or_else(lone) else { continue };
        let value = unquoted(value.trim());
        match key {
            ":submitters" => is_submitter = true,
            ":created_at" if one.handed_in.is_empty() => one.handed_in = value,
            ":name" if is_submitter => join(&mut one.name, ", ", &value),
            ":sid" if is_submitter => join(&mut one.id, "+", &value),
            ":email" if is_submitter => join(&mut one.email, ", ", &value),
            ":history" | ":results" | ":score" => is_submitter = false,
            _ => {}
        }
    }
    for (folder, one) in &mut all {
        if one.id.is_empty() {
            one.id.clone_from(folder);
        }
        if one.id.contains('+') {
            one.group.clone_from(folder);
        }
    }
    all
}

fn join(list: &mut String, separator: &str, item: &str) {
    if !list.is_empty() {
        list.push_str(separator);
    }
    list.push_str(item);
}

fn unquoted(text: &str) -> String {
    let inner = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(text).to_owned()
}
