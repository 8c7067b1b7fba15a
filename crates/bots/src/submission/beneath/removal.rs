//! Removal of folders that may be deep, or closed to their owner.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};
use std::path::PathBuf;

use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use super::resolve::{FOLDER, LOOK};
use super::{EntryKind, Folder, kind_of};

/// A folder that is being emptied. Folders within it are moved to its top before they are
/// emptied in turn, so that their depth does not matter.
pub(super) struct Emptied {
    descriptor: OwnedFd,
    moved: u64,
}

/// Maximum number of names per listing.
const BATCH: usize = 1024;

impl Emptied {
    pub(super) fn open(parent: BorrowedFd<'_>, name: &OsStr) -> io::Result<Self> {
        Ok(Self { descriptor: open_though_closed(parent, name)?, moved: 0 })
    }

    pub(super) fn remove_all(mut self) -> io::Result<()> {
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
                    // Moving a folder requires write permission on it.
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

/// Removes a file or an empty folder. Returns whether it was removed.
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

/// Opens a folder even if its owner has removed its own permissions.
pub(super) fn open_though_closed(parent: BorrowedFd<'_>, name: &OsStr) -> io::Result<OwnedFd> {
    let flags = LOOK | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let found = rustix::fs::openat(parent, name, flags, Mode::empty())?;
    allow_owner(&found, Mode::RWXU)?;
    Ok(rustix::fs::openat(&found, ".", FOLDER, Mode::empty())?)
}

/// Adds permissions for the owner of an entry.
pub(super) fn allow_owner(found: &OwnedFd, rights: Mode) -> io::Result<()> {
    let mode = Mode::from_raw_mode(rustix::fs::fstat(found)?.st_mode);
    if mode.contains(rights) {
        return Ok(());
    }
    Ok(rustix::fs::chmod(itself(found), mode | rights)?)
}

/// Path of an entry by its descriptor, since its name may have changed meanwhile.
fn itself(found: &OwnedFd) -> String {
    format!("/proc/self/fd/{}", found.as_raw_fd())
}
