//! Effect of another scheme on every person.

use super::{Grade, Points, Reason};

/// A person whose grade another scheme changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Key of the person.
    pub key: pitmaster_core::BotName,
    /// Grade under the first scheme.
    pub before: Points,
    /// Grade under the second.
    pub after: Points,
    /// Reasons of the second scheme that the first does not have.
    pub reasons: Vec<Reason>,
}

/// Compares the grades of the same class under two schemes. Equal grades are left out.
pub fn what_if(before: &[Grade], after: &[Grade]) -> Vec<Change> {
    let changed = before.iter().zip(after).filter(|(before, after)| before.points != after.points);
    let change = |(before, after): (&Grade, &Grade)| Change {
        key: before.member.key.clone(),
        before: before.points,
        after: after.points,
        reasons: {
            let new = after.reasons.iter().filter(|reason| !before.reasons.contains(reason));
            new.cloned().collect()
        },
    };
    changed.map(change).collect()
}
