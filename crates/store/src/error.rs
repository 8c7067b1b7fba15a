//! Store errors, each with what to do about it.

use std::path::{Path, PathBuf};

use pitmaster_core::GameId;
use rusqlite::ffi;

use super::checksum::Altered;

/// Reason why a store operation failed. It contains plain text, so that one failure of the database
/// can be reported to all waiting callers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The folder cannot be created or used.
    #[error("cannot use the folder {}: {error}; choose another with --out", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The system's error message.
        error: String,
    },
    /// The folder's file system cannot hold a database.
    #[error(
        "the file system of {} cannot hold a database: {error}; choose a folder on a local disk with --out",
        folder.display()
    )]
    Unfit {
        /// The folder.
        folder: PathBuf,
        /// The attempted operation and the system's error message.
        error: String,
    },
    /// Another process is writing there.
    #[error(
        "{} is being written by {owner}; wait for its end, or start beside it with --fresh",
        folder.display()
    )]
    Taken {
        /// The folder.
        folder: PathBuf,
        /// Process and host of the writer, as far as they are known.
        owner: String,
    },
    /// There is no database.
    #[error(
        "there are no results in {}; check the path, or play the tournament first",
        folder.display()
    )]
    Missing {
        /// The folder that was searched.
        folder: PathBuf,
    },
    /// A database of another program.
    #[error(
        "{} is not a database of Pitmaster; move it away, or choose another folder with --out",
        path.display()
    )]
    Foreign {
        /// Path of the database.
        path: PathBuf,
    },
    /// Written by a newer version.
    #[error(
        "{} was written by a newer Pitmaster (schema {found}, this one knows {known}); use that one",
        path.display()
    )]
    Newer {
        /// Path of the database.
        path: PathBuf,
        /// Schema version of the database.
        found: u32,
        /// The newest schema version that this program supports.
        known: u32,
    },
    /// Written by an older version, and read-only access cannot migrate it.
    #[error(
        "{} was written by an older Pitmaster (schema {found}); `pitmaster run` brings it forward",
        path.display()
    )]
    Older {
        /// Path of the database.
        path: PathBuf,
        /// Schema version of the database.
        found: u32,
    },
    /// The file is damaged.
    #[error(
        "{} is damaged: {error}; put a copy of it back, or start beside it with --fresh",
        path.display()
    )]
    Damaged {
        /// Path of the database.
        path: PathBuf,
        /// The damage that was found.
        error: String,
    },
    /// The record of a game was altered.
    #[error(
        "{} is damaged: the record of game {game} is not what was written; put a copy of the \
         database back, or take damaged records out with `pitmaster void {} --damaged` and play \
         their games again",
        path.display(),
        path.parent().unwrap_or(Path::new(".")).display()
    )]
    Altered {
        /// Path of the database.
        path: PathBuf,
        /// Id of the game in its row.
        game: String,
    },
    /// Results exist without their database.
    #[error(
        "{} holds results ({}), but {what}: put the database back from a copy; to play anew, \
         choose another folder, or start beside it with --fresh",
        folder.display(),
        files.join(", ")
    )]
    Orphaned {
        /// The folder.
        folder: PathBuf,
        /// Names of the files that would be lost.
        files: Vec<String>,
        /// Description of the file that exists instead of a database.
        what: String,
    },
    /// The database's path is not a regular file.
    #[error(
        "{} is no file, so it can be no database; move it away, put the database back from a copy, \
         or choose another folder",
        path.display()
    )]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// The disk is full, over its quota, or fails.
    #[error(
        "cannot write {}: {error}; what was finished is safe: make room on the disk and run again",
        path.display()
    )]
    Full {
        /// Path of the file.
        path: PathBuf,
        /// The database's error message.
        error: String,
    },
    /// The game has already been played and counts.
    #[error("game {id} is already there; set the old attempt aside before another can count")]
    AlreadyValid {
        /// Id of the game.
        id: GameId,
    },
    /// The database refused for another reason.
    #[error(
        "the database {} refused: {error}; see that the file may be written, and run again",
        path.display()
    )]
    Database {
        /// Path of the database.
        path: PathBuf,
        /// The database's error message.
        error: String,
    },
    /// The store's writer thread has ended.
    #[error("the store is closed; run again to go on from what was finished")]
    Closed,
}

impl StoreError {
    /// Converts a failure of SQLite.
    pub(super) fn of(path: &Path, error: &rusqlite::Error) -> Self {
        let (path, text) = (path.to_owned(), words(error));
        if let Some(Altered { game }) = altered(error) {
            return Self::Altered { path, game };
        }
        match FailureKind::of(error) {
            FailureKind::Full => Self::Full { path, error: text },
            FailureKind::Damaged => Self::Damaged { path, error: text },
            FailureKind::Other => Self::Database { path, error: text },
        }
    }

    /// Returns the same error if the disk is full, otherwise an error about an unfit folder.
    pub(super) fn or_unfit(self, folder: &Path) -> Self {
        match self {
            Self::Full { .. } | Self::Unfit { .. } => self,
            Self::Database { error, .. } | Self::Damaged { error, .. } => {
                Self::Unfit { folder: folder.to_owned(), error }
            }
            other => Self::Unfit { folder: folder.to_owned(), error: other.to_string() },
        }
    }
}

/// Kind of a failure of SQLite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The disk is full, over its quota, or fails.
    Full,
    /// The file is damaged.
    Damaged,
    /// Any other failure.
    Other,
}

impl FailureKind {
    /// Kind of a failure.
    pub fn of(error: &rusqlite::Error) -> Self {
        match extended_code(error) {
            Some(code) if is_full(code) => Self::Full,
            Some(code) if matches!(code & 0xff, ffi::SQLITE_CORRUPT | ffi::SQLITE_NOTADB) => {
                Self::Damaged
            }
            None if is_unreadable(error) => Self::Damaged,
            _ => Self::Other,
        }
    }
}

pub(super) fn extended_code(error: &rusqlite::Error) -> Option<i32> {
    error.sqlite_error().map(|error| error.extended_code)
}

/// A full disk is `SQLITE_FULL`. An exceeded quota, a failing disk and a shared memory file that
/// cannot grow are failed writes.
fn is_full(code: i32) -> bool {
    code & 0xff == ffi::SQLITE_FULL
        || matches!(
            code,
            ffi::SQLITE_IOERR_WRITE
                | ffi::SQLITE_IOERR_FSYNC
                | ffi::SQLITE_IOERR_TRUNCATE
                | ffi::SQLITE_IOERR_SHMSIZE
                | ffi::SQLITE_IOERR_SHMMAP
        )
}

/// User-facing part of a failure's message.
pub fn words(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::FromSqlConversionFailure(_, _, why) => why.to_string(),
        other => other.to_string(),
    }
}

fn altered(error: &rusqlite::Error) -> Option<Altered> {
    match error {
        rusqlite::Error::FromSqlConversionFailure(_, _, why) => why.downcast_ref().cloned(),
        _ => None,
    }
}

fn is_unreadable(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::Utf8Error(..)
    )
}
