//! Credentials file: a person's API tokens by server, readable by its owner only.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// API tokens by server.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Credentials {
    /// Servers with their tokens. The last one is the default.
    servers: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    url: String,
    token: String,
}

impl std::fmt::Debug for Entry {
    /// Omits the token.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry").field("url", &self.url).finish_non_exhaustive()
    }
}

/// The credentials file cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot use {}: {error}; see who may read and write it", path.display())]
pub struct CredentialsError {
    /// The file.
    path: PathBuf,
    /// The system's error message.
    error: String,
}

impl Credentials {
    /// Reads the file; a missing file is empty.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(path: &Path) -> Result<Self, CredentialsError> {
        let failed = |error: String| CredentialsError { path: path.to_owned(), error };
        match fs::read_to_string(path) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| failed(error.to_string())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(failed(error.to_string())),
        }
    }

    /// URL and token of a server; without a URL, those of the last login.
    pub fn token(&self, url: Option<&str>) -> Option<(&str, &str)> {
        let found = match url {
            Some(url) => {
                let url = url.trim().trim_end_matches('/');
                self.servers.iter().rfind(|entry| entry.url == url)
            }
            None => self.servers.last(),
        };
        found.map(|entry| (entry.url.as_str(), entry.token.as_str()))
    }

    /// Stores the token of a server, replacing an older one, and writes the file with access for
    /// its owner only.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn keep(mut self, url: &str, token: &str, path: &Path) -> Result<(), CredentialsError> {
        self.servers.retain(|entry| entry.url != url);
        self.servers.push(Entry { url: url.to_owned(), token: token.trim().to_owned() });
        self.write(path)
            .map_err(|error| CredentialsError { path: path.to_owned(), error: error.to_string() })
    }

    fn write(&self, path: &Path) -> io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        // Written to a new file and renamed, so that a crash leaves the old one or the new one.
        let new = path.with_extension("new");
        match fs::remove_file(&new) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file =
            fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
        file.write_all(serde_json::to_string_pretty(self)?.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn the_last_login_counts_and_nobody_else_reads_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pitmaster/servers.json");
        let keep = |url: &str, token: &str| {
            Credentials::read(&path).unwrap().keep(url, token, &path).unwrap();
        };
        assert_eq!(Credentials::read(&path).unwrap().token(None), None);
        keep("https://a.example", "pm_a\n");
        keep("https://b.example", "pm_b");
        keep("https://a.example", "pm_c");
        let found = Credentials::read(&path).unwrap();
        assert_eq!(found.token(None), Some(("https://a.example", "pm_c")));
        assert_eq!(found.token(Some("https://b.example/")), Some(("https://b.example", "pm_b")));
        assert_eq!(found.token(Some("https://c.example")), None);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(!format!("{found:?}").contains("pm_"));
        fs::write(&path, "{").unwrap();
        assert!(Credentials::read(&path).unwrap_err().to_string().starts_with("cannot use "));
    }
}
