//! SQLite store of a tournament: `tournament.db` in its results folder.
//!
//! One [`Store`] writes at a time, guarded by a lock that ends with the process. Any number of
//! [`Reader`]s read, also while it writes. An acknowledged commit survives any termination of the
//! program and, with [`Durability::Full`], a power cut. Every record has a checksum that is
//! verified on each read.
//!
//! The crate does not know how games were played.
//!
//! [`Durability::Full`]: pitmaster_tournament::Durability::Full

mod attempt;
mod bots;
mod checksum;
mod columns;
mod database;
mod decisions;
mod error;
mod facts;
mod folder;
mod forget;
mod intact;
mod isolations;
mod listing;
mod lock;
mod log_end;
mod merge;
mod outcome;
mod probe;
mod reader;
mod schema;
#[cfg(test)]
mod tests;
mod writer;
mod writer_thread;

pub use attempt::{Attempt, AttemptState};
pub use bots::{BotState, KnownBot};
pub use columns::Json;
pub use error::{FailureKind, StoreError, words};
pub use facts::{Facts, LocalRun};
#[cfg(target_os = "linux")]
pub use folder::create_unnamed;
pub use folder::{Readers, create_file, is_taken, make_folder, make_subfolder, open_as_folder};
pub use forget::Forgetting;
pub use isolations::{KnownIsolation, kernel_release};
pub use listing::{GamesOf, ListedGame, WinDrawLoss};
pub use lock::{Lock, LockError, host_name};
pub use log_end::{LogEnd, put_log_end};
pub use merge::Merged;
pub use outcome::Outcome;
pub use probe::probe;
pub use reader::{Counts, Damage, Reader, Selection};
pub use schema::SCHEMA_VERSION;
pub use writer::Store;

use std::path::{Path, PathBuf};

/// Path of the database in a results folder.
pub fn database_path(folder: &Path) -> PathBuf {
    folder.join("tournament.db")
}

/// Returns whether a results folder contains a database.
pub fn exists(folder: &Path) -> bool {
    database_path(folder).is_file()
}
