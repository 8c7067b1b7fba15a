//! Commands that annotate a workflow run of GitHub, a line each.
//! See <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>.

use std::io::{self, Write};

use super::{Checked, Checks};
use crate::bot::disk::{Manifest, shown_path};
use crate::check::{Finding, Level};

pub(super) fn write(checks: &Checks, out: &mut dyn Write) -> io::Result<()> {
    for bot in &checks.bots {
        for finding in &bot.report.findings {
            writeln!(out, "{}", annotation(bot, finding))?;
        }
        let title = property(&format!("pitmaster check: {}", bot.name));
        if let Some(failure) = &bot.report.failure {
            writeln!(out, "::error title={title}::{}", data(failure))?;
        } else if bot.report.findings.is_empty() {
            writeln!(out, "::notice title={title}::nothing was found")?;
        }
    }
    Ok(())
}

fn annotation(bot: &Checked, finding: &Finding) -> String {
    let kind = match finding.level() {
        Level::Must => "error",
        Level::Should => "warning",
        Level::Note => "notice",
    };
    let title = format!("{}: {}", bot.name, finding.what.name());
    let said = format!(
        "{}\nexpected: {}\ncame: {}\ndo: {}",
        finding.what.about(),
        finding.expected,
        finding.came,
        finding.advice
    );
    format!("::{kind} file={},title={}::{}", property(&file(bot)), property(&title), data(&said))
}

/// What is annotated: the manifest, or what was named where there is none.
fn file(bot: &Checked) -> String {
    let manifest = bot.path.join(Manifest::FILE);
    shown_path(if manifest.is_file() { &manifest } else { &bot.path })
}

/// Text behind the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text in a property.
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
