//! Feedback: a short page for each person, and its name in Moodle's feedback archive.

use std::fmt::Write as _;

use pitmaster_core::Untrusted;

use crate::Member;
use crate::grading::Grade;
use crate::worksheet::number;

/// Maximum length of a build log on a page, in characters; the end is shown.
const LOG: usize = 8000;
/// Maximum length of any other text, in characters.
const TEXT: usize = 400;

/// HTML page of a person, with the reason of each number. It names no other person.
pub fn page(grade: &Grade, title: &str) -> String {
    let (name, title) = (escaped(&grade.member.name, TEXT), escaped(title, TEXT));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{title}</title>\n<style>body{{font-family:sans-serif;\
         max-width:50em;margin:2em auto;padding:0 1em}}td,th{{padding:.3em .8em;text-align:left;\
         vertical-align:top;border-bottom:1px solid #ccc}}td.n{{text-align:right}}pre{{overflow:auto;\
         background:#f4f4f4;padding:1em}}</style>\n<h1>{title}</h1>\n<p>{name}: <strong>{} of \
         {}</strong>{}</p>\n<table>\n<tr><th>part<th>points<th>reason\n",
        grade.points,
        grade.maximum,
        if grade.open { " (provisional: the teacher decides open parts)" } else { "" },
    );
    for reason in &grade.reasons {
        let points = reason.points.map(|points| points.to_string()).unwrap_or_default();
        let (what, why) = (escaped(&reason.what, TEXT), escaped(&reason.why, TEXT));
        let _ = writeln!(page, "<tr><td>{what}<td class=\"n\">{points}<td>{why}");
    }
    page.push_str("</table>\n");
    if !grade.cannot_play.is_empty() {
        let _ = writeln!(page, "<h2>Why the bot did not play</h2>\n<pre>{}</pre>", log(grade));
    }
    page.push_str("</html>\n");
    page
}

fn log(grade: &Grade) -> String {
    let count = grade.cannot_play.chars().count();
    let tail: String = grade.cannot_play.chars().skip(count.saturating_sub(LOG)).collect();
    html(&Untrusted::new(tail).shown_lines(LOG + 1))
}

/// Text in one line, as HTML.
pub(crate) fn escaped(text: &str, limit: usize) -> String {
    html(&Untrusted::new(text).shown(limit))
}

/// Text in several lines, as HTML.
pub(crate) fn escaped_lines(text: &str, limit: usize) -> String {
    html(&Untrusted::new(text).shown_lines(limit))
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Form of the names in Moodle's feedback archive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ArchiveForm {
    /// With an underscore after the plugin, which every version of Moodle reads.
    #[default]
    Underscore,
    /// Without it, as Moodle 4.1 and later write them.
    Plain,
}

/// Name of a person's page in Moodle's feedback archive (`mod/assign/feedback/file/importziplib.php`).
/// Moodle splits the folder at underscores into a name, the participant's number and a plugin.
/// `None` if the person's id has no number.
pub fn archive_name(member: &Member, form: ArchiveForm) -> Option<String> {
    let number = number(&member.id)?;
    let allowed = |c: char| if c.is_alphanumeric() || c == '-' { c } else { ' ' };
    let name: String = member.name.chars().map(allowed).take(60).collect();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = if name.is_empty() { "Participant" } else { &name };
    let last = if form == ArchiveForm::Underscore { "_" } else { "" };
    Some(format!("{name}_{number}_assignfeedback_file{last}/feedback.html"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::State;
    use crate::grading::{Points, Reason, fixtures::member};

    #[test]
    fn a_page_is_short_and_escaped() {
        let log = "main.c:3: error: <b>expected</b> ';'\n".repeat(9000) + "the last \u{1b}[2J line";
        let reason = Reason { what: "gate".into(), points: None, why: "<script>".repeat(500) };
        let grade = Grade {
            member: member("1", "<Élodie> & Co", State::Ready),
            points: Points::ZERO,
            maximum: Points::from_number(20.0),
            reasons: vec![reason; 30],
            open: true,
            cannot_play: log,
        };
        let page = page(&grade, "Awalé");
        assert!(page.len() < 60_000, "{}", page.len());
        assert!(page.contains("&lt;Élodie&gt; &amp; Co"));
        assert!(page.contains("the last \\u{1b}[2J line</pre>"), "{page}");
        assert!(!page.contains("<script>") && !page.contains("<b>"));
    }

    /// Moodle splits the path at `_` into at most five parts: name, number, two of the plugin, file.
    #[test]
    fn names_in_the_archive_are_split_by_moodle() {
        for form in [ArchiveForm::Underscore, ArchiveForm::Plain] {
            let member = member("4200101", "Seán_O'Brien / x", State::Ready);
            let name = archive_name(&member, form).unwrap();
            let (folder, file) = name.split_once('/').unwrap();
            let parts: Vec<_> = folder.splitn(5, '_').collect();
            assert_eq!(parts[..4], ["Seán O Brien x", "4200101", "assignfeedback", "file"]);
            assert_eq!((parts.get(4).copied().unwrap_or_default(), file), ("", "feedback.html"));
        }
    }
}
