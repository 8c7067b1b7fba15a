//! File access beneath a folder that a submission may have touched, by file descriptors.
//!
//! The content may be hostile and may change during access. So this module follows no link, waits
//! for no pipe, and writes to nothing that exists. Everything else in this folder accesses files
//! through it; `clippy.toml` lists the functions that it replaces.

mod removal;
mod resolve;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use pitmaster_core::i18n::{Message, said};
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};

use removal::{Emptied, allow_owner, open_though_closed};
use resolve::{FOLDER, FOR_READING, LOOK, SAFE_FLAGS};

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
    /// A regular file, and whether it has an execute permission.
    File { executable: bool },
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// Any other kind.
    Special(Special),
}

/// Entry that is neither a file, a folder nor a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Special {
    NamedPipe,
    Socket,
    Device,
}

impl Special {
    /// Its display name.
    pub(super) fn describe(self) -> Message {
        match self {
            Self::NamedPipe => said!("a named pipe"),
            Self::Socket => said!("a socket"),
            Self::Device => said!("a device"),
        }
    }
}

/// Permissions of the group and of others.
const OTHERS: u32 = 0o077;

/// Returns whether only its owner can access a folder. Entries created in it are closed too.
#[expect(clippy::disallowed_methods, reason = "a path of the operator's")]
fn is_closed(folder: &Path) -> bool {
    folder.metadata().is_ok_and(|meta| meta.mode() & OTHERS == 0)
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
            let found = rustix::fs::openat(parent, name, LOOK | SAFE_FLAGS, Mode::empty())?;
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
        // A separate descriptor, so that each listing starts from the beginning.
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
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | SAFE_FLAGS;
            Ok(rustix::fs::openat(parent, name, flags, mode)?.into())
        })
    }

    /// Creates a file in append mode; fails if the entry exists.
    pub(super) fn create_log(&self, relative: &Path) -> io::Result<File> {
        let mode = Mode::from_raw_mode(0o644);
        self.at(relative, |parent, name| {
            let flags = OFlags::RDWR | OFlags::APPEND | OFlags::CREATE | OFlags::EXCL | SAFE_FLAGS;
            Ok(rustix::fs::openat(parent, name, flags, mode)?.into())
        })
    }

    /// Opens a lock file, creating it if necessary.
    pub(super) fn lock_file(&self, relative: &Path) -> io::Result<File> {
        let mode = Mode::from_raw_mode(0o644);
        self.at(relative, |parent, name| {
            let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE | SAFE_FLAGS;
            Ok(rustix::fs::openat(parent, name, flags, mode)?.into())
        })
    }

    /// Makes a regular file executable for all users.
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
}

fn regular(descriptor: OwnedFd) -> io::Result<File> {
    match kind_of(&rustix::fs::fstat(&descriptor)?) {
        EntryKind::File { .. } => Ok(descriptor.into()),
        EntryKind::Special(special) => {
            Err(io::Error::other(format!("it is {} and not a file", special.describe())))
        }
        _ => Err(io::Error::other("it is not a file")),
    }
}

/// Opens a program for inspection: one of the machine, or one in a folder with only plain files.
/// Links are followed, and pipes do not block.
pub(super) fn open_program(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    regular(rustix::fs::open(path, flags, Mode::empty())?)
}

/// Whether an open file has an execute permission.
pub(super) fn is_executable(file: &File) -> io::Result<bool> {
    Ok(matches!(kind_of(&rustix::fs::fstat(file)?), EntryKind::File { executable: true }))
}

fn kind_of(stat: &Stat) -> EntryKind {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => EntryKind::File { executable: stat.st_mode & 0o111 != 0 },
        FileType::Directory => EntryKind::Folder,
        FileType::Symlink => EntryKind::Link,
        FileType::Fifo => EntryKind::Special(Special::NamedPipe),
        FileType::Socket => EntryKind::Special(Special::Socket),
        _ => EntryKind::Special(Special::Device),
    }
}
