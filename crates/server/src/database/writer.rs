//! Writer thread, the only thread that changes the database.
//!
//! Queued changes share a transaction (group commit), and with it one sync of the disk. Each has
//! its own savepoint, so that a refused change does not affect the others. Answers are sent after
//! the commit.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::mpsc::Receiver;
use tokio::sync::watch;

use super::answer::Queue;
use super::connection::{Handle, Tx};
use super::error::Done;
use super::{Answer, DatabaseError};

/// Maximum number of changes in one transaction.
const MAX_BATCH: usize = 256;

/// Change that runs inside its savepoint and returns a function that sends the answer once the
/// outcome of the transaction is known. Without a transaction it gets the error.
type Change = Box<dyn FnOnce(Result<&Handle, DatabaseError>) -> Finish + Send>;

/// Sends the answer, given the outcome of the commit.
type Finish = Box<dyn FnOnce(Result<(), DatabaseError>)>;

/// Statistics of the writer's transactions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Commits {
    /// Number of transactions.
    pub count: u64,
    /// Total duration, from the beginning to the commit.
    pub total: Duration,
    /// Duration of the slowest.
    pub slowest: Duration,
}

impl Commits {
    fn add(&mut self, took: Duration) {
        self.count += 1;
        self.total += took;
        self.slowest = self.slowest.max(took);
    }
}

/// Handle of the writer thread. Dropping it writes the queued changes and closes the connection.
#[derive(Debug)]
pub(super) struct Writer {
    /// `None` only while dropping.
    queue: Option<Queue<Change>>,
    thread: Option<JoinHandle<()>>,
    commits: Arc<Mutex<Commits>>,
    /// Counter of transactions that changed something.
    changes: watch::Receiver<u64>,
}

impl Writer {
    pub(super) fn start(handle: Handle, length: usize) -> std::io::Result<Self> {
        let (queue, changes) = Queue::new(length);
        let commits = Arc::new(Mutex::new(Commits::default()));
        let counted = Arc::clone(&commits);
        let (changed, seen) = watch::channel(0);
        let serve = move || serve(&handle, changes, &counted, &changed);
        let thread = std::thread::Builder::new().name("season.db".into()).spawn(serve)?;
        Ok(Self { queue: Some(queue), thread: Some(thread), commits, changes: seen })
    }

    /// Statistics of the transactions.
    pub(super) fn commits(&self) -> Commits {
        *self.commits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counter of transactions that changed something.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.clone()
    }

    /// Submits a change. Waits if the queue is full.
    pub(super) fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Tx<'_>) -> Done<T> + Send + 'static,
    ) -> Answer<T> {
        let queue = self.queue.as_ref().expect("only dropping takes it");
        queue.submit(|reply| {
            Box::new(move |handle: Result<&Handle, DatabaseError>| {
                let done = handle.and_then(|handle| in_savepoint(handle, change));
                Box::new(move |committed: Result<(), DatabaseError>| {
                    // Fails only if the answer was dropped.
                    let _ = reply.send(done.and_then(|done| committed.map(|()| done)));
                })
            })
        })
    }

    /// Checkpoints and truncates the write-ahead log, so that it contains no removed data. Readers
    /// may delay it: it is attempted a few times, and again by the next call.
    pub(super) fn checkpoint_log(&self) -> Answer<()> {
        let queue = self.queue.as_ref().expect("only dropping takes it");
        queue.submit(|reply| {
            Box::new(move |handle: Result<&Handle, DatabaseError>| {
                // The transaction of this change must end first.
                let log = handle.map(|handle| handle.path.clone());
                Box::new(move |committed| {
                    let emptied = committed.and(log).and_then(|path| truncate_log(&path));
                    let _ = reply.send(emptied);
                })
            })
        })
    }
}

/// Truncates the log over a separate connection.
fn truncate_log(path: &std::path::Path) -> Result<(), DatabaseError> {
    let handle = Handle::open_to_write(path)?;
    handle.run(|connection| {
        let busy = |_: &rusqlite::Row<'_>| Ok(());
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), busy)
    })
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(thread) = self.thread.take() {
            // Panics of changes are caught.
            let _ = thread.join();
        }
    }
}

fn serve(
    handle: &Handle,
    mut changes: Receiver<Change>,
    commits: &Mutex<Commits>,
    changed: &watch::Sender<u64>,
) {
    let mut batch = Vec::with_capacity(MAX_BATCH);
    while changes.blocking_recv_many(&mut batch, MAX_BATCH) > 0 {
        let mut waiting = std::mem::take(&mut batch).into_iter();
        while waiting.len() > 0 {
            let (began, before) = (Instant::now(), handle.connection.total_changes());
            write(handle, &mut waiting);
            commits.lock().unwrap_or_else(PoisonError::into_inner).add(began.elapsed());
            // Polling for work in vain writes nothing, many times a second.
            if handle.connection.total_changes() > before {
                changed.send_modify(|count| *count += 1);
            }
        }
    }
}

/// Writes changes in one transaction, and answers. A change that fills the disk may end the whole
/// transaction; the remaining ones are left for the next one.
fn write(handle: &Handle, changes: &mut impl Iterator<Item = Change>) {
    let connection = &handle.connection;
    let begun = handle.run(|connection| connection.execute_batch("BEGIN IMMEDIATE"));
    if let Err(error) = begun {
        changes.take(1).for_each(|change| change(Err(error.clone()))(Ok(())));
        return;
    }
    let mut finish = Vec::new();
    for change in changes.by_ref() {
        finish.push(change(Ok(handle)));
        if connection.is_autocommit() {
            break;
        }
    }
    let committed = commit(handle);
    for finish in finish {
        finish(committed.clone());
    }
}

fn commit(handle: &Handle) -> Result<(), DatabaseError> {
    let connection = &handle.connection;
    if connection.is_autocommit() {
        let error = "a change that shared the transaction ended it".into();
        return Err(DatabaseError::Full { path: handle.path.clone(), error });
    }
    let committed = handle.run(|connection| connection.execute_batch("COMMIT"));
    if committed.is_err() && !connection.is_autocommit() {
        // Fails only if SQLite has already rolled back.
        let _ = connection.execute_batch("ROLLBACK");
    }
    committed
}

fn in_savepoint<T>(
    handle: &Handle,
    change: impl FnOnce(&Tx<'_>) -> Done<T>,
) -> Result<T, DatabaseError> {
    let connection = &handle.connection;
    handle.run(|connection| connection.execute_batch("SAVEPOINT one"))?;
    let done = catch_unwind(AssertUnwindSafe(|| change(&Tx::new(connection))));
    let done = match done {
        Ok(done) => done.map_err(|failure| failure.at(&handle.path)),
        Err(_) => Err(DatabaseError::Bug),
    };
    if done.is_ok() {
        handle.run(|connection| connection.execute_batch("RELEASE one"))?;
    } else {
        undo(connection);
    }
    done
}

/// Rolls back a refused change.
fn undo(connection: &Connection) {
    if !connection.is_autocommit() {
        // Fails only if SQLite has already rolled everything back.
        let _ = connection.execute_batch("ROLLBACK TO one; RELEASE one");
    }
}
