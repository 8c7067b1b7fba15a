//! Canvas: flat files `lastfirst[_LATE]_USERID_FILEID_NAME`, texts as `…_USERID_text.html` and
//! addresses as `…_USERID_link.html`. Anonymous submissions are `[LATE_]anon_ANONID_FILEID_NAME`
//! (`lib/content_zipper.rb`). A name may have underscores, but no number between two of them.

use super::{Parsed, is_number};

pub(super) fn parse(path: &str) -> Option<Parsed<'_>> {
    let name = path.rsplit('/').next()?;
    let (person, id, rest) = anonymous(name).or_else(|| named(name))?;
    let file = match rest.split_once('_') {
        Some((file_id, file)) if is_number(file_id) && !file.is_empty() => file,
        None if matches!(rest, "text.html" | "link.html") => rest,
        _ => return None,
    };
    let late = person.strip_suffix("_LATE").or(person.strip_prefix("LATE_"));
    let is_person = !person.is_empty() && !person.contains(char::is_whitespace);
    is_person.then_some(Parsed {
        id,
        name: late.unwrap_or(person),
        is_late: late.is_some(),
        file,
        ..Parsed::default()
    })
}

/// The person, the id and the rest, of a name with the person's name.
fn named(name: &str) -> Option<(&str, &str, &str)> {
    name.match_indices('_').find_map(|(at, _)| {
        let (id, rest) = name[at + 1..].split_once('_')?;
        is_number(id).then_some((&name[..at], id, rest))
    })
}

/// The same of an anonymous name.
fn anonymous(name: &str) -> Option<(&str, &str, &str)> {
    let start = if name.starts_with("LATE_") { "LATE_anon" } else { "anon" };
    let (id, rest) = name.strip_prefix(start)?.strip_prefix('_')?.split_once('_')?;
    Some((&name[..start.len()], id, rest))
}

/// File name under which Canvas accepts a page for a person: it uses the two ids and ignores the
/// rest (`infer_comment_context_from_filename` in `app/models/abstract_assignment.rb`). Only a
/// person with a file of their own gets pages this way.
pub(super) fn page_name(path: &str) -> Option<String> {
    let parsed = parse(path)?;
    let name = path.rsplit('/').next()?;
    let has_file = !name.ends_with("_text.html") && !name.ends_with("_link.html");
    (has_file && !parsed.file.is_empty()).then(|| format!("{name}.html"))
}
