//! `season.db`: accounts, sessions, groups, versions, jobs and the audit log of a practice server.
//!
//! One [`Database`] is open at a time per folder, guarded by a lock that ends with the process. One
//! thread writes, four read; an operation is submitted at once and gives an [`Answer`], a future
//! that also can be waited for without an async runtime. There is no SQL outside this module.
//!
//! # What survives
//! A change is confirmed after it is committed with a sync of the disk (`synchronous=FULL`), so that
//! what was confirmed survives any end of the process, and a power cut if the disk keeps its word.
//! Only when a session or a token was last seen is written without anybody waiting, and a crash may
//! lose the last minute of it.
//!
//! # Who decides
//! What a person decides is written by functions that take an [`Act`]; its line of the audit log is
//! in the same transaction. What may be seen is looked up as
//! [`Guarded`](pitmaster_season::course::Guarded) and stays closed until a permission opens it.

mod answer;
mod asks;
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
pub use asks::{Ask, AskState, NewAsk, Opponent};
pub use audit::{Act, AuditLine, By, Deed, Target};
pub use backup::{BACKUPS, Restored, restore};
pub use bots::{BOTS_OF_A_GROUP, Bot};
pub use courses::{Course, CourseSettings};
pub use deadlines::{DeadlineRow, DeadlineSettings, FrozenVersion};
pub use error::{DatabaseError, Refusal};
pub use final_runs::{FinalRun, FinalState};
pub use grades::{Publication, PublishedGrade};
pub use groups::{Group, Member};
pub use import::{IMPORT, ImportRow, Imported};
pub use invites::{Invitation, NewInvite, Newcomer};
pub use jobs::{
    Examinations, Job, JobKind, JobState, Lease, NewJob, Outcome, Progress, QueueState,
};
pub use ladders::{Ladder, LadderState};
pub use login::Login;
pub use notes::Note;
pub use own::{OwnState, OwnVersion};
pub use passphrase::{HashCost, Passphrase, WeakPassphrase};
pub use people::{NewPerson, Person};
pub use schema::SCHEMA_VERSION;
pub use secret::{InviteCode, SecretError, SessionSecret, TokenSecret};
pub use sessions::{SESSION_ABSOLUTE, SESSION_IDLE, Session};
pub use throttle::{FREE_TRIES, LONGEST_BLOCK};
pub use tokens::{NewToken, Token, TokenActor};
pub use versions::{NewVersion, Received, Step, Upload, Version, Via};

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pitmaster_season::course::Utc;
use pitmaster_store::{Lock, LockError, Readers, make_folder};
use tokio::sync::watch;

use audit::Line;
use connection::{Handle, Tx, View};
use error::Done;
use passphrase::Hashers;
use pool::Pool;
pub use writer::Commits;
use writer::Writer;

/// Number of connections that read.
const READERS: usize = 4;

/// Number of operations that may wait for the writer, and for the readers.
const WAITING: usize = 1024;

/// Path of the database in a course's folder.
pub fn database_path(folder: &Path) -> PathBuf {
    folder.join("season.db")
}

/// An open database. Clones share it; the last one closes it.
#[derive(Debug, Clone)]
pub struct Database(Arc<Parts>);

/// In the order in which they are closed: the writer's connection last, because the last one that
/// is closed empties the log into the database, which a reader cannot.
#[derive(Debug)]
struct Parts {
    readers: Pool<Handle>,
    hashers: Hashers,
    writer: Writer,
    folder: PathBuf,
    _lock: Lock,
}

impl Database {
    /// Opens the database of a folder. A missing folder or database is created for its owner alone;
    /// an older database is backed up and migrated.
    ///
    /// # Errors
    /// [`DatabaseError::Taken`] if another process has it, otherwise an error of the folder or the
    /// database.
    pub fn open(folder: &Path, cost: HashCost, now: Utc) -> Result<Self, DatabaseError> {
        Self::open_with(folder, cost, now, |_| Ok(()))
    }

    /// Opens a database with a hook for the writer's connection, for tests that make it fail.
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

    /// Opens the database of a folder whose lock was taken.
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
        let readers = (0..READERS).map(|_| Handle::open_to_read(&path));
        let readers: Vec<_> = readers.collect::<Result<_, _>>()?;
        Ok(Self(Arc::new(Parts {
            writer: Writer::start(handle, WAITING).map_err(cannot)?,
            readers: Pool::start("season.db reader", WAITING, readers).map_err(cannot)?,
            hashers: Hashers::start(cost)?,
            folder: folder.to_owned(),
            _lock: lock,
        })))
    }

    /// The folder of the database.
    pub fn folder(&self) -> &Path {
        &self.0.folder
    }

    /// Transactions of the writer so far.
    pub fn commits(&self) -> Commits {
        self.0.writer.commits()
    }

    /// Number of transactions that changed something, as it grows: for whoever waits for a change.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.0.writer.changes()
    }

    /// Reads, in one snapshot of what is committed.
    fn read<T: Send + 'static>(
        &self,
        job: impl FnOnce(&View<'_>) -> Done<T> + Send + 'static,
    ) -> Answer<T> {
        self.0.readers.run(move |handle| handle.view(job))
    }

    /// Writes what somebody decided, together with its line of the audit log.
    fn act<T: Send + 'static>(
        &self,
        act: Act,
        change: impl FnOnce(&Tx<'_>) -> Done<(T, Line)> + Send + 'static,
    ) -> Answer<T> {
        self.act_by(act.at, act.address, move |tx| {
            let (done, line) = change(tx)?;
            Ok((done, act.by, line))
        })
    }

    /// As [`Database::act`], for a change that first finds out who acts.
    fn act_by<T: Send + 'static>(
        &self,
        at: Utc,
        address: Option<IpAddr>,
        change: impl FnOnce(&Tx<'_>) -> Done<(T, By, Line)> + Send + 'static,
    ) -> Answer<T> {
        self.0.writer.write(move |tx| {
            let (done, by, line) = change(tx)?;
            line.write(tx, &Act { by, at, address })?;
            Ok(done)
        })
    }

    /// Writes what happens by itself: progress of jobs, what was seen when, tries to log in. What a
    /// person decides goes through [`Database::act`].
    fn keep<T: Send + 'static>(
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

/// Opens the database for writing, and creates it where none is or was.
fn create(folder: &Path, path: &Path) -> Result<Handle, DatabaseError> {
    let cannot = |error: std::io::Error| DatabaseError::folder(folder, &error);
    if path.symlink_metadata().is_ok() && !path.is_file() {
        return Err(DatabaseError::Foreign { path: path.to_owned() });
    }
    // SQLite would take an empty database for a new one, and drop a log beside it.
    let is_new = path.metadata().map_or(true, |file| file.len() == 0);
    if is_new && let Some(left) = backup::left_behind(folder) {
        return Err(DatabaseError::Interrupted { path: path.to_owned(), left });
    }
    if is_new {
        // SQLite gives the files beside it the same mode.
        backup::create_private(path).map_err(cannot)?;
        backup::sync_folder(folder)?;
    }
    let handle = Handle::open_to_write(path)?;
    schema::require_ours(&handle)?;
    backup::remove_unfinished(folder)?;
    Ok(handle)
}
