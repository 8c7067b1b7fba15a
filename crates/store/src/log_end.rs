//! End of the audit log, stored in the database to detect truncation.

use std::path::Path;

use rusqlite::params;
use serde::{Deserialize, Serialize};

use super::columns::Json;
use super::database::Database;
use super::{Reader, StoreError, database_path, schema};

const KEY: &str = "log end";

/// The last line of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEnd {
    /// Number of the line, from 1.
    pub line: u64,
    /// Hash of the line.
    pub hash: String,
}

impl Reader {
    /// The end of the log; `None` if the log is empty.
    pub fn log_end(&self) -> Result<Option<LogEnd>, StoreError> {
        self.meta(KEY)
    }
}

/// Stores the end of the log of a results folder. It needs no [`Store`](super::Store), because
/// read-only commands are logged too, even while a run writes.
///
/// # Errors
/// The database cannot be written, or is not of this version.
pub fn put_log_end(folder: &Path, end: &LogEnd) -> Result<(), StoreError> {
    let database = Database::open(&database_path(folder))?;
    schema::require_current(&database)?;
    let put = "INSERT INTO meta (key, value) VALUES (?1, ?2)
               ON CONFLICT (key) DO UPDATE SET value = ?2";
    database.run(|connection| connection.execute(put, params![KEY, Json(end)]).map(drop))
}
