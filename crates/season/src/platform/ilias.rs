//! ILIAS: `multi_feedback_TITLE_ID/Last_First_login_USERID/file`, and
//! `TITLE/Abgaben/[Team N/]Last_First_login_USERID/file`. Names are ASCII only.

use super::{Parsed, is_number};

pub(super) fn parse(path: &str) -> Option<Parsed<'_>> {
    let is_export = path.starts_with("multi_feedback_")
        || path.split('/').any(|part| matches!(part, "Abgaben" | "Submissions"));
    let mut start = 0;
    for part in path.split('/') {
        start += part.len() + 1;
        let file = path.get(start..).unwrap_or_default();
        let person = part.rsplit_once('_').filter(|(_, id)| is_number(id));
        let person = person.filter(|(names, _)| names.matches('_').count() >= 2);
        if let (true, Some((names, id)), false) = (is_export, person, file.is_empty()) {
            if part.starts_with("multi_feedback_") {
                continue;
            }
            let name = names.rsplit_once('_').map_or(names, |(name, _)| name);
            return Some(Parsed { id, name, file, ..Parsed::default() });
        }
    }
    None
}

/// Path of a person's page in the feedback archive for ILIAS: the folder of the submission.
pub(super) fn page_name(path: &str) -> Option<String> {
    let file = parse(path)?.file;
    Some(format!("{}feedback.html", path.strip_suffix(file)?))
}
