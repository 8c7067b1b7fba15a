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
/// Everything is written by one thread in the order it was given, and several at once when
/// they have queued up. Dropping the store writes what is queued, closes the database and
/// gives the folder free.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    /// `None` only while dropping.
    orders: Option<Sender<Order>>,
    owner: Option<JoinHandle<()>>,
    /// Last: given back when the database is closed.
    _lock: Lock,
}

/// A key and a value of the table `meta`.
pub(super) type MetaRow = (String, serde_json::Value);

impl Store {
    /// Opens the database of a results' folder, makes both for their owner alone when they are not
    /// there, and brings an older one forward.
    ///
    /// # Errors
    /// [`StoreError::Taken`] when another store is open there; otherwise what is wrong with
    /// the folder or the database.
    pub fn open(folder: &Path, durability: Durability) -> Result<Self, StoreError> {
        Self::open_with(folder, durability, |_| Ok(()))
    }

    /// The same, with a say about the connection; for tests that make it fail.
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
        // SQLite gives the files beside it the same mode.
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

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A reader of what is committed, for use beside this.
    pub fn reader(&self) -> Result<Reader, StoreError> {
        Reader::open(&self.folder)
    }

    /// Writes an attempt and returns when it is committed.
    ///
    /// # Errors
    /// [`StoreError::AlreadyValid`] when a valid attempt at the game is there already,
    /// [`StoreError::Full`] when the disk is; nothing is written then.
    pub fn commit(&self, attempt: Attempt) -> Result<(), StoreError> {
        self.wait(commit_change(vec![attempt])).map(drop)
    }

    /// Hands over an attempt and returns at once; `told` is called, on the store's thread,
    /// after it is committed or has failed as in [`Store::commit`]. It must not block, nor
    /// wait for the store.
    pub fn submit(
        &self,
        attempt: Attempt,
        told: impl FnOnce(Result<(), StoreError>) + Send + 'static,
    ) {
        self.submit_together(vec![attempt], told);
    }

    /// The same with attempts of which all are written or none.
    pub fn submit_together(
        &self,
        attempts: Vec<Attempt>,
        told: impl FnOnce(Result<(), StoreError>) + Send + 'static,
    ) {
        self.order(commit_change(attempts), Box::new(|done| told(done.map(drop))));
    }

    /// Writes attempts of another store as they are, whatever they are worth, each as the next at
    /// its game; all or none.
    pub(super) fn adopt(&self, attempts: Vec<Attempt>) -> Result<usize, StoreError> {
        self.wait(commit_change(attempts))
    }

    /// Takes the valid attempts at some games out of the count: void or surplus, with the
    /// reason. Says how many there were.
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

    /// The same for all games that a machine has played.
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

    /// Takes every damaged record out for good, with a reason: it stays as it is found, and is no
    /// attempt any more. Says how many there were.
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
                // What a changed row says is not where the indices have it.
                connection.execute_batch("REINDEX attempts")
            })?;
            Ok(count)
        }))
    }

    /// Gives every record the checksum of what it is now, for whoever has changed records on purpose.
    /// One that was never written so is told as damaged nevertheless: its moves and its key must fit
    /// what was noted of them.
    pub fn sum_up_anew(&self) -> Result<(), StoreError> {
        self.wait(Box::new(|database| database.run(checksum::put_on_all).map(|()| 0))).map(drop)
    }

    /// Keeps a fact about the tournament under a name, in place of what was there.
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

    /// Keeps rows of the table `meta` in place of what was there, all or none.
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

    /// Adds bots, or replaces what is known of them; all or none.
    pub fn put_bots(&self, bots: Vec<KnownBot>) -> Result<(), StoreError> {
        self.wait(Box::new(move |database| {
            database.run(|connection| bots.iter().map(|bot| bot.put(connection)).sum())
        }))
        .map(drop)
    }

    /// The number of a set of promises, on this machine; added, unless it is known.
    pub fn put_isolation(&self, isolation: &Isolation) -> Result<u32, StoreError> {
        let (isolation, host, kernel) = (isolation.clone(), host_name(), kernel_release());
        self.keep_isolation(KnownIsolation { number: 0, isolation, host, kernel })
    }

    /// The number here of a set of promises on any machine, whatever its number was; added,
    /// unless it is known.
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

    fn wait(&self, change: Change) -> Result<usize, StoreError> {
        let (sender, answer) = channel();
        // Nobody hears the answer only if the thread that waits for it is gone.
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
            // It has panicked only if what it told somebody did; the database is safe.
            let _ = owner.join();
        }
    }
}

fn numbers(connection: &Connection, sql: &str, of: &str) -> rusqlite::Result<Vec<i64>> {
    connection.prepare_cached(sql)?.query_map((of,), |row| row.get(0))?.collect()
}

/// Changes the state of an attempt, which must be what was written until then.
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
