//! Snapshot: a copy of a submission, stored under the hash of the submission.
//!
//! Must not depend on how it is built. The store's folder contains for each bot `<hash>/src` (the
//! copy), `<hash>/work` (where it is built and runs), `<hash>/build.log`, `<hash>/versions.json`,
//! and `<hash>/built.json` once it is built. A bot without a manifest also has `<hash>/found.toml`,
//! the manifest that it could have, once a trial has determined its dialect.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use pitmaster_core::BotHash;
use pitmaster_core::i18n::said;
use pitmaster_sandbox::WorkFolder;

use super::beneath::Folder;
use super::fault::{SnapshotError, Wrong};
use super::manifest::Manifest;
use super::tree::{Tree, TreeLimits, head};

/// A bot's copy in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// Hash of the submission.
    pub hash: BotHash,
    folder: PathBuf,
}

/// Names in the folder of a snapshot.
const SRC: &str = "src";
const WORK: &str = "work";
const SCRATCH: &str = "scratch";
const LOG: &str = "build.log";
const VERSIONS: &str = "versions.json";
const MARKER: &str = "built.json";
const FOUND: &str = "found.toml";
const LOCK: &str = "lock";

/// Version of the build format. Builds of older versions are repeated.
const MARKER_VERSION: u32 = 3;

impl Snapshot {
    /// Copies a file or folder into a store, unless an equal snapshot exists there.
    ///
    /// The copy has a temporary name until it is complete, and the store is locked. So a crash
    /// leaves no partial snapshot, and two processes do not conflict.
    pub(super) fn take(path: &Path, store: &Path, limits: TreeLimits) -> Result<Self, Wrong> {
        let store = open_store(store)?;
        refuse_results_inside(path, store.path())?;
        let tree = Tree::of(path, limits)?;
        let _lock = lock(&store, ".lock")?;
        let new = Path::new(".new");
        remove(&store, new)?;
        let copy = create(&store, new).and_then(|new| create(&new, Path::new(SRC)))?;
        let hash = tree.copy(&copy)?;
        let snapshot = Self::at(store.path(), hash);
        snapshot.keep(&store, new, limits)?;
        Ok(snapshot)
    }

    /// Snapshot of a hash, whether it exists or not.
    pub(super) fn at(store: &Path, hash: BotHash) -> Self {
        Self { folder: store.join(hash.as_str()), hash }
    }

    /// Makes the new copy in the store the snapshot, unless an unchanged one exists.
    pub(super) fn keep(&self, store: &Folder, new: &Path, limits: TreeLimits) -> Result<(), Wrong> {
        let own = Path::new(self.hash.as_str());
        if !store.has(own) {
            return Ok(rename(store, new, own)?);
        }
        if self.is_intact(limits) {
            return Ok(remove(store, new)?);
        }
        let _lock = self.lock()?;
        let folder = self.open()?;
        Self::forget_build(&folder)?;
        discard(&folder, SRC)?;
        rename(store, &new.join(SRC), &own.join(SRC))?;
        Ok(remove(store, new)?)
    }

    pub(super) fn is_intact(&self, limits: TreeLimits) -> bool {
        let hash = Tree::of(&self.src(), limits).and_then(|tree| tree.hash());
        hash.is_ok_and(|hash| hash == self.hash)
    }

    /// Path of the unchanged submission.
    pub fn src(&self) -> PathBuf {
        self.folder.join(SRC)
    }

    /// Path of the copy in which it was built and where it runs.
    pub fn work(&self) -> PathBuf {
        self.work_folder().path().to_owned()
    }

    /// The same folder as a grantable folder.
    pub(super) fn work_folder(&self) -> WorkFolder {
        WorkFolder::trusted(self.folder.join(WORK))
    }

    /// Path of the build log.
    pub fn log(&self) -> PathBuf {
        self.folder.join(LOG)
    }

    /// Path of the versions of its build and run commands, as JSON.
    pub fn versions(&self) -> PathBuf {
        self.folder.join(VERSIONS)
    }

    /// Home directory during the build.
    pub(super) fn scratch_folder(&self) -> WorkFolder {
        WorkFolder::trusted(self.folder.join(SCRATCH))
    }

    /// Opens the snapshot's folder.
    pub(super) fn open(&self) -> Result<Folder, SnapshotError> {
        Folder::open(&self.folder).map_err(SnapshotError::at("open", &self.folder))
    }

    /// Prevents other processes from building it until the lock is dropped.
    pub(super) fn lock(&self) -> Result<File, SnapshotError> {
        lock(&self.open()?, LOCK)
    }

    /// Whether the build is complete and was made at its current path. Compilers often write
    /// absolute paths.
    pub(super) fn is_built(&self) -> bool {
        const MOST: u64 = 64 * 1024;
        let Ok(folder) = self.open() else { return false };
        let marker = folder.file(Path::new(MARKER)).and_then(|file| head(file, MOST));
        marker.is_ok_and(|text| text == self.marker_text())
            && folder.folder(Path::new(WORK)).is_ok()
    }

    /// Marks the build as complete.
    pub(super) fn set_built(&self) -> Result<(), SnapshotError> {
        let (new, folder) = (Path::new("built.new"), self.open()?);
        remove(&folder, new)?;
        write(&folder, new, &self.marker_text())?;
        rename(&folder, new, Path::new(MARKER))
    }

    /// Writes the versions of its build commands.
    pub(super) fn write_versions(&self, text: &[u8]) -> Result<(), SnapshotError> {
        let folder = self.open()?;
        remove(&folder, Path::new(VERSIONS))?;
        write(&folder, Path::new(VERSIONS), text)
    }

    /// Path of the manifest that a bot without one could have, as determined by trials.
    pub fn found(&self) -> PathBuf {
        self.folder.join(FOUND)
    }

    /// Writes the manifest that trials have determined.
    pub(super) fn write_found(&self, text: &[u8]) -> Result<(), SnapshotError> {
        let (new, folder, _lock) = (Path::new("found.new"), self.open()?, self.lock()?);
        remove(&folder, new)?;
        write(&folder, new, text)?;
        rename(&folder, new, Path::new(FOUND))
    }

    /// Reads the manifest that trials have determined, if there is one.
    pub(super) fn read_found(&self) -> Option<Vec<u8>> {
        let file = self.open().ok()?.file(Path::new(FOUND)).ok()?;
        head(file, Manifest::MAX_BYTES as u64).ok()
    }

    /// Creates an empty log.
    pub(super) fn create_log(&self) -> Result<File, SnapshotError> {
        let (folder, log) = (self.open()?, Path::new(LOG));
        remove(&folder, log)?;
        folder.create_log(log).map_err(SnapshotError::at("create", &self.log()))
    }

    /// Creates empty folders for a build, and removes those of an earlier one.
    pub(super) fn clear_for_build(&self) -> Result<[Folder; 2], SnapshotError> {
        let folder = self.open()?;
        Self::forget_build(&folder)?;
        Ok([create(&folder, Path::new(WORK))?, create(&folder, Path::new(SCRATCH))?])
    }

    /// Restores the owner's permissions on the folders of a build. A command may have removed them,
    /// which would block the next command and the referee.
    pub(super) fn reopen_for_build(&self) -> Result<(), SnapshotError> {
        let folder = self.open()?;
        [WORK, SCRATCH].iter().try_for_each(|name| {
            let opened = folder.folder_though_closed(Path::new(name));
            opened.map(drop).map_err(SnapshotError::at("open", &self.folder.join(name)))
        })
    }

    /// Replaces the build folder. The first returned folder contains the build's files, out of
    /// reach of any path that the build was given. The second one is empty.
    pub(super) fn invalidate(&self) -> Result<[Folder; 2], SnapshotError> {
        let (folder, left) = (self.open()?, Path::new("left"));
        discard(&folder, "left")?;
        rename(&folder, Path::new(WORK), left)?;
        let path = self.folder.join(left);
        let left = folder.folder_though_closed(left).map_err(SnapshotError::at("open", &path))?;
        Ok([left, create(&folder, Path::new(WORK))?])
    }

    /// Removes temporary files of the build.
    pub(super) fn clean_up(&self) -> Result<(), SnapshotError> {
        let folder = self.open()?;
        discard(&folder, "left")?;
        discard(&folder, SCRATCH)
    }

    /// Removes all files of a build except its log.
    pub(super) fn remove_build(&self) -> Result<(), SnapshotError> {
        Self::forget_build(&self.open()?)
    }

    fn forget_build(folder: &Folder) -> Result<(), SnapshotError> {
        remove(folder, Path::new(MARKER))?;
        [SCRATCH, WORK, "left"].iter().try_for_each(|name| discard(folder, name))
    }

    /// Path of the snapshot's folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn marker_text(&self) -> Vec<u8> {
        let folder = self.folder.to_string_lossy();
        let marker = serde_json::json!({ "version": MARKER_VERSION, "folder": folder });
        format!("{marker}\n").into_bytes()
    }
}

/// Refuses a submission that contains the store. It would be copied into itself, and its hash would
/// change with every game.
#[expect(clippy::disallowed_methods, reason = "a path of the operator's")]
fn refuse_results_inside(path: &Path, store: &Path) -> Result<(), Wrong> {
    match path.canonicalize() {
        Ok(root) if store.starts_with(&root) => Err(Wrong::file(
            path,
            said!(
                "the results are kept inside this bot's folder; keep them elsewhere, or hand in a \
                 folder of its own"
            ),
        )),
        _ => Ok(()),
    }
}

/// Opens the folder of all snapshots and creates it if missing.
pub(super) fn open_store(path: &Path) -> Result<Folder, SnapshotError> {
    Folder::create_all(path).map_err(SnapshotError::at("create", path))
}

/// Acquires the lock of that name in a folder. Blocks until it is free.
pub(super) fn lock(folder: &Folder, name: &str) -> Result<File, SnapshotError> {
    let path = folder.path().join(name);
    let file = folder.lock_file(Path::new(name)).map_err(SnapshotError::at("open", &path))?;
    file.lock().map_err(SnapshotError::at("lock", &path))?;
    Ok(file)
}

/// Removes a file or folderif it exists.
pub(super) fn remove(folder: &Folder, name: &Path) -> Result<(), SnapshotError> {
    folder.remove(name).map_err(SnapshotError::at("remove", &folder.path().join(name)))
}

/// Creates an empty folder and opens it.
pub(super) fn create(folder: &Folder, name: &Path) -> Result<Folder, SnapshotError> {
    let made = folder.create_folder(name).and_then(|()| folder.folder(name));
    made.map_err(SnapshotError::at("create", &folder.path().join(name)))
}

fn rename(folder: &Folder, from: &Path, to: &Path) -> Result<(), SnapshotError> {
    folder.rename(from, to).map_err(SnapshotError::at("create", &folder.path().join(to)))
}

fn write(folder: &Folder, name: &Path, text: &[u8]) -> Result<(), SnapshotError> {
    let file = folder.create_file(name, false);
    let written = file.and_then(|mut file| io::Write::write_all(&mut file, text));
    written.map_err(SnapshotError::at("write", &folder.path().join(name)))
}

/// Removes an entry that a build wrote, or renames it if it cannot be removed.
fn discard(folder: &Folder, name: &str) -> Result<(), SnapshotError> {
    let free = |aside: &PathBuf| !folder.has(aside);
    let mut names = (0..).map(|number| PathBuf::from(format!("stale-{number}")));
    let aside = names.find(free).expect("endlessly many names");
    match folder.rename(Path::new(name), &aside) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        renamed => renamed.map_err(SnapshotError::at("rename", &folder.path().join(name)))?,
    }
    // Entries renamed by an earlier, killed run are removed too.
    let stale = (0..).map(|number| PathBuf::from(format!("stale-{number}")));
    for aside in stale.take_while(|aside| folder.has(aside)) {
        let _ = folder.remove(&aside);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::fault::BotFault;
    use super::*;
    use std::fs;

    fn bot_and_store() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let (bot, store) = (dir.path().join("bot"), dir.path().join("results/bots"));
        fs::create_dir(&bot).unwrap();
        fs::write(bot.join("bot.py"), "1").unwrap();
        (dir, bot, store)
    }

    fn take(bot: &Path, store: &Path) -> Snapshot {
        Snapshot::take(bot, store, TreeLimits::default()).unwrap()
    }

    fn names(folder: &Path) -> Vec<String> {
        let names =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn a_snapshot_is_taken_once_and_the_original_forgotten() {
        let (_dir, bot, store) = bot_and_store();
        let first = take(&bot, &store);
        assert_eq!(take(&bot, &store), first);
        assert_eq!(names(&store), [".lock", first.hash.as_str()]);
        fs::write(bot.join("bot.py"), "2").unwrap();
        let second = take(&bot, &store);
        assert_ne!(second.hash, first.hash);
        assert_eq!(fs::read_to_string(first.src().join("bot.py")).unwrap(), "1");
        fs::remove_dir_all(&bot).unwrap();
        assert_eq!(fs::read_to_string(second.src().join("bot.py")).unwrap(), "2");
    }

    #[test]
    fn what_a_crash_left_behind_is_no_snapshot() {
        let (_dir, bot, store) = bot_and_store();
        fs::create_dir_all(store.join(".new/src/half")).unwrap();
        let snapshot = take(&bot, &store);
        assert_eq!(names(&snapshot.src()), ["bot.py"]);
    }

    #[test]
    fn a_snapshot_that_was_meddled_with_is_replaced_and_built_again() {
        let (_dir, bot, store) = bot_and_store();
        let snapshot = take(&bot, &store);
        fs::create_dir(snapshot.work()).unwrap();
        snapshot.set_built().unwrap();
        assert!(take(&bot, &store).is_built());
        fs::write(snapshot.src().join("bot.py"), "other").unwrap();
        let again = take(&bot, &store);
        assert_eq!(fs::read_to_string(again.src().join("bot.py")).unwrap(), "1");
        assert!(!again.is_built() && !again.work().exists());
        assert_eq!(names(&store), [".lock", snapshot.hash.as_str()]);
    }

    #[test]
    fn a_build_counts_only_where_it_was_made() {
        let (dir, bot, store) = bot_and_store();
        let snapshot = take(&bot, &store);
        assert!(!snapshot.is_built());
        fs::create_dir(snapshot.work()).unwrap();
        snapshot.set_built().unwrap();
        let moved = dir.path().join("moved");
        fs::rename(&store, &moved).unwrap();
        assert!(!take(&bot, &moved).is_built());
    }

    #[test]
    fn results_inside_the_bot_are_refused() {
        let (_dir, bot, _) = bot_and_store();
        for store in [bot.join("results/bots"), bot.clone()] {
            let wrong = Snapshot::take(&bot, &store, TreeLimits::default()).unwrap_err();
            assert!(matches!(wrong, Wrong::Bot(BotFault::Files(_))), "{wrong:?}");
        }
    }

    #[test]
    fn many_at_once_get_the_same() {
        let (_dir, bot, store) = bot_and_store();
        let all: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| take(&bot, &store))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(all.iter().all(|snapshot| *snapshot == all[0]));
        assert_eq!(names(&all[0].src()), ["bot.py"]);
    }
}
