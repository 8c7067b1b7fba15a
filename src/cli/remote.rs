//! `pitmaster run --cluster`: plays a tournament on workers.

use std::io::Write;

use pitmaster_session::{self as session, Contest, RemoteOptions};

use super::cluster_flags::{AccessFlags, ClusterFlags};
use super::contest::{self, Flags};
use super::{Failure, Outcome};

/// Flags for playing on workers.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Cluster")]
pub(super) struct RemoteFlags {
    #[command(flatten)]
    pub(super) cluster: ClusterFlags,
    /// Wait for N workers before the first game
    #[arg(long, value_name = "N", default_value_t = 1, requires = "cluster")]
    workers: u16,
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
        patience: remote.cluster.patience(),
        open: remote.cluster.open,
        login: remote.access.files(),
        worker: vec![this.into(), "worker".into()],
    };
    let options = flags.options(&contest.name);
    let ended = session::play_remotely(contest, &remote, &options, &flags.watcher())?;
    contest::conclude(ended, &options, flags, out)
}
