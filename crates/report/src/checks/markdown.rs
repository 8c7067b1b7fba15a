//! Markdown output for a page or a comment. Bot output is escaped.

use std::fmt::Write as _;
use std::io::{self, Write};

use pitmaster_check::{Checked, Checks, Finding, Level, Numbers};
use pitmaster_core::i18n::{Lang, Message, said};

use super::{load_note, text};

/// Writes a table of all bots and a section per bot with findings.
///
/// # Errors
/// The output cannot be written.
pub fn write(checks: &Checks, lang: Lang, out: &mut dyn Write) -> io::Result<()> {
    let mut page = String::from("# pitmaster check\n\n");
    let _ = writeln!(page, "{}\n", said!("Played {}.", escaped(&checks.game())).to(lang));
    let titles = [
        lang.text("bot"),
        lang.text("verdict"),
        lang.text("must"),
        lang.text("should"),
        lang.text("W-D-L"),
        lang.text("worst ms"),
    ];
    let _ = writeln!(page, "| {} |", titles.join(" | "));
    page.push_str("|---|---|---:|---:|---:|---:|\n");
    checks.bots.iter().for_each(|bot| push_row(&mut page, bot, lang));
    checks.bots.iter().for_each(|bot| push_bot(&mut page, bot, lang));
    if let Some(note) = load_note(checks) {
        let _ = writeln!(page, "\n{}", note.to(lang));
    }
    out.write_all(page.as_bytes())
}

fn push_row(page: &mut String, bot: &Checked, lang: Lang) {
    let report = &bot.report;
    let numbers = report.numbers.as_ref();
    let results = numbers.map_or(String::new(), |n| format!("{}-{}-{}", n.wins, n.draws, n.losses));
    let worst = numbers.and_then(Numbers::worst);
    let worst = worst.map_or(String::new(), |time| format!("{:.1}", time.as_secs_f64() * 1e3));
    let worst = lang.number(&worst);
    let _ = writeln!(
        page,
        "| {} | {} | {} | {} | {results} | {worst} |",
        escaped(&bot.name),
        bot.verdict().to(lang),
        report.count(Level::Must),
        report.count(Level::Should),
    );
}

fn push_bot(page: &mut String, bot: &Checked, lang: Lang) {
    if let Some(failure) = &bot.report.failure {
        let said = said!("{} was cut short: {}", escaped(&bot.name), escaped(failure));
        let _ = writeln!(page, "\n{}", said.to(lang));
    }
    if bot.report.findings.is_empty() {
        return;
    }
    let _ = writeln!(page, "\n## {}", escaped(&bot.name));
    bot.report.findings.iter().for_each(|finding| push_finding(page, finding, lang));
}

fn push_finding(page: &mut String, finding: &Finding, lang: Lang) {
    let head = said!("{}: {}", finding.level().label(), finding.what.about());
    let scenes: Vec<_> = finding.scenes.iter().map(|scene| scene.name()).collect();
    let scene = scenes.join(", ");
    let scene = match finding.times {
        1 => said!("scene: {}, seen 1 time", scene),
        times => said!("scene: {}, seen {} times", scene, times),
    };
    let shown = |message: &Message| escaped(&message.to(lang));
    let items = [
        scene,
        said!("expected: {}", shown(&finding.expected)),
        said!("got: {}", shown(&finding.came)),
        said!("fix: {}", shown(&finding.advice)),
    ];
    let _ = writeln!(page, "\n### {}\n", head.to(lang));
    for item in items {
        let _ = writeln!(page, "- {}", item.to(lang));
    }
    if !finding.transcript.is_empty() {
        let summary = lang.text("what was said");
        let _ = writeln!(page, "\n<details><summary>{summary}</summary>\n");
        // Indented by four spaces, because a fence could be closed from within.
        for line in &finding.transcript {
            let _ = writeln!(page, "    {}", text::signed(line, lang));
        }
        page.push_str("\n</details>\n");
    }
}

/// Escapes all Markdown and HTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            // Would mention a user.
            '@' => escaped.push_str("&#64;"),
            '\n' | '\r' => escaped.push(' '),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '+' | '!' | '|'
            | '~' | '$' => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    // Bare addresses would become links.
    escaped.replace("://", ":&#47;&#47;").replace("www.", "www&#46;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_bot_wrote_stays_text() {
        insta::assert_snapshot!(
            escaped("a|b `c` <img> @all [x](http://y)\n# z"),
            @r"a\|b \`c\` &lt;img&gt; &#64;all \[x\]\(http:&#47;&#47;y\) \# z"
        );
    }
}
