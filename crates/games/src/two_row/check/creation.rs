//! Rules that a board must satisfy to exist.

use super::rule::{Rule, error};

pub(super) const RULES: &[Rule] = &[
    error(
        "invalid_holes",
        &["holes"],
        |p| !(2..=21).contains(&p.holes),
        "a side has 2 to 21 holes, not {holes}: set holes",
    ),
    error(
        "invalid_nbr_start",
        &["nbr_start"],
        |p| p.nbr_start <= 0,
        "there must be seeds to play with, and nbr_start is {nbr_start}: set it to 1 or more",
    ),
];
