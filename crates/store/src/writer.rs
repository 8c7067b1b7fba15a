//! Store: write access to the database.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

use pitmaster_core::{GameId, Isolation};
use pitmaster_tournament::Durability;
use rusqlite::{Connection, ErrorCode, params};
use serde::Serialize;

use super::columns::Json;
use super::database::Database;
use super::lock::Lock;
use super::writer_thread::{Change, OnCommit, Order, serve};
use super::{
    Attempt, AttemptState, KnownBot, KnownIsolation, Reader, Readers, StoreError, checksum,
    database_path, folder, host_name, kernel_release, make_folder, schema,
};

/// A tournament's database, open for writing. One at a time per folder.
///
/// One thread writes everything in submission order, and queued changes together. Dropping the
/// store writes the queued changes, closes the database and releases the folder.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    /// `None` only while dropping.
    orders: Option<Sender<Order>>,
    owner: Option<JoinHandle<()>>,
    /// Last field: released after the database is closed.
    _lock: Lock,
}

/// A key and a value of the table `meta`.
pub(super) type MetaRow = (String, serde_json::Value);

impl Store {
    /// Opens the database of a results folder. A missing folder or database is created for its
    /// owner alone, and an older database is migrated.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if another store is open there, otherwise an error of the folder or
    /// the database.
    pub fn open(folder: &Path, durability: Durability) -> Result<Self, StoreError> {
        Self::open_with(folder, durability, |_| Ok(()))
    }

    /// Opens a store with a hook for the connection, for tests that make it fail.
    pub(super) fn open_with(
        folder: &Path,
        durability: Durability,
        prepare: impl FnOnce(&Database) -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        let cannot = |error: std::io::Error| StoreError::Folder {
            folder: folder.to_owned(),
            error: error.to_string(),
        };
        folder::require_file(folder)?;
        make_folder(folder, Readers::Owner).map_err(cannot)?;
        let lock = Lock::take(folder)?;
        folder::require_no_orphans(folder)?;
        let path = database_path(folder);
        // SQLite creates its other files with the same mode.
        let mut options = OpenOptions::new();
        let options = options.write(true).create(true).truncate(false);
        folder::open_as_folder(&path, options).map_err(cannot)?;
        let database = Database::open(&path)?;
        if schema::require_ours(&database)? {
            folder::refuse_orphans(folder, "tournament.db holds nothing")?;
        }
        database.prepare(durability)?;
        schema::migrate(&database)?;
        prepare(&database)?;
        let (orders, received) = channel();
        let owner = std::thread::Builder::new()
            .name("store".into())
            .spawn(move || serve(&database, &received))
            .map_err(cannot)?;
        let folder = folder.to_owned();
        Ok(Self { folder, orders: Some(orders), owner: Some(owner), _lock: lock })
    }

    /// Path of the results folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Opens a reader of the committed data, for use next to this store.
    pub fn reader(&self) -> Result<Reader, StoreError> {
        Reader::open(&self.folder)
    }

    /// Writes an attempt and returns when it is committed.
    ///
    /// # Errors
    /// [`StoreError::AlreadyValid`] if a valid attempt at the game exists, [`StoreError::Full`] if
    /// the disk is full. Nothing is written then.
    pub fn commit(&self, attempt: Attempt) -> Result<(), StoreError> {
        self.wait(commit_change(vec![attempt])).map(drop)
    }

    /// Writes attempts atomically, and returns when they are committed.
    ///
    /// # Errors
    /// As [`Store::commit`].
    pub fn commit_together(&self, attempts: Vec<Attempt>) -> Result<(), StoreError> {
        self.wait(commit_change(attempts)).map(drop)
    }

    /// Submits an attempt and returns at once. `told` is called on the store's thread after the
    /// attempt is committed or has failed as in [`Store::commit`]. It must neither block nor wait
    /// for the store.
    pub fn submit(
        &self,
        attempt: Attempt,
        told: impl FnOnce(Result<(), StoreError>) + Send + 'static,
    ) {
        self.submit_together(vec![attempt], told);
    }

    /// Submits attempts that are written atomically.
    pub fn submit_together(
        &self,
        attempts: Vec<Attempt>,
        told: impl FnOnce(Result<(), StoreError>) + Send + 'static,
    ) {
        self.order(commit_change(attempts), Box::new(|done| told(done.map(drop))));
    }

    /// Writes attempts of another store unchanged and atomically, in any state, each as the next at
    /// its game.
    pub(super) fn adopt(&self, attempts: Vec<Attempt>) -> Result<usize, StoreError> {
        self.wait(commit_change(attempts))
    }

    /// Invalidates the valid attempts at some games as void or surplus, with the reason. Returns
    /// their number.
    pub fn invalidate(&self, ids: Vec<GameId>, state: AttemptState) -> Result<usize, StoreError> {
        self.wait(Box::new(move |database| {
            let number_of = "SELECT number FROM attempts WHERE game_id = ?1 AND state = 'valid'";
            database.run(|connection| {
                let numbers = |id: &GameId| numbers(connection, number_of, id.as_str());
                let numbers: Vec<_> = ids.iter().map(numbers).collect::<Result<_, _>>()?;
                numbers.concat().iter().map(|number| put_state(connection, *number, &state)).sum()
            })
        }))
    }

    /// Invalidates the valid attempts of a machine. Returns their number.
    pub fn invalidate_of(&self, host: &str, state: AttemptState) -> Result<usize, StoreError> {
        let host = host.to_owned();
        self.wait(Box::new(move |database| {
            let numbers_of = "SELECT number FROM attempts WHERE host = ?1 AND state = 'valid'";
            database.run(|connection| {
                let numbers = numbers(connection, numbers_of, &host)?;
                numbers.iter().map(|number| put_state(connection, *number, &state)).sum()
            })
        }))
    }

    /// Invalidates every damaged record permanently, with a reason. The record is kept and no
    /// longer counts as an attempt. Returns the number of records.
    pub fn invalidate_damaged(&self, reason: &str) -> Result<usize, StoreError> {
        let damaged = self.reader()?.damaged()?;
        let (count, reason) = (damaged.len(), reason.to_owned());
        self.wait(Box::new(move |database| {
            let sql = "UPDATE attempts SET state = 'void', reason = ?2, checksum = ?3
                       WHERE number = ?1";
            database.run(|connection| {
                for damage in &damaged {
                    let set = (damage.number, &reason, checksum::DAMAGED);
                    connection.execute(sql, set)?;
                }
                // The indexes no longer match a changed row.
                connection.execute_batch("REINDEX attempts")
            })?;
            Ok(count)
        }))
    }

    /// Sets every record's checksum to that of its current content, after records were changed on
    /// purpose. Records whose moves or key do not match their stored fingerprint and id are still
    /// reported as damaged.
    pub fn sum_up_anew(&self) -> Result<(), StoreError> {
        self.wait(Box::new(|database| database.run(checksum::put_on_all).map(|()| 0))).map(drop)
    }

    /// Stores a fact about the tournament under a key, replacing an earlier one.
    pub(super) fn put_meta(&self, key: &str, value: &impl Serialize) -> Result<(), StoreError> {
        self.put_rows(vec![self.row(key, value)?])
    }

    /// A row of the table `meta`.
    pub(super) fn row(&self, key: &str, value: &impl Serialize) -> Result<MetaRow, StoreError> {
        let value = serde_json::to_value(value).map_err(|error| StoreError::Database {
            path: database_path(&self.folder),
            error: format!("{key}: {error}"),
        })?;
        Ok((key.to_owned(), value))
    }

    /// Stores rows of the table `meta` atomically, replacing earlier ones.
    pub(super) fn put_rows(&self, rows: Vec<MetaRow>) -> Result<(), StoreError> {
        let put = "INSERT INTO meta (key, value) VALUES (?1, ?2)
                   ON CONFLICT (key) DO UPDATE SET value = ?2";
        self.wait(Box::new(move |database| {
            database.run(|connection| {
                let mut statement = connection.prepare_cached(put)?;
                rows.iter().map(|(key, value)| statement.execute(params![key, Json(value)])).sum()
            })
        }))
        .map(drop)
    }

    /// Adds bots or replaces their rows, atomically.
    pub fn put_bots(&self, bots: Vec<KnownBot>) -> Result<(), StoreError> {
        self.wait(Box::new(move |database| {
            database.run(|connection| bots.iter().map(|bot| bot.put(connection)).sum())
        }))
        .map(drop)
    }

    /// Returns the number of a set of guarantees on this machine. Adds it if it is new.
    pub fn put_isolation(&self, isolation: &Isolation) -> Result<u32, StoreError> {
        let (isolation, host, kernel) = (isolation.clone(), host_name(), kernel_release());
        self.keep_isolation(KnownIsolation { number: 0, isolation, host, kernel })
    }

    /// Returns this store's number of a set of guarantees on any machine. Adds it if it is new.
    pub fn keep_isolation(&self, new: KnownIsolation) -> Result<u32, StoreError> {
        let known = self.reader()?.isolations()?;
        if let Some(same) = known.iter().find(|known| known.is_like(&new)) {
            return Ok(same.number);
        }
        let number = known.last().map_or(1, |last| last.number + 1);
        let new = KnownIsolation { number, ..new };
        self.wait(Box::new(move |database| database.run(|connection| new.insert(connection))))?;
        Ok(number)
    }

    /// Makes a change and returns when it is committed.
    pub(super) fn change(
        &self,
        change: impl Fn(&Database) -> Result<usize, StoreError> + Send + 'static,
    ) -> Result<(), StoreError> {
        self.wait(Box::new(change)).map(drop)
    }

    fn wait(&self, change: Change) -> Result<usize, StoreError> {
        let (sender, answer) = channel();
        // Sending fails only if the waiting thread is gone.
        self.order(change, Box::new(move |done| drop(sender.send(done))));
        answer.recv().unwrap_or(Err(StoreError::Closed))
    }

    fn order(&self, change: Change, told: OnCommit) {
        let orders = self.orders.as_ref().expect("only dropping takes it");
        if let Err(refused) = orders.send(Order { change, told }) {
            (refused.0.told)(Err(StoreError::Closed));
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        drop(self.orders.take());
        if let Some(owner) = self.owner.take() {
            // The thread panics only if a callback panics; the database is safe.
            let _ = owner.join();
        }
    }
}

fn numbers(connection: &Connection, sql: &str, of: &str) -> rusqlite::Result<Vec<i64>> {
    connection.prepare_cached(sql)?.query_map((of,), |row| row.get(0))?.collect()
}

/// Changes the state of an attempt, which must be unchanged until then.
fn put_state(
    connection: &Connection,
    number: i64,
    state: &AttemptState,
) -> rusqlite::Result<usize> {
    let mut select = connection.prepare_cached("SELECT * FROM attempts WHERE number = ?1")?;
    select.query_row((number,), checksum::require)?;
    let sql = "UPDATE attempts SET state = ?2, reason = ?3 WHERE number = ?1";
    let set = (number, state.name(), state.reason());
    let changed = connection.prepare_cached(sql)?.execute(set)?;
    checksum::put(connection, number)?;
    Ok(changed)
}

fn commit_change(attempts: Vec<Attempt>) -> Change {
    Box::new(move |database| attempts.iter().map(|attempt| insert(attempt, database)).sum())
}

fn insert(attempt: &Attempt, database: &Database) -> Result<usize, StoreError> {
    let inserted = attempt.insert(&database.connection);
    inserted.map_err(|error| match error.sqlite_error_code() {
        Some(ErrorCode::ConstraintViolation) if attempt.state == AttemptState::Valid => {
            StoreError::AlreadyValid { id: attempt.record.id() }
        }
        _ => StoreError::of(&database.path, &error),
    })
}
