//! SQLite connections with two ways to use them: [`View`] reads, [`Tx`] also writes.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension as _, Params, Row};

use super::DatabaseError;
use super::error::Done;

/// Timeout for another connection's lock. There is one writer, so only opening, crash recovery and
/// checkpoints take locks that others may wait for.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Connection with the path that its errors name.
#[derive(Debug)]
pub(super) struct Handle {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
}

impl Handle {
    /// Opens a database for writing, without writing yet.
    pub(super) fn open_to_write(path: &Path) -> Result<Self, DatabaseError> {
        Self::open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
    }

    /// Opens a database for reading.
    pub(super) fn open_to_read(path: &Path) -> Result<Self, DatabaseError> {
        Self::open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
    }

    fn open(path: &Path, mode: OpenFlags) -> Result<Self, DatabaseError> {
        let open = || {
            let flags = mode | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let connection = Connection::open_with_flags(path, flags)?;
            connection.busy_timeout(BUSY_TIMEOUT)?;
            connection.set_prepared_statement_cache_capacity(128);
            connection.pragma_update(None, "foreign_keys", true)?;
            // Prevents functions of an untrusted schema from running.
            connection.pragma_update(None, "trusted_schema", false)?;
            Ok(connection)
        };
        match open() {
            Ok(connection) => Ok(Self { connection, path: path.to_owned() }),
            Err(error) => Err(DatabaseError::of(path, &error)),
        }
    }

    /// Enables the write-ahead log with a sync in each commit. Confirmed changes survive a power
    /// cut too, if the disk honors the sync.
    pub(super) fn prepare(&self) -> Result<(), DatabaseError> {
        let read = |row: &Row<'_>| row.get::<_, String>(0);
        let mode = self.run(|c| c.pragma_update_and_check(None, "journal_mode", "WAL", read))?;
        if mode != "wal" {
            let error = format!("it has no write-ahead log (journal mode {mode})");
            return Err(DatabaseError::Database { path: self.path.clone(), error });
        }
        self.run(|connection| {
            connection.pragma_update(None, "synchronous", "FULL")?;
            // On macOS, a plain sync does not reach the disk.
            connection.pragma_update(None, "fullfsync", true)?;
            connection.pragma_update(None, "checkpoint_fullfsync", true)?;
            // Erased data must not remain in free pages.
            connection.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))
        })
    }

    /// Runs an operation on the connection and adds the path to its errors.
    pub(super) fn run<T>(
        &self,
        job: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, DatabaseError> {
        job(&self.connection).map_err(|error| DatabaseError::of(&self.path, &error))
    }

    /// Checks the integrity of every page and of every foreign key.
    pub(super) fn require_sound(&self) -> Result<(), DatabaseError> {
        let damaged = |error: String| DatabaseError::Damaged { path: self.path.clone(), error };
        let found = self.run(|connection| {
            connection.query_row("PRAGMA integrity_check(1)", (), |row| row.get::<_, String>(0))
        })?;
        if found != "ok" {
            return Err(damaged(found));
        }
        let loose = self.run(|connection| {
            let mut check = connection.prepare("PRAGMA foreign_key_check")?;
            check.query_row((), |row| row.get::<_, String>(0)).optional()
        })?;
        loose.map_or(Ok(()), |table| {
            Err(damaged(format!("a row of the table {table} refers to one that is not there")))
        })
    }

    /// Runs reads in one snapshot.
    pub(super) fn view<T>(
        &self,
        job: impl FnOnce(&View<'_>) -> Done<T>,
    ) -> Result<T, DatabaseError> {
        // Cached, because parsing both statements takes longer than a small read.
        self.run(|connection| connection.prepare_cached("BEGIN")?.execute(()))?;
        let _snapshot = Snapshot(&self.connection);
        job(&View(&self.connection)).map_err(|failure| failure.at(&self.path))
    }
}

/// Read-only transaction that also ends when its operation panics.
struct Snapshot<'c>(&'c Connection);

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        // Nothing was written, so there is nothing to commit or to lose.
        let end = self.0.prepare_cached("ROLLBACK").and_then(|mut end| end.execute(()));
        if end.is_err() {
            let _ = self.0.execute_batch("ROLLBACK");
        }
    }
}

/// Read access within a transaction.
#[derive(Debug)]
pub(super) struct View<'c>(&'c Connection);

impl View<'_> {
    /// Returns the first row, if there is one.
    pub(super) fn one<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Done<Option<T>> {
        Ok(self.0.prepare_cached(sql)?.query_row(params, read).optional()?)
    }

    /// Returns all rows.
    pub(super) fn all<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Done<Vec<T>> {
        Ok(self.0.prepare_cached(sql)?.query_map(params, read)?.collect::<Result<_, _>>()?)
    }

    /// Returns the value of a query that always has one row, such as a count.
    pub(super) fn value<T: rusqlite::types::FromSql>(
        &self,
        sql: &str,
        params: impl Params,
    ) -> Done<T> {
        Ok(self.0.prepare_cached(sql)?.query_row(params, |row| row.get(0))?)
    }

    /// Whether a query returns a row.
    pub(super) fn is_there(&self, sql: &str, params: impl Params) -> Done<bool> {
        Ok(self.0.prepare_cached(sql)?.exists(params)?)
    }
}

/// Write access within a transaction.
#[derive(Debug)]
pub(super) struct Tx<'c>(View<'c>);

impl<'c> Tx<'c> {
    /// Requires that the caller has begun a transaction: the writer thread and migrations only.
    pub(super) fn new(connection: &'c Connection) -> Self {
        Self(View(connection))
    }

    /// Changes rows and returns their number.
    pub(super) fn execute(&self, sql: &str, params: impl Params) -> Done<usize> {
        Ok(self.0.0.prepare_cached(sql)?.execute(params)?)
    }
}

impl<'c> Deref for Tx<'c> {
    type Target = View<'c>;

    fn deref(&self) -> &View<'c> {
        &self.0
    }
}
