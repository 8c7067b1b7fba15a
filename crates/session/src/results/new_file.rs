//! A file that is there as a whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use pitmaster_store as store;

use crate::Error;

/// A file that takes its name when it is whole, so that nobody ever reads half of it.
pub(crate) struct NewFile<W> {
    pub(crate) writer: W,
    /// The same file, to be brought to the disk when all is written.
    file: File,
    part: PathBuf,
    path: PathBuf,
}

impl<W> NewFile<W> {
    /// A new file in a results' folder, which `wrap` writes to.
    pub(crate) fn create(
        folder: &Path,
        name: &str,
        wrap: impl FnOnce(BufWriter<File>) -> io::Result<W>,
    ) -> Result<Self, Error> {
        Self::create_by(store::create_file, folder, name, wrap)
    }

    /// The same, made by `create`.
    pub(crate) fn create_by(
        create: impl FnOnce(&Path) -> io::Result<File>,
        folder: &Path,
        name: &str,
        wrap: impl FnOnce(BufWriter<File>) -> io::Result<W>,
    ) -> Result<Self, Error> {
        let part = folder.join(format!(".{name}.part"));
        let file = create(&part)?;
        let kept = file.try_clone()?;
        let writer = wrap(BufWriter::new(file))?;
        Ok(Self { writer, file: kept, part, path: folder.join(name) })
    }

    /// Ends it, and gives it its name when it is on the disk: after a power cut it is the old one or
    /// the new one.
    pub(crate) fn finish(self, end: impl FnOnce(W) -> io::Result<()>) -> Result<(), Error> {
        end(self.writer)?;
        self.file.sync_all()?;
        std::fs::rename(self.part, &self.path)?;
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        Ok(File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?)
    }
}
