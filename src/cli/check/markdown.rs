//! Findings for a page or a comment. Whatever a bot wrote stays text.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{Checked, Checks, text};
use crate::check::{Finding, Level, Numbers};

pub(super) fn write(checks: &Checks, out: &mut dyn Write) -> io::Result<()> {
    let mut page = String::from("# pitmaster check\n\n");
    let _ = writeln!(page, "Played {}.\n", escaped(&checks.game()));
    page.push_str("| bot | verdict | must | should | W-D-L | worst ms |\n");
    page.push_str("|---|---|---:|---:|---:|---:|\n");
    checks.bots.iter().for_each(|bot| push_row(&mut page, bot));
    checks.bots.iter().for_each(|bot| push_bot(&mut page, bot));
    out.write_all(page.as_bytes())
}

fn push_row(page: &mut String, bot: &Checked) {
    let report = &bot.report;
    let numbers = report.numbers.as_ref();
    let results = numbers.map_or(String::new(), |n| format!("{}-{}-{}", n.wins, n.draws, n.losses));
    let worst = numbers.and_then(Numbers::worst);
    let worst = worst.map_or(String::new(), |time| format!("{:.1}", time.as_secs_f64() * 1e3));
    let _ = writeln!(
        page,
        "| {} | {} | {} | {} | {results} | {worst} |",
        escaped(&bot.name),
        if report.failure.is_some() { "cut short" } else { report.verdict().name() },
        report.count(Level::Must),
        report.count(Level::Should),
    );
}

fn push_bot(page: &mut String, bot: &Checked) {
    if let Some(failure) = &bot.report.failure {
        let _ = writeln!(page, "\n{} was cut short: {}", escaped(&bot.name), escaped(failure));
    }
    if bot.report.findings.is_empty() {
        return;
    }
    let _ = writeln!(page, "\n## {}", escaped(&bot.name));
    bot.report.findings.iter().for_each(|finding| push_finding(page, finding));
}

fn push_finding(page: &mut String, finding: &Finding) {
    let _ = writeln!(
        page,
        "\n### {}: {}\n\n- scene: {}, seen {} time{}\n- expected: {}\n- came: {}\n- do: {}",
        finding.level().name(),
        finding.what.about(),
        finding.scene,
        finding.times,
        if finding.times == 1 { "" } else { "s" },
        escaped(&finding.expected),
        escaped(&finding.came),
        escaped(&finding.advice),
    );
    if !finding.transcript.is_empty() {
        page.push_str("\n<details><summary>what was said</summary>\n\n");
        // Indented by four, so that no fence can be closed from within.
        for line in &finding.transcript {
            let _ = writeln!(page, "    {}", text::said(line));
        }
        page.push_str("\n</details>\n");
    }
}

/// Text in which no character means anything.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            // It would name somebody.
            '@' => escaped.push_str("&#64;"),
            '\n' | '\r' => escaped.push(' '),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '+' | '!' | '|'
            | '~' | '$' => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    // Nor does a bare address become a link.
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
