//! Core lock files, one for each physical core of the machine.
//!
//! A process that plays on a core holds an exclusive `flock` on the core's file. The kernel
//! releases the lock when the process ends. The folder is sticky and owned by the system: every
//! user may create files, and no user may remove or replace those of another. Files are neither
//! written nor read. Links are not followed, and only plain files are used.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, Mode, OFlags, fchmod, flock, open};
use rustix::io::Errno;

/// Environment variable with the folder for lock files, for containers that share cores but no
/// folder. If it is empty, nothing is reserved, because this project's tests run in parallel.
const FOLDER: &str = "PITMASTER_LOCKS";

/// Folders shared by all users, in order of preference. The first ones are cleared at boot.
const FOLDERS: [&str; 4] = ["/run/lock", "/var/lock", "/dev/shm", "/tmp"];

/// Mode bits of a shared folder: sticky and writable by all users.
const SHARED: u32 = 0o1002;

/// User id of users that are unmapped in a container, such as root.
const NOBODY: u32 = 65_534;

/// Time for which a new file may lack its permissions.
const JUST_CREATED: Duration = Duration::from_millis(20);

/// A reserved core. Dropping it frees the core.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
}

impl Drop for Lock {
    /// Unlocks explicitly, because a process that another thread has just forked keeps the file
    /// open until it executes its program.
    fn drop(&mut self) {
        let _ = flock(&self.file, FlockOperation::Unlock);
    }
}

/// Result of a reservation attempt.
#[derive(Debug)]
pub(super) enum Tried {
    Locked(Lock),
    /// Another process holds the core.
    Held,
    /// No process can reserve the core, with the reason.
    Broken(String),
}

/// Folder of the lock files; `None` if nothing is to be reserved.
///
/// # Errors
/// The reason why there is no usable folder.
pub(super) fn folder() -> Result<Option<PathBuf>, String> {
    if let Some(named) = std::env::var_os(FOLDER) {
        return Ok((!named.is_empty()).then(|| named.into()));
    }
    let shared = FOLDERS.iter().map(Path::new).find(|folder| is_shared(folder));
    shared.map(|folder| Some(folder.to_owned())).ok_or_else(|| {
        let tried = FOLDERS.join(", ");
        format!("there is no folder that everybody may write to (sticky, mode 1777) among {tried}")
    })
}

fn is_shared(folder: &Path) -> bool {
    let is_read_only = rustix::fs::statvfs(folder)
        .is_ok_and(|disk| disk.f_flag.contains(rustix::fs::StatVfsMountFlags::RDONLY));
    folder.symlink_metadata().is_ok_and(|found| {
        found.is_dir()
            && found.mode() & SHARED == SHARED
            && [0, NOBODY].contains(&found.uid())
            && !is_read_only
    })
}

/// Path of a core's lock file.
pub(super) fn path(folder: &Path, core: usize) -> PathBuf {
    folder.join(format!("pitmaster-core-{core}.lock"))
}

/// Tries to reserve a core, without waiting.
pub(super) fn try_lock(folder: &Path, core: usize) -> Tried {
    let path = path(folder, core);
    loop {
        let file = match open_file(&path) {
            Ok(file) => file,
            Err(error) => return Tried::Broken(format!("{}: {error}", path.display())),
        };
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) if is_at(&file, &path) => return Tried::Locked(Lock { file }),
            // The file was removed meanwhile, so other processes would not see this lock.
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => return Tried::Held,
            Err(error) => return Tried::Broken(format!("{}: {error}", path.display())),
        }
    }
}

/// Opens a lock file, or creates it.
fn open_file(path: &Path) -> io::Result<File> {
    match open_existing(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => create(path),
        // The creating process sets the permissions a moment later.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            std::thread::sleep(JUST_CREATED);
            open_existing(path)
        }
        opened => opened,
    }
}

/// Opens an existing lock file. With `O_CREAT`, `fs.protected_regular` would refuse files of other
/// users.
fn open_existing(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = File::from(open(path, flags | OFlags::CLOEXEC, Mode::empty())?);
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::other("it is no plain file; remove it"))
    }
}

fn create(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mode = Mode::RUSR | Mode::WUSR | Mode::RGRP | Mode::ROTH;
    match open(path, flags, mode) {
        Ok(created) => {
            // Other users must be able to lock the file, regardless of the umask.
            fchmod(&created, mode)?;
            Ok(created.into())
        }
        Err(Errno::EXIST) => open_existing(path),
        Err(error) => Err(error.into()),
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    let (Ok(mine), Ok(there)) = (file.metadata(), path.symlink_metadata()) else { return false };
    (mine.dev(), mine.ino()) == (there.dev(), there.ino())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn is_locked(tried: &Tried) -> bool {
        matches!(tried, Tried::Locked(_))
    }

    #[test]
    fn a_core_is_reserved_once_and_free_when_it_is_let_go() {
        let dir = tempfile::tempdir().unwrap();
        let mine = try_lock(dir.path(), 3);
        assert!(is_locked(&mine));
        assert!(matches!(try_lock(dir.path(), 3), Tried::Held));
        assert!(is_locked(&try_lock(dir.path(), 2)));
        drop(mine);
        assert!(is_locked(&try_lock(dir.path(), 3)));
    }

    #[test]
    fn a_core_is_free_although_another_process_has_the_file_open() {
        let dir = tempfile::tempdir().unwrap();
        let Tried::Locked(mine) = try_lock(dir.path(), 3) else { panic!("nobody has it") };
        let inherited = mine.file.try_clone().unwrap();
        drop(mine);
        assert!(is_locked(&try_lock(dir.path(), 3)));
        drop(inherited);
    }

    #[test]
    fn everybody_can_open_a_lock_file_and_only_its_owner_can_write() {
        let dir = tempfile::tempdir().unwrap();
        drop(try_lock(dir.path(), 0));
        let mode = path(dir.path(), 0).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o644);
    }

    #[test]
    fn what_others_put_there_is_not_followed_and_blocks_nobody() {
        let dir = tempfile::tempdir().unwrap();
        let victim = dir.path().join("victim");
        symlink(&victim, path(dir.path(), 0)).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, path(dir.path(), 1), Mode::RUSR | Mode::WUSR)
            .unwrap();
        std::fs::create_dir(path(dir.path(), 2)).unwrap();
        for core in 0..3 {
            let tried = try_lock(dir.path(), core);
            assert!(matches!(tried, Tried::Broken(_)), "{core}: {tried:?}");
        }
        assert!(!victim.exists(), "nothing was created behind the link");
    }

    #[test]
    fn a_folder_that_is_not_there_is_told() {
        let tried = try_lock(Path::new("/nowhere"), 0);
        let Tried::Broken(why) = tried else { panic!("{tried:?}") };
        assert!(why.starts_with("/nowhere/pitmaster-core-0.lock: "), "{why}");
    }

    #[test]
    fn a_shared_folder_is_sticky_and_the_systems() {
        let dir = tempfile::tempdir().unwrap();
        let set = |mode| std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(mode));
        set(0o777).unwrap();
        assert!(!is_shared(dir.path()), "others could remove files");
        set(0o755).unwrap();
        assert!(!is_shared(dir.path()));
        assert!(!is_shared(Path::new("/nowhere")));
    }
}
