//! Pseudonym key, in a file that only its owner can read.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use pitmaster_bots::submission::shown_path;
use pitmaster_report::Secret;

use crate::Error;

/// File name of the key, next to the results folders that share it.
pub const FILE: &str = "pseudonyms.secret";

/// Reads the secret, or creates a new one if there is none.
///
/// # Errors
/// The file cannot be read or written, or has other content. Such a file is never replaced, because
/// all pseudonyms would change.
pub fn read_or_make(path: &Path) -> Result<Secret, Error> {
    match fs::read_to_string(path) {
        Ok(text) => text.parse().map_err(|()| {
            Error::invalid(format!(
                "{} holds no secret of 64 hexadecimal digits; take the right file back from a \
                 copy, or delete it, and all pseudonyms will be new ones",
                shown_path(path)
            ))
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match make(path) {
            // Another process created it first.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => read_or_make(path),
            made => made.map_err(|error| unusable(path, &error)),
        },
        Err(error) => Err(unusable(path, &error)),
    }
}

fn unusable(path: &Path, error: &io::Error) -> Error {
    Error::invalid(format!(
        "the secret of pseudonyms, {}: {error}; check the folder's permissions",
        shown_path(path)
    ))
}

fn make(path: &Path) -> io::Result<Secret> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    let secret = Secret::new(bytes);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    let mut file = options.open(path)?;
    writeln!(file, "{secret}")?;
    file.sync_all()?;
    Ok(secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pseudonyms.secret");
        let made = read_or_make(&path).unwrap();
        assert_eq!(read_or_make(&path).unwrap(), made);
        let other = read_or_make(&folder.path().join("other")).unwrap();
        assert_ne!(other, made);
    }

    #[test]
    fn nobody_else_can_read_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pseudonyms.secret");
        read_or_make(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn what_is_no_secret_is_told_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pseudonyms.secret");
        fs::write(&path, "mine").unwrap();
        let told = read_or_make(&path).unwrap_err().to_string();
        let told = told.replace(&folder.path().display().to_string(), "[folder]");
        insta::assert_snapshot!(told, @"[folder]/pseudonyms.secret holds no secret of 64 hexadecimal digits; take the right file back from a copy, or delete it, and all pseudonyms will be new ones");
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
        let nowhere = read_or_make(Path::new("/nowhere/secret")).unwrap_err().to_string();
        insta::assert_snapshot!(nowhere, @"the secret of pseudonyms, /nowhere/secret: No such file or directory (os error 2); check the folder's permissions");
    }
}
