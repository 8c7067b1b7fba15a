//! Files of a submission, read one at a time through descriptors.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::fault::Wrong;
use super::tree::{Kind, Tree, TreeLimits};

/// Regular files of a submission with their contents, in the order of their paths. Clutter is left
/// out, and links are not followed.
#[derive(Debug)]
pub struct SubmittedFiles {
    tree: Tree,
    next: usize,
    /// Number of bytes that may still be read.
    left: u64,
}

impl SubmittedFiles {
    /// Lists a submission.
    ///
    /// # Errors
    /// It cannot be read, exceeds the limits, or contains entries other than files, folders and
    /// inner links.
    pub fn open(path: &Path, limits: TreeLimits) -> io::Result<Self> {
        let tree = Tree::of(path, limits).map_err(|wrong| match wrong {
            Wrong::Bot(fault) => io::Error::other(fault.to_string()),
            Wrong::Store(fault) => io::Error::other(fault.to_string()),
        })?;
        Ok(Self { tree, next: 0, left: limits.bytes })
    }

    fn read(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        let file = self.tree.root().file(path)?;
        file.take(self.left.saturating_add(1)).read_to_end(&mut content)?;
        let left = self.left.checked_sub(content.len() as u64);
        self.left = left.ok_or_else(|| io::Error::other("the submission is too large"))?;
        Ok(content)
    }
}

impl Iterator for SubmittedFiles {
    type Item = io::Result<(PathBuf, Vec<u8>)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let entry = self.tree.entries.get(self.next)?;
            self.next += 1;
            if matches!(entry.kind, Kind::File { .. }) {
                let path = entry.path.clone();
                return Some(self.read(&path).map(|content| (path, content)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn files_are_read_within_limits_and_links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        fs::write(folder.path().join("src/bot.py"), "bot").unwrap();
        fs::write(folder.path().join("a.txt"), "a").unwrap();
        symlink("a.txt", folder.path().join("b.txt")).unwrap();
        let read = |bytes| {
            let limits = TreeLimits { bytes, ..TreeLimits::default() };
            let files = SubmittedFiles::open(folder.path(), limits).unwrap();
            files.map(|file| file.ok().map(|(path, _)| path)).collect::<Vec<_>>()
        };
        let all = ["a.txt", "src/bot.py"].map(|path| Some(PathBuf::from(path)));
        assert_eq!(read(4), all);
        assert_eq!(read(3), [all[0].clone(), None]);
        symlink("/etc/passwd", folder.path().join("out.py")).unwrap();
        assert!(SubmittedFiles::open(folder.path(), TreeLimits::default()).is_err());
    }
}
