//! Rules of a game in sentences, generated from its parameters and sufficient to play from.
//!
//! The module knows only the parameters. Each value has its own text. This module orders the texts,
//! and combines those that depend on each other.

mod board;
mod capture;
mod children;
mod ending;
mod moves;
mod rounds;
mod sowing;
#[cfg(test)]
mod tests;
mod words;

use std::fmt;

use super::params::{Parameter, Params};
use words::joined;

/// Section of the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Title of the section.
    pub title: &'static str,
    /// Sentences of the section, in order.
    pub sentences: Vec<String>,
}

impl fmt::Display for Section {
    /// Formats the title and a paragraph on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}. {}", self.title, self.sentences.join(" "))
    }
}

/// Describes the rules of a game that passes the check, in sections; none of them is empty.
///
/// Parameters that differ from their defaults but change no rule here get a section of their own at
/// the end, so that every setting is mentioned.
pub fn describe(params: &Params) -> Vec<Section> {
    let mut sections = rules(params);
    let idle = without_effect(params, &sections);
    if !idle.is_empty() {
        let sentence = format!("These settings change nothing here: {}.", joined(&idle, "and"));
        sections.push(Section { title: "Without effect", sentences: vec![sentence] });
    }
    sections
}

/// All sections except the last.
fn rules(params: &Params) -> Vec<Section> {
    [
        ("Board", board::sentences(params)),
        ("Moves", moves::sentences(params)),
        ("Sowing", sowing::sentences(params)),
        ("Capture", capture::sentences(params)),
        ("Children", children::sentences(params)),
        ("End", ending::sentences(params)),
        ("Rounds", rounds::sentences(params)),
    ]
    .into_iter()
    .filter(|(_, sentences)| !sentences.is_empty())
    .map(|(title, sentences)| Section { title, sentences })
    .collect()
}

/// Parameters that were set without changing the rules text.
fn without_effect(params: &Params, rules_now: &[Section]) -> Vec<String> {
    let defaults = Params::default();
    let idle = |parameter: &&Parameter| {
        let mut other = params.clone();
        parameter.set(&mut other, &parameter.get(&defaults)) && rules(&other) == rules_now
    };
    Params::ALL
        .iter()
        .filter(|parameter| !parameter.is_default(params))
        .filter(idle)
        .map(|parameter| format!("{} {}", parameter.name, parameter.get(params)))
        .collect()
}
