//! Game chunks: the packed games of a page. Few games are embedded in the page. Many games go into
//! files next to it, loaded as scripts because a page opened from disk can load files in no other
//! way.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use pitmaster_store::{create_file, make_subfolder};

/// Maximum bytes of packed games embedded in a page.
const INSIDE: usize = 24_000_000;

/// Packed games, by their names.
#[derive(Debug)]
pub(super) struct Packs {
    inside: Vec<Pack>,
    /// Chunks that stay within the page.
    kept: Vec<Pack>,
    bytes: usize,
    limit: usize,
    /// Folder for chunks when there are too many.
    folder: PathBuf,
    /// Temporary files of the folder, if there are any.
    waiting: Option<PendingFiles>,
}

/// Some games, packed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pack {
    pub(super) name: String,
    pub(super) packed: String,
}

/// Temporary files next to their final location, so that an existing page stays valid until the new
/// one is complete.
#[derive(Debug)]
struct PendingFiles {
    folder: PathBuf,
    names: Vec<String>,
}

impl Packs {
    /// Creates an empty set of chunks. The folder need not exist.
    pub(super) fn new(folder: &Path) -> Self {
        Self::with_limit(folder, INSIDE)
    }

    pub(super) fn with_limit(folder: &Path, limit: usize) -> Self {
        let folder = folder.to_owned();
        let (inside, kept) = (Vec::new(), Vec::new());
        Self { inside, kept, bytes: 0, limit, folder, waiting: None }
    }

    /// Adds the game chunks of a chapter, with consecutive numbers.
    pub(super) fn add_numbered(
        &mut self,
        chapter: &str,
        number: &mut usize,
        chunks: Vec<String>,
    ) -> io::Result<()> {
        for chunk in chunks {
            self.add(format!("{chapter}-games-{number}"), chunk)?;
            *number += 1;
        }
        Ok(())
    }

    /// Adds a chunk.
    pub(super) fn add(&mut self, name: String, packed: String) -> io::Result<()> {
        self.bytes += packed.len();
        self.inside.push(Pack { name, packed });
        if self.bytes > self.limit && self.waiting.is_none() {
            self.waiting = Some(PendingFiles::beside(&self.folder)?);
        }
        if let Some(waiting) = &mut self.waiting {
            self.inside.drain(..).try_for_each(|pack| waiting.write(&pack))?;
        }
        Ok(())
    }

    /// Adds a chunk that always stays within the page.
    pub(super) fn keep(&mut self, name: String, packed: String) {
        self.kept.push(Pack { name, packed });
    }

    /// Chunks embedded in the page.
    pub(super) fn inside(&self) -> impl Iterator<Item = &Pack> {
        self.kept.iter().chain(&self.inside)
    }

    /// Whether chunks are in files.
    pub(super) fn are_beside(&self) -> bool {
        self.waiting.is_some()
    }

    /// Moves the files to their final location.
    pub(super) fn settle(&mut self) -> io::Result<()> {
        self.waiting.take().map_or(Ok(()), |waiting| waiting.settle(&self.folder))
    }
}

impl PendingFiles {
    fn beside(folder: &Path) -> io::Result<Self> {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let folder = folder.with_file_name(format!(".{name}.part"));
        make_subfolder(&folder)?;
        Ok(Self { folder, names: Vec::new() })
    }

    fn write(&mut self, Pack { name, packed }: &Pack) -> io::Result<()> {
        let script = format!("pitmaster.chunk(\"{name}\", \"{packed}\");\n");
        let name = format!("{name}.js");
        create_file(&self.folder.join(&name))?.write_all(script.as_bytes())?;
        self.names.push(name);
        Ok(())
    }

    /// Renames each file to its name; other files in the folder are kept.
    fn settle(self, folder: &Path) -> io::Result<()> {
        make_subfolder(folder)?;
        let settle = |name: &String| fs::rename(self.folder.join(name), folder.join(name));
        self.names.iter().try_for_each(settle)?;
        fs::remove_dir_all(&self.folder)
    }
}

/// Removes the files of packed games from a folder, and the folder if it is empty then.
pub(super) fn remove(folder: &Path) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if is_ours(&entry.file_name().to_string_lossy()) {
            fs::remove_file(entry.path()).or_else(unless_absent)?;
        }
    }
    match fs::remove_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
        removed => removed.or_else(unless_absent),
    }
}

/// Whether a file name is one of a chunk, such as `t1-games-0.js`.
fn is_ours(name: &str) -> bool {
    let is_number = |text: &str| text.parse::<u64>().is_ok();
    let name = name.strip_prefix('t').and_then(|name| name.strip_suffix(".js"));
    let parts = name.and_then(|name| name.split_once("-games-"));
    parts.is_some_and(|(chapter, chunk)| is_number(chapter) && is_number(chunk))
}

/// Removal that succeeds if the file does not exist.
pub(super) fn unless_absent(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_go_beside() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("games");
        let mut packs = Packs::with_limit(&folder, 10);
        let mut add = |number: usize| packs.add(format!("g-{number}"), "abcd".into()).unwrap();
        add(0);
        add(1);
        assert!(!folder.exists());
        add(2);
        add(3);
        assert!(packs.are_beside() && packs.inside().next().is_none());
        assert!(!folder.exists(), "nobody sees them before the page is written");
        packs.settle().unwrap();
        assert!(!scratch.path().join(".games.part").exists());
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(read("g-0.js"), "pitmaster.chunk(\"g-0\", \"abcd\");\n");
        assert_eq!(read("g-3.js"), "pitmaster.chunk(\"g-3\", \"abcd\");\n");
    }
}
