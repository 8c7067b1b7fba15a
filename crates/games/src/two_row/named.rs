//! Two-row games by name: from a name, a variant and options to rules, and the canonical form of
//! the three.
//!
//! The rules do not contain their name. A game of the catalogue or one of its variants gets its
//! catalogue name, however it was requested: `kalah,seeds=5` is `kalah::6x5`. Any other game gets
//! the name of the game it is based on and the options that differ (`kalah,nbr_start=7`), or
//! `two-row` and all options that are not the default. So the name alone is enough to recreate the
//! game, and a game has exactly one name.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::catalogue::{self, Entry, Unknown};
use super::check::{Severity, check};
use super::params::{self, OptionError, Parameter, Params};
use super::{TwoRow, file::GameFile};
use crate::{Description, Family, GameSpec, SpecError, SpecErrors};

/// Name of a game described by options alone.
pub const ANY: &str = "two-row";

/// The version also counts changes of the catalogue of games.
impl Family for TwoRow {
    const VERSION: u32 = 1;

    fn names() -> Vec<&'static str> {
        std::iter::once(ANY).chain(names()).collect()
    }

    /// Answers for any name, with the error if there is no such game or variant. So this family
    /// comes last.
    fn look_up(spec: &GameSpec) -> Option<Result<(Self, String), SpecErrors>> {
        Some(find(spec))
    }

    fn descriptions() -> Vec<Description> {
        Vec::new()
    }
}

/// Game looked up by name, with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// Parameters of the game.
    pub params: Params,
    /// File of the game; `None` if options alone describe it.
    pub file: Option<GameFile>,
    /// Canonical text of its name and options.
    pub spec: String,
}

/// Looks a two-row game up and sets its options; the combination is not checked.
///
/// # Errors
/// Returns all errors in the name and the options.
pub fn look_up(spec: &GameSpec) -> Result<Named, SpecErrors> {
    let (name, mut params, file) = if spec.name.eq_ignore_ascii_case(ANY) {
        (ANY.to_owned(), Params::default(), None)
    } else {
        let found = catalogue::look_up(&spec.name).map_err(unknown)?;
        (found.slug, found.params, Some(found.file))
    };
    let options = spec.options.iter().map(|(option, value)| (option.as_str(), value.as_str()));
    let faults = params::apply(&mut params, options);
    let faults = faults.into_iter().map(|fault| option_fault(&name, spec, fault));
    let faults = faults.chain(given_twice(spec)).collect();
    let spec = match &file {
        None => with_options(ANY, &Params::default(), &params),
        Some(file) => written(file, &params),
    };
    SpecErrors::unless(faults, Named { params, file, spec })
}

/// Name of the game or variant with these parameters, or else the name of the game with all options
/// that differ from it, regardless of the original variant.
fn written(file: &GameFile, params: &Params) -> String {
    let game = catalogue::slug(&file.name);
    let variant = file.variants.iter().find(|variant| variant.params == *params);
    match variant {
        Some(variant) if *params != file.params => {
            format!("{game}::{}", catalogue::slug(&variant.name))
        }
        _ => with_options(&game, &file.params, params),
    }
}

fn with_options(name: &str, base: &Params, params: &Params) -> String {
    let mut written = name.to_owned();
    for (option, value) in params::changes(base, params) {
        let _ = write!(written, ",{option}={value}");
    }
    written
}

/// Looks a two-row game up by name and options, and compiles it.
///
/// # Errors
/// Returns all errors in the name, the options and their combination.
fn find(spec: &GameSpec) -> Result<(TwoRow, String), SpecErrors> {
    let named = look_up(spec)?;
    let findings = check(&named.params).into_iter();
    let unfit = findings.filter(|finding| finding.severity.is_fatal()).map(|finding| {
        let options = finding.parameters.iter().map(|name| as_given(spec, name)).collect();
        SpecError::Unfit { options, message: format!("{} ({})", finding.message, finding.rule) }
    });
    let spec = SpecErrors::unless(unfit.collect(), named.spec)?;
    Ok((TwoRow::new(named.params), spec))
}

/// Warnings about a game that can be played. Unmodified games of the catalogue have none.
pub fn warnings(spec: &GameSpec) -> Vec<String> {
    let Ok(named) = look_up(spec) else { return Vec::new() };
    if !named.spec.contains(',') {
        return Vec::new();
    }
    let findings = check(&named.params).into_iter();
    let warnings = findings.filter(|finding| finding.severity == Severity::Warning);
    warnings.map(|finding| finding.to_string()).collect()
}

/// Name of a game that only a file describes; `options` override the file.
pub fn nameless(params: &Params, options: &BTreeMap<String, String>) -> GameSpec {
    let mut spec = GameSpec { name: ANY.to_owned(), options: options.clone() };
    let given: Vec<_> = options.keys().filter_map(|option| Parameter::find(option)).collect();
    for (option, value) in params::options(params) {
        if !given.iter().any(|parameter| parameter.name == option) {
            spec.options.insert(option.to_owned(), value);
        }
    }
    spec
}

/// Names of all games of the catalogue, without variants.
pub fn names() -> impl Iterator<Item = &'static str> {
    catalogue::ENTRIES.iter().map(|entry: &Entry| entry.slug)
}

/// All variants of the games of the catalogue: `weg::weg_10_4`.
pub fn variants() -> impl Iterator<Item = String> {
    catalogue::ENTRIES.iter().flat_map(|entry| {
        let variants = entry.file().variants.into_iter();
        variants.map(|variant| format!("{}::{}", entry.slug, catalogue::slug(&variant.name)))
    })
}

/// Option that sets a parameter, as it was given; the parameter's own name if none does.
fn as_given(spec: &GameSpec, parameter: &str) -> String {
    let sets = |option: &&String| Parameter::find(option).is_some_and(|it| it.name == parameter);
    spec.options.keys().find(sets).map_or(parameter, String::as_str).to_owned()
}

/// Errors for options that set the same parameter.
fn given_twice(spec: &GameSpec) -> impl Iterator<Item = SpecError> {
    let parameters = Params::ALL.iter();
    parameters.filter_map(|parameter| {
        let sets =
            |option: &&String| Parameter::find(option).is_some_and(|it| it.name == parameter.name);
        let options: Vec<_> = spec.options.keys().filter(sets).cloned().collect();
        let message = format!("{} are the same option; give it once", options.join(" and "));
        (options.len() > 1).then_some(SpecError::Unfit { options, message })
    })
}

fn unknown(unknown: Unknown) -> SpecError {
    match unknown {
        Unknown::Game { name, .. } => crate::unknown_game(&name),
        Unknown::Variant { game, variant, known } => {
            // Sizes are too similar for a guess, so all are listed.
            let known: String = known.iter().map(|known| format!(", {game}::{known}")).collect();
            let name = format!("{game}::{variant}");
            SpecError::UnknownGame { name, hint: format!("there is {game}{known}") }
        }
    }
}

fn option_fault(game: &str, spec: &GameSpec, fault: OptionError) -> SpecError {
    match fault {
        OptionError::Unknown { option, .. } => {
            let known = Params::ALL.iter().map(|parameter| parameter.name);
            SpecError::unknown_option(game, &option, known, ANY)
        }
        OptionError::Value { option, .. } => {
            let given = as_given(spec, option);
            let allowed = Parameter::find(option).map(|parameter| (parameter.allowed)());
            SpecError::BadValue {
                value: spec.options.get(&given).cloned().unwrap_or_default(),
                option: given,
                allowed: allowed.unwrap_or_default(),
            }
        }
    }
}
