//! Login to the NATS server.
//!
//! Secrets come from files, the environment or the address, never from a flag: every user of a
//! machine can read the command lines of all processes.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::shown_path;
use pitmaster_cluster::{Access, Login, Tls};

use crate::{Error, Observer};

/// Environment variable with the password, used if there is no file.
const PASSWORD: &str = "PITMASTER_NATS_PASSWORD";

/// Maximum size of a secret file, in bytes.
const LONGEST: u64 = 64 * 1024;

/// Files with the credentials for the server, and with the certificates that identify it.
#[derive(Debug, Clone, Default)]
pub struct LoginFiles {
    /// The user; the password is in `password_file` or in `PITMASTER_NATS_PASSWORD`.
    pub user: Option<String>,
    /// A file with the user's password.
    pub password_file: Option<PathBuf>,
    /// A file with the server's token.
    pub token_file: Option<PathBuf>,
    /// A credentials file (`.creds`).
    pub credentials: Option<PathBuf>,
    /// Certificates of trusted authorities for the server (PEM). Enables encryption.
    pub tls_ca: Option<PathBuf>,
    /// The client's certificate (PEM).
    pub tls_cert: Option<PathBuf>,
    /// The key of the client's certificate (PEM).
    pub tls_key: Option<PathBuf>,
}

impl LoginFiles {
    /// Login by a token in a file.
    pub(crate) fn with_token(file: PathBuf) -> Self {
        Self { token_file: Some(file), ..Self::default() }
    }

    /// Access to the server at these addresses; warns if others can read a secret.
    ///
    /// # Errors
    /// A file cannot be read, or an address is wrong.
    pub fn access(&self, urls: &str, observer: &dyn Observer) -> Result<Access, Error> {
        let own = self.tls_cert.clone().zip(self.tls_key.clone());
        let files = [&self.tls_ca, &self.tls_cert, &self.tls_key];
        for file in files.into_iter().flatten() {
            fs::File::open(file).map_err(|error| unreadable(file, &error))?;
        }
        let tls = Tls { authority: self.tls_ca.clone(), own };
        let access = Access::new(urls, self.login(observer)?, tls).map_err(Error::invalid)?;
        if access.is_readable() {
            observer.warn(&format!(
                "warning: what logs in to {} can be read by everybody on the way; use tls://",
                access.shown()
            ));
        }
        Ok(access)
    }

    /// The login files as command-line arguments of a worker.
    pub(crate) fn words(&self) -> Vec<OsString> {
        let files = [
            ("--password-file", &self.password_file),
            ("--token-file", &self.token_file),
            ("--credentials", &self.credentials),
            ("--tls-ca", &self.tls_ca),
            ("--tls-cert", &self.tls_cert),
            ("--tls-key", &self.tls_key),
        ];
        let user = self.user.iter().flat_map(|user| ["--user".into(), user.into()]);
        let files = files.into_iter().filter_map(|(flag, file)| Some((flag, file.as_ref()?)));
        user.chain(files.flat_map(|(flag, file)| [flag.into(), file.into()])).collect()
    }

    fn login(&self, observer: &dyn Observer) -> Result<Login, Error> {
        if let Some(file) = &self.credentials {
            return secret(file, observer).map(Login::Credentials);
        }
        if let Some(file) = &self.token_file {
            return secret(file, observer).map(Login::Token);
        }
        let Some(user) = self.user.clone() else { return Ok(Login::Anonymous) };
        let password = match &self.password_file {
            Some(file) => secret(file, observer)?,
            None => env::var(PASSWORD).map_err(|_| {
                Error::invalid(format!("--user needs a password: --password-file, or {PASSWORD}"))
            })?,
        };
        Ok(Login::Password { user, password })
    }
}

/// Risks that a worker accepts explicitly.
#[derive(Debug, Clone, Copy, Default)]
pub struct Consent {
    /// Accept a server that requires no login.
    pub open: bool,
    /// Accept submissions without a sandbox.
    pub bare: bool,
}

impl Consent {
    /// The consent as flags of a worker.
    pub(crate) fn words(self) -> impl Iterator<Item = &'static str> {
        let flags = [(self.open, "--open"), (self.bare, "--bare")];
        flags.into_iter().filter_map(|(given, word)| given.then_some(word))
    }
}

/// Text of a secret file, without the end of its last line.
fn secret(file: &Path, observer: &dyn Observer) -> Result<String, Error> {
    let facts = fs::metadata(file).map_err(|error| unreadable(file, &error))?;
    if !facts.is_file() || facts.len() > LONGEST {
        return Err(Error::invalid(format!("{} is no file with a secret", shown_path(file))));
    }
    if facts.permissions().mode() & 0o007 != 0 {
        observer.warn(&format!(
            "warning: everybody on this machine can read {}; chmod 600 it",
            shown_path(file)
        ));
    }
    let text = fs::read_to_string(file).map_err(|error| unreadable(file, &error))?;
    let text = text.trim_end_matches(['\n', '\r']).to_owned();
    if text.is_empty() {
        return Err(Error::invalid(format!("{} is empty", shown_path(file))));
    }
    Ok(text)
}

fn unreadable(file: &Path, error: &std::io::Error) -> Error {
    Error::invalid(format!("cannot read {}: {error}", shown_path(file)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    #[test]
    fn secrets_come_from_files() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("secret");
        fs::write(&file, "p w \r\n").unwrap();
        let none = LoginFiles::default;
        let (path, user) = (Some(file), Some("ada".to_owned()));
        let login = |files: LoginFiles| files.login(&Silent).unwrap();
        let password = Login::Password { user: "ada".into(), password: "p w ".into() };
        assert!(login(LoginFiles { user, password_file: path.clone(), ..none() }) == password);
        let token = LoginFiles { token_file: path.clone(), ..none() };
        assert!(token.access("tls://host", &Silent).is_ok());
        assert!(login(token) == Login::Token("p w ".into()));
        let credentials = LoginFiles { credentials: path, ..none() };
        assert!(login(credentials) == Login::Credentials("p w ".into()));
        assert!(login(none()) == Login::Anonymous);
    }

    #[test]
    fn files_that_hold_no_secret_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| Some(dir.path().join(name));
        fs::write(dir.path().join("empty"), "\n").unwrap();
        fs::write(dir.path().join("long"), vec![b'x'; 70_000]).unwrap();
        let none = LoginFiles::default;
        for (files, expected) in [
            (LoginFiles { token_file: at("empty"), ..none() }, "is empty"),
            (LoginFiles { token_file: at("long"), ..none() }, "is no file with a secret"),
            (LoginFiles { credentials: at(""), ..none() }, "is no file with a secret"),
            (LoginFiles { credentials: at("gone"), ..none() }, "cannot read"),
            (LoginFiles { tls_ca: at("gone"), ..none() }, "cannot read"),
            (LoginFiles { user: Some("ada".into()), ..none() }, "--password-file"),
        ] {
            let message = files.access("tls://host", &Silent).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }
}
