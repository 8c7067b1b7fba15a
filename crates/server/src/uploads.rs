//! Content-addressed storage of uploads, in the folder `uploads` of a course's folder. Each file is
//! named by the hash of its bytes.
//!
//! A file appears only when it is complete and synced to the disk. A version that is committed
//! afterwards never refers to bytes that a crash could lose.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use pitmaster_store::{Readers, create_file, make_folder};

use crate::database::Upload;

/// Maximum length of an upload's file name, in characters.
const MAX_NAME: usize = 100;

/// Maximum number of orphaned uploads that are removed. More of them suggest a wrong database.
const MAX_ORPHANS: usize = 16;

/// Folder of uploads.
#[derive(Debug, Clone)]
pub struct Uploads(PathBuf);

impl Uploads {
    /// Opens the uploads of a course's folder and creates the subfolder if necessary. Removes
    /// incomplete uploads, so it must be called only once, when the server starts.
    ///
    /// # Errors
    /// The subfolder cannot be created or read.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let folder = folder.join("uploads");
        make_folder(&folder, Readers::Owner)?;
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|end| end == PART) {
                fs::remove_file(path)?;
            }
        }
        Ok(Self(folder))
    }

    /// Removes orphaned uploads, which a crash leaves between an upload and its commit. A crash
    /// leaves at most one, because uploads are committed one at a time. If there are many, or no
    /// version at all, the database probably belongs to other files, and all of them are kept.
    /// Returns the numbers of removed and kept files.
    ///
    /// # Errors
    /// The folder cannot be read, or an upload cannot be removed.
    pub fn sweep(&self, known: &HashSet<Upload>) -> io::Result<(usize, usize)> {
        let names: HashSet<String> = known.iter().map(ToString::to_string).collect();
        let mut orphans = Vec::new();
        for entry in fs::read_dir(&self.0)? {
            let entry = entry?;
            // Only files with names of this program: the operator may keep other files here.
            let name = entry.file_name().into_string().unwrap_or_default();
            let is_upload = name.len() == 64 && name.bytes().all(|it| it.is_ascii_hexdigit());
            if is_upload && !names.contains(&name) && entry.file_type()?.is_file() {
                orphans.push(entry.path());
            }
        }
        if orphans.len() > MAX_ORPHANS || names.is_empty() {
            return Ok((0, orphans.len()));
        }
        orphans.iter().try_for_each(fs::remove_file)?;
        Ok((orphans.len(), 0))
    }

    /// Free bytes of the disk that holds the uploads.
    ///
    /// # Errors
    /// The system does not report them.
    pub fn free_space(&self) -> io::Result<u64> {
        let disk = rustix::fs::statvfs(&self.0)?;
        Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
    }

    /// Begins an upload. `number` distinguishes concurrent uploads.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn begin(&self, number: u64) -> io::Result<NewUpload> {
        let path = self.0.join(format!("{number}.{PART}"));
        let file = create_file(&path)?;
        Ok(NewUpload { folder: self.0.clone(), path, file, hash: blake3::Hasher::new(), bytes: 0 })
    }

    /// Path of an upload's file.
    pub fn path(&self, upload: Upload) -> PathBuf {
        self.0.join(upload.to_string())
    }

    /// Removes an upload that no version refers to.
    ///
    /// # Errors
    /// The upload cannot be removed.
    pub fn remove(&self, upload: Upload) -> io::Result<()> {
        fs::remove_file(self.path(upload))
    }
}

/// File extension of an incomplete upload.
const PART: &str = "part";

/// Upload that is being received. Dropping it removes its bytes.
#[derive(Debug)]
pub struct NewUpload {
    folder: PathBuf,
    path: PathBuf,
    file: File,
    hash: blake3::Hasher,
    bytes: u64,
}

impl NewUpload {
    /// Number of bytes so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Appends bytes and returns the total number.
    ///
    /// # Errors
    /// The bytes cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<u64> {
        self.file.write_all(bytes)?;
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(self.bytes)
    }

    /// Stores the upload under its hash, and syncs it to the disk. Equal bytes are stored once.
    ///
    /// # Errors
    /// The upload cannot be written.
    pub fn keep(self) -> io::Result<(Upload, u64)> {
        let upload = Upload(self.hash.finalize().into());
        self.file.sync_all()?;
        fs::rename(&self.path, self.folder.join(upload.to_string()))?;
        File::open(&self.folder)?.sync_all()?;
        Ok((upload, self.bytes))
    }
}

impl Drop for NewUpload {
    fn drop(&mut self) {
        // After `keep` the file no longer exists.
        let _ = fs::remove_file(&self.path);
    }
}

/// Base name of a file name, without characters that file names should not contain.
pub fn plain_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = |c: &char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ' ' | '+');
    let plain: String = last.chars().filter(plain).collect();
    // The extension matters more than the beginning.
    let extra = plain.chars().count().saturating_sub(MAX_NAME);
    plain.chars().skip(extra).collect::<String>().trim_start_matches(['.', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upload_is_stored_once_under_its_hash() {
        let folder = tempfile::tempdir().unwrap();
        let uploads = Uploads::open(folder.path()).unwrap();
        let mut first = uploads.begin(1).unwrap();
        assert_eq!(first.write(b"print(").unwrap(), 6);
        assert_eq!(first.write(b"1)\n").unwrap(), 9);
        let (upload, bytes) = first.keep().unwrap();
        assert_eq!((bytes, upload.0), (9, *blake3::hash(b"print(1)\n").as_bytes()));
        assert_eq!(fs::read(uploads.path(upload)).unwrap(), b"print(1)\n");

        let mut again = uploads.begin(2).unwrap();
        again.write(b"print(1)\n").unwrap();
        assert_eq!(again.keep().unwrap().0, upload);
        assert_eq!(fs::read_dir(folder.path().join("uploads")).unwrap().count(), 1);
    }

    #[test]
    fn interrupted_uploads_leave_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let count = || fs::read_dir(folder.path().join("uploads")).unwrap().count();
        let uploads = Uploads::open(folder.path()).unwrap();
        uploads.begin(1).unwrap().write(b"x").unwrap();
        assert_eq!(count(), 0);
        // Left by a process that was killed.
        fs::write(folder.path().join("uploads/7.part"), "y").unwrap();
        Uploads::open(folder.path()).unwrap();
        assert_eq!(count(), 0);
    }

    #[test]
    fn only_orphaned_uploads_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let uploads = Uploads::open(folder.path()).unwrap();
        let keep = |number: u64| {
            let mut new = uploads.begin(number).unwrap();
            new.write(&number.to_le_bytes()).unwrap();
            new.keep().unwrap().0
        };
        let (known, orphan) = (keep(1), keep(2));
        fs::write(folder.path().join("uploads/README"), "of the operator").unwrap();
        // A database without versions is new: the operator may restore a backup next.
        assert_eq!(uploads.sweep(&HashSet::new()).unwrap(), (0, 2));
        assert_eq!(uploads.sweep(&HashSet::from([known])).unwrap(), (1, 0));
        assert!(uploads.path(known).exists() && !uploads.path(orphan).exists());
        assert!(folder.path().join("uploads/README").exists());
        // A crash does not leave that many: the database was restored by hand.
        let many: Vec<_> = (10..=10 + MAX_ORPHANS as u64).map(keep).collect();
        assert_eq!(uploads.sweep(&HashSet::from([known])).unwrap(), (0, many.len()));
        assert!(many.into_iter().all(|upload| uploads.path(upload).exists()));
    }

    #[test]
    fn a_name_has_no_folders() {
        for (sent, kept) in [
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\me\\bot.py", "bot.py"),
            ("bot.tar.gz", "bot.tar.gz"),
            ("..", ""),
            ("a\0b\n.py", "ab.py"),
            ("", ""),
        ] {
            assert_eq!(plain_name(sent), kept, "{sent:?}");
        }
        let long = format!("{}.py", "x".repeat(500));
        assert!(plain_name(&long).ends_with("x.py"));
        assert_eq!(plain_name(&long).len(), MAX_NAME);
    }
}
