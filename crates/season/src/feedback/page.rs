//! Page of a person.

use std::fmt::Write as _;

use pitmaster_core::Untrusted;
use pitmaster_core::i18n::{Lang, said};

use crate::grading::Grade;

/// Maximum length of a build log on a page, in characters; the end is shown.
const LOG: usize = 8000;
/// Maximum length of any other text, in characters.
const TEXT: usize = 400;

const STYLE: &str = "body{font-family:sans-serif;max-width:50em;margin:2em auto;padding:0 1em}\
    td,th{padding:.3em .8em;text-align:left;vertical-align:top;border-bottom:1px solid #ccc}\
    td.n{text-align:right}pre{overflow:auto;background:#f4f4f4;padding:1em}";

/// HTML page of a person, with the reason of each number. It names no other person.
pub fn page(grade: &Grade, title: &str, lang: Lang) -> String {
    let (name, title) = (escaped(&grade.member.name, TEXT), escaped(title, TEXT));
    let total = html(&grade.total(lang));
    let heads = [said!("part"), said!("points"), said!("reason")].map(|head| head.to(lang));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{}\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         <h1>{title}</h1>\n<p>{name}: <strong>{total}</strong></p>\n<table>\n\
         <tr><th>{}<th>{}<th>{}\n",
        lang.code(),
        heads[0],
        heads[1],
        heads[2],
    );
    for reason in &grade.reasons {
        let points = reason.points.map(|points| points.fill().to(lang)).unwrap_or_default();
        let [what, why] =
            [reason.what.to(lang), reason.why.to(lang)].map(|text| escaped(&text, TEXT));
        let _ = writeln!(page, "<tr><td>{what}<td class=\"n\">{points}<td>{why}");
    }
    page.push_str("</table>\n");
    if let Some(log) = &grade.cannot_play {
        let head = said!("Why the bot did not play").to(lang);
        let _ = writeln!(page, "<h2>{head}</h2>\n<pre>{}</pre>", tail(&log.to(lang)));
    }
    page.push_str("</html>\n");
    page
}

fn tail(log: &str) -> String {
    let count = log.chars().count();
    let tail: String = log.chars().skip(count.saturating_sub(LOG)).collect();
    escaped_lines(&tail, LOG + 1)
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
