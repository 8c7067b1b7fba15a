//! Messages about the values of a game file, and requirements of all its readers on values.

use pitmaster_core::config::{Kind, Node};
use pitmaster_core::diagnostics::{Diagnostics, Location};

/// Reports that another value is expected.
pub(super) fn wrong(findings: &mut Diagnostics<'_>, key: &str, node: &Node, wanted: &str) {
    let message = format!("{} cannot stand here; it is {wanted}", shown(node));
    findings.fault_at(node.at, key, message);
}

/// Reports a missing key of the file.
pub(super) fn missing(findings: &mut Diagnostics<'_>, key: &str, message: &str) {
    findings.missing(Location::START, key, message);
}

/// Whether a parameter has an error in any table.
pub(super) fn has_fault_of(findings: &Diagnostics<'_>, name: &str) -> bool {
    findings.faults().iter().any(|fault| fault.key.rsplit('.').next() == Some(name))
}

/// Whether a value counts as true in JSON: null, zero and empty values are false.
pub(super) fn is_true(node: &Node) -> bool {
    match &node.kind {
        Kind::Null => false,
        Kind::Bool(is) => *is,
        Kind::Integer { value, .. } => *value != Some(0),
        Kind::Float { value, .. } => *value != 0.0,
        Kind::Date => true,
        Kind::Text(text) => !text.is_empty(),
        Kind::List(list) => !list.is_empty(),
        Kind::Table(table) => !table.is_empty(),
    }
}

/// Description of a value for a message: numbers as parsed.
fn shown(node: &Node) -> String {
    match &node.kind {
        Kind::Integer { value, .. } => value.map_or("inf".into(), |value| value.to_string()),
        Kind::Float { value, .. } => value.to_string(),
        Kind::List(_) => "this list".into(),
        Kind::Table(_) => "a table".into(),
        _ => node.shown(),
    }
}
