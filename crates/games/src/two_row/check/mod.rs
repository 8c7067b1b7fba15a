//! Validation of parameter combinations: a table of all rules.
//!
//! The module knows only the parameters, neither files nor how a game is played. There is one file
//! per kind of rule. A rule's name, weight, condition and message are next to each other. The order
//! is fixed: the rules of the class first, then the common ones, then Pitmaster's own. So the first
//! fatal finding always has the same name.

mod blocked;
mod capture;
mod children;
mod classes;
mod creation;
mod diffusion;
mod elimination;
pub(super) mod facts;
mod general;
mod moves;
mod ours;
mod patterns;
mod rounds;
mod rule;
mod sides;
mod sowing;
mod territory;
#[cfg(test)]
mod tests;

use super::params::{Class, Params};
use rule::Rule;
pub use rule::{Finding, Severity};

/// Checks a combination of parameters. Returns all findings in the order of the rules.
///
/// A game can be played if no finding [is fatal](Severity::is_fatal).
pub fn check(params: &Params) -> Vec<Finding> {
    tables(params.game_class)
        .into_iter()
        .flatten()
        .filter(|rule| rule.applies(params))
        .map(|rule| rule.finding(params))
        .collect()
}

/// Tables that apply to a class.
fn tables(class: Class) -> Vec<&'static [Rule]> {
    if matches!(class, Class::Diffusion | Class::DiffusionV2) {
        return vec![creation::RULES, diffusion::RULES, ours::LIMITS];
    }
    vec![
        creation::RULES,
        classes::RULES,
        patterns::RULES,
        elimination::RULES,
        territory::RULES,
        blocked::RULES,
        children::RULES,
        sides::RULES,
        rounds::FILLS,
        sowing::RULES,
        capture::RULES,
        moves::RULES,
        rounds::RULES,
        general::RULES,
        ours::LIMITS,
        ours::RULES,
    ]
}
