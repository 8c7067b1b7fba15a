//! Atomic file creation: a file exists complete or not at all.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use pitmaster_store as store;

use crate::Error;

/// A file that gets its name once it is complete, so that nobody reads a partial file.
pub(crate) struct NewFile<W> {
    pub(crate) writer: W,
    /// Handle of the same file, to sync it to disk when everything is written.
    file: File,
    part: PathBuf,
    path: PathBuf,
}

impl<W> NewFile<W> {
    /// Creates a new file in a results folder; `wrap` makes its writer.
    pub(crate) fn create(
        folder: &Path,
        name: &str,
        wrap: impl FnOnce(BufWriter<File>) -> io::Result<W>,
    ) -> Result<Self, Error> {
        let part = folder.join(format!(".{name}.part"));
        let file = store::create_file(&part)?;
        let kept = file.try_clone()?;
        let writer = wrap(BufWriter::new(file))?;
        Ok(Self { writer, file: kept, part, path: folder.join(name) })
    }

    /// Finishes the file and renames it once it is on disk. After a power cut, the old file or the
    /// new one exists.
    pub(crate) fn finish(self, end: impl FnOnce(W) -> io::Result<()>) -> Result<(), Error> {
        end(self.writer)?;
        self.file.sync_all()?;
        std::fs::rename(self.part, &self.path)?;
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        Ok(File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?)
    }
}
