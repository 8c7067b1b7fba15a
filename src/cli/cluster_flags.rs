//! Flags for the connection to a NATS server, shared by several commands.
//!
//! Secrets come from files, the environment or the address, never from a flag: every user of a
//! machine can read the command lines of all processes.

use std::path::PathBuf;
use std::time::Duration;

use pitmaster_cluster::Access;
use pitmaster_session::remote::{Consent, LoginFiles};

use super::Failure;
use super::watcher::Watcher;

/// The server over which workers play.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Cluster")]
pub(super) struct ClusterFlags {
    /// Play on workers over this NATS server: nats://HOST:PORT, or `embedded` or
    /// embedded=ADDRESS:PORT to start a server here
    #[arg(long, value_name = "SERVER")]
    pub(super) cluster: Option<String>,
    /// Seconds of silence after which a worker's games go to other workers
    #[arg(long, value_name = "SECONDS", default_value_t = 30, requires = "cluster",
          value_parser = clap::value_parser!(u16).range(2..=3600))]
    patience: u16,
    /// Accept a server that requires no login
    #[arg(long, requires = "cluster")]
    pub(super) open: bool,
}

impl ClusterFlags {
    /// Time of silence after which a worker's games go to other workers.
    pub(super) fn patience(&self) -> Duration {
        Duration::from_secs(self.patience.into())
    }
}

/// Login to the server, and verification of its identity.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "NATS login")]
pub(super) struct AccessFlags {
    /// User; the password comes from a file or from PITMASTER_NATS_PASSWORD
    #[arg(long, value_name = "NAME", conflicts_with_all = ["token_file", "credentials"])]
    user: Option<String>,
    /// File with the user's password
    #[arg(long, value_name = "FILE", requires = "user")]
    password_file: Option<PathBuf>,
    /// File with the server's token
    #[arg(long, value_name = "FILE", conflicts_with = "credentials")]
    token_file: Option<PathBuf>,
    /// Credentials file (`.creds`)
    #[arg(long, value_name = "FILE")]
    credentials: Option<PathBuf>,
    /// Trusted CA certificates for the server, as PEM; enables TLS
    #[arg(long, value_name = "FILE")]
    tls_ca: Option<PathBuf>,
    /// Client certificate, as PEM, if the server requires one
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Private key of the client certificate, as PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

impl AccessFlags {
    /// Login files for the session.
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
    /// Accept a server that requires no login
    #[arg(long)]
    open: bool,
    /// Run submitted bots without a sandbox, with your permissions, if a tournament asks for it or
    /// no sandbox works here
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
