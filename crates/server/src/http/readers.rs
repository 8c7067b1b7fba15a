//! Pool of readers of the ladders' stores, kept open between requests.
//!
//! Opening a reader costs much more than reading a game. Each ladder has a few readers: a request
//! may wait for another one's, but many slow lists at once cannot occupy all threads. A reader
//! holds no lock between two reads, so the player can write and checkpoint the log at any time.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pitmaster_store::{Reader, StoreError, database_path};
use tokio::sync::Semaphore;

/// Maximum number of concurrent reads of a ladder.
const MAX_CONCURRENT: usize = 4;

/// Readers of all ladders.
#[derive(Debug, Default)]
pub(super) struct LadderReaders(Mutex<All>);

#[derive(Debug, Default)]
struct All {
    /// Readers by results folder.
    ladders: HashMap<PathBuf, Arc<Readers>>,
    is_closed: bool,
}

/// Readers of a ladder.
#[derive(Debug)]
struct Readers {
    folder: PathBuf,
    permits: Semaphore,
    /// Idle readers; `None` once all are closed.
    idle: Mutex<Option<Vec<OpenReader>>>,
}

#[derive(Debug)]
struct OpenReader {
    reader: Reader,
    file: Option<FileId>,
}

/// Device and inode of a database file.
type FileId = (u64, u64);

/// Identity of the current database file. A folder that was replaced, such as by a backup, has
/// another one.
fn file_id(folder: &Path) -> Option<FileId> {
    let file = fs::metadata(database_path(folder)).ok()?;
    Some((file.dev(), file.ino()))
}

impl LadderReaders {
    /// Reads the store of a results folder, on a blocking thread. Returns the default for a folder
    /// without a store.
    pub(super) async fn read<T: Default + Send + 'static>(
        &self,
        folder: &Path,
        read: impl FnOnce(&Reader) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let readers = self.of(folder);
        // The semaphore is never closed.
        let permit = readers.permits.acquire().await.ok();
        let taken = Arc::clone(&readers);
        let done = tokio::task::spawn_blocking(move || taken.read(read)).await;
        drop(permit);
        match done {
            Ok(Err(StoreError::Missing { .. })) => Ok(T::default()),
            Ok(done) => done,
            Err(error) => Err(StoreError::Folder {
                folder: folder.to_owned(),
                error: format!("reading it failed: {error}"),
            }),
        }
    }

    fn of(&self, folder: &Path) -> Arc<Readers> {
        let mut all = lock(&self.0);
        if let Some(readers) = all.ladders.get(folder) {
            return Arc::clone(readers);
        }
        let idle = Mutex::new((!all.is_closed).then(Vec::new));
        let folder = folder.to_owned();
        let permits = Semaphore::new(MAX_CONCURRENT);
        let readers = Arc::new(Readers { folder: folder.clone(), permits, idle });
        all.ladders.insert(folder, Arc::clone(&readers));
        readers
    }

    /// Closes all idle readers, and the others after their read. A store can be closed cleanly only
    /// after its readers. Later reads open their own.
    pub(super) fn close(&self) {
        let mut all = lock(&self.0);
        all.is_closed = true;
        for readers in all.ladders.values() {
            drop(lock(&readers.idle).take());
        }
    }
}

impl Readers {
    fn read<T>(
        &self,
        read: impl FnOnce(&Reader) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let open = self.take()?;
        let done = read(&open.reader)?;
        // A reader that failed or panicked is not reused.
        if let Some(idle) = &mut *lock(&self.idle) {
            idle.push(open);
        }
        Ok(done)
    }

    fn take(&self) -> Result<OpenReader, StoreError> {
        let file = file_id(&self.folder);
        loop {
            let idle = lock(&self.idle).as_mut().and_then(Vec::pop);
            match idle {
                Some(open) if open.file == file => return Ok(open),
                // The reader has the replaced file open.
                Some(stale) => drop(stale),
                None => break,
            }
        }
        Ok(OpenReader { reader: Reader::open(&self.folder)?, file })
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic leaves nothing half done here.
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use pitmaster_core::{
        BotHash, BotId, BySide, Dialect, Ending, GameKey, Limits, Record, Score, Seed, Side,
    };
    use pitmaster_store::{Attempt, AttemptState, Store};
    use pitmaster_tournament::Durability;

    use super::*;

    fn attempt(pair: u32) -> Attempt {
        let bot = |name: &str| BotId { name: name.parse().unwrap(), hash: BotHash::of(b"files") };
        let key = GameKey {
            rules: "coloured-awale@1".into(),
            limits: Limits::default(),
            stage: 1,
            round: 0,
            bots: BySide::new(bot("a"), bot("b")),
            opening: String::new(),
            pair,
        };
        let score = Score::new(50, 30);
        let ending = Ending::Rules { clause: "49+".into(), winner: Some(Side::One), score };
        Attempt {
            record: Record::unplayed(key, Seed(1), ending),
            state: AttemptState::Valid,
            dialects: BySide::new(Dialect::Pitmaster, Dialect::Pitmaster),
            host: "here".into(),
            lane: 0,
            started_at: 0,
            isolation: None,
        }
    }

    fn store(folder: &Path, pairs: std::ops::Range<u32>) -> Store {
        let store = Store::open(folder, Durability::Normal).unwrap();
        store.commit_together(pairs.map(attempt).collect()).unwrap();
        store
    }

    /// Number of games read.
    async fn games(readers: &LadderReaders, folder: &Path) -> u64 {
        readers.read(folder, |reader| Ok(reader.counts()?.valid)).await.unwrap()
    }

    fn idle(readers: &LadderReaders, folder: &Path) -> Option<usize> {
        lock(&readers.of(folder).idle).as_ref().map(Vec::len)
    }

    /// Whether the write-ahead log still exists. The last connection to close removes it.
    fn has_log(folder: &Path) -> bool {
        folder.join("tournament.db-wal").exists()
    }

    #[tokio::test]
    async fn a_reader_stays_open_and_sees_what_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let (folder, readers) = (folder.path(), LadderReaders::default());
        assert_eq!(games(&readers, folder).await, 0, "nothing was played yet");
        let store = store(folder, 0..3);
        assert_eq!(games(&readers, folder).await, 3);
        store.commit(attempt(3)).unwrap();
        assert_eq!((games(&readers, folder).await, idle(&readers, folder)), (4, Some(1)));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn reads_wait_for_one_another_and_never_keep_the_writer_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path(), 0..1);
        let readers = Arc::new(LadderReaders::default());
        let all_read = Arc::new(Barrier::new(MAX_CONCURRENT + 1));
        let one = || {
            let (readers, all_read) = (Arc::clone(&readers), Arc::clone(&all_read));
            let folder = folder.path().to_owned();
            tokio::spawn(async move {
                let read = move |reader: &Reader| {
                    let found = reader.counts()?.valid;
                    all_read.wait();
                    all_read.wait();
                    Ok(found)
                };
                readers.read(&folder, read).await.unwrap()
            })
        };
        let first: Vec<_> = (0..MAX_CONCURRENT).map(|_| one()).collect();
        all_read.wait();
        store.commit(attempt(1)).unwrap();
        all_read.wait();
        for read in first {
            assert_eq!(read.await.unwrap(), 1);
        }
        assert_eq!(idle(&readers, folder.path()), Some(MAX_CONCURRENT));
        assert_eq!(games(&readers, folder.path()).await, 2);
    }

    #[tokio::test]
    async fn a_replaced_folder_is_detected() {
        let folders = tempfile::tempdir().unwrap();
        let [folder, old, new] = ["ladder", "old", "new"].map(|name| folders.path().join(name));
        drop(store(&folder, 0..3));
        drop(store(&new, 0..5));
        let readers = LadderReaders::default();
        assert_eq!(games(&readers, &folder).await, 3);
        fs::rename(&folder, &old).unwrap();
        assert_eq!(games(&readers, &folder).await, 0);
        fs::rename(&new, &folder).unwrap();
        assert_eq!((games(&readers, &folder).await, idle(&readers, &folder)), (5, Some(1)));
    }

    #[tokio::test]
    async fn a_store_is_closed_cleanly_after_its_readers() {
        let folder = tempfile::tempdir().unwrap();
        let (folder, readers) = (folder.path(), LadderReaders::default());
        let store = store(folder, 0..3);
        assert_eq!((games(&readers, folder).await, has_log(folder)), (3, true));
        readers.close();
        assert_eq!(idle(&readers, folder), None);
        // A read after closing succeeds and leaves nothing open.
        assert_eq!(games(&readers, folder).await, 3);
        drop(store);
        assert!(!has_log(folder), "the log was left behind");
    }

    #[tokio::test]
    async fn a_failed_reader_is_not_reused() {
        let folder = tempfile::tempdir().unwrap();
        let (folder, readers) = (folder.path(), LadderReaders::default());
        let _store = store(folder, 0..3);
        let full = || StoreError::Full { path: "x".into(), error: "full".into() };
        let failed = readers.read(folder, move |_| Err::<(), _>(full()));
        assert!(failed.await.is_err());
        let panicked = readers.read(folder, |_| -> Result<(), StoreError> { panic!("on purpose") });
        assert!(panicked.await.unwrap_err().to_string().contains("reading it failed"));
        assert_eq!((idle(&readers, folder), games(&readers, folder).await), (Some(0), 3));
    }
}
