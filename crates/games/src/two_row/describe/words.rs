//! English phrase helpers.

use crate::two_row::params::{Params, SowDirect};

/// `1 seed`, `2 seeds`.
pub(super) fn seeds(count: impl Into<i64>) -> String {
    counted(count.into(), "seed")
}

/// A number and a noun.
pub(super) fn counted(count: i64, noun: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{end}")
}

/// `the first turn`, `the first 2 turns`.
pub(super) fn first_turns(count: i32) -> String {
    if count == 1 { "the first turn".into() } else { format!("the first {count} turns") }
}

/// `1`, `1 or 2`, `1, 2 or 3`.
pub(super) fn joined<T: ToString>(items: &[T], last: &str) -> String {
    let items: Vec<_> = items.iter().map(ToString::to_string).collect();
    match items.split_last() {
        Some((end, rest)) if !rest.is_empty() => format!("{} {last} {end}", rest.join(", ")),
        Some((end, _)) => end.clone(),
        None => String::new(),
    }
}

/// Text about a value, with parameter names replaced by their numbers.
pub(super) fn with_numbers(about: &str, p: &Params) -> String {
    let numbers = [
        ("`holes`", p.holes),
        ("`nbr_start`", p.nbr_start),
        ("`goal_param`", p.goal_param),
        ("`end_param`", p.end_param),
        ("`mlap_param`", p.mlap_param),
        ("`sow_param`", p.sow_param),
        ("`child_cvt`", p.child_cvt),
    ];
    let text = numbers
        .iter()
        .fold(about.to_owned(), |text, (name, number)| text.replace(name, &number.to_string()));
    one(text.replace("`sow_direct`", direction(p.sow_direct)))
}

/// Singular after a lone 1.
fn one(text: String) -> String {
    let mut text = text;
    for noun in ["seed", "hole", "round", "point", "child"] {
        for before in [" 1 ", "than 1 "] {
            text = text.replace(&format!("{before}{noun}s"), &format!("{before}{noun}"));
        }
        if text.starts_with(&format!("1 {noun}s")) {
            text = text.replacen(&format!("1 {noun}s"), &format!("1 {noun}"), 1);
        }
    }
    text
}

/// Direction of sowing, if there is a fixed one.
pub(super) fn direction(direct: SowDirect) -> &'static str {
    match direct {
        SowDirect::Cw => "clockwise",
        SowDirect::Ccw => "counter-clockwise",
        SowDirect::Split => "away from the middle",
        SowDirect::ToCenter => "through the middle",
        SowDirect::PlayAltDir => "as the first mover of the round chose",
        SowDirect::EvenOddDir => "counter-clockwise for odd numbers and clockwise for even ones",
    }
}
