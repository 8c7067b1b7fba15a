//! Mark of results whose files are older than the stored games: while games are played, and after
//! a run that was killed before it wrote them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The file that says so.
const NAME: &str = "OUT-OF-DATE.txt";
const TEXT: &str = "\
The tables and pages in this folder are older than the games in tournament.db: games are being
played here, or the run was ended before it could write them. No game is lost.

    pitmaster standings --files FOLDER

writes all of them as of the last stored game. `pitmaster run` goes on where it was, and writes
them at its end.
";

/// The mark of a results' folder.
#[derive(Debug)]
pub(crate) struct Outdated(PathBuf);

impl Outdated {
    pub(crate) fn of(folder: &Path) -> Self {
        Self(folder.join(NAME))
    }

    /// Sets it, if it is not there. A full disk has been told of by the store.
    pub(crate) fn set(&self) {
        if let Ok(mut file) = fs::File::options().write(true).create_new(true).open(&self.0) {
            let _ = file.write_all(TEXT.as_bytes());
        }
    }

    /// Takes it away: the files are those of all stored games.
    pub(crate) fn clear(&self) {
        let _ = fs::remove_file(&self.0);
    }
}
