//! Page of an intake: outcome of every submission, those without a bot first.

use std::fmt::Write as _;

use pitmaster_core::i18n::{Lang, said};

use crate::feedback::escaped;
use crate::{Class, Member, State};

/// Maximum length of a name or a path, in characters.
const TEXT: usize = 200;
/// Maximum length of a reason, in characters.
const REASON: usize = 4000;

const STYLE: &str = "
:root{color-scheme:light dark}
body{font-family:system-ui,sans-serif;max-width:75em;margin:2em auto;padding:0 1em}
table{border-collapse:collapse;width:100%}
th,td{padding:.35em .7em;text-align:left;vertical-align:top;border-bottom:1px solid #8884}
td.why{white-space:pre-wrap;overflow-wrap:anywhere}
.open td:first-child{border-left:4px solid #c60}
.ready td:first-child{border-left:4px solid #284}
";

/// HTML page for the teacher. It contains all names.
pub fn intake_page(class: &Class, lang: Lang) -> String {
    let counts = class.counts();
    let counts: Vec<_> = counts.iter().map(|(state, count)| format!("{count} {state}")).collect();
    let people = said!("{} people: {}", class.members.len(), counts.join(", ")).to(lang);
    let title = lang.text("Intake");
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{}\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         <h1>{title}</h1>\n<p>{people}</p>\n<table>\n<tr>",
        lang.code()
    );
    let headings = [
        lang.text("key"),
        lang.text("name"),
        lang.text("group"),
        lang.text("files"),
        lang.text("submitted"),
        lang.text("late"),
        lang.text("state"),
        lang.text("reason"),
    ];
    for heading in headings {
        let _ = write!(page, "<th>{heading}");
    }
    page.push('\n');
    let mut members: Vec<_> = class.members.iter().collect();
    members.sort_by_key(|member| member.state == State::Ready);
    for member in members {
        push_row(&mut page, member);
    }
    page + "</table>\n</html>\n"
}

fn push_row(page: &mut String, member: &Member) {
    let Member { key, name, group, file, handed_in, late, state, why, .. } = member;
    let class = if *state == State::Ready { "ready" } else { "open" };
    let _ = write!(page, "<tr class=\"{class}\"><td>{key}");
    for cell in [name, group, file, handed_in, late] {
        let _ = write!(page, "<td>{}", escaped(cell, TEXT));
    }
    let why = crate::feedback::escaped_lines(why, REASON);
    let _ = writeln!(page, "<td>{state}<td class=\"why\">{why}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_without_a_bot_come_first_and_names_are_escaped() {
        let list = "key,id,name,email,group,file,hash,handed_in,late,state,why\n\
                    a,1,Ada,,,a.zip,h,,,ready,bot.py\n\
                    b,2,<b>Bob</b>,,,b.pdf,h,2026-11-21,5 min,only-papers,\"no\nprogram\"\n";
        let class = Class::parse(list.as_bytes()).unwrap();
        let page = intake_page(&class, Lang::English);
        let rows: Vec<_> = page.split("<tr").skip(2).map(str::trim).collect();
        insta::assert_snapshot!(rows.join("\n"), @r#"
        class="open"><td>b<td>&lt;b&gt;Bob&lt;/b&gt;<td><td>b.pdf<td>2026-11-21<td>5 min<td>only-papers<td class="why">no
        program
        class="ready"><td>a<td>Ada<td><td>a.zip<td><td><td>ready<td class="why">bot.py
        </table>
        </html>
        "#);
    }
}
