//! `pitmaster serve`: the practice server of a course.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use pitmaster_server::service::{self, Config, ConfigError, Service, ServiceError};

use super::cores::CoreFlags;
use super::isolation::IsolationFlags;
use super::progress::say;
use super::{Exit, Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster new course my-school                 create a course with a practice ladder
  pitmaster serve my-school                      serve it on http://127.0.0.1:8080/
  pitmaster serve my-school --listen 127.0.0.1:9000 --lanes 2
  pitmaster serve my-school --kgp 127.0.0.1:2671       let remote players of Kalah in
  kill -TERM PID                                 finish the running games, then exit

Students hand in versions; each is built, validated and plays on the ladder, whose folder is an
ordinary results folder: `pitmaster standings my-school/ladders/my-school.practice`. Everything is
stored before it is confirmed: a server that was killed goes on where it was.

Bots play in the server's process. It listens only on this machine, unless --trust-bots is given.";

/// Serves a course: versions are built, validated, and play on its ladder
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Folder of the course, from `pitmaster new course`
    folder: PathBuf,
    /// Address to listen on [default: that of server.toml, or 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR")]
    listen: Option<SocketAddr>,
    /// Address for remote players of Kalah, by KGP [default: that of server.toml, or none]
    #[arg(long, value_name = "ADDR")]
    kgp: Option<SocketAddr>,
    /// Games played at once [default: that of server.toml, or physical cores minus one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    lanes: Option<u16>,
    /// Listen beyond this machine although bots play in the server's process
    #[arg(long)]
    trust_bots: bool,
    #[command(flatten)]
    cores: CoreFlags,
    #[command(flatten)]
    isolation: IsolationFlags,
}

pub(super) fn run(args: &Args, _: &mut dyn Write) -> Outcome {
    let mut config = Config::of(&args.folder)?;
    config.listen = args.listen.unwrap_or(config.listen);
    config.kgp = args.kgp.or(config.kgp);
    let lanes = args.lanes.or(config.lanes);
    service::serve(&Service {
        folder: args.folder.clone(),
        config,
        trust_bots: args.trust_bots,
        cores: args.cores.wish(lanes),
        isolation: args.isolation.options(),
        log: Arc::new(say),
    })?;
    Ok(Exit::Done)
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::wrong(error)
    }
}

impl From<ServiceError> for Failure {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::NotTrusted(_) => Self::wrong(error),
            ServiceError::Listen { .. } | ServiceError::System { .. } => Self::stopped(error),
            ServiceError::Database(error) => error.into(),
            ServiceError::Player(error) => error.into(),
        }
    }
}
