//! Location check of a file that a call names: beneath the build's folders, or elsewhere.

use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags, Stat, fstat, openat, openat2};
use rustix::io::{Errno, Result};

use super::request::Target;
use crate::folder::by_descriptor;

/// The folders of a build.
#[derive(Debug)]
pub(super) struct Places {
    folders: Vec<OwnedFd>,
    /// Owner of their content.
    user: u32,
}

/// A file of the build, open as a path only.
#[derive(Debug)]
pub(super) struct Own {
    file: OwnedFd,
    facts: Stat,
}

impl Own {
    pub(super) fn file(&self) -> &OwnedFd {
        &self.file
    }

    pub(super) fn kind(&self) -> FileType {
        FileType::from_raw_mode(self.facts.st_mode)
    }

    pub(super) fn owner(&self) -> [u32; 2] {
        [self.facts.st_uid, self.facts.st_gid]
    }
}

/// Opens as a path only, without following a final link by default.
const NAMED: OFlags = OFlags::PATH.union(OFlags::CLOEXEC);

/// Resolves a file argument as the calling thread would, wherever the file is.
pub(super) fn found(thread: u32, target: &Target) -> Result<OwnedFd> {
    let (folder, path, follow) = match target {
        Target::Open(descriptor) => return entry(thread, &format!("fd/{descriptor}")),
        Target::Path { path, .. } if path.is_empty() => return Err(Errno::NOENT),
        Target::Path { folder, path, follow } => (*folder, path.as_slice(), *follow),
    };
    // C libraries change the mode of a path-only descriptor this way.
    if let Some(descriptor) = path.strip_prefix(b"/proc/self/fd/").and_then(number) {
        return entry(thread, &format!("fd/{descriptor}"));
    }
    let (start, resolve) = match (path.starts_with(b"/"), folder) {
        (true, _) => (entry(thread, "root")?, ResolveFlags::IN_ROOT),
        (false, libc::AT_FDCWD) => (entry(thread, "cwd")?, ResolveFlags::empty()),
        (false, folder) => (entry(thread, &format!("fd/{folder}"))?, ResolveFlags::empty()),
    };
    let flags = if follow { NAMED } else { NAMED | OFlags::NOFOLLOW };
    openat2(start, path, flags, Mode::empty(), resolve | ResolveFlags::NO_MAGICLINKS)
}

fn number(text: &[u8]) -> Option<u32> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Opens an entry of a thread's `/proc` folder.
fn entry(thread: u32, name: &str) -> Result<OwnedFd> {
    openat(CWD, format!("/proc/{thread}/{name}"), NAMED, Mode::empty())
        .map_err(|error| if error == Errno::NOENT { Errno::BADF } else { error })
}

impl Places {
    pub(super) fn new(folders: Vec<OwnedFd>, user: u32) -> Self {
        Self { folders, user }
    }

    /// The same file, if it belongs to the build. It is opened again beneath one of the folders
    /// without following links, so the first resolution need not be trusted.
    pub(super) fn own(&self, found: &OwnedFd) -> Result<Own> {
        let (path, facts) = (path_of(found)?, fstat(found)?);
        let beneath = |folder| beneath(folder, &path);
        for file in self.folders.iter().filter_map(beneath) {
            let now = fstat(&file)?;
            let is_same = (now.st_dev, now.st_ino) == (facts.st_dev, facts.st_ino);
            if is_same && now.st_uid == self.user {
                return Ok(Own { file, facts: now });
            }
        }
        Err(Errno::PERM)
    }
}

/// Opens a path if it is beneath a folder.
fn beneath(folder: &OwnedFd, path: &Path) -> Option<OwnedFd> {
    let within = path.strip_prefix(path_of(folder).ok()?).ok()?;
    let within = if within.as_os_str().is_empty() { Path::new(".") } else { within };
    let strict = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_XDEV;
    openat2(folder, within, NAMED | OFlags::NOFOLLOW, Mode::empty(), strict).ok()
}

/// Path of an open file, as reported by the kernel.
fn path_of(open: &OwnedFd) -> Result<PathBuf> {
    let path = fs::read_link(by_descriptor(open)).map_err(|_| Errno::PERM)?;
    if path.as_os_str().as_bytes().starts_with(b"/") { Ok(path) } else { Err(Errno::PERM) }
}
