//! A file that is there as a whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use crate::cli::Failure;
use crate::store;

/// A file that takes its name when it is whole, so that nobody ever reads half of it.
pub(super) struct NewFile<W> {
    pub(super) writer: W,
    part: PathBuf,
    path: PathBuf,
}

impl<W> NewFile<W> {
    /// A new file in a results' folder, which `wrap` writes to.
    pub(super) fn create(
        folder: &Path,
        name: &str,
        wrap: impl FnOnce(BufWriter<File>) -> io::Result<W>,
    ) -> Result<Self, Failure> {
        Self::create_by(store::create_file, folder, name, wrap)
    }

    /// The same, made by `create`.
    pub(super) fn create_by(
        create: impl FnOnce(&Path) -> io::Result<File>,
        folder: &Path,
        name: &str,
        wrap: impl FnOnce(BufWriter<File>) -> io::Result<W>,
    ) -> Result<Self, Failure> {
        let part = folder.join(format!(".{name}.part"));
        let file = create(&part)?;
        Ok(Self { writer: wrap(BufWriter::new(file))?, part, path: folder.join(name) })
    }

    /// Ends it, and gives it its name.
    pub(super) fn finish(self, end: impl FnOnce(W) -> io::Result<()>) -> Result<(), Failure> {
        end(self.writer)?;
        Ok(std::fs::rename(self.part, self.path)?)
    }
}
