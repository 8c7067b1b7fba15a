//! Outcomes of a whole store, with a check of every record.
//!
//! A ladder of several months has gigabytes of records, so several connections check and read them
//! in parallel.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::available_parallelism;

use rusqlite::Row;

use super::database::Database;
use super::{Outcome, Reader, StoreError, checksum};

/// Number of records read at once and kept in memory.
const PART: i64 = 2_000;

/// Maximum number of connections. With more, the disk is the bottleneck.
const MOST: usize = 4;

/// Outcomes of a part of the records.
type Part = Result<Vec<Outcome>, StoreError>;

impl Reader {
    /// Calls `each` with the outcome of every game that counts, in the order of commits, and checks
    /// that every record is unchanged, including those that do not count. `each` may have been called
    /// when a record turns out to be altered.
    ///
    /// # Errors
    /// [`StoreError::Altered`] with the first record that differs, as [`Reader::require_intact`].
    pub fn for_each_intact_outcome(&self, each: impl FnMut(Outcome)) -> Result<(), StoreError> {
        let cores = available_parallelism().map_or(1, usize::from);
        self.read_parts(cores.min(MOST), each)
    }

    /// As [`Reader::for_each_intact_outcome`], with this number of connections.
    pub(super) fn read_parts(
        &self,
        connections: usize,
        mut each: impl FnMut(Outcome),
    ) -> Result<(), StoreError> {
        let sql = "SELECT coalesce(max(number), 0) FROM attempts";
        let last: i64 = self.database.run(|c| c.query_row(sql, (), |row| row.get(0)))?;
        let parts = (0..=last / PART).map(|part| part * PART + 1..=(part + 1) * PART);
        let parts: Vec<RangeInclusive<i64>> = parts.collect();
        let path = &*self.database.path;
        std::thread::scope(|scope| {
            // Readers deliver the parts in turn, each slightly ahead of the consumer.
            let begin = |first| {
                let (found, taken) = sync_channel(2);
                let own = parts.iter().skip(first).step_by(connections);
                scope.spawn(move || send(path, own, &found));
                taken
            };
            let readers: Vec<_> = (0..connections).map(begin).collect();
            for number in 0..parts.len() {
                // A missing reader has panicked, which the scope propagates.
                let Ok(part) = readers[number % connections].recv() else { break };
                part?.into_iter().for_each(&mut each);
            }
            Ok(())
        })
    }

    fn part(&self, numbers: &RangeInclusive<i64>) -> Part {
        let sql = "SELECT * FROM attempts
                   WHERE checksum IS NOT 'damaged' AND number BETWEEN ?1 AND ?2 ORDER BY number";
        let read = |row: &Row<'_>| {
            checksum::require(row)?;
            let counts = row.get_ref("state")?.as_str()? == "valid";
            if counts { Outcome::read(row).map(Some) } else { Ok(None) }
        };
        let mut outcomes = Vec::new();
        self.each(sql, (numbers.start(), numbers.end()), read, |found| outcomes.extend(found))?;
        Ok(outcomes)
    }
}

/// Reads parts with its own connection, until an error occurs or the receiver is dropped.
fn send<'p>(
    path: &Path,
    parts: impl Iterator<Item = &'p RangeInclusive<i64>>,
    found: &SyncSender<Part>,
) {
    let reader = Database::open_to_read(path).map(|database| Reader { database });
    for part in parts {
        let read = reader.as_ref().map_err(StoreError::clone).and_then(|it| it.part(part));
        let has_failed = read.is_err();
        if found.send(read).is_err() || has_failed {
            return;
        }
    }
}
