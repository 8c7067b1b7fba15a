//! Path resolution beneath an open folder: by `openat2` on Linux 5.6 and later, otherwise name by
//! name.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use super::Folder;

impl Folder {
    /// Calls a function with an entry's parent folder and name.
    pub(super) fn at<T>(
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

    /// Opens the entry at a path of plain names. A link anywhere on the path is an error.
    pub(super) fn open_beneath(&self, relative: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        check_plain(relative)?;
        match resolve(self.descriptor.as_fd(), relative, flags, Links::Refused) {
            Err(Errno::NOSYS | Errno::PERM) => self.descend(relative, flags),
            result => Ok(result?),
        }
    }

    /// Fallback without `openat2`: opens name by name.
    pub(super) fn descend(&self, relative: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let mut here = rustix::io::dup(&self.descriptor)?;
        let mut names = relative.iter().peekable();
        while let Some(name) = names.next() {
            let flags = if names.peek().is_some() { FOLDER } else { flags | SAFE_FLAGS };
            here = rustix::fs::openat(&here, name, flags, Mode::empty())?;
        }
        Ok(here)
    }

    pub(super) fn follow(&self, relative: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let flags = flags | OFlags::CLOEXEC;
        match resolve(self.descriptor.as_fd(), relative, flags, Links::Beneath) {
            Err(Errno::NOSYS | Errno::PERM) => self.follow_by_path(relative, flags),
            result => Ok(result?),
        }
    }

    /// Fallback without `openat2`: follows links by their paths.
    #[expect(clippy::disallowed_methods, reason = "older kernels and other systems")]
    pub(super) fn follow_by_path(&self, relative: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let root = self.path.canonicalize()?;
        let found = root.join(relative).canonicalize()?;
        let inside = found.strip_prefix(&root).map_err(|_| io::Error::from(Errno::XDEV))?;
        if inside.as_os_str().is_empty() {
            return Ok(rustix::io::dup(&self.descriptor)?);
        }
        self.descend(inside, flags)
    }
}

/// Follows no link, does not block, and is closed on `execve`.
pub(super) const SAFE_FLAGS: OFlags =
    OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);
pub(super) const FOR_READING: OFlags = OFlags::RDONLY.union(SAFE_FLAGS);
pub(super) const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(SAFE_FLAGS);

/// Opens an entry without read access.
#[cfg(target_os = "linux")]
pub(super) const LOOK: OFlags = OFlags::PATH;
#[cfg(target_os = "macos")]
pub(super) const LOOK: OFlags = OFlags::NONBLOCK;

/// Treatment of symbolic links in a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Links {
    /// They are an error.
    Refused,
    /// They are followed if they stay beneath the folder.
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
    // The kernel returns `EAGAIN` if folders are renamed meanwhile.
    for _ in 0..8 {
        match rustix::fs::openat2(root, relative, flags, Mode::empty(), how) {
            Err(Errno::AGAIN) => {}
            result => return result,
        }
    }
    Err(Errno::AGAIN)
}

#[cfg(target_os = "macos")]
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
