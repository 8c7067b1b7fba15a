//! GitHub output: commands that annotate a workflow run, one per line.
//! See <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>.

use std::io::{self, Write};

use pitmaster_bots::submission::{Manifest, shown_path};
use pitmaster_check::{Checked, Checks, Finding, Level};
use pitmaster_core::i18n::{Lang, said};

/// Writes one annotation per finding.
///
/// # Errors
/// The output cannot be written.
pub fn write(checks: &Checks, lang: Lang, out: &mut dyn Write) -> io::Result<()> {
    for bot in &checks.bots {
        for finding in &bot.report.findings {
            writeln!(out, "{}", annotation(bot, finding, lang))?;
        }
        let title = property(&format!("pitmaster check: {}", bot.name));
        if let Some(failure) = &bot.report.failure {
            writeln!(out, "::error title={title}::{}", data(failure))?;
        } else if bot.report.findings.is_empty() {
            writeln!(out, "::notice title={title}::{}", lang.text("no findings"))?;
        }
    }
    Ok(())
}

fn annotation(bot: &Checked, finding: &Finding, lang: Lang) -> String {
    let kind = match finding.level() {
        Level::Must => "error",
        Level::Should => "warning",
        Level::Note => "notice",
    };
    let title = format!("{}: {}", bot.name, finding.what.name());
    let lines = [
        finding.what.about(),
        said!("expected: {}", finding.expected.clone()),
        said!("got: {}", finding.came.clone()),
        said!("fix: {}", finding.advice.clone()),
    ];
    let body = lines.map(|line| line.to(lang)).join("\n");
    format!("::{kind} file={},title={}::{}", property(&file(bot)), property(&title), data(&body))
}

/// Annotated file: the manifest, or the path of the bot if there is none.
fn file(bot: &Checked) -> String {
    let manifest = bot.path.join(Manifest::FILE);
    shown_path(if manifest.is_file() { &manifest } else { &bot.path })
}

/// Escapes the text after the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_command() {
        assert_eq!(property("a:b,c%\n::error::"), "a%3Ab%2Cc%25%0A%3A%3Aerror%3A%3A");
        assert_eq!(data("100 %\r\n::stop::"), "100 %25%0D%0A::stop::");
    }
}
