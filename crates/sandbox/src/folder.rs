//! Traversal of folders that a build writes to, by file descriptors.
//!
//! It follows no link, opens no file, and no path is too long for it.
//!
//! Must not depend on what the traversal looks for.

use std::collections::HashSet;
use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, RawMode, Stat, chmodat, chownat, fchown, fstat,
    openat, renameat, statat, unlinkat,
};
use rustix::io::{Errno, Result};
use rustix::process::{Gid, Uid};

/// Maximum depth of a walk below the root folder.
pub(crate) const DEPTH: usize = 96;

/// Owner permissions of a folder.
const OWN: RawMode = 0o700;

/// Content size of some folders.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Content {
    /// Disk usage, in bytes.
    pub(crate) bytes: u64,
    /// Number of files, folders and other directory entries.
    pub(crate) entries: u64,
    /// Whether some folders were skipped because they are too deep.
    pub(crate) is_too_deep: bool,
}

/// Opens a folder to walk through it.
pub(crate) fn open(path: &Path) -> Result<OwnedFd> {
    open_in(CWD, path)
}

fn open_in<P: rustix::path::Arg>(folder: BorrowedFd<'_>, name: P) -> Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(folder, name, flags, Mode::empty())
}

/// Changes the owner of a folder and its content.
pub(crate) fn give(path: &Path, user: u32) -> Result<()> {
    let folder = open(path)?;
    let (user, group) = (Some(Uid::from_raw(user)), Some(Gid::from_raw(user)));
    fchown(&folder, user, group)?;
    walk(&folder, &mut |entry| {
        chownat(entry.folder, entry.name, user, group, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(Go::On)
    })
    .map(drop)
}

/// Measures the content of some folders. Stops after `most` entries.
pub(crate) fn content(folders: &[OwnedFd], most: u64) -> Result<Content> {
    let mut content = Content::default();
    let mut linked = HashSet::new();
    for folder in folders {
        content.is_too_deep |= walk(folder, &mut |entry| {
            let Stat { st_blocks, st_nlink, st_dev, st_ino, .. } = *entry.facts;
            // A file with several hard links is counted once.
            let is_new = entry.is_folder() || st_nlink < 2 || linked.insert((st_dev, st_ino));
            content.bytes += if is_new { 512 * st_blocks.cast_unsigned() } else { 0 };
            content.entries += 1;
            Ok(if content.entries > most { Go::Stop } else { Go::On })
        })?;
    }
    Ok(content)
}

/// Removes a folder's content at any depth. No process may write to it meanwhile.
pub(crate) fn empty(folder: &OwnedFd) -> Result<()> {
    let mut moved = 0;
    loop {
        let removed = remove_within(folder, &mut moved)?;
        if removed == 0 {
            return Ok(());
        }
    }
}

/// Continuation of a walk after an entry.
#[derive(PartialEq, Eq)]
enum Go {
    On,
    Stop,
}

/// Directory entry in a walk, by its name in an open folder.
struct Entry<'w> {
    folder: BorrowedFd<'w>,
    name: &'w CStr,
    facts: &'w Stat,
}

impl Entry<'_> {
    fn is_folder(&self) -> bool {
        is_folder(self.facts)
    }
}

fn is_folder(facts: &Stat) -> bool {
    FileType::from_raw_mode(facts.st_mode) == FileType::Directory
}

/// Calls `meet` for everything beneath a folder, parents first. Entries that vanish meanwhile are
/// skipped. Returns whether some folders are too deep.
fn walk(folder: &OwnedFd, meet: &mut dyn FnMut(&Entry<'_>) -> Result<Go>) -> Result<bool> {
    let mut is_too_deep = false;
    let mut open = vec![Dir::read_from(folder)?];
    loop {
        let is_deepest = open.len() > DEPTH;
        let Some(last) = open.last_mut() else { return Ok(is_too_deep) };
        let Some(entry) = last.read() else {
            open.pop();
            continue;
        };
        let entry = entry?;
        let (name, within) = (entry.file_name(), last.fd()?);
        let Some(facts) = facts_of(within, name)? else { continue };
        match meet(&Entry { folder: within, name, facts: &facts }) {
            Err(Errno::NOENT) | Ok(Go::On) => {}
            Ok(Go::Stop) => return Ok(is_too_deep),
            Err(error) => return Err(error),
        }
        if !is_folder(&facts) {
            continue;
        }
        if is_deepest {
            is_too_deep = true;
        } else if let Some(inner) = enter(within, name)? {
            open.push(Dir::new(inner)?);
        }
    }
}

/// Metadata of an entry. `None` for `.` and `..`, and for a vanished entry.
fn facts_of(folder: BorrowedFd<'_>, name: &CStr) -> Result<Option<Stat>> {
    if matches!(name.to_bytes(), b"." | b"..") {
        return Ok(None);
    }
    unless_gone(statat(folder, name, AtFlags::SYMLINK_NOFOLLOW))
}

fn unless_gone<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Opens a subfolder. Missing owner permissions are added first, so that nothing can be hidden in
/// it.
fn enter(folder: BorrowedFd<'_>, name: &CStr) -> Result<Option<OwnedFd>> {
    match open_in(folder, name) {
        Err(Errno::ACCESS) => {
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let Some(closed) = unless_gone(openat(folder, name, flags, Mode::empty()))? else {
                return Ok(None);
            };
            let mode = fstat(&closed)?.st_mode | OWN;
            chmodat(CWD, by_descriptor(&closed), Mode::from_raw_mode(mode), AtFlags::empty())?;
            unless_gone(open_in(folder, name))
        }
        result => unless_gone(result),
    }
}

/// Path of an open file by its descriptor.
pub(crate) fn by_descriptor(open: &OwnedFd) -> String {
    format!("/proc/self/fd/{}", open.as_raw_fd())
}

/// Removes the content of a folder. Folders that are too deep are moved to its top under a number,
/// for the next pass. Returns the number of removed and moved entries.
fn remove_within(folder: &OwnedFd, moved: &mut u64) -> Result<u64> {
    let mut count = 0;
    let mut open = vec![Dir::read_from(folder)?];
    let mut names: Vec<CString> = Vec::new();
    loop {
        let is_deepest = open.len() > DEPTH;
        let Some(last) = open.last_mut() else { return Ok(count) };
        let Some(entry) = last.read() else {
            open.pop();
            if let (Some(name), Some(parent)) = (names.pop(), open.last()) {
                count += u64::from(unlinkat(parent.fd()?, &name, AtFlags::REMOVEDIR).is_ok());
            }
            continue;
        };
        let entry = entry?;
        let (name, within) = (entry.file_name(), last.fd()?);
        let Some(facts) = facts_of(within, name)? else { continue };
        if !is_folder(&facts) {
            unlinkat(within, name, AtFlags::empty())?;
            count += 1;
        } else if is_deepest {
            renameat(within, name, folder, format!("deep-{moved}"))?;
            (*moved, count) = (*moved + 1, count + 1);
        } else if let Some(inner) = enter_to_change(within, name, &facts)? {
            open.push(Dir::new(inner)?);
            names.push(name.to_owned());
        }
    }
}

/// Opens a folder for the removal of its entries.
fn enter_to_change(folder: BorrowedFd<'_>, name: &CStr, facts: &Stat) -> Result<Option<OwnedFd>> {
    let inner = enter(folder, name)?;
    if let Some(inner) = &inner
        && facts.st_mode & OWN != OWN
    {
        rustix::fs::fchmod(inner.as_fd(), Mode::from_raw_mode(OWN))?;
    }
    Ok(inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    /// Creates nested folders whose path exceeds the kernel's limit.
    fn deep(root: &Path, depth: usize) {
        let mut at = open(root).unwrap();
        for _ in 0..depth {
            let name = "d".repeat(200);
            rustix::fs::mkdirat(&at, &name, Mode::from_raw_mode(OWN)).unwrap();
            at = open_in(at.as_fd(), &name).unwrap();
        }
    }

    #[test]
    fn links_are_neither_followed_nor_counted_twice() {
        let dir = tempfile::tempdir().unwrap();
        let (outside, root) = (dir.path().join("outside"), dir.path().join("root"));
        fs::create_dir_all(root.join("inner")).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("big"), vec![1; 1 << 20]).unwrap();
        fs::write(root.join("inner/file"), vec![1; 8192]).unwrap();
        fs::hard_link(root.join("inner/file"), root.join("again")).unwrap();
        symlink(&outside, root.join("link")).unwrap();
        let all = content(&[open(&root).unwrap()], 100).unwrap();
        assert_eq!((all.entries, all.is_too_deep), (4, false));
        assert!((8192..1 << 16).contains(&all.bytes), "{all:?}");
        assert_eq!(content(&[open(&root).unwrap()], 2).unwrap().entries, 3, "one more is enough");
        empty(&open(&root).unwrap()).unwrap();
        assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
        assert!(outside.join("big").exists());
        assert!(open(&root.join("link")).is_err());
    }

    #[test]
    fn no_folder_is_too_deep_to_be_given_or_removed() {
        let dir = tempfile::tempdir().unwrap();
        deep(dir.path(), 3 * DEPTH);
        let root = open(dir.path()).unwrap();
        let all = content(std::slice::from_ref(&root), 10_000).unwrap();
        assert_eq!((all.entries, all.is_too_deep), (DEPTH as u64 + 1, true));
        give(dir.path(), rustix::process::geteuid().as_raw()).unwrap();
        empty(&root).unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn nothing_hides_in_a_closed_folder() {
        let dir = tempfile::tempdir().unwrap();
        let closed = dir.path().join("closed");
        fs::create_dir(&closed).unwrap();
        fs::write(closed.join("file"), vec![1; 1 << 16]).unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o300)).unwrap();
        let root = open(dir.path()).unwrap();
        assert_eq!(content(std::slice::from_ref(&root), 10).unwrap().entries, 2);
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
        empty(&root).unwrap();
        assert!(!closed.exists());
    }

    #[test]
    fn giving_follows_no_link() {
        if !rustix::process::geteuid().is_root() {
            eprintln!("skipped: only root can give files away");
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        let (foreign, root) = (dir.path().join("foreign"), dir.path().join("root"));
        fs::create_dir(&root).unwrap();
        fs::write(&foreign, "").unwrap();
        symlink(&foreign, root.join("link")).unwrap();
        give(&root, 60_123).unwrap();
        assert_eq!(foreign.metadata().unwrap().uid(), 0);
        assert_eq!(root.join("link").symlink_metadata().unwrap().uid(), 60_123);
        symlink(&foreign, dir.path().join("root-link")).unwrap();
        assert!(give(&dir.path().join("root-link"), 60_123).is_err());
    }
}
