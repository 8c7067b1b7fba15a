//! Merge of another store of the same tournament, whose games are copied unchanged.

use std::collections::HashMap;

use super::{Attempt, AttemptState, Reader, Store, StoreError};

/// Number of attempts written at once.
const BATCH: usize = 256;

/// Result of a merge.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Merged {
    /// Number of games that count now and did not exist before.
    pub games: u64,
    /// Number of games that counted in both stores before.
    pub known: u64,
    /// Number of those whose play differs. They are kept and do not count.
    pub otherwise: u64,
}

impl Store {
    /// Copies all attempts of another store of the same tournament, including those that do not
    /// count. A game that counts in both stores keeps its attempt here. If the other attempt was
    /// played differently, it is kept next to it as surplus, with a reason that names `from`.
    ///
    /// Attempts that exist here are not copied again: repeating a merge changes nothing, and
    /// continues an interrupted one. The other store is only read, one attempt at a time.
    ///
    /// # Errors
    /// The other store cannot be read, or this one cannot be written. Attempts merged before that
    /// stay.
    pub fn merge(&self, other: &Reader, from: &str) -> Result<Merged, StoreError> {
        let (mut merged, mut batch) = (Merged::default(), Vec::new());
        let mut isolations = HashMap::new();
        for known in other.isolations()? {
            isolations.insert(known.number, self.keep_isolation(known)?);
        }
        let here = self.reader()?;
        other.for_each_attempt(|attempt| -> Result<(), StoreError> {
            let isolation = attempt.isolation.and_then(|there| isolations.get(&there).copied());
            let attempt = Attempt { isolation, ..attempt };
            let there = here.attempts(&attempt.record.id())?;
            batch.extend(taken(attempt, &there, from, &mut merged));
            if batch.len() < BATCH { Ok(()) } else { self.adopt(batch.split_off(0)).map(drop) }
        })?;
        self.adopt(batch)?;
        Ok(merged)
    }
}

/// The form in which an attempt is copied next to the existing ones, if at all.
fn taken(attempt: Attempt, here: &[Attempt], from: &str, merged: &mut Merged) -> Option<Attempt> {
    let counts = here.iter().find(|known| known.state == AttemptState::Valid);
    let is_valid = attempt.state == AttemptState::Valid;
    let is_other = is_valid && counts.is_some_and(|known| !has_same_course(known, &attempt));
    merged.known += u64::from(is_valid && counts.is_some());
    merged.otherwise += u64::from(is_other);
    if here.iter().any(|known| is_same(known, &attempt)) {
        return None;
    }
    match counts {
        Some(_) if is_other => {
            let reason = format!("played in {from} too, otherwise; what was merged first counts");
            Some(Attempt { state: AttemptState::Surplus { reason }, ..attempt })
        }
        Some(_) if is_valid => None,
        _ => {
            merged.games += u64::from(is_valid);
            Some(attempt)
        }
    }
}

/// Returns whether both are the same attempt, stored twice. Its state and the number of its
/// isolation may differ.
fn is_same(one: &Attempt, other: &Attempt) -> bool {
    let place = |attempt: &Attempt| (attempt.started_at, attempt.lane);
    place(one) == place(other)
        && (&one.host, &one.dialects) == (&other.host, &other.dialects)
        && one.record == other.record
}

/// Returns whether both have the same moves and the same end.
fn has_same_course(one: &Attempt, other: &Attempt) -> bool {
    let [one, other] = [&one.record, &other.record];
    let end = |ending: &pitmaster_core::Ending| (ending.name(), ending.winner(), ending.score());
    one.moves().eq(other.moves()) && end(&one.ending) == end(&other.ending)
}
