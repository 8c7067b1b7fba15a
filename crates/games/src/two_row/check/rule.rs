//! Type of a rule about parameter combinations, and its findings.

use std::fmt;

use crate::two_row::params::{Parameter, Params};

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The game can be played; something may be other than it looks.
    Hint,
    /// The game can be played, but hardly as it was meant.
    Warning,
    /// A combination that makes sense but has no rules.
    NotImplemented,
    /// A combination that makes no game.
    Error,
}

impl Severity {
    /// Whether a game with such a finding is refused.
    pub const fn is_fatal(self) -> bool {
        matches!(self, Self::Error | Self::NotImplemented)
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hint => "hint",
            Self::Warning => "warning",
            Self::NotImplemented => "not implemented",
            Self::Error => "error",
        })
    }
}

/// What a rule found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule's name, the same for ever.
    pub rule: &'static str,
    /// How much it weighs.
    pub severity: Severity,
    /// The parameters it is about, the one to change first.
    pub parameters: &'static [&'static str],
    /// What does not go together, and what to set instead.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.severity, self.message, self.rule)
    }
}

/// A line of a table of rules.
pub(super) struct Rule {
    pub(super) name: &'static str,
    severity: Severity,
    parameters: &'static [&'static str],
    broken: fn(&Params) -> bool,
    /// `{name}` stands for the value of that parameter.
    message: &'static str,
}

type Names = &'static [&'static str];
type Broken = fn(&Params) -> bool;

/// A combination that makes no game.
pub(super) const fn error(name: &'static str, of: Names, when: Broken, say: &'static str) -> Rule {
    Rule { name, severity: Severity::Error, parameters: of, broken: when, message: say }
}

/// A combination without rules.
pub(super) const fn missing(
    name: &'static str,
    of: Names,
    when: Broken,
    say: &'static str,
) -> Rule {
    Rule { name, severity: Severity::NotImplemented, parameters: of, broken: when, message: say }
}

/// A combination that is hardly meant.
pub(super) const fn warning(
    name: &'static str,
    of: Names,
    when: Broken,
    say: &'static str,
) -> Rule {
    Rule { name, severity: Severity::Warning, parameters: of, broken: when, message: say }
}

/// A combination worth a word.
pub(super) const fn hint(name: &'static str, of: Names, when: Broken, say: &'static str) -> Rule {
    Rule { name, severity: Severity::Hint, parameters: of, broken: when, message: say }
}

impl Rule {
    /// Whether the parameters break it.
    pub(super) fn applies(&self, params: &Params) -> bool {
        (self.broken)(params)
    }

    /// What it says of parameters that break it.
    pub(super) fn finding(&self, params: &Params) -> Finding {
        Finding {
            rule: self.name,
            severity: self.severity,
            parameters: self.parameters,
            message: filled(self.message, self.parameters, params),
        }
    }
}

/// The message with the values of its parameters.
fn filled(message: &str, names: &[&str], params: &Params) -> String {
    names.iter().filter_map(|name| Parameter::find(name)).fold(message.to_owned(), |text, one| {
        text.replace(&format!("{{{}}}", one.name), &one.get(params).to_string())
    })
}
