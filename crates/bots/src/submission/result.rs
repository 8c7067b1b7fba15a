//! Build result: plain files and folders, copied after all build processes have ended to a place
//! that the build could not write to.
//!
//! Must not depend on what the files mean or how the bot is run.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use pitmaster_core::i18n::said;

use super::beneath::{EntryKind, Folder, is_executable};
use super::diagnose::is_lack_of_resources;
use super::executable_format::Image;
use super::fault::{SnapshotError, Wrong, shown_path};
use super::tree::{Entry, Kind, Tree, TreeLimits, unreadable};

/// Limits of a build result. Toolchains write more than a submission contains.
pub(super) const LIMITS: TreeLimits = TreeLimits { bytes: 2 << 30, files: 100_000, depth: 64 };

/// Copies a build's files into an empty folder.
///
/// Entries whose owner has removed its own permissions are opened, because that owner may be the
/// referee's user.
///
/// Regular files and folders are copied, without special bits. A link is kept if it stays inside
/// the folder. Anything else is left out and returned with its path and kind.
pub(super) fn copy(from: &Folder, to: &Folder, limits: TreeLimits) -> Result<Vec<String>, Wrong> {
    let mut copy = Copy { from, to, limits, bytes: limits.bytes, count: 0, left_out: Vec::new() };
    let mut folders = vec![(PathBuf::new(), 0)];
    while let Some((path, depth)) = folders.pop() {
        copy.folder(&path, depth, &mut folders)?;
    }
    Ok(copy.left_out)
}

/// Leaves out submitted objects and dependency lists that a build regenerates, because they may be
/// outdated or from another system.
pub(super) fn drop_stale(tree: &mut Tree) {
    const PRODUCTS: [&str; 5] = ["o", "obj", "d", "gch", "lo"];
    const SOURCES: [&str; 7] = ["c", "cc", "cpp", "cxx", "h", "hpp", "s"];
    let ends = |path: &Path, endings: &[&str]| {
        path.extension().is_some_and(|ending| endings.iter().any(|&known| ending == known))
    };
    let stem = |path: &Path| path.file_stem().map(ToOwned::to_owned);
    let sources = tree.entries.iter().filter(|entry| ends(&entry.path, &SOURCES));
    let stems: BTreeSet<_> = sources.filter_map(|entry| stem(&entry.path)).collect();
    tree.entries.retain(|entry| {
        let is_file = matches!(entry.kind, Kind::File { .. });
        let is_made = ends(&entry.path, &PRODUCTS)
            && stem(&entry.path).is_some_and(|stem| {
                let inner = Path::new(&stem).file_stem().map(ToOwned::to_owned);
                stems.contains(&stem) || inner.is_some_and(|inner| stems.contains(&inner))
            });
        !(is_file && is_made)
    });
}

/// Restores the execute permission of programs and scripts, which archives and some systems lose.
pub(super) fn restore_run_bits(tree: &Tree, copy: &Folder) -> Result<(), SnapshotError> {
    let is_closed = |entry: &&Entry| entry.kind == Kind::File { executable: false };
    for Entry { path, .. } in tree.entries.iter().filter(is_closed) {
        let image = copy.file(path).map(|file| Image::of(&file));
        if matches!(image, Ok(Image::Elf(_) | Image::Script(_))) {
            let made = copy.make_executable(path);
            made.map_err(SnapshotError::at("change", &copy.path().join(path)))?;
        }
    }
    Ok(())
}

struct Copy<'f> {
    from: &'f Folder,
    to: &'f Folder,
    limits: TreeLimits,
    /// Remaining bytes.
    bytes: u64,
    count: usize,
    left_out: Vec<String>,
}

impl Copy<'_> {
    fn folder(
        &mut self,
        path: &Path,
        depth: usize,
        folders: &mut Vec<(PathBuf, usize)>,
    ) -> Result<(), Wrong> {
        if depth > self.limits.depth {
            let what = said!("its build left more than {} folders within each other", depth - 1);
            return Err(Wrong::file(path, what));
        }
        for name in self.names(path)? {
            let path = path.join(name);
            self.count += 1;
            if self.count > self.limits.files {
                let what = said!("its build left more than {} files", self.limits.files);
                return Err(Wrong::file(self.from.path(), what));
            }
            match self.from.kind(&path).map_err(|error| unreadable(&path, error))? {
                EntryKind::Folder => {
                    let made = self.to.create_folder(&path);
                    made.map_err(SnapshotError::at("create", &self.to.path().join(&path)))?;
                    folders.push((path, depth + 1));
                }
                EntryKind::File { .. } => self.file(&path)?,
                EntryKind::Link => self.link(&path)?,
                EntryKind::Special(special) => {
                    self.leave_out(&path, &special.describe().to_string());
                }
            }
        }
        Ok(())
    }

    fn names(&self, path: &Path) -> Result<Vec<std::ffi::OsString>, Wrong> {
        let most = self.limits.files + 1;
        let names = if path.as_os_str().is_empty() {
            self.from.names(most)
        } else {
            self.from.folder_though_closed(path).and_then(|folder| folder.names(most))
        };
        names.map_err(|error| unreadable(path, error))
    }

    fn file(&mut self, path: &Path) -> Result<(), Wrong> {
        let unreadable = |error| unreadable(path, error);
        let from = self.from.file_though_closed(path).map_err(unreadable)?;
        let executable = is_executable(&from).map_err(unreadable)?;
        // A sparse file uses no disk space until it is copied.
        let length = from.metadata().map_err(unreadable)?.len();
        self.after(length).ok_or_else(|| self.too_large(path))?;
        let to = self.to.create_file(path, executable);
        let to = to.map_err(SnapshotError::at("create", &self.to.path().join(path)))?;
        let copied = copy_file(&from, &to, self.bytes);
        let copied = copied.map_err(SnapshotError::at("write", &self.to.path().join(path)))?;
        self.bytes = self.after(copied).ok_or_else(|| self.too_large(path))?;
        Ok(())
    }

    /// Remaining bytes after these.
    fn after(&self, bytes: u64) -> Option<u64> {
        self.bytes.checked_sub(bytes)
    }

    fn too_large(&self, path: &Path) -> Wrong {
        Wrong::file(path, said!("its build left more than {} MiB", self.limits.bytes >> 20))
    }

    fn link(&mut self, path: &Path) -> Result<(), Wrong> {
        let target = self.from.link_target(path).map_err(|error| unreadable(path, error))?;
        if !target.is_relative() || !self.from.leads_inside(path) {
            self.leave_out(path, "a link that leads out of the bot's folder");
            return Ok(());
        }
        let made = self.to.create_link(path, &target);
        Ok(made.map_err(SnapshotError::at("create", &self.to.path().join(path)))?)
    }

    fn leave_out(&mut self, path: &Path, what: &str) {
        /// Maximum number of reported entries, because a build may leave a hundred thousand pipes.
        const MOST: usize = 50;
        if self.left_out.len() < MOST {
            self.left_out.push(format!("{}: {what}", shown_path(path)));
        }
    }
}

/// Copies up to one byte more than the limit. Returns the number of copied bytes.
fn copy_file(from: &File, mut to: &File, most: u64) -> io::Result<u64> {
    io::copy(&mut from.take(most.saturating_add(1)), &mut to)
}

/// Attributes a failed copy of a build's result. If removing it frees enough space, the build was
/// too large; otherwise the disk was already full.
pub(super) fn blame(wrong: Wrong, has_room_without: impl FnOnce() -> bool) -> Wrong {
    match wrong {
        Wrong::Store(SnapshotError { error, path, .. })
            if is_lack_of_resources(&error) && has_room_without() =>
        {
            let what = said!("what its build left is too much for the disk: {}", error.to_string());
            Wrong::file(&path, what)
        }
        wrong => wrong,
    }
}

#[cfg(test)]
mod tests {
    use super::super::fault::BotFault;
    use super::*;
    use std::fs;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    use std::process::Command;

    #[test]
    fn what_is_made_of_sources_is_left_out_and_the_rest_is_not() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["bot.c", "bot.o", "bot.d", "x.cpp", "x.cpp.o", "given.o", "bot", "d"] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        let mut tree = Tree::of(dir.path(), TreeLimits::default()).unwrap();
        drop_stale(&mut tree);
        let left: Vec<_> = tree.entries.iter().map(|entry| entry.path.to_str().unwrap()).collect();
        assert_eq!(left, ["bot", "bot.c", "d", "given.o", "x.cpp"]);
    }

    #[test]
    fn scripts_and_programs_get_their_run_bit_back_in_the_copy_alone() {
        let (dir, from, to) = folders();
        fs::write(from.path().join("script"), "#!/bin/sh\n").unwrap();
        fs::write(from.path().join("text"), "x").unwrap();
        let tree = Tree::of(&dir.path().join("from"), TreeLimits::default()).unwrap();
        tree.copy(&to).unwrap();
        restore_run_bits(&tree, &to).unwrap();
        let mode =
            |folder: &Folder, name| folder.path().join(name).metadata().unwrap().mode() & 0o111;
        assert_eq!((mode(&to, "script"), mode(&to, "text")), (0o111, 0));
        assert_eq!(mode(&from, "script"), 0);
    }

    fn folders() -> (tempfile::TempDir, Folder, Folder) {
        let dir = tempfile::tempdir().unwrap();
        let [from, to] = ["from", "to"].map(|name| dir.path().join(name));
        (dir, Folder::create_all(&from).unwrap(), Folder::create_all(&to).unwrap())
    }

    fn what(result: Result<Vec<String>, Wrong>) -> String {
        let Err(Wrong::Bot(BotFault::Files(faults))) = result else { panic!("{result:?}") };
        faults[0].what.to_string()
    }

    #[test]
    fn plain_files_are_copied_without_special_bits_and_nothing_else_is() {
        let (_dir, from, to) = folders();
        let at = |name: &str| from.path().join(name);
        fs::create_dir_all(at("sub")).unwrap();
        fs::write(at("sub/program"), "x").unwrap();
        fs::set_permissions(at("sub/program"), fs::Permissions::from_mode(0o6755)).unwrap();
        fs::set_permissions(at("sub"), fs::Permissions::from_mode(0o2777)).unwrap();
        fs::hard_link(at("sub/program"), at("other-name")).unwrap();
        symlink("sub/program", at("inner")).unwrap();
        symlink("/etc/passwd", at("outer")).unwrap();
        symlink("gone", at("dangling")).unwrap();
        assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        let mut left_out = copy(&from, &to, LIMITS).unwrap();
        left_out.sort();
        assert_eq!(
            left_out,
            [
                "dangling: a link that leads out of the bot's folder",
                "outer: a link that leads out of the bot's folder",
                "pipe: a named pipe",
                "socket: a socket"
            ]
        );
        let mut names: Vec<_> = to.names(99).unwrap();
        names.sort();
        assert_eq!(names, ["inner", "other-name", "sub"]);
        let mode = |name: &str| to.path().join(name).metadata().unwrap().mode() & 0o7777;
        assert_eq!((mode("sub") & 0o7000, mode("sub/program") & 0o7111), (0, 0o111));
        assert_eq!(fs::read_to_string(to.path().join("inner")).unwrap(), "x");
        assert_eq!(to.path().join("other-name").metadata().unwrap().nlink(), 1);
    }

    #[test]
    fn size_count_and_depth_are_bounded() {
        let (_dir, from, to) = folders();
        fs::create_dir_all(from.path().join("a/b")).unwrap();
        fs::write(from.path().join("a/b/c"), "123").unwrap();
        let all = TreeLimits { bytes: 3, files: 3, depth: 2 };
        for (number, limits, words) in [
            (0, TreeLimits { bytes: 2, ..all }, "more than 0 MiB"),
            (1, TreeLimits { files: 2, ..all }, "more than 2 files"),
            (2, TreeLimits { depth: 1, ..all }, "more than 1 folders"),
        ] {
            let to = Folder::create_all(&to.path().join(number.to_string())).unwrap();
            assert!(what(copy(&from, &to, limits)).contains(words), "{words}");
        }
        let to = Folder::create_all(&to.path().join("all")).unwrap();
        assert_eq!(copy(&from, &to, all).unwrap().len(), 0);
    }

    #[test]
    fn a_sparse_file_is_refused_before_it_fills_the_disk() {
        let (_dir, from, to) = folders();
        fs::File::create(from.path().join("data")).unwrap().set_len(1 << 40).unwrap();
        let text = what(copy(&from, &to, LIMITS));
        assert!(text.contains("more than 2048 MiB"), "{text}");
        assert_eq!(to.names(9).unwrap(), [""; 0]);
    }

    #[test]
    fn a_path_that_is_longer_than_any_is_the_bots_fault() {
        let (_dir, from, to) = folders();
        let (mut here, name) = (Folder::open(from.path()).unwrap(), "d".repeat(200));
        for _ in 0..60 {
            here.create_folder(Path::new(&name)).unwrap();
            here = here.folder(Path::new(&name)).unwrap();
        }
        let text = what(copy(&from, &to, LIMITS));
        assert!(text.contains("cannot be read: File name too long"), "{text}");
    }

    #[test]
    fn a_full_disk_is_blamed_on_whoever_filled_it() {
        let full = || {
            let error = io::Error::from_raw_os_error(libc::ENOSPC);
            Wrong::from(SnapshotError::at("write", Path::new("x"))(error))
        };
        assert!(matches!(blame(full(), || true), Wrong::Bot(_)));
        assert!(matches!(blame(full(), || false), Wrong::Store(_)));
        let closed = || Wrong::file(Path::new("x"), said!("{}", "is wrong"));
        assert!(matches!(blame(closed(), || panic!("not asked")), Wrong::Bot(_)));
    }
}
