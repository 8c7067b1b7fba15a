//! Merge of another store of the same tournament, whose games are copied unchanged.

use std::collections::HashMap;

use super::{Attempt, AttemptState, Reader, Store, StoreError};

/// So many attempts are written at once.
const BATCH: usize = 256;

/// What came of merging a store into another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Merged {
    /// Games that count now and were not there before.
    pub games: u64,
    /// Games that counted there and here before.
    pub known: u64,
    /// Of these, those that were played otherwise; they are kept and do not count.
    pub otherwise: u64,
}

impl Store {
    /// Takes over all attempts of another store of the same tournament, those that do not count
    /// included. A game that counts in both counts as it does here; if the other one was
    /// played otherwise, it is kept beside it as surplus, with a reason that names `from`.
    ///
    /// Nothing that is here already is taken again: merging once more changes nothing, and
    /// goes on where it was ended. The other store is only read, one attempt at a time.
    ///
    /// # Errors
    /// The other store cannot be read or this one not be written; what was merged by then
    /// stays.
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

/// An attempt as it is taken over beside those that are here already, if it is.
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

/// Whether both are one attempt, kept twice. Whether it counts may differ, and by which number
/// it refers to what contained its bots.
fn is_same(one: &Attempt, other: &Attempt) -> bool {
    let place = |attempt: &Attempt| (attempt.started_at, attempt.lane);
    place(one) == place(other)
        && (&one.host, &one.dialects) == (&other.host, &other.dialects)
        && one.record == other.record
}

/// Whether the same was played with the same end.
fn has_same_course(one: &Attempt, other: &Attempt) -> bool {
    let [one, other] = [&one.record, &other.record];
    let end = |ending: &pitmaster_core::Ending| (ending.name(), ending.winner(), ending.score());
    one.moves().eq(other.moves()) && end(&one.ending) == end(&other.ending)
}
