//! The packed games of a page: within it while they are few, in files beside it when they are
//! many, which a page opened from a disk may load as scripts and in no other way.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The most bytes of packed games that a page carries itself.
const INSIDE: usize = 24_000_000;

/// Packed games, by their names.
#[derive(Debug)]
pub(super) struct Packs {
    inside: Vec<Pack>,
    /// What stays within the page.
    kept: Vec<Pack>,
    bytes: usize,
    limit: usize,
    /// Where they go when they are too many.
    folder: PathBuf,
    beside: bool,
}

/// Some games, packed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pack {
    pub(super) name: String,
    pub(super) packed: String,
}

impl Packs {
    /// None so far, with a folder for them that need not be there.
    pub(super) fn new(folder: &Path) -> Self {
        Self::with_limit(folder, INSIDE)
    }

    fn with_limit(folder: &Path, limit: usize) -> Self {
        let folder = folder.to_owned();
        Self { inside: Vec::new(), kept: Vec::new(), bytes: 0, limit, folder, beside: false }
    }

    /// Adds some.
    pub(super) fn add(&mut self, name: String, packed: String) -> io::Result<()> {
        self.bytes += packed.len();
        self.inside.push(Pack { name, packed });
        if self.bytes > self.limit && !self.beside {
            fs::create_dir_all(&self.folder)?;
            self.beside = true;
        }
        if self.beside {
            self.inside.drain(..).try_for_each(|pack| write(&self.folder, &pack))?;
        }
        Ok(())
    }

    /// Adds something that stays within the page, however much there is.
    pub(super) fn keep(&mut self, name: String, packed: String) {
        self.kept.push(Pack { name, packed });
    }

    /// All that the page carries itself.
    pub(super) fn inside(&self) -> impl Iterator<Item = &Pack> {
        self.kept.iter().chain(&self.inside)
    }

    /// Whether they are in files.
    pub(super) fn are_beside(&self) -> bool {
        self.beside
    }
}

fn write(folder: &Path, Pack { name, packed }: &Pack) -> io::Result<()> {
    let script = format!("pitmaster.chunk(\"{name}\", \"{packed}\");\n");
    fs::write(folder.join(format!("{name}.js")), script)
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
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(read("g-0.js"), "pitmaster.chunk(\"g-0\", \"abcd\");\n");
        assert_eq!(read("g-3.js"), "pitmaster.chunk(\"g-3\", \"abcd\");\n");
    }
}
