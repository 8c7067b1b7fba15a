//! Atomic file creation: a file appears only once it is complete.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use pitmaster_store as store;

use crate::Error;

/// A file that gets its name once it is complete, so that no partial file is ever visible.
pub(crate) struct NewFile<W> {
    pub(crate) writer: W,
    /// Handle of the same file, to sync it to disk when everything is written.
    file: File,
    /// Whether the incomplete file has a name. An unnamed file vanishes if the process is killed.
    is_named: bool,
    part: Part,
    path: PathBuf,
}

/// Path of an incomplete file, which is removed unless it was renamed.
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        // Fails after the file was renamed.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl<W> NewFile<W> {
    /// Creates a new file in a results folder; `wrap` makes its writer.
    pub(crate) fn create(
        folder: &Path,
        name: impl AsRef<OsStr>,
        wrap: impl FnOnce(BufWriter<File>) -> io::Result<W>,
    ) -> Result<Self, Error> {
        let name = name.as_ref();
        let part = Part(folder.join(part_name(name)));
        let (file, is_named) = match unnamed(folder) {
            Some(file) => (file, false),
            None => (store::create_file(&part.0)?, true),
        };
        let kept = file.try_clone()?;
        let writer = wrap(BufWriter::new(file))?;
        Ok(Self { writer, file: kept, is_named, part, path: folder.join(name) })
    }

    /// Reserves disk space, so that writing this many bytes cannot fill the disk. Some systems and
    /// file systems cannot reserve space.
    pub(crate) fn reserve(&self, bytes: u64) -> io::Result<()> {
        reserve(&self.file, bytes)
    }

    /// Finishes the file and renames it once it is on disk. After a power cut, the old file or the
    /// new one exists.
    pub(crate) fn finish(self, end: impl FnOnce(W) -> io::Result<()>) -> Result<(), Error> {
        end(self.writer)?;
        self.file.sync_all()?;
        if !self.is_named {
            name_file(&self.file, &self.part.0)?;
        }
        std::fs::rename(&self.part.0, &self.path)?;
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        Ok(File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?)
    }
}

#[cfg(target_os = "linux")]
fn reserve(file: &File, bytes: u64) -> io::Result<()> {
    use rustix::fs::{FallocateFlags, fallocate};
    use rustix::io::Errno;

    match fallocate(file, FallocateFlags::KEEP_SIZE, 0, bytes) {
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
        reserved => Ok(reserved?),
    }
}

#[cfg(target_os = "macos")]
#[expect(clippy::unnecessary_wraps, reason = "fails on Linux")]
fn reserve(_: &File, _: u64) -> io::Result<()> {
    Ok(())
}

/// Path under which this process can give an unnamed file a name.
#[cfg(target_os = "linux")]
fn descriptor_path(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd as _;

    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}

/// Creates an unnamed file, if the system supports this and can name it later.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path) -> Option<File> {
    let file = store::create_unnamed(folder).ok()?;
    descriptor_path(&file).exists().then_some(file)
}

#[cfg(target_os = "macos")]
fn unnamed(_: &Path) -> Option<File> {
    None
}

#[cfg(target_os = "linux")]
fn name_file(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};

    Ok(linkat(CWD, descriptor_path(file), CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(target_os = "macos")]
#[expect(clippy::unnecessary_wraps, reason = "fails on Linux")]
fn name_file(_: &File, _: &Path) -> io::Result<()> {
    Ok(())
}

/// Name of the incomplete file: hidden, and of this process only.
fn part_name(name: &OsStr) -> std::ffi::OsString {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut part = std::ffi::OsString::from(".");
    part.push(name);
    part.push(format!(".{}-{}.part", std::process::id(), COUNT.fetch_add(1, Relaxed)));
    part
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write as _;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_gets_its_name_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.txt"), "old").unwrap();
        let [one, two] = [(); 2].map(|()| NewFile::create(folder.path(), "a.txt", Ok).unwrap());
        one.reserve(1 << 20).unwrap();
        one.finish(|mut out| out.write_all(b"one").and_then(|()| out.flush())).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("a.txt")).unwrap(), "one");
        assert_eq!(fs::metadata(folder.path().join("a.txt")).unwrap().len(), 3);
        // Both were written concurrently, and each was complete.
        two.finish(|mut out| out.write_all(b"two").and_then(|()| out.flush())).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("a.txt")).unwrap(), "two");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn nothing_is_left_of_an_incomplete_file() {
        let folder = tempfile::tempdir().unwrap();
        drop(NewFile::create(folder.path(), "a.txt", Ok).unwrap());
        let failed = NewFile::create(folder.path(), "a.txt", Ok).unwrap();
        failed.finish(|_| Err(io::Error::other("no space"))).unwrap_err();
        // On file systems without unnamed files, the incomplete file has a name.
        let part = folder.path().join(part_name(OsStr::new("a.txt")));
        drop((store::create_file(&part).unwrap(), Part(part)));
        assert_eq!(names(folder.path()), [""; 0]);
    }
}
