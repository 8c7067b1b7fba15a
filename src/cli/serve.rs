//! `pitmaster serve`: the practice server of a course.

use std::io::Write;
use std::net::SocketAddr;
#[cfg(feature = "cluster")]
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

#[cfg(feature = "cluster")]
use pitmaster_runner::Wish;
use pitmaster_server::service::{self, Config, ConfigError, Service, ServiceError, StartWorkers};
#[cfg(feature = "cluster")]
use pitmaster_session::Observer;
#[cfg(feature = "cluster")]
use pitmaster_session::practice::Workers;
#[cfg(feature = "cluster")]
use pitmaster_session::remote::{Crew, CrewOptions};

#[cfg(feature = "cluster")]
use super::cluster_flags::{AccessFlags, ClusterFlags};
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
  pitmaster serve my-school --cluster embedded         bots play on workers only
  kill -TERM PID                                 finish the running games, then exit

Students hand in versions; each is built, validated and plays on the ladder, whose folder is an
ordinary results folder: `pitmaster standings my-school/ladders/my-school.practice`. Everything is
stored before it is confirmed: a server that was killed goes on where it was.

Bots play in the server's process. It listens only on this machine, unless --trust-bots is given. With
--cluster no student's code runs in it: `pitmaster worker` processes build and play, best of all as
another user or on other machines.";

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
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    cluster: ClusterFlags,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    access: AccessFlags,
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
        workers: workers(args)?,
        log: Arc::new(say),
    })?;
    Ok(Exit::Done)
}

/// What begins to wait for workers, if they are to play.
#[cfg(feature = "cluster")]
fn workers(args: &Args) -> Result<Option<StartWorkers>, Failure> {
    let Some(server) = args.cluster.cluster.clone() else { return Ok(None) };
    let Wish { lanes, cores, share } = args.cores.wish(args.lanes);
    if lanes.is_some() || cores.is_some() || share {
        return Err(Failure::wrong(
            "with --cluster this process plays nothing; give --lanes and --cores to the workers",
        ));
    }
    let options = CrewOptions {
        server,
        patience: args.cluster.patience(),
        open: args.cluster.open,
        login: args.access.files(),
        isolation: args.isolation.options(),
    };
    let folder = args.folder.clone();
    Ok(Some(Arc::new(move |ladder: &Path, observer: &dyn Observer| {
        let crew = Crew::begin(&options, &folder, ladder, observer)?;
        Ok(Arc::new(crew) as Arc<dyn Workers>)
    })))
}

#[cfg(not(feature = "cluster"))]
#[expect(clippy::unnecessary_wraps, reason = "it fails with the feature")]
fn workers(_: &Args) -> Result<Option<StartWorkers>, Failure> {
    Ok(None)
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
