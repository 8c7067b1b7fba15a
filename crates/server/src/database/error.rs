//! Errors of the database, with advice.

use std::path::{Path, PathBuf};
use std::time::Duration;

use pitmaster_season::course::WrongEvent;
use pitmaster_store::{FailureKind, words};

use super::passphrase::WeakPassphrase;

/// Reason why an operation failed. A failed operation has written nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseError {
    /// The request is refused; the database works.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The folder cannot be created or used.
    #[error("cannot use the folder {}: {error}; choose another, or see who may write there", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The system's error message.
        error: String,
    },
    /// Another process uses the folder.
    #[error("{} is in use by {owner}; stop that server first", folder.display())]
    Taken {
        /// The folder.
        folder: PathBuf,
        /// Process id and host, as far as they are known.
        owner: String,
    },
    /// The file is not the database of a practice server.
    #[error(
        "{} is not the database of a practice server; move it away, or choose another folder",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The database was written by a newer version.
    #[error(
        "{} was written by a newer Pitmaster (schema {found}, this one knows {known}); use that one, \
         or restore a backup that was made before the upgrade",
        path.display()
    )]
    Newer {
        /// The database.
        path: PathBuf,
        /// Its schema version.
        found: u32,
        /// The newest schema version that this program supports.
        known: u32,
    },
    /// A restore was interrupted, or the database was removed while its log remained.
    #[error(
        "{} is missing, but {} is there; restore a backup with `pitmaster course restore`",
        path.display(),
        left.display()
    )]
    Interrupted {
        /// The missing database.
        path: PathBuf,
        /// Remaining file.
        left: PathBuf,
    },
    /// The file is corrupt.
    #[error(
        "{} is damaged: {error}; stop the server and restore a backup with `pitmaster course restore`",
        path.display()
    )]
    Damaged {
        /// The database.
        path: PathBuf,
        /// Damage that was found.
        error: String,
    },
    /// The disk is full, over quota or failing.
    #[error(
        "cannot write {}: {error}; what was confirmed is safe: make room on the disk and try again",
        path.display()
    )]
    Full {
        /// The database.
        path: PathBuf,
        /// The database's error message.
        error: String,
    },
    /// SQLite failed for another reason.
    #[error(
        "the database {} refused: {error}; see that the file and its folder may be written",
        path.display()
    )]
    Database {
        /// The database.
        path: PathBuf,
        /// The database's error message.
        error: String,
    },
    /// A backup cannot be created, read or trusted.
    #[error("the backup {} cannot be used: {error}; choose another one", path.display())]
    Backup {
        /// The backup.
        path: PathBuf,
        /// Description of the error.
        error: String,
    },
    /// The queue is full.
    #[error("too many requests are waiting; try again in a few seconds")]
    Busy,
    /// The database is closed.
    #[error("the server is stopping; try again in a minute")]
    Closed,
    /// The operation panicked, which is a bug.
    #[error(
        "an operation of the database failed for a reason of its own; see the log, and report it"
    )]
    Bug,
}

impl DatabaseError {
    /// Classifies an error of SQLite.
    pub(super) fn of(path: &Path, error: &rusqlite::Error) -> Self {
        let (path, text) = (path.to_owned(), words(error));
        match FailureKind::of(error) {
            FailureKind::Full => Self::Full { path, error: text },
            FailureKind::Damaged => Self::Damaged { path, error: text },
            FailureKind::Other => Self::Database { path, error: text },
        }
    }

    /// Error of the folder or of a file in it.
    pub(super) fn folder(folder: &Path, error: &std::io::Error) -> Self {
        Self::Folder { folder: folder.to_owned(), error: error.to_string() }
    }
}

/// Reason why a request is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The object does not exist, or does not exist any more.
    #[error("there is no such {0}")]
    Absent(&'static str),
    /// A unique name or number is taken.
    #[error("this {0} is taken; choose another")]
    Exists(&'static str),
    /// A text is empty, too long, or has characters that it must not have.
    #[error("the {what} {why}")]
    Invalid {
        /// The field.
        what: &'static str,
        /// Description of the error.
        why: String,
    },
    /// The invitation code is unknown or was revoked.
    #[error("no invitation has this code; check it, or ask for another")]
    UnknownInvite,
    /// The invitation was redeemed before.
    #[error("this invitation was used already; log in, or ask for another")]
    UsedInvite,
    /// The invitation has expired.
    #[error("this invitation has expired; ask for another")]
    ExpiredInvite,
    /// The passphrase is too easy to guess.
    #[error(transparent)]
    Passphrase(#[from] WeakPassphrase),
    /// The version's state does not allow this.
    #[error(transparent)]
    State(#[from] WrongEvent),
    /// The group exceeds its quota.
    #[error("too often; try again in {} s", wait.as_secs().max(1))]
    Quota {
        /// Time to wait.
        wait: Duration,
    },
    /// The maximum number of objects is reached.
    #[error("there can be at most {limit} {what}")]
    TooMany {
        /// Kind of object, in the plural.
        what: &'static str,
        /// Maximum number.
        limit: u32,
    },
    /// Another worker has the job now, or the job has ended.
    #[error("this lease has ended; drop the result")]
    LeaseLost,
    /// The state of another object forbids the request.
    #[error("{0}")]
    Conflict(&'static str),
}

/// Failure inside an operation, before the database's path is added.
#[derive(Debug)]
pub(super) enum Failure {
    Refused(Refusal),
    Sql(rusqlite::Error),
    Other(DatabaseError),
}

/// Result inside an operation.
pub(super) type Done<T> = Result<T, Failure>;

impl Failure {
    pub(super) fn at(self, path: &Path) -> DatabaseError {
        match self {
            Self::Refused(refusal) => refusal.into(),
            Self::Sql(error) => DatabaseError::of(path, &error),
            Self::Other(error) => error,
        }
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<WrongEvent> for Failure {
    fn from(wrong: WrongEvent) -> Self {
        Self::Refused(wrong.into())
    }
}

impl From<DatabaseError> for Failure {
    fn from(error: DatabaseError) -> Self {
        Self::Other(error)
    }
}
