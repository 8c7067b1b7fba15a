//! Results folder: read permissions, and detection of results that have lost their database.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

use super::{StoreError, database_path};

/// Files that are made from a database, in its folder. Where one of them is, there was a database.
const MADE_OF_IT: [&str; 6] =
    ["games.csv", "moves.jsonl", "leaderboard.csv", "crosstable.csv", "timing.csv", "report.html"];

/// Games that were committed and are not yet in the database itself. SQLite drops them when it
/// makes the database anew.
const LOG: &str = "tournament.db-wal";

/// Who may read what is made in a new folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Whoever made it.
    Owner,
    /// Whom the umask of this process lets.
    ByUmask,
}

/// Makes a results' folder, unless it is there: one that is there stays as it is. The folders
/// above it are made as the umask has it.
///
/// # Errors
/// The system's own.
pub fn make_folder(folder: &Path, readers: Readers) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(parent) = folder.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        fs::create_dir_all(parent)?;
    }
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    if readers == Readers::Owner {
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    }
    match builder.create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        made => made,
    }
}

/// Makes a file anew, for writing. It is its owner's alone in a folder that is closed to others:
/// copied elsewhere, it stays so. In another folder the umask decides.
///
/// # Errors
/// The system's own.
pub fn create_file(path: &Path) -> io::Result<File> {
    open_as_folder(path, OpenOptions::new().write(true).create(true).truncate(true))
}

/// Opens a file; if that makes it, it can be read by others only where its folder can.
pub(super) fn open_as_folder(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    if is_closed(path.parent().unwrap_or(Path::new("."))) {
        std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    }
    options.open(path)
}

/// What a mode lets others do, the group included.
#[cfg(unix)]
const OTHERS: u32 = 0o077;

/// Whether a folder is its owner's alone.
#[cfg(unix)]
fn is_closed(folder: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.metadata().is_ok_and(|meta| meta.permissions().mode() & OTHERS == 0)
}

/// Whether there is anything in a folder that a new tournament would write over.
pub fn is_taken(folder: &Path) -> bool {
    database_path(folder).symlink_metadata().is_ok() || !left_behind(folder).is_empty()
}

/// That what has the database's name can be one, if anything has it.
pub(super) fn require_file(folder: &Path) -> Result<(), StoreError> {
    let path = database_path(folder);
    if path.symlink_metadata().is_ok() && !path.is_file() {
        return Err(StoreError::NotAFile { path });
    }
    Ok(())
}

/// That no results are there without a database: before one is made where there is none, or only
/// an empty file.
pub(super) fn require_no_orphans(folder: &Path) -> Result<(), StoreError> {
    match database_path(folder).metadata() {
        Err(_) => refuse_orphans(folder, "no tournament.db"),
        Ok(file) if file.len() == 0 => refuse_orphans(folder, "tournament.db is empty"),
        Ok(_) => Ok(()),
    }
}

/// The same of a database that turned out to hold nothing.
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
