//! `pitmaster run --cluster`: plays a tournament on workers.

use std::io::Write;
use std::time::Duration;

use pitmaster_session::{self as session, Contest, RemoteOptions};

use super::cluster_flags::AccessFlags;
use super::contest::{self, Flags};
use super::{Failure, Outcome};

/// Flags for playing on workers.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Cluster")]
pub(super) struct RemoteFlags {
    /// Play on workers over this NATS server: nats://HOST:PORT, or `embedded` or
    /// embedded=ADDRESS:PORT to start a server here
    #[arg(long, value_name = "SERVER")]
    pub(super) cluster: Option<String>,
    /// Wait for N workers before the first game
    #[arg(long, value_name = "N", default_value_t = 1, requires = "cluster")]
    workers: u16,
    /// Seconds of silence after which a worker's games go to other workers
    #[arg(long, value_name = "SECONDS", default_value_t = 30, requires = "cluster",
          value_parser = clap::value_parser!(u16).range(2..=3600))]
    patience: u16,
    /// Accept a server that requires no login
    #[arg(long, requires = "cluster")]
    open: bool,
    #[command(flatten)]
    access: AccessFlags,
}

/// Plays a contest on workers.
pub(super) fn play(
    contest: Contest,
    server: &str,
    remote: &RemoteFlags,
    flags: &Flags,
    out: &mut dyn Write,
) -> Outcome {
    let this = std::env::current_exe()
        .map_err(|error| Failure::fault(format!("cannot start a local worker: {error}")))?;
    let remote = RemoteOptions {
        server: server.to_owned(),
        workers: remote.workers,
        patience: Duration::from_secs(remote.patience.into()),
        open: remote.open,
        login: remote.access.files(),
        worker: vec![this.into(), "worker".into()],
    };
    let options = flags.options(&contest.name);
    let ended = session::play_remotely(contest, &remote, &options, &flags.watcher())?;
    contest::conclude(ended, &options, flags, out)
}
