//! Results folder: read permissions, and detection of results that have lost their database.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use super::{StoreError, database_path};

/// Files in the folder that are derived from a database. If one exists, there was a database.
const MADE_OF_IT: [&str; 7] = [
    "games.csv",
    "moves.jsonl",
    "leaderboard.csv",
    "crosstable.csv",
    "timing.csv",
    "report.html",
    "log.jsonl",
];

/// The write-ahead log with committed games that are not yet in the database file. SQLite drops
/// them when it recreates the database.
const LOG: &str = "tournament.db-wal";

/// Users who may read files in a new folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// The owner only.
    Owner,
    /// Users permitted by the umask.
    ByUmask,
}

/// Creates a results folder. An existing folder is not changed. Parent folders are created by the
/// umask.
///
/// # Errors
/// The system's error.
pub fn make_folder(folder: &Path, readers: Readers) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(parent) = folder.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        fs::create_dir_all(parent)?;
    }
    let mut builder = fs::DirBuilder::new();
    if readers == Readers::Owner {
        builder.mode(0o700);
    }
    match builder.create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        made => made,
    }
}

/// Creates a file for writing. In a private folder, the file is private too, even after it is
/// copied elsewhere. Otherwise the umask decides.
///
/// # Errors
/// The system's error.
pub fn create_file(path: &Path) -> io::Result<File> {
    open_as_folder(path, OpenOptions::new().write(true).create(true).truncate(true))
}

/// Opens a file. If that creates it, others can read it only if they can read its folder.
///
/// # Errors
/// The system's error.
pub fn open_as_folder(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    if is_closed(path.parent().unwrap_or(Path::new("."))) {
        options.mode(0o600);
    }
    options.open(path)
}

/// Creates an unnamed file, which vanishes when it is closed unless it gets a name. Others can read
/// it only if they can read its folder.
///
/// # Errors
/// The system's error. Some file systems do not support such files.
#[cfg(target_os = "linux")]
pub fn create_unnamed(folder: &Path) -> io::Result<File> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let flags = rustix::fs::OFlags::TMPFILE.bits().cast_signed();
    let mut options = OpenOptions::new();
    options.write(true).custom_flags(flags);
    if is_closed(folder) {
        options.mode(0o600);
    }
    options.open(folder)
}

/// Permissions of the group and of others.
const OTHERS: u32 = 0o077;

/// Creates a folder. Others can enter it only if they can enter the folder around it.
///
/// # Errors
/// The system's error.
pub fn make_subfolder(path: &Path) -> io::Result<()> {
    if is_closed(path.parent().unwrap_or(Path::new("."))) {
        return make_folder(path, Readers::Owner);
    }
    make_folder(path, Readers::ByUmask)
}

/// Returns whether only the owner can access a folder.
fn is_closed(folder: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.metadata().is_ok_and(|meta| meta.permissions().mode() & OTHERS == 0)
}

/// Returns whether a folder contains anything that a new tournament would overwrite.
pub fn is_taken(folder: &Path) -> bool {
    database_path(folder).symlink_metadata().is_ok() || !left_behind(folder).is_empty()
}

/// Checks that the database's path, if it exists, is a regular file.
pub(super) fn require_file(folder: &Path) -> Result<(), StoreError> {
    let path = database_path(folder);
    if path.symlink_metadata().is_ok() && !path.is_file() {
        return Err(StoreError::NotAFile { path });
    }
    Ok(())
}

/// Checks that there are no results without a database, before a missing or empty database is
/// created.
pub(super) fn require_no_orphans(folder: &Path) -> Result<(), StoreError> {
    match database_path(folder).metadata() {
        Err(_) => refuse_orphans(folder, "no tournament.db"),
        Ok(file) if file.len() == 0 => refuse_orphans(folder, "tournament.db is empty"),
        Ok(_) => Ok(()),
    }
}

/// Refuses results without a database, for a database that turned out to be empty.
pub(super) fn refuse_orphans(folder: &Path, what: &str) -> Result<(), StoreError> {
    let files = left_behind(folder);
    if files.is_empty() {
        return Ok(());
    }
    Err(StoreError::Orphaned { folder: folder.to_owned(), files, what: what.to_owned() })
}

fn left_behind(folder: &Path) -> Vec<String> {
    let is_there = |name: &&str| folder.join(name).symlink_metadata().is_ok();
    let log = folder.join(LOG).metadata().is_ok_and(|log| log.len() > 0).then_some(LOG);
    MADE_OF_IT.into_iter().filter(is_there).chain(log).map(str::to_owned).collect()
}
