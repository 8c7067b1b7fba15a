//! Sources of a submission: its files without manifest and documents.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use pitmaster_bots::submission::{SubmittedFiles, TreeLimits};

/// A template that the project ships.
#[derive(Debug, Clone)]
pub struct Kit {
    /// Its name.
    pub name: String,
    /// Paths and contents of its files.
    pub files: Vec<(String, String)>,
}

/// Hash of each source file, by its path.
#[derive(Debug)]
pub(super) struct Sources(BTreeMap<String, blake3::Hash>);

impl Sources {
    /// Reads a snapshot of a submission.
    pub(super) fn read(src: &Path) -> io::Result<Self> {
        let mut sources = Self(BTreeMap::new());
        for file in SubmittedFiles::open(src, TreeLimits::default())? {
            let (path, content) = file?;
            sources.add(&path.to_string_lossy(), &content);
        }
        Ok(sources)
    }

    fn of(files: &[(String, String)]) -> Self {
        let mut sources = Self(BTreeMap::new());
        for (path, text) in files {
            sources.add(path, text.as_bytes());
        }
        sources
    }

    fn add(&mut self, path: &str, content: &[u8]) {
        if !is_paper(path) {
            self.0.insert(path.to_owned(), hash(content));
        }
    }

    /// Hash of all sources; empty if there are none.
    pub(super) fn hash(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let mut all = blake3::Hasher::new();
        // Excludes paths, because files of a copied folder may be renamed.
        let mut hashes: Vec<_> = self.0.values().map(blake3::Hash::as_bytes).collect();
        hashes.sort_unstable();
        for hash in hashes {
            all.update(hash);
        }
        all.finalize().to_hex()[..32].to_owned()
    }

    /// The template that contains all of these files unchanged.
    pub(super) fn kit<'k>(&self, kits: &'k [Kit]) -> Option<&'k str> {
        let is_of = |kit: &&Kit| {
            let own = Self::of(&kit.files);
            self.0.values().all(|hash| own.0.values().any(|other| other == hash))
        };
        kits.iter().filter(|_| !self.0.is_empty()).find(is_of).map(|kit| &*kit.name)
    }
}

/// Whether a file is the manifest or a document, not a source.
fn is_paper(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    name.starts_with("bot.toml")
        || name.starts_with('.')
        || name.starts_with("readme")
        || ["md", "txt", "pdf", "docx"].contains(&ending)
}

/// Hash that does not depend on line ends and blanks at line ends.
fn hash(content: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    for line in content.split(|&byte| byte == b'\n') {
        hasher.update(line.trim_ascii_end());
        hasher.update(b"\n");
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(files: &[(&str, &str)]) -> Vec<(String, String)> {
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn names_manifests_papers_and_line_ends_do_not_count() {
        let one =
            Sources::of(&files(&[("bot.py", "a\nb\n"), ("bot.toml", "x"), ("README.md", "y")]));
        let two = Sources::of(&files(&[("joueur.py", "a  \r\nb\r\n"), ("rapport.pdf", "z")]));
        assert_eq!(one.hash(), two.hash());
        let three = Sources::of(&files(&[("bot.py", "a\nc\n")]));
        assert_ne!(one.hash(), three.hash());
        assert_eq!(Sources::of(&files(&[("notes.txt", "")])).hash(), "");
    }

    #[test]
    fn a_kit_is_known_also_if_files_are_missing() {
        let kit = Kit { name: "c".into(), files: files(&[("a.c", "1"), ("b.c", "2")]) };
        let is_kit =
            |of: &[(&str, &str)]| Sources::of(&files(of)).kit(std::slice::from_ref(&kit)).is_some();
        assert!(is_kit(&[("a.c", "1"), ("b.c", "2")]));
        assert!(is_kit(&[("a.c", "1"), ("bot.toml", "name = 'x'")]));
        assert!(!is_kit(&[("a.c", "1"), ("b.c", "3")]));
        assert!(!is_kit(&[("bot.toml", "")]));
    }
}
