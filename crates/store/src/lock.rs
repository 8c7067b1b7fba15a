//! Writer lock: one writer at a time, and its identity.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Write as _};
use std::path::Path;

use super::StoreError;
use super::folder::open_as_folder;

/// The right to write in a folder. It ends with the process, however that ends: it is the system's
/// lock on an open file, not the file.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
}

impl Drop for Lock {
    /// Released explicitly and not by closing the file, because a process that another thread is
    /// starting has it open too until it executes its program.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl Lock {
    /// Takes the lock of an existing folder.
    pub(super) fn take(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join("tournament.lock");
        let cannot = |error: std::io::Error| StoreError::Folder {
            folder: folder.to_owned(),
            error: error.to_string(),
        };
        let mut options = OpenOptions::new();
        // Not truncated: until the lock is ours, what stands there is the owner's.
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = open_as_folder(&path, options).map_err(cannot)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::Taken {
                    folder: folder.to_owned(),
                    owner: owner(&mut file),
                });
            }
            Err(TryLockError::Error(error)) => return Err(cannot(error)),
        }
        sign(&mut file).map_err(cannot)?;
        Ok(Self { file })
    }
}

fn sign(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    writeln!(file, "process {} on {}", std::process::id(), host_name())
}

/// The owner as recorded in the lock file, limited in length, or a description without it.
fn owner(file: &mut File) -> String {
    let mut text = String::new();
    let read = file.take(300).read_to_string(&mut text);
    match text.lines().next() {
        Some(line) if read.is_ok() && !line.is_empty() => line.escape_debug().to_string(),
        _ => "another process".into(),
    }
}

/// Name of this machine, or `unknown`.
pub fn host_name() -> String {
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    if name.is_empty() { "unknown".into() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_given_back_although_another_process_has_the_file_open() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = Lock::take(folder.path()).expect("nobody has it");
        let inherited = lock.file.try_clone().expect("a second handle");
        assert!(matches!(Lock::take(folder.path()), Err(StoreError::Taken { .. })));
        drop(lock);
        Lock::take(folder.path()).expect("it was given back");
        drop(inherited);
    }
}
