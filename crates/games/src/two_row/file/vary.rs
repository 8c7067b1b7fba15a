//! Parameters of a game that a player may change, with their allowed values.

use pitmaster_core::config::{Entry, Kind, Node};
use pitmaster_core::diagnostics::Diagnostics;

use super::findings::{has_fault_of, wrong};
use super::legacy::{Item, Layer};
use super::read::{unknown, value_of, wanted};
use crate::two_row::params::{Parameter, Params, Value};

/// A parameter that may be changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Name of the parameter.
    pub name: &'static str,
    /// Values that it may be changed to.
    pub choices: Choices,
}

/// Values that a parameter may be changed to.
#[derive(Debug, Clone, PartialEq)]
pub enum Choices {
    /// Any value that the rules allow.
    Any,
    /// One of these; the game's own value is among them.
    These(Vec<Value>),
}

/// Reads the changeable parameters. `overlay` applies other parameters to the game.
pub(super) fn read(
    entries: &[Entry],
    base: &Params,
    overlay: impl Fn(&Layer, &mut Diagnostics<'_>) -> Params,
    findings: &mut Diagnostics<'_>,
) -> Vec<Choice> {
    let mut all = Vec::new();
    for entry in entries {
        let key = format!("vari_params.{}", entry.key);
        let Some(parameter) = Params::ALL.iter().find(|one| one.name == entry.key) else {
            findings.fault_at(entry.at, &key, unknown(&entry.key, false));
            continue;
        };
        let choices = match &entry.node.kind {
            Kind::List(list) => {
                let values = list.iter();
                let values: Vec<_> = values
                    .filter_map(|node| value(parameter, node, &key, &overlay, findings))
                    .collect();
                judge_base(parameter, base, &values, entry, &key, findings);
                Choices::These(values)
            }
            _ => Choices::Any,
        };
        all.push(Choice { name: parameter.name, choices });
    }
    judge_holes(entries, base, findings);
    all
}

/// Value of a parameter, read together with all the others of the game.
fn value(
    parameter: &Parameter,
    node: &Node,
    key: &str,
    overlay: &impl Fn(&Layer, &mut Diagnostics<'_>) -> Params,
    findings: &mut Diagnostics<'_>,
) -> Option<Value> {
    let Some(value) = value_of(node) else {
        wrong(findings, key, node, &wanted((parameter.allowed)(), node));
        return None;
    };
    let item = Item { value, at: node.at, key: key.to_owned() };
    let params = overlay(&Layer::from([(parameter.name.to_owned(), item)]), findings);
    Some(parameter.get(&params))
}

fn judge_base(
    parameter: &Parameter,
    base: &Params,
    values: &[Value],
    entry: &Entry,
    key: &str,
    findings: &mut Diagnostics<'_>,
) {
    let own = parameter.get(base);
    if !has_fault_of(findings, parameter.name) && !values.contains(&own) {
        let message = format!("lacks {own}, which the game itself has; add it");
        findings.fault_at(entry.node.at, key, message);
    }
}

/// If the number of holes may change, the holes with a free direction must be changeable too.
fn judge_holes(entries: &[Entry], base: &Params, findings: &mut Diagnostics<'_>) {
    let Some(holes) = entries.iter().find(|entry| entry.key == "holes") else { return };
    let key = "vari_params.holes";
    if entries.iter().any(|entry| entry.key == "udir_holes") {
        findings.fault_at(holes.at, key, "cannot be changed beside udir_holes; leave one out");
    }
    let all: Vec<i32> = (0..base.holes.clamp(0, 100)).collect();
    let follows = base.udir_holes.is_empty()
        || base.udir_holes == all
        || base.holes % 2 == 1 && base.udir_holes == [base.holes / 2];
    if !follows {
        let message = "cannot be changed unless udir_holes is all holes or the one in the middle";
        findings.fault_at(holes.at, key, message);
    }
}
