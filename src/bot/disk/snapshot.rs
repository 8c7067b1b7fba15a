//! A bot's snapshot: a copy of what was handed in, under the hash of what was handed in.
//!
//! Must not know how it is built. In the store's folder there is for each bot
//! `<hash>/src` (the copy), `<hash>/work` (where it is built and runs), `<hash>/build.log`,
//! `<hash>/versions.json`, and `<hash>/built.json` once it is built.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::record::BotHash;

use super::fault::{StoreFault, Wrong};
use super::tree::{Tree, TreeLimits};

/// A bot's copy in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The hash of what was handed in.
    pub hash: BotHash,
    folder: PathBuf,
}

impl Snapshot {
    /// Copies a file or folder into a store, unless its like is there already.
    ///
    /// The copy is made under a name of its own and renamed when it is complete, all under
    /// the store's lock: a crash leaves nothing that looks finished, and two processes do not
    /// disturb each other.
    pub(super) fn take(path: &Path, store: &Path, limits: TreeLimits) -> Result<Self, Wrong> {
        fs::create_dir_all(store).map_err(StoreFault::at("create", store))?;
        let store = store.canonicalize().map_err(StoreFault::at("open", store))?;
        refuse_results_inside(path, &store)?;
        let tree = Tree::of(path, limits)?;
        let _lock = lock(&store.join(".lock"))?;
        let new = store.join(".new");
        remove(&new)?;
        fs::create_dir(&new).map_err(StoreFault::at("create", &new))?;
        let hash = tree.copy(&new.join("src"))?;
        let snapshot = Self::at(&store, hash);
        snapshot.keep(&new, limits)?;
        Ok(snapshot)
    }

    /// Where the bot of a hash is, or will be.
    pub(super) fn at(store: &Path, hash: BotHash) -> Self {
        Self { folder: store.join(hash.as_str()), hash }
    }

    /// Makes the new copy the snapshot, unless there is one that is still what it was.
    pub(super) fn keep(&self, new: &Path, limits: TreeLimits) -> Result<(), Wrong> {
        if !self.folder.exists() {
            return Ok(
                fs::rename(new, &self.folder).map_err(StoreFault::at("create", &self.folder))?
            );
        }
        if self.is_intact(limits) {
            return Ok(remove(new)?);
        }
        let _lock = self.lock()?;
        self.forget_build()?;
        let src = self.src();
        self.discard(&src)?;
        fs::rename(new.join("src"), &src).map_err(StoreFault::at("create", &src))?;
        Ok(remove(new)?)
    }

    pub(super) fn is_intact(&self, limits: TreeLimits) -> bool {
        let hash = Tree::of(&self.src(), limits).and_then(|tree| tree.hash());
        hash.is_ok_and(|hash| hash == self.hash)
    }

    /// What was handed in, unchanged.
    pub fn src(&self) -> PathBuf {
        self.folder.join("src")
    }

    /// The copy in which it was built, and where it runs.
    pub fn work(&self) -> PathBuf {
        self.folder.join("work")
    }

    /// What the build said.
    pub fn log(&self) -> PathBuf {
        self.folder.join("build.log")
    }

    /// The versions of the commands that it is built and run with, as JSON.
    pub fn versions(&self) -> PathBuf {
        self.folder.join("versions.json")
    }

    /// A home for the time of the build.
    pub(super) fn scratch(&self) -> PathBuf {
        self.folder.join("scratch")
    }

    /// Keeps everybody else from building it until the lock is dropped.
    pub(super) fn lock(&self) -> Result<File, StoreFault> {
        lock(&self.folder.join("lock"))
    }

    /// Whether the build is complete and was made where it now lies: what compilers write
    /// often holds absolute paths.
    pub(super) fn is_built(&self) -> bool {
        fs::read(self.marker()).is_ok_and(|text| text == self.marker_text()) && self.work().is_dir()
    }

    /// Notes that the build is complete.
    pub(super) fn set_built(&self) -> Result<(), StoreFault> {
        let (marker, new) = (self.marker(), self.folder.join("built.new"));
        fs::write(&new, self.marker_text()).map_err(StoreFault::at("write", &new))?;
        fs::rename(&new, &marker).map_err(StoreFault::at("create", &marker))
    }

    /// Takes the note back and the build away.
    pub(super) fn forget_build(&self) -> Result<(), StoreFault> {
        remove(&self.marker())?;
        self.discard(&self.scratch())?;
        self.discard(&self.work())
    }

    /// Gets something that a build wrote out of the way. It may resist its removal (closed
    /// folders, thousands of them within each other), and a build that outlived a killed
    /// Pitmaster may still write to it: under another name it is in nobody's way.
    pub(super) fn discard(&self, path: &Path) -> Result<(), StoreFault> {
        let free = |aside: &PathBuf| fs::symlink_metadata(aside).is_err();
        let mut names = (0..).map(|number| self.folder.join(format!("stale-{number}")));
        let aside = names.find(free).expect("endlessly many names");
        match fs::rename(path, &aside) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            renamed => renamed.map_err(StoreFault::at("rename", path))?,
        }
        let _ = remove(&aside);
        Ok(())
    }

    /// The folder of all this.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn marker(&self) -> PathBuf {
        self.folder.join("built.json")
    }

    fn marker_text(&self) -> Vec<u8> {
        let folder = self.folder.to_string_lossy();
        format!("{}\n", serde_json::json!({ "version": 1, "folder": folder })).into_bytes()
    }
}

/// A folder that holds its own results would be copied into itself, and its hash would
/// change with every game.
fn refuse_results_inside(path: &Path, store: &Path) -> Result<(), Wrong> {
    match path.canonicalize() {
        Ok(root) if store.starts_with(&root) => Err(Wrong::file(
            path,
            "the results are kept inside this bot's folder; keep them elsewhere, or hand in a folder of its own",
        )),
        _ => Ok(()),
    }
}

pub(super) fn lock(path: &Path) -> Result<File, StoreFault> {
    let open = OpenOptions::new().create(true).append(true).open(path);
    let file = open.map_err(StoreFault::at("open", path))?;
    file.lock().map_err(StoreFault::at("lock", path))?;
    Ok(file)
}

/// Removes a file or folder, if there is one.
pub(super) fn remove(path: &Path) -> Result<(), StoreFault> {
    let is_folder = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir());
    let removed = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(StoreFault { doing: "remove", path: path.to_owned(), error })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fault::BotFault;
    use super::*;

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
