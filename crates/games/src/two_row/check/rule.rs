//! Type of a rule about parameter combinations, and its findings.

use std::fmt;

use crate::two_row::params::{Parameter, Params};

/// Severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The game can be played, but may behave unexpectedly.
    Hint,
    /// The game can be played, but probably not as intended.
    Warning,
    /// A meaningful combination without an implementation.
    NotImplemented,
    /// An invalid combination.
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

/// Finding of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Name of the rule, which never changes.
    pub rule: &'static str,
    /// Severity of the finding.
    pub severity: Severity,
    /// Parameters concerned, the one to change first.
    pub parameters: &'static [&'static str],
    /// Conflict, and the value to set instead.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.severity, self.message, self.rule)
    }
}

/// Rule in a table.
pub(super) struct Rule {
    pub(super) name: &'static str,
    severity: Severity,
    parameters: &'static [&'static str],
    broken: fn(&Params) -> bool,
    /// Message, in which `{name}` is replaced by the value of that parameter.
    message: &'static str,
}

type Names = &'static [&'static str];
type Broken = fn(&Params) -> bool;

/// Rule against an invalid combination.
pub(super) const fn error(name: &'static str, of: Names, when: Broken, say: &'static str) -> Rule {
    Rule { name, severity: Severity::Error, parameters: of, broken: when, message: say }
}

/// Rule against a combination that is not implemented.
pub(super) const fn missing(
    name: &'static str,
    of: Names,
    when: Broken,
    say: &'static str,
) -> Rule {
    Rule { name, severity: Severity::NotImplemented, parameters: of, broken: when, message: say }
}

/// Rule against a combination that is probably unintended.
pub(super) const fn warning(
    name: &'static str,
    of: Names,
    when: Broken,
    say: &'static str,
) -> Rule {
    Rule { name, severity: Severity::Warning, parameters: of, broken: when, message: say }
}

/// Rule that gives a hint.
pub(super) const fn hint(name: &'static str, of: Names, when: Broken, say: &'static str) -> Rule {
    Rule { name, severity: Severity::Hint, parameters: of, broken: when, message: say }
}

impl Rule {
    /// Whether the parameters violate the rule.
    pub(super) fn applies(&self, params: &Params) -> bool {
        (self.broken)(params)
    }

    /// Finding for parameters that violate the rule.
    pub(super) fn finding(&self, params: &Params) -> Finding {
        Finding {
            rule: self.name,
            severity: self.severity,
            parameters: self.parameters,
            message: filled(self.message, self.parameters, params),
        }
    }
}

/// Message with the values of its parameters.
fn filled(message: &str, names: &[&str], params: &Params) -> String {
    names.iter().filter_map(|name| Parameter::find(name)).fold(message.to_owned(), |text, one| {
        text.replace(&format!("{{{}}}", one.name), &one.get(params).to_string())
    })
}
