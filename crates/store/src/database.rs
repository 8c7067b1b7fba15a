//! Database connection, with the path that its error messages name.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pitmaster_tournament::Durability;
use rusqlite::{Connection, OpenFlags, Row, ffi};

use super::StoreError;
use super::error::extended_code;

/// Time that a connection waits for another one's lock. Writers never compete. Only opening and
/// recovery after a crash take locks that a reader may meet.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(super) struct Database {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
}

impl Database {
    /// Opens the database for writing, and creates the file if there is none. Writes nothing yet.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        Self::connect(path, path, to_write())
    }

    /// Enables the write-ahead log, and sets how long a commit waits for the disk.
    pub(super) fn prepare(&self, durability: Durability) -> Result<(), StoreError> {
        let read = |row: &Row<'_>| row.get::<_, String>(0);
        let mode = self.run(|c| c.pragma_update_and_check(None, "journal_mode", "WAL", read))?;
        if mode != "wal" {
            let error = format!("it has no write-ahead log (journal mode {mode})");
            return Err(StoreError::Database { path: self.path.clone(), error });
        }
        let synchronous = match durability {
            Durability::Normal => "NORMAL",
            Durability::Full => "FULL",
        };
        self.run(|c| c.pragma_update(None, "synchronous", synchronous))
    }

    /// Opens the database for reading. SQLite writes next to the file even then. If the folder is
    /// write-protected and nobody is writing, the file is treated as immutable.
    pub(super) fn open_to_read(path: &Path) -> Result<Self, StoreError> {
        let database = Self::connect(path, path, read_only())?;
        match database.touch() {
            Err(error) if is_protected(&error) && !has_log(path) => Self::open_unchangeable(path),
            Err(error) => Err(StoreError::of(path, &error)),
            Ok(()) => Ok(database),
        }
    }

    pub(super) fn open_unchangeable(path: &Path) -> Result<Self, StoreError> {
        let uri = PathBuf::from(format!("file:{}?immutable=1", escaped(path)));
        Self::connect(&uri, path, read_only() | OpenFlags::SQLITE_OPEN_URI)
    }

    fn connect(target: &Path, path: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        let connect = || {
            let connection = Connection::open_with_flags(target, flags)?;
            connection.busy_timeout(PATIENCE)?;
            Ok(connection)
        };
        match connect() {
            Ok(connection) => Ok(Self { connection, path: path.to_owned() }),
            Err(error) => Err(StoreError::of(path, &error)),
        }
    }

    /// Runs an operation on the connection and adds the path to its error.
    pub(super) fn run<T>(
        &self,
        job: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        job(&self.connection).map_err(|error| StoreError::of(&self.path, &error))
    }

    /// Runs an operation in a transaction.
    pub(super) fn transaction<T>(
        &self,
        job: impl FnOnce() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.run(|connection| connection.execute_batch("BEGIN IMMEDIATE"))?;
        let done = job().and_then(|done| {
            self.run(|connection| connection.execute_batch("COMMIT"))?;
            Ok(done)
        });
        if done.is_err() && !self.connection.is_autocommit() {
            // Fails only if SQLite has already rolled back.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        done
    }

    /// Reads a value, because opening alone does not access the file.
    fn touch(&self) -> rusqlite::Result<()> {
        self.connection.query_row("SELECT count(*) FROM sqlite_schema", (), |_| Ok(()))
    }
}

/// Flags without URIs: a folder may be called `file:x`.
fn to_write() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

fn read_only() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

fn is_protected(error: &rusqlite::Error) -> bool {
    let code = extended_code(error).map(|code| code & 0xff);
    matches!(code, Some(ffi::SQLITE_READONLY | ffi::SQLITE_CANTOPEN))
}

/// Whether there is a non-empty write-ahead log, which must not be ignored.
fn has_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(log).is_ok_and(|log| log.len() > 0)
}

/// A path escaped for a URI.
fn escaped(path: &Path) -> String {
    let mut text = String::new();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' => text.push(char::from(*byte)),
            byte if byte.is_ascii_alphanumeric() => text.push(char::from(*byte)),
            byte => {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}
