//! Flags for the connection to a NATS server, shared by several commands.
//!
//! Secrets come from files, the environment or the address, never from a flag: every user of a
//! machine can read the command lines of all processes.

use std::path::PathBuf;

use pitmaster_cluster::Access;
use pitmaster_session::remote::{Consent, LoginFiles};

use super::Failure;
use super::watcher::Watcher;

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
    /// The same for the session.
    pub(super) fn files(&self) -> LoginFiles {
        LoginFiles {
            user: self.user.clone(),
            password_file: self.password_file.clone(),
            token_file: self.token_file.clone(),
            credentials: self.credentials.clone(),
            tls_ca: self.tls_ca.clone(),
            tls_cert: self.tls_cert.clone(),
            tls_key: self.tls_key.clone(),
        }
    }

    /// Access to the server at these addresses.
    ///
    /// # Errors
    /// A file cannot be read, or an address is wrong.
    pub(super) fn access(&self, urls: &str) -> Result<Access, Failure> {
        Ok(self.files().access(urls, &Watcher::people())?)
    }
}

/// Risks that a worker accepts explicitly.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct ConsentFlags {
    /// Work over a server that lets in anybody without a login
    #[arg(long)]
    open: bool,
    /// Play handed-in bots without a sandbox, with your rights, where a tournament asks for that
    /// or no sandbox works here
    #[arg(long)]
    bare: bool,
}

impl From<ConsentFlags> for Consent {
    fn from(ConsentFlags { open, bare }: ConsentFlags) -> Self {
        Self { open, bare }
    }
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
