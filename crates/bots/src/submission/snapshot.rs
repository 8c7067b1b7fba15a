//! Snapshot: a copy of a submission, stored under the hash of the submission.
//!
//! Must not depend on how it is built. The store's folder contains for each bot `<hash>/src` (the
//! copy), `<hash>/work` (where it is built and runs), `<hash>/build.log`, `<hash>/versions.json`,
//! and `<hash>/built.json` once it is built. A bot without a manifest also has `<hash>/found.toml`,
//! the manifest that it could have, once trials have determined its dialect.

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

/// Increased when the format of builds changes, so that older ones are built again.
const MARKER_VERSION: u32 = 3;

impl Snapshot {
    /// Copies a file or folder into a store, unless its like is there already.
    ///
    /// The copy is made under a name of its own and renamed when it is complete, all under
    /// the store's lock: a crash leaves nothing that looks finished, and two processes do not
    /// disturb each other.
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

    /// Where the bot of a hash is, or will be.
    pub(super) fn at(store: &Path, hash: BotHash) -> Self {
        Self { folder: store.join(hash.as_str()), hash }
    }

    /// Makes the new copy the snapshot, unless there is one that is still what it was. The
    /// copy lies in the store.
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

    /// The same folder as one that a bot can be granted.
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

    /// The folder of all this, open.
    pub(super) fn open(&self) -> Result<Folder, SnapshotError> {
        Folder::open(&self.folder).map_err(SnapshotError::at("open", &self.folder))
    }

    /// Keeps everybody else from building it until the lock is dropped.
    pub(super) fn lock(&self) -> Result<File, SnapshotError> {
        lock(&self.open()?, LOCK)
    }

    /// Whether the build is complete and was made where it now lies: what compilers write
    /// often holds absolute paths.
    pub(super) fn is_built(&self) -> bool {
        const MOST: u64 = 64 * 1024;
        let Ok(folder) = self.open() else { return false };
        let marker = folder.file(Path::new(MARKER)).and_then(|file| head(file, MOST));
        marker.is_ok_and(|text| text == self.marker_text())
            && folder.folder(Path::new(WORK)).is_ok()
    }

    /// Notes that the build is complete.
    pub(super) fn set_built(&self) -> Result<(), SnapshotError> {
        let (new, folder) = (Path::new("built.new"), self.open()?);
        remove(&folder, new)?;
        write(&folder, new, &self.marker_text())?;
        rename(&folder, new, Path::new(MARKER))
    }

    /// Writes which versions of commands it is built with.
    pub(super) fn write_versions(&self, text: &[u8]) -> Result<(), SnapshotError> {
        let folder = self.open()?;
        remove(&folder, Path::new(VERSIONS))?;
        write(&folder, Path::new(VERSIONS), text)
    }

    /// Path of the manifest that a bot without one could have, as determined by trials.
    pub fn found(&self) -> PathBuf {
        self.folder.join(FOUND)
    }

    /// Writes that manifest.
    pub(super) fn write_found(&self, text: &[u8]) -> Result<(), SnapshotError> {
        let (new, folder, _lock) = (Path::new("found.new"), self.open()?, self.lock()?);
        remove(&folder, new)?;
        write(&folder, new, text)?;
        rename(&folder, new, Path::new(FOUND))
    }

    /// Reads that manifest, if there is one. It was written by this program.
    pub(super) fn read_found(&self) -> Option<Vec<u8>> {
        let file = self.open().ok()?.file(Path::new(FOUND)).ok()?;
        head(file, Manifest::MAX_BYTES as u64).ok()
    }

    /// An empty log, open.
    pub(super) fn create_log(&self) -> Result<File, SnapshotError> {
        let (folder, log) = (self.open()?, Path::new(LOG));
        remove(&folder, log)?;
        folder.create_log(log).map_err(SnapshotError::at("create", &self.log()))
    }

    /// Empty folders for a build to work in; what an earlier one left is gone.
    pub(super) fn clear_for_build(&self) -> Result<[Folder; 2], SnapshotError> {
        let folder = self.open()?;
        Self::forget_build(&folder)?;
        Ok([create(&folder, Path::new(WORK))?, create(&folder, Path::new(SCRATCH))?])
    }

    /// Opens the folders of a build to their owner again: a command may have closed them to the
    /// next one, and to whoever starts it.
    pub(super) fn reopen_for_build(&self) -> Result<(), SnapshotError> {
        let folder = self.open()?;
        [WORK, SCRATCH].iter().try_for_each(|name| {
            let opened = folder.folder_though_closed(Path::new(name));
            opened.map(drop).map_err(SnapshotError::at("open", &self.folder.join(name)))
        })
    }

    /// Takes the place of a build: what it left lies in the first folder, which the build
    /// cannot reach by any path that it was given, and the second one is empty.
    pub(super) fn invalidate(&self) -> Result<[Folder; 2], SnapshotError> {
        let (folder, left) = (self.open()?, Path::new("left"));
        discard(&folder, "left")?;
        rename(&folder, Path::new(WORK), left)?;
        let path = self.folder.join(left);
        let left = folder.folder_though_closed(left).map_err(SnapshotError::at("open", &path))?;
        Ok([left, create(&folder, Path::new(WORK))?])
    }

    /// Removes what only the build needed.
    pub(super) fn clean_up(&self) -> Result<(), SnapshotError> {
        let folder = self.open()?;
        discard(&folder, "left")?;
        discard(&folder, SCRATCH)
    }

    /// Removes all that a build has left, but for its log.
    pub(super) fn remove_build(&self) -> Result<(), SnapshotError> {
        Self::forget_build(&self.open()?)
    }

    fn forget_build(folder: &Folder) -> Result<(), SnapshotError> {
        remove(folder, Path::new(MARKER))?;
        [SCRATCH, WORK, "left"].iter().try_for_each(|name| discard(folder, name))
    }

    /// The folder of all this.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn marker_text(&self) -> Vec<u8> {
        let folder = self.folder.to_string_lossy();
        let marker = serde_json::json!({ "version": MARKER_VERSION, "folder": folder });
        format!("{marker}\n").into_bytes()
    }
}

/// A folder that holds its own results would be copied into itself, and its hash would
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

/// The folder of all snapshots, made if need be.
pub(super) fn open_store(path: &Path) -> Result<Folder, SnapshotError> {
    Folder::create_all(path).map_err(SnapshotError::at("create", path))
}

/// Takes the lock of that name in a folder, waiting for whoever has it.
pub(super) fn lock(folder: &Folder, name: &str) -> Result<File, SnapshotError> {
    let path = folder.path().join(name);
    let file = folder.lock_file(Path::new(name)).map_err(SnapshotError::at("open", &path))?;
    file.lock().map_err(SnapshotError::at("lock", &path))?;
    Ok(file)
}

/// Removes a file or folder, if there is one.
pub(super) fn remove(folder: &Folder, name: &Path) -> Result<(), SnapshotError> {
    folder.remove(name).map_err(SnapshotError::at("remove", &folder.path().join(name)))
}

/// An empty folder, open.
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

/// Gets something that a build wrote out of the way. Should it resist its removal, it lies
/// under another name in nobody's way.
fn discard(folder: &Folder, name: &str) -> Result<(), SnapshotError> {
    let free = |aside: &PathBuf| !folder.has(aside);
    let mut names = (0..).map(|number| PathBuf::from(format!("stale-{number}")));
    let aside = names.find(free).expect("endlessly many names");
    match folder.rename(Path::new(name), &aside) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        renamed => renamed.map_err(SnapshotError::at("rename", &folder.path().join(name)))?,
    }
    // What a killed run left aside earlier goes as well.
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
