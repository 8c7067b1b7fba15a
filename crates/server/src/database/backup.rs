//! Backups: verified copies of the whole database, and their restoration.

use std::fs::{self, File};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use pitmaster_season::course::{PersonId, Utc};
use pitmaster_store::{Readers, make_folder, make_subfolder};

use super::columns::text;
use super::connection::Handle;
use super::{Act, Answer, Database, DatabaseError, HashCost, database_path, schema, take_lock};

/// Number of nightly backups to keep.
pub const BACKUPS: usize = 14;

/// Result of a restore.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// New path of the replaced database, if there was one.
    pub set_aside: Option<PathBuf>,
    /// Number of people who were erased again, because their erasure is later than the backup.
    /// `None` if the replaced database is unreadable, so that the erasures are unknown.
    pub erased_again: Option<usize>,
}

fn folder_of(folder: &Path) -> PathBuf {
    folder.join("backups")
}

/// Timestamp for file names. It sorts by time.
fn stamp(now: Utc) -> String {
    now.to_string().chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Creates an empty file that only its owner can read, whatever the folder's mode.
pub(super) fn create_private(path: &Path) -> std::io::Result<File> {
    File::options().write(true).create(true).truncate(true).mode(0o600).open(path)
}

fn backup_error(path: &Path, error: &impl ToString) -> DatabaseError {
    DatabaseError::Backup { path: path.to_owned(), error: error.to_string() }
}

/// Copies a database with its write-ahead log into a new file, verifies the copy and syncs it to
/// the disk.
fn copy_database(handle: &Handle, to: &Path) -> Result<(), DatabaseError> {
    // SQLite fills an existing empty file, which others cannot read.
    create_private(to).map_err(|error| backup_error(to, &error))?;
    let into = to.to_string_lossy().into_owned();
    let copied = handle.connection.execute("VACUUM INTO ?1", (into,));
    copied.map_err(|error| backup_error(to, &error))?;
    verify(to)?;
    File::open(to).and_then(|file| file.sync_all()).map_err(|error| backup_error(to, &error))
}

/// File extension of an incomplete backup.
const PART: &str = "part";

/// Creates a backup and returns its path.
fn back_up(handle: &Handle, folder: &Path, name: &str) -> Result<PathBuf, DatabaseError> {
    let backups = folder_of(folder);
    make_subfolder(&backups).map_err(|error| backup_error(&backups, &error))?;
    let (path, part) = (backups.join(name), backups.join(format!("{name}.{PART}")));
    copy_database(handle, &part)?;
    fs::rename(&part, &path).map_err(|error| backup_error(&path, &error))?;
    sync_folder(&backups)?;
    Ok(path)
}

/// Removes backups that a crash interrupted. Requires the folder's lock, before any backup begins.
pub(super) fn remove_unfinished(folder: &Path) -> Result<(), DatabaseError> {
    let backups = folder_of(folder);
    let cannot = |error: std::io::Error| DatabaseError::folder(&backups, &error);
    let Ok(entries) = fs::read_dir(&backups) else { return Ok(()) };
    for entry in entries {
        let path = entry.map_err(cannot)?.path();
        if path.extension().is_some_and(|end| end == PART) {
            fs::remove_file(path).map_err(cannot)?;
        }
    }
    Ok(())
}

/// Checks that a file is an undamaged database of this program's version or an older one.
fn verify(path: &Path) -> Result<(), DatabaseError> {
    let look = || {
        let handle = Handle::open_to_read(path)?;
        if schema::require_ours(&handle)? == 0 {
            return Err(backup_error(path, &"it is empty"));
        }
        handle.require_sound()
    };
    look().map_err(|error| match error {
        // The advice for a damaged database does not apply to a damaged backup.
        DatabaseError::Damaged { error, .. } | DatabaseError::Database { error, .. } => {
            backup_error(path, &error)
        }
        other => other,
    })
}

/// Removes the oldest nightly backups beyond [`BACKUPS`].
fn prune(folder: &Path) -> Result<(), DatabaseError> {
    let backups = folder_of(folder);
    let cannot = |error: std::io::Error| DatabaseError::folder(&backups, &error);
    let mut nightly = Vec::new();
    for entry in fs::read_dir(&backups).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("season-2") && path.extension().is_some_and(|end| end == "db") {
            nightly.push(path);
        }
    }
    nightly.sort();
    let old = nightly.len().saturating_sub(BACKUPS);
    nightly[..old].iter().try_for_each(fs::remove_file).map_err(cannot)
}

/// Copies a database before a migration. The copy is never pruned.
pub(super) fn back_up_before_migration(
    handle: &Handle,
    folder: &Path,
    to: u32,
    now: Utc,
) -> Result<(), DatabaseError> {
    back_up(handle, folder, &format!("season-before-schema-{to}-{}.db", stamp(now))).map(drop)
}

/// File of a missing database, which shows that there was one.
pub(super) fn remnant(folder: &Path) -> Option<PathBuf> {
    let log = with_suffix(&database_path(folder), "-wal");
    let is_log = log.metadata().is_ok_and(|log| log.len() > 0);
    let new = with_suffix(&database_path(folder), ".restoring");
    is_log.then_some(log).or(new.exists().then_some(new))
}

/// Appends a suffix to the file name.
fn with_suffix(path: &Path, what: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(what);
    name.into()
}

/// Syncs a folder, so that its file names survive a power cut.
pub(super) fn sync_folder(folder: &Path) -> Result<(), DatabaseError> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(|error| DatabaseError::folder(folder, &error))
}

impl Database {
    /// Backs up the database while it is in use, verifies the copy and prunes all but the last
    /// [`BACKUPS`]. Returns the path of the copy.
    pub fn back_up(&self, now: Utc) -> Answer<PathBuf> {
        let folder = self.0.folder.clone();
        self.0.readers.run(move |handle| {
            let path = back_up(handle, &folder, &format!("season-{}.db", stamp(now)))?;
            prune(&folder)?;
            Ok(path)
        })
    }

    /// Checks the whole database.
    ///
    /// # Errors
    /// [`DatabaseError::Damaged`] with the first damage found.
    pub fn check(&self) -> Answer<()> {
        self.0.readers.run(Handle::require_sound)
    }
}

/// Replaces a folder's database by a backup. The old database is renamed, not removed. People who
/// were erased since the backup are erased again.
///
/// # Errors
/// [`DatabaseError::Taken`] if a server uses the folder; [`DatabaseError::Backup`] if the backup is
/// damaged, foreign or from a newer program. Nothing is changed then.
pub fn restore(folder: &Path, backup: &Path, act: Act) -> Result<Restored, DatabaseError> {
    let cannot = |error: std::io::Error| DatabaseError::folder(folder, &error);
    make_folder(folder, Readers::Owner).map_err(cannot)?;
    let lock = take_lock(folder)?;
    verify(backup)?;
    let path = database_path(folder);
    let new = with_suffix(&path, ".restoring");
    let erased = erased_people(&path);
    copy_database(&Handle::open_to_read(backup)?, &new)?;
    let set_aside = set_aside(&path, act.at).map_err(cannot)?;
    fs::rename(&new, &path).map_err(cannot)?;
    sync_folder(folder)?;
    // No passphrase is hashed in this session.
    let database = Database::open_locked(folder, lock, HashCost::Least, act.at, |_| Ok(()))?;
    let erased_count = database.erase_again(act, erased.clone().unwrap_or_default()).wait()?;
    Ok(Restored { set_aside, erased_again: erased.map(|_| erased_count) })
}

/// People who are erased in the current database; `None` if it is unreadable, empty if there is no
/// database.
fn erased_people(path: &Path) -> Option<Vec<PersonId>> {
    if !path.exists() {
        return remnant(path.parent()?).is_none().then(Vec::new);
    }
    let handle = Handle::open_to_write(path).ok()?;
    let sql = "SELECT id FROM person WHERE erased IS NOT NULL";
    handle.view(|view| view.all(sql, (), |row| text::<PersonId>(row, "id"))).ok()
}

/// Renames a database and its log. The database goes first: without it, nothing opens the remaining
/// files.
fn set_aside(path: &Path, now: Utc) -> std::io::Result<Option<PathBuf>> {
    let aside = with_suffix(path, &format!(".before-restore-{}", stamp(now)));
    let mut moved = None;
    for end in ["", "-wal", "-shm"] {
        let file = with_suffix(path, end);
        if file.exists() {
            fs::rename(file, with_suffix(&aside, end))?;
            moved = Some(aside.clone());
        }
    }
    Ok(moved)
}
