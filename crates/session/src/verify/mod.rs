//! Verification: compares records with their checksums, games with the rules, the stored games with
//! the log, and a sample with replays by the bots.

mod again;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pitmaster_core::{GameId, Record};
use pitmaster_games::DynGame;
use pitmaster_referee::{replay, rules_of};
use pitmaster_runner::Wish;
use pitmaster_store::{Attempt, AttemptState, Damage, Reader, StoreError};

pub use self::again::{Again, AgainOutcome};
use crate::isolation::IsolationOptions;
use crate::log::{self, Deed, Digest, Draft, Games, Log};
use crate::observer::Steps;
use crate::results::Results;
use crate::{Error, Observer, Task};

/// Options of a verification.
#[derive(Debug, Clone, Default)]
pub struct VerifyOptions {
    /// The results folder.
    pub folder: PathBuf,
    /// Number of pairs to replay, chosen by the tournament's seed.
    pub pairs: usize,
    /// Games whose pairs are replayed.
    pub games: Vec<GameId>,
    /// Isolation of the replaying bots.
    pub isolation: IsolationOptions,
    /// Core for the replays.
    pub cores: Wish,
}

/// Result of a verification.
#[derive(Debug, Default)]
pub struct Verified {
    /// Number of games, without void ones.
    pub games: u64,
    /// Damage of the database file. If set, nothing else was examined.
    pub damaged_file: Option<StoreError>,
    /// Records that differ from their checksums.
    pub damaged: Vec<Damage>,
    /// Games that differ from the rules, one line each.
    pub differences: Vec<String>,
    /// Games that were removed or added outside of Pitmaster, and lines missing from the log.
    pub missing: Vec<String>,
    /// Replayed pairs.
    pub again: Vec<Again>,
}

impl Verified {
    /// Returns whether no problem was found.
    pub fn is_intact(&self) -> bool {
        let differs = |again: &Again| matches!(again.outcome, AgainOutcome::Differs { .. });
        self.damaged_file.is_none()
            && self.damaged.is_empty()
            && self.differences.is_empty()
            && self.missing.is_empty()
            && !self.again.iter().any(differs)
    }
}

/// Verifies a results folder: the database file, the checksum of every record, every game by the
/// rules, the number and the digest of the games by the log, and a sample by replays.
///
/// # Errors
/// The database cannot be read, or the bots cannot be prepared.
pub fn verify(options: &VerifyOptions, observer: &dyn Observer) -> Result<Verified, Error> {
    let folder = &options.folder;
    let mut verified = examine(folder, observer)?;
    if verified.damaged_file.is_none() && verified.damaged.is_empty() {
        verified.again = again::play(options, observer)?;
    }
    let verdict = if verified.is_intact() { "intact" } else { "findings" };
    let pairs = verified.again.len();
    let about = if pairs == 0 { String::new() } else { format!("{pairs} games played again") };
    log::try_append(folder, Draft::new(Deed::Verify, about).reason(verdict), observer);
    Ok(verified)
}

fn examine(folder: &Path, observer: &dyn Observer) -> Result<Verified, Error> {
    let reader = Reader::open(folder)?;
    match reader.check() {
        Err(error @ StoreError::Damaged { .. }) => {
            return Ok(Verified { damaged_file: Some(error), ..Verified::default() });
        }
        checked => checked?,
    }
    let damaged = reader.damaged()?;
    if !damaged.is_empty() {
        return Ok(Verified { damaged, ..Verified::default() });
    }
    let (games, differences) = replay_all(&reader, observer)?;
    let missing = missing(folder, &reader)?;
    Ok(Verified { games, differences, missing, ..Verified::default() })
}

/// Compares the stored games with those recorded in the log.
fn missing(folder: &Path, reader: &Reader) -> Result<Vec<String>, Error> {
    let mut missing = Vec::new();
    match reader.deleted()? {
        0 => {}
        1 => missing.push("1 record was deleted from tournament.db".into()),
        count => missing.push(format!("{count} records were deleted from tournament.db")),
    }
    if !folder.join(log::FILE).exists() && reader.log_end()?.is_none() {
        return Ok(missing);
    }
    let Log { entries, findings } = log::read_log(folder)?;
    missing.extend(findings.into_iter().map(|finding| format!("{}: {finding}", log::FILE)));
    let Some(logged) = entries.into_iter().rev().find_map(|entry| entry.games) else {
        return Ok(missing);
    };
    missing.extend(difference(&logged, &stored(folder, &logged, reader)?));
    Ok(missing)
}

/// Numbers and digest of the stored games. The digest is computed only if the log has one.
fn stored(folder: &Path, logged: &Games, reader: &Reader) -> Result<Games, Error> {
    if logged.digest.is_none() {
        let counts = reader.counts()?;
        let (valid, void, surplus) = (counts.valid, counts.void, counts.surplus);
        return Ok(Games { valid, void, surplus, digest: None });
    }
    let results = Results::open(folder)?;
    let mut digest = Digest::default();
    results.for_each(|attempt| {
        digest.add(&attempt.record);
        Ok(())
    })?;
    results.attempts(&digest)
}

/// Difference between the stored games and the last entry in the log. After the start of a run
/// whose end was not logged, there may be more games.
fn difference(logged: &Games, stored: &Games) -> Option<String> {
    let (then, now) = (logged.attempts(), stored.attempts());
    let differ = if logged.digest.is_none() { now < then } else { now != then };
    if differ {
        return Some(format!("{}: it counts {then} records, but {now} are stored", log::FILE));
    }
    (logged.digest.is_some() && logged != stored)
        .then(|| format!("{}: the games that count are not those that were logged last", log::FILE))
}

/// Rules by id, loaded on demand.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn games(valid: u64, void: u64, digest: Option<&str>) -> Games {
        Games { valid, void, surplus: 0, digest: digest.map(str::to_owned) }
    }

    #[test]
    fn the_log_tells_when_games_are_missing_or_others() {
        let ended = games(5, 1, Some("a"));
        let differs = |logged: &Games, stored: &Games| difference(logged, stored).is_some();
        assert!(!differs(&ended, &ended));
        assert!(differs(&ended, &games(4, 1, Some("a"))));
        assert!(differs(&ended, &games(6, 1, Some("a"))));
        assert!(differs(&ended, &games(5, 1, Some("b"))));
        assert!(differs(&ended, &games(4, 2, Some("a"))));
        // The run played more games before it was killed.
        let started = games(5, 1, None);
        assert!(!differs(&started, &games(7, 1, None)));
        assert!(differs(&started, &games(4, 1, None)));
    }
}
