//! Canvas: flat files `lastfirst[_LATE]_USERID_FILEID_NAME`, texts as `…_USERID_text.html` and
//! addresses as `…_USERID_link.html`. Anonymous submissions are `anon_ANONID_FILEID_NAME`.

use super::{Parsed, is_number};

pub(super) fn parse(path: &str) -> Option<Parsed<'_>> {
    let name = path.rsplit('/').next()?;
    let (person, rest) = name.split_once('_')?;
    let (is_late, rest) = match rest.strip_prefix("LATE_") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let (id, rest) = rest.split_once('_')?;
    let is_id = is_number(id) || person == "anon";
    let file = match rest.split_once('_') {
        Some((file_id, file)) if is_number(file_id) && !file.is_empty() => file,
        None if matches!(rest, "text.html" | "link.html") => rest,
        _ => return None,
    };
    let is_person = !person.is_empty() && person.chars().all(char::is_alphanumeric);
    (is_id && is_person).then_some(Parsed { id, name: person, is_late, file, ..Parsed::default() })
}
