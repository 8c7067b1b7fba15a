//! `pitmaster login`: stores a token for a practice server.

use std::env;
use std::io::Write;
use std::path::PathBuf;

use pitmaster_core::Untrusted;
use pitmaster_core::i18n::said;
use pitmaster_server::client::{ClientError, Credentials, CredentialsError, Remote};

use super::lang::LangFlag;
use super::{Exit, Failure, Outcome, secret_line};

const EXAMPLES: &str = "\
Examples:
  pitmaster login https://bots.example.org               paste the token when asked
  pitmaster login https://bots.example.org < token.txt   read it from a file

Make a token on the page of your account, with the scopes upload and read. It is stored in
~/.config/pitmaster/servers.json, which only you can read. A job that has the token in the variable
PITMASTER_TOKEN needs no login.";

/// Stores a token for a practice server, to hand in bots with push
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Address of the server
    #[arg(value_name = "URL")]
    url: String,
    #[command(flatten)]
    lang: LangFlag,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let lang = args.lang.lang();
    let token = secret_line::read(&said!("Token from the page of your account:"), lang)?;
    let remote = Remote::new(&args.url, &token)?;
    let identity = remote.identity()?;
    let path = file()?;
    Credentials::read(&path)?.keep(remote.address(), &token, &path)?;
    // Names from the server are untrusted.
    let name = Untrusted::new(identity.name).shown(100);
    let until = Untrusted::new(identity.expires).shown(40);
    writeln!(out, "{}", said!("logged in as {} until {}", name, until).to(lang))?;
    Ok(Exit::Done)
}

/// File of the tokens.
pub(super) fn file() -> Result<PathBuf, Failure> {
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".config"));
    let usual = env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).or_else(home);
    let folder = usual.filter(|folder| folder.is_absolute());
    let folder = folder
        .ok_or_else(|| Failure::wrong("HOME is not set; set PITMASTER_TOKEN and give --to"))?;
    Ok(folder.join("pitmaster").join("servers.json"))
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        match &error {
            ClientError::Refused { status: 400..=499, .. } if !error.is_temporary() => {
                Self::wrong(error)
            }
            ClientError::Unreachable { .. } | ClientError::Refused { .. } => Self::stopped(error),
            _ => Self::wrong(error),
        }
    }
}

impl From<CredentialsError> for Failure {
    fn from(error: CredentialsError) -> Self {
        Self::stopped(error)
    }
}
