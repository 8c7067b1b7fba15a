//! Writer lock: one writer at a time, and its identity.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Write as _};
use std::path::Path;

use super::StoreError;
use super::folder::open_as_folder;

/// The right to write in a folder. It ends with the process, however that ends: it is the system's
/// lock on an open file, not the file.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

/// Reason why a lock was not taken.
#[derive(Debug)]
pub enum LockError {
    /// Somebody else has it: process and host, as far as they are known.
    Taken(String),
    /// The file cannot be locked.
    Unfit(std::io::Error),
}

impl Drop for Lock {
    /// Released explicitly and not by closing the file, because a process that another thread is
    /// starting has it open too until it executes its program.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl Lock {
    /// Takes the lock of an existing results folder.
    pub(super) fn take(folder: &Path) -> Result<Self, StoreError> {
        Self::take_file(&folder.join("tournament.lock")).map_err(|error| {
            let folder = folder.to_owned();
            match error {
                LockError::Taken(owner) => StoreError::Taken { folder, owner },
                LockError::Unfit(error) => StoreError::Folder { folder, error: error.to_string() },
            }
        })
    }

    /// Takes the lock that a file stands for. The file is created in an existing folder, and stays.
    ///
    /// # Errors
    /// Somebody else has it, or the file cannot be created or locked.
    pub fn take_file(path: &Path) -> Result<Self, LockError> {
        let mut options = OpenOptions::new();
        // Not truncated: until the lock is ours, what stands there is the owner's.
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = open_as_folder(path, options).map_err(LockError::Unfit)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LockError::Taken(owner(&mut file))),
            Err(TryLockError::Error(error)) => return Err(LockError::Unfit(error)),
        }
        sign(&mut file).map_err(LockError::Unfit)?;
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
