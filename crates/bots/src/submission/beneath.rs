//! File access beneath a folder that a submission may have touched, by file descriptors.
//!
//! The content may be hostile and may change during access. So this module follows no link, waits
//! for no pipe, and writes to nothing that exists. Everything else in this folder accesses files
//! through it; `clippy.toml` lists the functions that it replaces.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

/// An open folder. Paths are relative to it and consist of plain names.
#[derive(Debug)]
pub(super) struct Folder {
    descriptor: OwnedFd,
    /// Path of the folder, for messages.
    path: PathBuf,
}

/// Kind of a folder's entry. Links are not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    /// A regular file, and whether it is executable by anybody.
    File { executable: bool },
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A named pipe, a socket or a device, with its name for people.
    Special(&'static str),
}

/// Returns whether only its owner can access a folder. What is created in it is closed, too.
#[expect(clippy::disallowed_methods, reason = "a path of the operator's")]
fn is_closed(folder: &Path) -> bool {
    folder.metadata().is_ok_and(|meta| meta.mode() & 0o077 == 0)
}

impl Folder {
    /// Opens a folder at a path from the operator. Links on the way are followed.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let descriptor = rustix::fs::open(path, FOLDER, Mode::empty())?;
        Ok(Self { descriptor, path: path.to_owned() })
    }

    /// Opens a folder like `open`, and creates missing folders on the way.
    #[expect(clippy::disallowed_methods, reason = "a path of the operator's")]
    pub(super) fn create_all(path: &Path) -> io::Result<Self> {
        let mut builder = std::fs::DirBuilder::new();
        if path.parent().is_some_and(is_closed) {
            builder.mode(0o700);
        }
        builder.recursive(true).create(path)?;
        Self::open(&path.canonicalize()?)
    }

    /// Path of the folder.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a subfolder.
    pub(super) fn folder(&self, relative: &Path) -> io::Result<Self> {
        let descriptor = self.open_beneath(relative, FOLDER)?;
        Ok(Self { descriptor, path: self.path.join(relative) })
    }

    /// Opens a regular file for reading. Anything else is an error, without blocking.
    pub(super) fn file(&self, relative: &Path) -> io::Result<File> {
        self.at(relative, |parent, name| {
            regular(rustix::fs::openat(parent, name, FOR_READING, Mode::empty())?)
        })
    }

    /// Opens a regular file for reading even if its owner has removed the permission. For temporary
    /// files: the mode may be changed.
    pub(super) fn file_though_closed(&self, relative: &Path) -> io::Result<File> {
        self.at(relative, |parent, name| {
            let found = rustix::fs::openat(parent, name, LOOK | CAREFULLY, Mode::empty())?;
            if matches!(kind_of(&rustix::fs::fstat(&found)?), EntryKind::File { .. }) {
                allow_owner(&found, Mode::RUSR)?;
            }
            regular(rustix::fs::openat(parent, name, FOR_READING, Mode::empty())?)
        })
    }

    /// Opens a subfolder even if its owner has removed the permission. For temporary files: the
    /// mode may be changed.
    pub(super) fn folder_though_closed(&self, relative: &Path) -> io::Result<Self> {
        let descriptor = self.at(relative, open_though_closed)?;
        Ok(Self { descriptor, path: self.path.join(relative) })
    }

    /// Opens a regular file for reading. Links on the way may only lead to places beneath this
    /// folder.
    pub(super) fn file_by_links(&self, relative: &Path) -> io::Result<File> {
        regular(self.follow(relative, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY)?)
    }

    /// Returns whether a path leads to something beneath this folder, links followed.
    pub(super) fn leads_inside(&self, relative: &Path) -> bool {
        self.follow(relative, LOOK).is_ok()
    }

    /// Kind of the entry at a path.
    pub(super) fn kind(&self, relative: &Path) -> io::Result<EntryKind> {
        self.at(relative, |parent, name| {
            let stat = rustix::fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW)?;
            Ok(kind_of(&stat))
        })
    }

    /// Returns whether an entry exists at a path, including a broken link.
    pub(super) fn has(&self, relative: &Path) -> bool {
        self.kind(relative).is_ok()
    }

    /// Names in this folder, unsorted, at most `most`.
    pub(super) fn names(&self, most: usize) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        // A descriptor of its own: each listing begins at the beginning.
        let listing = Dir::read_from(&self.descriptor)?;
        for entry in listing {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if !matches!(name, b"." | b"..") {
                names.push(OsString::from_vec(name.to_vec()));
            }
            if names.len() == most {
                break;
            }
        }
        Ok(names)
    }

    /// Target of a link.
    pub(super) fn link_target(&self, relative: &Path) -> io::Result<PathBuf> {
        self.at(relative, |parent, name| {
            let target = rustix::fs::readlinkat(parent, name, Vec::new())?;
            Ok(OsString::from_vec(target.into_bytes()).into())
        })
    }

    /// Creates a folder; fails if the entry exists.
    pub(super) fn create_folder(&self, relative: &Path) -> io::Result<()> {
        let mode = Mode::from_raw_mode(0o755);
        self.at(relative, |parent, name| Ok(rustix::fs::mkdirat(parent, name, mode)?))
    }

    /// Creates a file for reading and writing; fails if the entry exists.
    pub(super) fn create_file(&self, relative: &Path, executable: bool) -> io::Result<File> {
        let mode = Mode::from_raw_mode(if executable { 0o755 } else { 0o644 });
        self.at(relative, |parent, name| {
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | CAREFULLY;
            Ok(rustix::fs::openat(parent, name, flags, mode)?.into())
        })
    }

    /// Creates a file in append mode; fails if the entry exists.
    pub(super) fn create_log(&self, relative: &Path) -> io::Result<File> {
        let mode = Mode::from_raw_mode(0o644);
        self.at(relative, |parent, name| {
            let flags = OFlags::RDWR | OFlags::APPEND | OFlags::CREATE | OFlags::EXCL | CAREFULLY;
            Ok(rustix::fs::openat(parent, name, flags, mode)?.into())
        })
    }

    /// Opens a lock file, creating it if necessary.
    pub(super) fn lock_file(&self, relative: &Path) -> io::Result<File> {
        let mode = Mode::from_raw_mode(0o644);
        self.at(relative, |parent, name| {
            let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE | CAREFULLY;
            Ok(rustix::fs::openat(parent, name, flags, mode)?.into())
        })
    }

    /// Makes a regular file executable by everybody.
    pub(super) fn make_executable(&self, relative: &Path) -> io::Result<()> {
        Ok(rustix::fs::fchmod(self.file(relative)?, Mode::from_raw_mode(0o755))?)
    }

    /// Creates a link; fails if the entry exists.
    pub(super) fn create_link(&self, relative: &Path, target: &Path) -> io::Result<()> {
        self.at(relative, |parent, name| Ok(rustix::fs::symlinkat(target, parent, name)?))
    }

    /// Renames an entry. An existing entry with the new name is replaced as by `rename`.
    pub(super) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.at(from, |old_parent, old| {
            self.at(to, |parent, name| Ok(rustix::fs::renameat(old_parent, old, parent, name)?))
        })
    }

    /// Removes an entry with its content, regardless of depth and permissions. A missing entry is
    /// not an error.
    pub(super) fn remove(&self, relative: &Path) -> io::Result<()> {
        let removed = match self.kind(relative) {
            Ok(EntryKind::Folder) => self.at(relative, |parent, name| {
                Emptied::open(parent, name)?.remove_all()?;
                Ok(rustix::fs::unlinkat(parent, name, AtFlags::REMOVEDIR)?)
            }),
            Ok(_) => self.at(relative, |parent, name| {
                Ok(rustix::fs::unlinkat(parent, name, AtFlags::empty())?)
            }),
            Err(error) => Err(error),
        };
        removed.or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        })
    }

    /// Does something to an entry by its name in the folder that it lies in.
    fn at<T>(
        &self,
        relative: &Path,
        act: impl FnOnce(BorrowedFd<'_>, &OsStr) -> io::Result<T>,
    ) -> io::Result<T> {
        check_plain(relative)?;
        let name = relative.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        match relative.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            None => act(self.descriptor.as_fd(), name),
            Some(parent) => act(self.open_beneath(parent, FOLDER)?.as_fd(), name),
        }
    }

    /// Opens what lies at a path of plain names; a link anywhere on the way is an error.
    fn open_beneath(&self, relative: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        check_plain(relative)?;
        match resolve(self.descriptor.as_fd(), relative, flags, Links::Refused) {
            Err(Errno::NOSYS | Errno::PERM) => self.descend(relative, flags),
            result => Ok(result?),
        }
    }

    /// The same where the kernel resolves no paths beneath a folder: name by name.
    fn descend(&self, relative: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let mut here = rustix::io::dup(&self.descriptor)?;
        let mut names = relative.iter().peekable();
        while let Some(name) = names.next() {
            let flags = if names.peek().is_some() { FOLDER } else { flags | CAREFULLY };
            here = rustix::fs::openat(&here, name, flags, Mode::empty())?;
        }
        Ok(here)
    }

    fn follow(&self, relative: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let flags = flags | OFlags::CLOEXEC;
        match resolve(self.descriptor.as_fd(), relative, flags, Links::Beneath) {
            Err(Errno::NOSYS | Errno::PERM) => self.follow_by_path(relative, flags),
            result => Ok(result?),
        }
    }

    /// The same where the kernel resolves no paths beneath a folder.
    #[expect(clippy::disallowed_methods, reason = "older kernels and other systems")]
    fn follow_by_path(&self, relative: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let root = self.path.canonicalize()?;
        let found = root.join(relative).canonicalize()?;
        let inside = found.strip_prefix(&root).map_err(|_| io::Error::from(Errno::XDEV))?;
        if inside.as_os_str().is_empty() {
            return Ok(rustix::io::dup(&self.descriptor)?);
        }
        self.descend(inside, flags)
    }
}

/// Neither a link nor a wait, and nothing that a child inherits.
const CAREFULLY: OFlags =
    OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);
const FOR_READING: OFlags = OFlags::RDONLY.union(CAREFULLY);
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(CAREFULLY);

/// To look at something without reading it.
#[cfg(target_os = "linux")]
const LOOK: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const LOOK: OFlags = OFlags::NONBLOCK;

/// What becomes of symbolic links on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Links {
    /// They are an error.
    Refused,
    /// They are followed, as long as they lead nowhere else.
    Beneath,
}

/// `openat2` of Linux 5.6.
#[cfg(target_os = "linux")]
fn resolve(
    root: BorrowedFd<'_>,
    relative: &Path,
    flags: OFlags,
    links: Links,
) -> Result<OwnedFd, Errno> {
    use rustix::fs::ResolveFlags;
    let how = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    let how = if links == Links::Refused { how | ResolveFlags::NO_SYMLINKS } else { how };
    // The kernel asks for another try when somebody renames folders meanwhile.
    for _ in 0..8 {
        match rustix::fs::openat2(root, relative, flags, Mode::empty(), how) {
            Err(Errno::AGAIN) => {}
            result => return result,
        }
    }
    Err(Errno::AGAIN)
}

#[cfg(not(target_os = "linux"))]
fn resolve(_: BorrowedFd<'_>, _: &Path, _: OFlags, _: Links) -> Result<OwnedFd, Errno> {
    Err(Errno::NOSYS)
}

fn check_plain(relative: &Path) -> io::Result<()> {
    let is_plain = |part| matches!(part, Component::Normal(_));
    if relative.components().all(is_plain) && !relative.as_os_str().is_empty() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "not a path of plain names"))
}

fn regular(descriptor: OwnedFd) -> io::Result<File> {
    match kind_of(&rustix::fs::fstat(&descriptor)?) {
        EntryKind::File { .. } => Ok(descriptor.into()),
        EntryKind::Special(name) => Err(io::Error::other(format!("it is {name} and not a file"))),
        _ => Err(io::Error::other("it is not a file")),
    }
}

/// Opens a program for a look at it: one of the machine's, or one in a folder that holds plain
/// files only. Links are followed, and pipes are not waited for.
pub(super) fn open_program(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    regular(rustix::fs::open(path, flags, Mode::empty())?)
}

/// Whether anybody may execute an open file.
pub(super) fn is_executable(file: &File) -> io::Result<bool> {
    Ok(matches!(kind_of(&rustix::fs::fstat(file)?), EntryKind::File { executable: true }))
}

fn kind_of(stat: &Stat) -> EntryKind {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => EntryKind::File { executable: stat.st_mode & 0o111 != 0 },
        FileType::Directory => EntryKind::Folder,
        FileType::Symlink => EntryKind::Link,
        FileType::Fifo => EntryKind::Special("a named pipe"),
        FileType::Socket => EntryKind::Special("a socket"),
        _ => EntryKind::Special("a device"),
    }
}

/// A folder that is being emptied. Folders within it are moved to its top before they are
/// emptied in turn, so that their depth does not matter.
struct Emptied {
    descriptor: OwnedFd,
    moved: u64,
}

/// How many names are looked at in one listing.
const BATCH: usize = 1024;

impl Emptied {
    fn open(parent: BorrowedFd<'_>, name: &OsStr) -> io::Result<Self> {
        Ok(Self { descriptor: open_though_closed(parent, name)?, moved: 0 })
    }

    fn remove_all(mut self) -> io::Result<()> {
        loop {
            let names = names_in(&self.descriptor)?;
            if names.is_empty() {
                return Ok(());
            }
            for name in names {
                self.remove(&name)?;
            }
        }
    }

    fn remove(&mut self, name: &OsStr) -> io::Result<()> {
        let here = self.descriptor.as_fd();
        if unlink(here, name)? {
            return Ok(());
        }
        let folder = open_though_closed(here, name)?;
        loop {
            let names = names_in(&folder)?;
            if names.is_empty() {
                return Ok(rustix::fs::unlinkat(&self.descriptor, name, AtFlags::REMOVEDIR)?);
            }
            for inner in names {
                if !unlink(folder.as_fd(), &inner)? {
                    // Only who may write to a folder may move it.
                    drop(open_though_closed(folder.as_fd(), &inner)?);
                    self.move_up(&folder, &inner)?;
                }
            }
        }
    }

    fn move_up(&mut self, from: &OwnedFd, name: &OsStr) -> io::Result<()> {
        loop {
            self.moved += 1;
            let free = format!(".pitmaster-removed-{}", self.moved);
            let taken = rustix::fs::statat(&self.descriptor, &free, AtFlags::SYMLINK_NOFOLLOW);
            if taken.is_err() {
                return Ok(rustix::fs::renameat(from, name, &self.descriptor, &free)?);
            }
        }
    }
}

/// Removes an entry that holds nothing; whether that was possible.
fn unlink(parent: BorrowedFd<'_>, name: &OsStr) -> io::Result<bool> {
    let stat = rustix::fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW)?;
    let is_folder = kind_of(&stat) == EntryKind::Folder;
    let flags = if is_folder { AtFlags::REMOVEDIR } else { AtFlags::empty() };
    match rustix::fs::unlinkat(parent, name, flags) {
        Err(Errno::NOTEMPTY | Errno::EXIST) if is_folder => Ok(false),
        result => Ok(result.map(|()| true)?),
    }
}

fn names_in(folder: &OwnedFd) -> io::Result<Vec<OsString>> {
    let folder = Folder { descriptor: rustix::io::dup(folder)?, path: PathBuf::new() };
    folder.names(BATCH)
}

/// Opens a folder, also one that its owner has closed to itself.
fn open_though_closed(parent: BorrowedFd<'_>, name: &OsStr) -> io::Result<OwnedFd> {
    let flags = LOOK | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let found = rustix::fs::openat(parent, name, flags, Mode::empty())?;
    allow_owner(&found, Mode::RWXU)?;
    Ok(rustix::fs::openat(&found, ".", FOLDER, Mode::empty())?)
}

/// Gives the owner of what was found more rights to it.
fn allow_owner(found: &OwnedFd, rights: Mode) -> io::Result<()> {
    let mode = Mode::from_raw_mode(rustix::fs::fstat(found)?.st_mode);
    if mode.contains(rights) {
        return Ok(());
    }
    Ok(rustix::fs::chmod(itself(found), mode | rights)?)
}

/// A path to what was found: by its descriptor, since its name could lead elsewhere by now.
fn itself(found: &OwnedFd) -> String {
    format!("/proc/self/fd/{}", found.as_raw_fd())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::{Read as _, Write as _};
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::process::Command;

    /// `in/file` and `in/folder/file` beneath the folder, `secret` beside it.
    fn place() -> (tempfile::TempDir, Folder) {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("in/folder")).unwrap();
        for name in ["in/file", "in/folder/file", "secret"] {
            fs::write(dir.path().join(name), name).unwrap();
        }
        let folder = Folder::open(&dir.path().join("in")).unwrap();
        (dir, folder)
    }

    fn text(file: io::Result<File>) -> String {
        let mut text = String::new();
        file.unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn no_link_is_followed_unless_it_stays_beneath() {
        let (dir, folder) = place();
        let put = |target: &str, name: &str| symlink(target, dir.path().join("in").join(name));
        put("../secret", "out").unwrap();
        put("/etc/passwd", "absolute").unwrap();
        put("..", "up").unwrap();
        put("file", "inner").unwrap();
        put("folder", "way").unwrap();
        put("loop", "loop").unwrap();
        for path in ["out", "absolute", "up/secret", "up/in/file", "loop", "missing"] {
            let path = Path::new(path);
            assert!(folder.file(path).is_err(), "{path:?}");
            assert!(folder.file_by_links(path).is_err(), "{path:?}");
            assert!(!folder.leads_inside(path), "{path:?}");
        }
        for path in ["inner", "way/file"] {
            let path = Path::new(path);
            assert!(folder.file(path).is_err(), "{path:?}");
            assert!(folder.file_by_links(path).is_ok() && folder.leads_inside(path), "{path:?}");
        }
        assert!(folder.folder(Path::new("way")).is_err());
        assert_eq!(text(folder.file(Path::new("folder/file"))), "in/folder/file");
    }

    #[test]
    fn paths_are_plain_names() {
        let (dir, folder) = place();
        for path in ["", ".", "..", "../secret", "folder/../file", "/etc/passwd"] {
            assert!(folder.file(Path::new(path)).is_err(), "{path:?}");
            assert!(folder.create_file(Path::new(path), false).is_err(), "{path:?}");
            assert!(folder.remove(Path::new(path)).is_err(), "{path:?}");
        }
        assert!(dir.path().join("secret").exists());
    }

    #[test]
    fn a_pipe_is_told_at_once() {
        let (dir, folder) = place();
        let pipe = dir.path().join("in/pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let error = folder.file(Path::new("pipe")).unwrap_err().to_string();
        assert_eq!(error, "it is a named pipe and not a file");
        assert!(folder.file_by_links(Path::new("pipe")).is_err());
        assert!(folder.lock_file(Path::new("pipe")).is_err());
    }

    #[test]
    fn nothing_that_exists_is_written_to() {
        let (dir, folder) = place();
        symlink("../secret", dir.path().join("in/out")).unwrap();
        symlink("../new", dir.path().join("in/dangling")).unwrap();
        for path in ["file", "out", "dangling", "folder"] {
            let path = Path::new(path);
            assert!(folder.create_file(path, false).is_err(), "{path:?}");
            assert!(folder.create_log(path).is_err(), "{path:?}");
            assert!(folder.create_folder(path).is_err(), "{path:?}");
        }
        assert!(folder.lock_file(Path::new("dangling")).is_err());
        assert!(!dir.path().join("new").exists());
        assert_eq!(fs::read_to_string(dir.path().join("secret")).unwrap(), "secret");
        folder.create_file(Path::new("folder/new"), true).unwrap().write_all(b"x").unwrap();
        assert_eq!(
            folder.kind(Path::new("folder/new")).unwrap(),
            EntryKind::File { executable: true }
        );
    }

    #[test]
    fn a_folder_is_removed_however_deep_and_closed() {
        let (dir, folder) = place();
        // A path of more than 4096 bytes cannot be named in one piece.
        let mut here = Folder::open(&dir.path().join("in/folder")).unwrap();
        let name = "d".repeat(200);
        for _ in 0..60 {
            here.create_folder(Path::new(&name)).unwrap();
            here.create_file(Path::new("beside"), false).unwrap();
            here = here.folder(Path::new(&name)).unwrap();
        }
        symlink("/etc", dir.path().join("in/folder/link")).unwrap();
        let closed = dir.path().join("in/folder/closed/inner");
        fs::create_dir_all(&closed).unwrap();
        for path in [&closed, closed.parent().unwrap()] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
        }
        folder.remove(Path::new("folder")).unwrap();
        assert!(!folder.has(Path::new("folder")));
        folder.remove(Path::new("folder")).unwrap();
        assert!(folder.has(Path::new("file")) && Path::new("/etc/passwd").exists());
    }

    /// Root may read all; the test that runs as an ordinary user is the hostile bot
    /// `build-closes-its-folders`.
    #[test]
    fn what_its_owner_has_closed_is_opened() {
        let (dir, folder) = place();
        let closed = |name: &str, mode| {
            let path = dir.path().join("in/folder").join(name);
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            path
        };
        fs::write(dir.path().join("in/folder/shut"), "read").unwrap();
        fs::create_dir(dir.path().join("in/folder/shut-folder")).unwrap();
        let (file, inner) = (closed("shut", 0o010), closed("shut-folder", 0o000));
        symlink("shut", dir.path().join("in/folder/to-shut")).unwrap();
        let at = |name: &str| Path::new("folder").join(name);
        assert_eq!(text(folder.file_though_closed(&at("shut"))), "read");
        folder.folder_though_closed(&at("shut-folder")).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&file), mode(&inner)), (0o410, 0o700));
        assert!(folder.file_though_closed(&at("to-shut")).is_err());
        assert!(folder.file_though_closed(&at("shut-folder")).is_err());
    }

    #[test]
    fn a_removed_link_leaves_what_it_leads_to() {
        let (dir, folder) = place();
        symlink("folder", dir.path().join("in/link")).unwrap();
        folder.remove(Path::new("link")).unwrap();
        assert!(!folder.has(Path::new("link")) && folder.has(Path::new("folder/file")));
    }

    #[test]
    fn walking_name_by_name_refuses_the_same() {
        let (dir, folder) = place();
        symlink("folder", dir.path().join("in/way")).unwrap();
        symlink("../secret", dir.path().join("in/out")).unwrap();
        assert!(folder.descend(Path::new("folder/file"), FOR_READING).is_ok());
        assert!(folder.descend(Path::new("way/file"), FOR_READING).is_err());
        assert!(folder.descend(Path::new("out"), FOR_READING).is_err());
        assert!(folder.follow_by_path(Path::new("way/file"), FOR_READING).is_ok());
        assert!(folder.follow_by_path(Path::new("out"), FOR_READING).is_err());
    }
}
