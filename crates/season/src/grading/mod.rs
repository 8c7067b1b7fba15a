//! Grading: computes grades with reasons from a scheme, a class and the evidence of a tournament.
//!
//! [`Scheme`] is `scheme.toml`. [`grade`] is a pure function, so that two schemes can be compared
//! ([`what_if`]) and a grade can be reproduced years later.

#[cfg(test)]
mod calibration;
mod evidence;
#[cfg(test)]
pub(crate) mod fixtures;
mod grade;
mod marks;
mod parts;
mod scheme;
#[cfg(test)]
mod tests;
mod what_if;

pub use evidence::{BotEvidence, EloEvidence, Evidence};
pub use grade::{Grade, GradeError, Reason, ShownGrade, grade};
pub use marks::Points;
pub use parts::{Parts, PartsError};
pub use scheme::{Band, Borderline, Gate, MilestoneRule, Part, Penalty, Scheme};
pub use what_if::{Change, what_if};
