//! Decisions of a format that were based on results. They are stored so that pairings do not change
//! when an earlier game is voided.

use pitmaster_tournament::KeptDecision;
use rusqlite::Row;

use super::{Reader, Store, StoreError};

fn key(number: usize) -> String {
    format!("decision {number}")
}

impl Store {
    /// Stores a decision. Decisions are numbered from 1 without gaps.
    pub fn put_decision(&self, number: usize, decision: &KeptDecision) -> Result<(), StoreError> {
        self.put_meta(&key(number), decision)
    }
}

impl Reader {
    /// All decisions, in their order.
    pub fn decisions(&self) -> Result<Vec<KeptDecision>, StoreError> {
        let mut all = Vec::new();
        while let Some(decision) = self.meta(&key(all.len() + 1))? {
            all.push(decision);
        }
        Ok(all)
    }

    /// Number of the last decision; 0 if there is none. Does not read the decisions, so it is fast
    /// for a long ladder.
    pub fn last_decision(&self) -> Result<usize, StoreError> {
        // Keys that begin with `decision ` sort before that with the character after the space.
        let sql = "SELECT max(CAST(substr(key, 10) AS INTEGER)) FROM meta
                   WHERE key > 'decision ' AND key < 'decision!'";
        let read = |row: &Row<'_>| row.get::<_, Option<i64>>(0);
        let last = self.database.run(|connection| connection.query_row(sql, (), read))?;
        Ok(last.and_then(|number| usize::try_from(number).ok()).unwrap_or(0))
    }
}
