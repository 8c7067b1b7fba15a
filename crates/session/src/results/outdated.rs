//! Marker of outdated results: files that are older than the stored games.
//!
//! The marker exists while games are played, and after a run that was killed before it wrote its
//! files.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Name of the marker file.
const NAME: &str = "OUT-OF-DATE.txt";
const TEXT: &str = "\
The tables and pages in this folder are older than the games in tournament.db: games are being
played here, or the run was ended before it could write them. No game is lost.

    pitmaster standings --files FOLDER

writes all of them as of the last stored game. `pitmaster run` goes on where it was, and writes
them at its end.
";

/// The marker of a results folder.
#[derive(Debug)]
pub(crate) struct Outdated(PathBuf);

impl Outdated {
    pub(crate) fn of(folder: &Path) -> Self {
        Self(folder.join(NAME))
    }

    /// Sets the marker if it does not exist. The store has already reported a full disk.
    pub(crate) fn set(&self) {
        if let Ok(mut file) = fs::File::options().write(true).create_new(true).open(&self.0) {
            let _ = file.write_all(TEXT.as_bytes());
        }
    }

    /// Removes the marker: the files match the stored games.
    pub(crate) fn clear(&self) {
        let _ = fs::remove_file(&self.0);
    }
}
