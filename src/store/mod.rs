//! The database of a tournament: `tournament.db` in its results' folder, SQLite.
//!
//! This room must not know how a game was played; it keeps what was played.
//!
//! A [`Store`] writes and there is one at a time, held by a lock that ends with the process.
//! A [`Reader`] reads, beside it or when nobody writes. What a commit was acknowledged for
//! survives the end of the program, however sudden; with [`Durability::Full`] also a power
//! cut.
//!
//! Every record has a checksum, which is compared whenever it is read.
//!
//! [`Durability::Full`]: crate::tournament::Durability::Full

mod attempt;
mod bots;
mod checksum;
mod columns;
mod database;
mod decisions;
mod error;
mod folder;
mod isolations;
mod lock;
mod merge;
mod owner;
mod probe;
mod reader;
mod schema;
#[cfg(test)]
mod tests;
mod writer;

pub use attempt::{Attempt, AttemptState};
pub use bots::{BotState, KnownBot};
pub use error::StoreError;
pub use folder::{Readers, create_file, is_taken, make_folder};
pub use isolations::{KnownIsolation, kernel_release};
pub use lock::host_name;
pub use merge::Merged;
pub use probe::probe;
pub use reader::{Counts, Damage, Reader};
pub use schema::SCHEMA_VERSION;
pub use writer::Store;

use std::path::{Path, PathBuf};

/// The database in a results' folder.
pub fn database_path(folder: &Path) -> PathBuf {
    folder.join("tournament.db")
}

/// Whether a results' folder holds a database.
pub fn exists(folder: &Path) -> bool {
    database_path(folder).is_file()
}
