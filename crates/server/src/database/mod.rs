//! `season.db`: accounts, sessions, groups, versions, jobs and the audit log of a practice server.
//!
//! A folder has at most one open [`Database`], guarded by a lock that ends with the process. One
//! thread writes and four read. Operations are submitted immediately and return an [`Answer`], a
//! future that can also be awaited without an async runtime. All SQL is in this module.
//!
//! # Durability
//! A change is confirmed after it is committed with a sync of the disk (`synchronous=FULL`).
//! Confirmed changes survive any end of the process, and a power cut if the disk honors the sync.
//! The exception is the last use of a session or token, which nobody waits for. A crash may lose
//! the last minute of it.
//!
//! # Permissions
//! Functions that write a person's decision take an [`Act`] and write an entry of the audit log in
//! the same transaction. Lookups return [`Guarded`](pitmaster_season::course::Guarded) objects,
//! which a permission must open.

mod answer;
mod audit;
mod backup;
mod bots;
mod columns;
mod connection;
mod courses;
mod deadlines;
#[cfg(test)]
pub(crate) mod dump;
mod erase;
mod error;
mod field;
mod final_runs;
mod game_requests;
mod grades;
mod groups;
mod import;
mod invites;
mod jobs;
mod ladders;
mod login;
mod notes;
mod own;
mod passphrase;
mod people;
mod pool;
mod schema;
mod secret;
mod sessions;
#[cfg(test)]
mod tests;
mod throttle;
mod tokens;
mod versions;
mod writer;

pub use answer::{Answer, wait};
pub use audit::{Act, AuditAction, AuditEntry, By, Target};
pub use backup::{BACKUPS, Restored, restore};
pub use bots::{Bot, MAX_BOTS_PER_GROUP};
pub use courses::{Course, CourseSettings};
pub use deadlines::{DeadlineRow, DeadlineSettings, FrozenVersion};
pub use error::{DatabaseError, Refusal};
pub use final_runs::{FinalRun, FinalState};
pub use game_requests::{GameRequest, GameRequestState, NewGameRequest, Opponent, RequestedBot};
pub use grades::{Publication, PublishedGrade};
pub use groups::{Group, Member};
pub use import::{ImportRow, Imported, MAX_IMPORT_ROWS};
pub use invites::{Invitation, NewInvite, Newcomer};
pub use jobs::{Examinations, Job, JobKind, JobState, Lease, Outcome, Progress, QueueState};
pub use ladders::{Ladder, LadderState};
pub use login::Login;
pub use notes::Note;
pub use own::{OwnState, OwnVersion};
pub use passphrase::{HashCost, Passphrase, WeakPassphrase};
pub use people::{NewPerson, Person};
pub use schema::SCHEMA_VERSION;
pub use secret::{InviteCode, SecretError, SessionSecret, TokenSecret};
pub use sessions::{SESSION_ABSOLUTE, SESSION_IDLE, Session};
pub use throttle::{FREE_ATTEMPTS, LONGEST_BLOCK};
pub use tokens::{NewToken, Token, TokenActor};
pub use versions::{NewVersion, Received, Step, Upload, Version, Via};

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pitmaster_season::course::Utc;
use pitmaster_store::{Lock, LockError, Readers, make_folder};
use tokio::sync::watch;

use audit::NewAuditEntry;
use connection::{Handle, Tx, View};
use error::Done;
use passphrase::Hashers;
use pool::Pool;
pub use writer::Commits;
use writer::Writer;

/// Number of reader threads, each with its own connection.
const READER_THREADS: usize = 4;

/// Capacity of the writer's queue and of the readers' queue.
const QUEUE_CAPACITY: usize = 1024;

/// Path of the database in a course's folder.
pub fn database_path(folder: &Path) -> PathBuf {
    folder.join("season.db")
}

/// Open database. Clones share it, and dropping the last one closes it.
#[derive(Debug, Clone)]
pub struct Database(Arc<Parts>);

/// Fields in closing order. The writer's connection is last, because the last connection
/// checkpoints the log, which a reader cannot.
#[derive(Debug)]
struct Parts {
    readers: Pool<Handle>,
    hashers: Hashers,
    writer: Writer,
    folder: PathBuf,
    _lock: Lock,
}

impl Database {
    /// Opens the database of a folder. A missing folder or database is created, accessible only to
    /// its owner. An older database is backed up and migrated.
    ///
    /// # Errors
    /// [`DatabaseError::Taken`] if another process has it, otherwise an error of the folder or the
    /// database.
    pub fn open(folder: &Path, cost: HashCost, now: Utc) -> Result<Self, DatabaseError> {
        Self::open_with(folder, cost, now, |_| Ok(()))
    }

    /// Opens a database with a hook for the writer's connection, which tests use to inject
    /// failures.
    fn open_with(
        folder: &Path,
        cost: HashCost,
        now: Utc,
        prepare: impl FnOnce(&Handle) -> Result<(), DatabaseError>,
    ) -> Result<Self, DatabaseError> {
        let made = make_folder(folder, Readers::Owner);
        made.map_err(|error| DatabaseError::folder(folder, &error))?;
        Self::open_locked(folder, take_lock(folder)?, cost, now, prepare)
    }

    /// Opens the database of a folder with a held lock.
    fn open_locked(
        folder: &Path,
        lock: Lock,
        cost: HashCost,
        now: Utc,
        prepare: impl FnOnce(&Handle) -> Result<(), DatabaseError>,
    ) -> Result<Self, DatabaseError> {
        let cannot = |error: std::io::Error| DatabaseError::folder(folder, &error);
        let path = database_path(folder);
        let handle = create(folder, &path)?;
        handle.prepare()?;
        schema::migrate(&handle, folder, now)?;
        prepare(&handle)?;
        let readers = (0..READER_THREADS).map(|_| Handle::open_to_read(&path));
        let readers: Vec<_> = readers.collect::<Result<_, _>>()?;
        Ok(Self(Arc::new(Parts {
            writer: Writer::start(handle, QUEUE_CAPACITY).map_err(cannot)?,
            readers: Pool::start("season.db reader", QUEUE_CAPACITY, readers).map_err(cannot)?,
            hashers: Hashers::start(cost)?,
            folder: folder.to_owned(),
            _lock: lock,
        })))
    }

    /// Folder of the database.
    pub fn folder(&self) -> &Path {
        &self.0.folder
    }

    /// Transactions of the writer thread so far.
    pub fn commits(&self) -> Commits {
        self.0.writer.commits()
    }

    /// Counter of transactions that changed something, for code that waits for changes.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.0.writer.changes()
    }

    /// Runs reads in one snapshot of the committed state.
    fn read<T: Send + 'static>(
        &self,
        job: impl FnOnce(&View<'_>) -> Done<T> + Send + 'static,
    ) -> Answer<T> {
        self.0.readers.run(move |handle| handle.view(job))
    }

    /// Writes a decision together with its entry of the audit log.
    fn act<T: Send + 'static>(
        &self,
        act: Act,
        change: impl FnOnce(&Tx<'_>) -> Done<(T, NewAuditEntry)> + Send + 'static,
    ) -> Answer<T> {
        self.act_by(act.at, act.address, move |tx| {
            let (done, entry) = change(tx)?;
            Ok((done, act.by, entry))
        })
    }

    /// Like [`Database::act`], for a change that first determines the actor.
    fn act_by<T: Send + 'static>(
        &self,
        at: Utc,
        address: Option<IpAddr>,
        change: impl FnOnce(&Tx<'_>) -> Done<(T, By, NewAuditEntry)> + Send + 'static,
    ) -> Answer<T> {
        self.0.writer.write(move |tx| {
            let (done, by, entry) = change(tx)?;
            entry.write(tx, &Act { by, at, address })?;
            Ok(done)
        })
    }

    /// Writes without an audit entry: progress of jobs, last uses, login attempts. A person's
    /// decisions go through [`Database::act`].
    fn write_unaudited<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Tx<'_>) -> Done<T> + Send + 'static,
    ) -> Answer<T> {
        self.0.writer.write(change)
    }
}

fn take_lock(folder: &Path) -> Result<Lock, DatabaseError> {
    Lock::take_file(&folder.join("season.lock")).map_err(|error| match error {
        LockError::Taken(owner) => DatabaseError::Taken { folder: folder.to_owned(), owner },
        LockError::Unfit(error) => DatabaseError::folder(folder, &error),
    })
}

/// Opens the database for writing, or creates it if there is and was none.
fn create(folder: &Path, path: &Path) -> Result<Handle, DatabaseError> {
    let cannot = |error: std::io::Error| DatabaseError::folder(folder, &error);
    if path.symlink_metadata().is_ok() && !path.is_file() {
        return Err(DatabaseError::Foreign { path: path.to_owned() });
    }
    // SQLite would treat an empty file as a new database and discard the log next to it.
    let is_new = path.metadata().map_or(true, |file| file.len() == 0);
    if is_new && let Some(left) = backup::remnant(folder) {
        return Err(DatabaseError::Interrupted { path: path.to_owned(), left });
    }
    if is_new {
        // SQLite gives the accompanying files the same mode.
        backup::create_private(path).map_err(cannot)?;
        backup::sync_folder(folder)?;
    }
    let handle = Handle::open_to_write(path)?;
    schema::require_ours(&handle)?;
    backup::remove_unfinished(folder)?;
    Ok(handle)
}
