//! Atomic creation of a folder with files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::shown_path;

use super::super::Failure;

/// Creates the folder with these files. The folder may exist if it is empty.
///
/// All files are written to a temporary folder first, so that a failure leaves nothing behind.
pub(super) fn make(folder: &Path, files: &[(&str, String)]) -> Result<(), Failure> {
    let place = Place::of(folder)?;
    let aside = Aside::new(place.beside(folder)).map_err(|error| cannot(folder, &error))?;
    let written = write(&aside.0, files).and_then(|()| place.take(&aside.0, folder));
    written.map_err(|error| cannot(folder, &error))
}

/// State of the path at which a folder is created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The path is free.
    Free,
    /// An empty folder exists there.
    Empty,
}

impl Place {
    fn of(folder: &Path) -> Result<Self, Failure> {
        let shown = shown_path(folder);
        let mut entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::Free),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(Failure::wrong(format!(
                    "{shown} is a file or inside one; choose another name"
                )));
            }
            Err(error) => return Err(cannot(folder, &error)),
        };
        if entries.next().is_some() {
            return Err(Failure::wrong(format!(
                "{shown} exists and is not empty; choose another name, or remove it first"
            )));
        }
        Ok(Self::Empty)
    }

    /// Folder on the same file system for the temporary folder.
    fn beside(self, folder: &Path) -> &Path {
        match (self, folder.parent()) {
            (Self::Free, Some(parent)) if parent != Path::new("") => parent,
            (Self::Free, _) => Path::new("."),
            (Self::Empty, _) => folder,
        }
    }

    /// Moves the temporary folder to its place.
    fn take(self, made: &Path, folder: &Path) -> io::Result<()> {
        match self {
            Self::Free => fs::rename(made, folder),
            Self::Empty => move_up(made, folder),
        }
    }
}

/// Moves all entries of a folder into its parent.
fn move_up(made: &Path, folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(made)? {
        let entry = entry?;
        fs::rename(entry.path(), folder.join(entry.file_name()))?;
    }
    Ok(())
}

fn write(folder: &Path, files: &[(&str, String)]) -> io::Result<()> {
    for (name, text) in files {
        let path = folder.join(name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text)?;
    }
    Ok(())
}

/// Temporary folder, removed on drop.
struct Aside(PathBuf);

impl Aside {
    fn new(beside: &Path) -> io::Result<Self> {
        let path = beside.join(format!(".pitmaster-new-{}", std::process::id()));
        fs::create_dir(&path).map(|()| Self(path))
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        // On success it has been moved and no longer exists.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn cannot(folder: &Path, error: &io::Error) -> Failure {
    let folder = shown_path(folder);
    Failure::wrong(match error.kind() {
        io::ErrorKind::NotFound => {
            format!("cannot create {folder}: its parent folder does not exist; create that first")
        }
        _ => format!("cannot create {folder}: {error}; choose a place where you may write"),
    })
}
