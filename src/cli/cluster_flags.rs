//! How a cluster's server is reached: flags that several commands share.
//!
//! What is secret comes from a file, the environment or the address, never from a flag: everybody
//! on a machine can read the command lines of all.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::shown_path;
use pitmaster_cluster::{Access, Login, Tls};

use super::Failure;
use super::progress::say;

/// Holds the password where there is no file.
const PASSWORD: &str = "PITMASTER_NATS_PASSWORD";

/// The longest file with a secret, in bytes.
const LONGEST: u64 = 64 * 1024;

/// How to log in to the server, and how to know that it is the right one.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Logging in to the NATS server")]
pub(super) struct AccessFlags {
    /// The user; the password comes from a file, or from PITMASTER_NATS_PASSWORD
    #[arg(long, value_name = "NAME", conflicts_with_all = ["token_file", "credentials"])]
    user: Option<String>,
    /// A file with the user's password
    #[arg(long, value_name = "FILE", requires = "user")]
    password_file: Option<PathBuf>,
    /// A file with the server's token
    #[arg(long, value_name = "FILE", conflicts_with = "credentials")]
    token_file: Option<PathBuf>,
    /// A credentials file (`.creds`)
    #[arg(long, value_name = "FILE")]
    credentials: Option<PathBuf>,
    /// Certificates of those who may vouch for the server, as PEM; the connection is encrypted
    #[arg(long, value_name = "FILE")]
    tls_ca: Option<PathBuf>,
    /// Our own certificate, as PEM, where the server asks for one
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of our own certificate, as PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

impl AccessFlags {
    /// The login by a token in a file.
    pub(super) fn with_token(file: PathBuf) -> Self {
        Self { token_file: Some(file), ..Self::default() }
    }

    /// The way to the server at these addresses; says on standard error what others could read.
    ///
    /// # Errors
    /// A file that cannot be read, or what is wrong with the addresses.
    pub(super) fn access(&self, urls: &str) -> Result<Access, Failure> {
        let own = self.tls_cert.clone().zip(self.tls_key.clone());
        let files = [&self.tls_ca, &self.tls_cert, &self.tls_key];
        for file in files.into_iter().flatten() {
            fs::File::open(file).map_err(|error| unreadable(file, &error))?;
        }
        let tls = Tls { authority: self.tls_ca.clone(), own };
        let access = Access::new(urls, self.login()?, tls).map_err(Failure::wrong)?;
        if access.is_readable() {
            say(&format!(
                "warning: what logs in to {} can be read by everybody on the way; use tls://",
                access.shown()
            ));
        }
        Ok(access)
    }

    /// The same flags as words, for another process of this program.
    pub(super) fn words(&self) -> Vec<OsString> {
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

    fn login(&self) -> Result<Login, Failure> {
        if let Some(file) = &self.credentials {
            return secret(file).map(Login::Credentials);
        }
        if let Some(file) = &self.token_file {
            return secret(file).map(Login::Token);
        }
        let Some(user) = self.user.clone() else { return Ok(Login::Nobody) };
        let password = match &self.password_file {
            Some(file) => secret(file)?,
            None => env::var(PASSWORD).map_err(|_| {
                Failure::wrong(format!("--user needs a password: --password-file, or {PASSWORD}"))
            })?,
        };
        Ok(Login::Password { user, password })
    }
}

/// What a worker is told to accept by name.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Consent {
    /// Work over a server that lets in anybody without a login
    #[arg(long)]
    pub(super) open: bool,
    /// Play handed-in bots without a sandbox, with your rights, where a tournament asks for that
    /// or no sandbox works here
    #[arg(long)]
    pub(super) bare: bool,
}

impl Consent {
    /// The same as flags of a worker.
    pub(super) fn words(self) -> impl Iterator<Item = &'static str> {
        let flags = [(self.open, "--open"), (self.bare, "--bare")];
        flags.into_iter().filter_map(|(given, word)| given.then_some(word))
    }
}

/// The text of a file with a secret, without the end of its last line.
fn secret(file: &Path) -> Result<String, Failure> {
    let facts = fs::metadata(file).map_err(|error| unreadable(file, &error))?;
    if !facts.is_file() || facts.len() > LONGEST {
        return Err(Failure::wrong(format!("{} is no file with a secret", shown_path(file))));
    }
    if facts.permissions().mode() & 0o007 != 0 {
        say(&format!(
            "warning: everybody on this machine can read {}; chmod 600 it",
            shown_path(file)
        ));
    }
    let text = fs::read_to_string(file).map_err(|error| unreadable(file, &error))?;
    let text = text.trim_end_matches(['\n', '\r']).to_owned();
    if text.is_empty() {
        return Err(Failure::wrong(format!("{} is empty", shown_path(file))));
    }
    Ok(text)
}

fn unreadable(file: &Path, error: &std::io::Error) -> Failure {
    Failure::wrong(format!("cannot read {}: {error}", shown_path(file)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Command {
        #[command(flatten)]
        flags: AccessFlags,
    }

    fn flags(args: &[&str]) -> Result<AccessFlags, clap::error::ErrorKind> {
        let all = std::iter::once("x").chain(args.iter().copied());
        Command::try_parse_from(all).map(|command| command.flags).map_err(|error| error.kind())
    }

    fn access(args: &[&str]) -> Result<Access, String> {
        flags(args).unwrap().access("tls://host").map_err(|failure| failure.message)
    }

    #[test]
    fn secrets_come_from_files() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("secret");
        let path = file.to_str().unwrap();
        fs::write(&file, "p w \r\n").unwrap();
        let login = |args: &[&str]| flags(args).unwrap().login().unwrap();
        let password = Login::Password { user: "ada".into(), password: "p w ".into() };
        assert!(login(&["--user", "ada", "--password-file", path]) == password);
        assert!(login(&["--token-file", path]) == Login::Token("p w ".into()));
        assert!(login(&["--credentials", path]) == Login::Credentials("p w ".into()));
        assert!(login(&[]) == Login::Nobody);
        assert!(access(&["--token-file", path]).is_ok());
    }

    #[test]
    fn files_that_hold_no_secret_are_told() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
        fs::write(at("empty"), "\n").unwrap();
        fs::write(at("long"), vec![b'x'; 70_000]).unwrap();
        for (flag, name, told) in [
            ("--token-file", "empty", "is empty"),
            ("--token-file", "long", "is no file with a secret"),
            ("--credentials", "", "is no file with a secret"),
            ("--credentials", "gone", "cannot read"),
            ("--tls-ca", "gone", "cannot read"),
        ] {
            let message = access(&[flag, &at(name)]).unwrap_err();
            assert!(message.contains(told), "{message}");
        }
        let message = access(&["--user", "ada"]).unwrap_err();
        assert!(message.contains("--password-file"), "{message}");
    }

    #[test]
    fn there_is_one_login_and_both_halves_of_a_certificate() {
        use clap::error::ErrorKind::{ArgumentConflict, MissingRequiredArgument};
        let two = ["--token-file", "x", "--credentials", "y"];
        assert_eq!(flags(&two).unwrap_err(), ArgumentConflict);
        assert_eq!(flags(&["--user", "x", "--token-file", "y"]).unwrap_err(), ArgumentConflict);
        for half in ["--tls-cert", "--tls-key", "--password-file"] {
            assert_eq!(flags(&[half, "x"]).unwrap_err(), MissingRequiredArgument, "{half}");
        }
    }
}
