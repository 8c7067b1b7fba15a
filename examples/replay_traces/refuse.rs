//! Which configurations the check refuses, and by which rule.

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};

use pitmaster::games::two_row::check::check;
use serde::Deserialize;

use super::replay::config::params;
use super::replay::trace::{Fields, lines};

/// Configuration, and the rule that its program names.
#[derive(Deserialize)]
struct Config {
    base: Option<String>,
    #[serde(rename = "cfg")]
    fields: Fields,
    rule: Option<String>,
}

/// Verdict of the check on a configuration.
struct Verdict {
    /// The first rule that refuses it.
    refused_by: Option<String>,
    /// Rules that have but a word to say.
    warnings: Vec<&'static str>,
}

/// Checks the configurations of files; false if one was not found by its own rule.
pub(crate) fn check_files(paths: &[PathBuf]) -> Result<bool, String> {
    let mut agrees = true;
    for path in paths {
        agrees &= check_file(path).map_err(|fault| format!("{}: {fault}", path.display()))?;
    }
    Ok(agrees)
}

fn check_file(path: &Path) -> Result<bool, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let lines = lines(file).map_err(|error| error.to_string())?;
    let (mut refused, mut otherwise) = (0, 0);
    for (number, line) in lines.iter().enumerate() {
        let config: Config =
            serde_json::from_str(line).map_err(|error| format!("{}: {error}", number + 1))?;
        let verdict = Verdict::on(&config.fields);
        let missed = config.rule.filter(|rule| !verdict.is(rule));
        refused += usize::from(verdict.refused_by.is_some());
        otherwise += usize::from(missed.is_some());
        let base = config.base.unwrap_or_default();
        let missed = missed.map(|rule| format!("; expected {rule}")).unwrap_or_default();
        println!("{}: {base}: {verdict}{missed}", number + 1);
    }
    let (path, all) = (path.display(), lines.len());
    println!("{path}: {all} configurations, {refused} refused, {otherwise} not as expected");
    Ok(otherwise == 0)
}

impl Verdict {
    fn on(fields: &Fields) -> Self {
        let params = match params(fields) {
            Ok(params) => params,
            Err(fault) => return Self { refused_by: Some(fault), warnings: Vec::new() },
        };
        let (fatal, warnings): (Vec<_>, Vec<_>) =
            check(&params).into_iter().partition(|finding| finding.severity.is_fatal());
        Self {
            refused_by: fatal.first().map(|finding| finding.rule.to_owned()),
            warnings: warnings.iter().map(|finding| finding.rule).collect(),
        }
    }

    /// Whether that rule refuses it, or only warns of it. What was raised when a game was
    /// built has no name; any rule will do.
    fn is(&self, rule: &str) -> bool {
        match &self.refused_by {
            Some(refused) => refused == rule || rule.starts_with("raised:"),
            None => self.warnings.contains(&rule),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.refused_by {
            Some(rule) => write!(f, "refused by {rule}")?,
            None => f.write_str("can be played")?,
        }
        if self.warnings.is_empty() {
            return Ok(());
        }
        write!(f, ", warned of by {}", self.warnings.join(", "))
    }
}
