//! Two-row games by name: from a name, a variant and options to rules, and the one writing of
//! the three.
//!
//! The rules themselves do not know what they are called: a game of the catalogue goes by its
//! name and the options that differ from it (`weg::weg_10_4,goal_param=9`), any other by
//! `two-row` and all that is not the default, so that the name alone makes the game again.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::catalogue::{self, Entry, Unknown};
use super::check::{Severity, check};
use super::params::{self, OptionFault, Parameter, Params};
use super::{TwoRow, file::GameFile};
use crate::games::{GameSpec, SpecFault, SpecFaults};

/// The name of the game that options alone describe.
pub const ANY: &str = "two-row";

/// Counted up when a change of the engine or of the catalogue changes what games come to.
pub(in crate::games) const VERSION: u32 = 1;

/// A game by name, as far as its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// What it is.
    pub params: Params,
    /// The file that it comes from; `None` for what options alone describe.
    pub file: Option<GameFile>,
    /// The one writing of its name and options.
    pub spec: String,
}

/// Looks a two-row game up and sets its options; whether they go together is not judged.
///
/// # Errors
/// All that is wrong with the name and the options.
pub fn look_up(spec: &GameSpec) -> Result<Named, SpecFaults> {
    let (name, base, file) = if spec.name.eq_ignore_ascii_case(ANY) {
        (ANY.to_owned(), Params::default(), None)
    } else {
        let found = catalogue::look_up(&spec.name).map_err(unknown)?;
        (without_itself(found.slug), found.params, Some(found.file))
    };
    let mut params = base.clone();
    let options = spec.options.iter().map(|(option, value)| (option.as_str(), value.as_str()));
    let faults = params::apply(&mut params, options);
    let faults = faults.into_iter().map(|fault| option_fault(&name, spec, fault)).collect();
    let mut written = name;
    for (option, value) in params::changes(&base, &params) {
        let _ = write!(written, ",{option}={value}");
    }
    SpecFaults::unless(faults, Named { params, file, spec: written })
}

/// Looks a two-row game up by name and options, and compiles it.
///
/// # Errors
/// All that is wrong with the name and the options, and with how they go together.
pub(in crate::games) fn find(spec: &GameSpec) -> Result<(TwoRow, String), SpecFaults> {
    let named = look_up(spec)?;
    let findings = check(&named.params).into_iter();
    let unfit = findings.filter(|finding| finding.severity.is_fatal()).map(|finding| {
        let options = finding.parameters.iter().map(|&name| name.to_owned()).collect();
        SpecFault::Unfit { options, message: format!("{} ({})", finding.message, finding.rule) }
    });
    let spec = SpecFaults::unless(unfit.collect(), named.spec)?;
    Ok((TwoRow::new(named.params), spec))
}

/// What is worth a word about a game that can be played: nothing about those of the catalogue
/// as they are.
pub fn warnings(spec: &GameSpec) -> Vec<String> {
    let Ok(named) = look_up(spec) else { return Vec::new() };
    if !named.spec.contains(',') {
        return Vec::new();
    }
    let findings = check(&named.params).into_iter();
    let warnings = findings.filter(|finding| finding.severity == Severity::Warning);
    warnings.map(|finding| finding.to_string()).collect()
}

/// The name of a game that only a file describes; `options` go before what the file says.
pub fn nameless(params: &Params, options: &BTreeMap<String, String>) -> GameSpec {
    let mut spec = GameSpec::plain(ANY);
    for (option, value) in params::options(params) {
        spec.options.insert(option.to_owned(), value);
    }
    for (option, value) in options {
        let name = Parameter::find(option).map_or(option.as_str(), |parameter| parameter.name);
        spec.options.insert(name.to_owned(), value.clone());
    }
    spec
}

/// The names of all games of the catalogue, variants left out.
pub fn names() -> impl Iterator<Item = &'static str> {
    catalogue::ENTRIES.iter().map(|entry: &Entry| entry.slug)
}

/// The names of all games of the catalogue and of all their variants, each game before its own.
pub fn names_with_variants() -> Vec<String> {
    let mut names = Vec::new();
    for entry in catalogue::ENTRIES {
        names.push(entry.slug.to_owned());
        let variants = entry.file().variants.into_iter();
        names.extend(variants.map(|one| format!("{}::{}", entry.slug, catalogue::slug(&one.name))));
    }
    names
}

/// A game is the first of its own variants.
fn without_itself(slug: String) -> String {
    match slug.split_once("::") {
        Some((game, variant)) if game == variant => game.to_owned(),
        _ => slug,
    }
}

fn unknown(unknown: Unknown) -> SpecFault {
    match unknown {
        Unknown::Game { name, .. } => crate::games::unknown_game(&name),
        Unknown::Variant { game, variant, known } => {
            let known: Vec<_> = known.iter().map(|known| format!("{game}::{known}")).collect();
            let name = format!("{game}::{variant}");
            SpecFault::unknown_game(&name, known.iter().map(String::as_str).chain([game]))
        }
    }
}

fn option_fault(game: &str, spec: &GameSpec, fault: OptionFault) -> SpecFault {
    match fault {
        OptionFault::Unknown { option, .. } => {
            let known = Params::ALL.iter().map(|parameter| parameter.name);
            SpecFault::unknown_option(game, &option, known, ANY)
        }
        OptionFault::Value { option, .. } => {
            let given = spec.options.iter().find(|(name, _)| name.eq_ignore_ascii_case(option));
            let allowed = Parameter::find(option).map(|parameter| (parameter.allowed)());
            SpecFault::BadValue {
                option: given.map_or(option.to_owned(), |(name, _)| name.clone()),
                value: given.map(|(_, value)| value.clone()).unwrap_or_default(),
                allowed: allowed.unwrap_or_default(),
            }
        }
    }
}
