//! `pitmaster run`: plays a tournament from its file.

use std::io::Write;
use std::path::PathBuf;

use pitmaster_core::SeedCommitment;
use pitmaster_session::Contest;
use pitmaster_tournament::Shard;

use super::Outcome;
use super::contest::{self, Flags};

const EXAMPLES: &str = "\
Examples:
  pitmaster run tournaments/demo.toml                  write results to results/demo
  pitmaster run contest.toml --lanes 4 --until 07:30   play overnight
  pitmaster run contest.toml --part 2/5                play the second of five shares
  pitmaster run contest.toml --json | my-dashboard     stream events to another program

Running it again plays only missing games. Replacing, adding or removing a bot affects only its own
games. Ctrl-C finishes the running games, a second Ctrl-C stops at once; finished games are kept.";

/// Plays or resumes a tournament
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Tournament file (`pitmaster help tournament` lists its keys)
    file: PathBuf,
    /// Play only share K of N, into its own results folder; `pitmaster merge` joins the shares
    #[arg(long, value_name = "K/N")]
    part: Option<Shard>,
    /// Refuse to play unless the tournament's seed has this hash (see `pitmaster seed`)
    #[arg(long, value_name = "HASH")]
    seed_commitment: Option<SeedCommitment>,
    #[command(flatten)]
    flags: Flags,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    remote: super::remote::RemoteFlags,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let mut contest = Contest::read(&args.file, &args.flags.watcher())?;
    if let Some(part) = args.part {
        contest.take_shard(part)?;
    }
    if let Some(commitment) = args.seed_commitment.clone() {
        contest.commit_seed(commitment)?;
    }
    #[cfg(feature = "cluster")]
    if let Some(server) = &args.remote.cluster.cluster {
        return super::remote::play(contest, server, &args.remote, &args.flags, out);
    }
    contest::play(contest, &args.flags, out)
}
