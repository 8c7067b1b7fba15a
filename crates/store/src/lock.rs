//! Writer lock: one writer at a time, and its identity.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::StoreError;
use super::folder::open_as_folder;

/// Exclusive write lock of a folder. It is a system lock on an open file, so it always ends with
/// the process.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

/// Reason why a lock was not taken.
#[derive(Debug)]
pub enum LockError {
    /// Another process has it, with process and host as far as they are known.
    Taken(String),
    /// The file cannot be locked.
    Unfit(std::io::Error),
}

/// Time for which a killed process may still hold the lock: a process that it was starting has the
/// file open until it executes its program.
const INHERITED: Duration = Duration::from_secs(10);

impl Drop for Lock {
    /// Unlocks explicitly, because a process that another thread is starting keeps the file open
    /// until it executes its program.
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

    /// Takes a lock by its lock file. The file is created in an existing folder, and stays.
    ///
    /// # Errors
    /// Another process has it, or the file cannot be created or locked.
    pub fn take_file(path: &Path) -> Result<Self, LockError> {
        let mut options = OpenOptions::new();
        // Not truncated, because the content belongs to the owner until the lock is acquired.
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = open_as_folder(path, options).map_err(LockError::Unfit)?;
        let began = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(LockError::Unfit(error)),
            }
            let owner = owner(&mut file).map_err(LockError::Unfit)?;
            if !is_gone(&owner) || began.elapsed() > INHERITED {
                return Err(LockError::Taken(owner));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        sign(&mut file).map_err(LockError::Unfit)?;
        Ok(Self { file })
    }
}

fn sign(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "process {} on {}", std::process::id(), host_name())
}

/// The owner as recorded in the lock file, limited in length, or a description without it.
fn owner(file: &mut File) -> std::io::Result<String> {
    let mut text = String::new();
    file.rewind()?;
    let read = file.take(300).read_to_string(&mut text);
    Ok(match text.lines().next() {
        Some(line) if read.is_ok() && !line.is_empty() => line.escape_debug().to_string(),
        _ => "another process".into(),
    })
}

/// Whether an owner was a process of this machine that has ended.
fn is_gone(owner: &str) -> bool {
    let process = || {
        let (id, host) = owner.strip_prefix("process ")?.split_once(" on ")?;
        let is_here = host == host_name().escape_debug().to_string();
        Pid::from_raw(id.parse().ok()?).filter(|_| is_here)
    };
    process().is_some_and(|id| test_kill_process(id) == Err(Errno::SRCH))
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

    #[test]
    fn a_process_that_was_killed_while_it_started_another_is_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lock");
        let mut ended = std::process::Command::new("true").spawn().expect("starts");
        ended.wait().expect("ends");
        let held = Lock::take_file(&path).expect("nobody has it");
        let claimed = format!("process {} on {}\n", ended.id(), host_name());
        std::fs::write(&path, &claimed).expect("writes");
        let waiting = std::thread::scope(|scope| {
            let taken = scope.spawn(|| Lock::take_file(&path));
            std::thread::sleep(Duration::from_millis(100));
            assert!(!taken.is_finished());
            drop(held);
            taken.join().expect("no panic")
        });
        drop(waiting.expect("it is waited for"));
        // The lock of a live owner is not waited for.
        let held = Lock::take_file(&path).expect("nobody has it");
        assert!(matches!(Lock::take_file(&path), Err(LockError::Taken(_))));
        drop(held);
    }
}
