//! `pitmaster run`: a tournament from its file.

use std::io::Write;
use std::path::PathBuf;

use pitmaster_session::Contest;
use pitmaster_tournament::Shard;

use super::Outcome;
use super::contest::{self, Flags};

const EXAMPLES: &str = "\
Examples:
  pitmaster run tournaments/demo.toml                  results in results/demo
  pitmaster run contest.toml --lanes 4 --until 07:30   overnight
  pitmaster run contest.toml --part 2/5                the second of five machines
  pitmaster run contest.toml --json | my-dashboard     events for programs

Run again, it plays what is missing. A bot that was replaced, added or removed costs only its
own games. Ctrl-C ends after the running games, a second one at once; nothing finished is lost.";

/// Plays a tournament, or what is missing of it
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The tournament file (`pitmaster help tournament` lists its keys)
    file: PathBuf,
    /// Play only the K-th of N shares, into a folder of its own; `pitmaster merge` joins them
    #[arg(long, value_name = "K/N")]
    part: Option<Shard>,
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
    #[cfg(feature = "cluster")]
    if let Some(server) = &args.remote.cluster {
        return super::remote::play(contest, server, &args.remote, &args.flags, out);
    }
    contest::play(contest, &args.flags, out)
}
