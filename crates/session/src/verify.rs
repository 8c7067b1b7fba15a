//! Verification: compares records with their checksums, and games with the rules.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use pitmaster_core::Record;
use pitmaster_games::DynGame;
use pitmaster_referee::{replay, rules_of};
use pitmaster_store::{Attempt, AttemptState, Damage, Reader, StoreError};

use crate::observer::Steps;
use crate::{Error, Observer, Task};

/// Result of a verification, which stops at the first kind of damage.
#[derive(Debug)]
pub enum Verified {
    /// The database file is damaged.
    DamagedFile(StoreError),
    /// Records differ from their checksums.
    DamagedRecords(Vec<Damage>),
    /// Games differ from the rules, one line each.
    Differences(Vec<String>),
    /// No errors were found.
    Intact {
        /// Number of games, without void ones.
        games: u64,
    },
}

/// Verifies a results folder: the database file, the checksum of every record, and every game,
/// which is replayed under the rules.
///
/// # Errors
/// The database cannot be read.
pub fn verify(folder: &Path, observer: &dyn Observer) -> Result<Verified, Error> {
    let reader = Reader::open(folder)?;
    match reader.check() {
        Err(error @ StoreError::Damaged { .. }) => return Ok(Verified::DamagedFile(error)),
        checked => checked?,
    }
    let damaged = reader.damaged()?;
    if !damaged.is_empty() {
        return Ok(Verified::DamagedRecords(damaged));
    }
    let (games, differences) = replay_all(&reader, observer)?;
    if !differences.is_empty() {
        return Ok(Verified::Differences(differences));
    }
    Ok(Verified::Intact { games })
}

/// Rules by id, as far as games need them.
type KnownRules = BTreeMap<String, Result<Arc<dyn DynGame>, String>>;

/// Replays all games except void ones. Returns their number and the differences.
fn replay_all(reader: &Reader, observer: &dyn Observer) -> Result<(u64, Vec<String>), StoreError> {
    let counts = reader.counts()?;
    let steps = Steps::new(observer, Task::VerifyGames, counts.valid + counts.surplus);
    let (mut games, mut differences, mut known) = (0, Vec::new(), KnownRules::new());
    reader.for_each_attempt(|Attempt { record, state, .. }| -> Result<(), StoreError> {
        if !matches!(state, AttemptState::Void { .. }) {
            games += 1;
            let game = record.id();
            let found = differences_of(&record, &mut known);
            differences.extend(found.into_iter().map(|what| format!("game {game}: {what}")));
            steps.step("");
        }
        Ok(())
    })?;
    Ok((games, differences))
}

fn differences_of(record: &Record, known: &mut KnownRules) -> Vec<String> {
    let rules = &record.key.rules;
    if !known.contains_key(rules) {
        known.insert(rules.clone(), rules_of(record));
    }
    match &known[rules] {
        Ok(game) => replay(record, &**game).differences,
        Err(why) => vec![why.clone()],
    }
}
