//! `pitmaster probe`: tries what a bot in a sandbox might. Started by the commands that choose a
//! sandbox, in that sandbox, never by people.

use std::io::Write;

use pitmaster_bots as bots;

use super::{Exit, Failure, Outcome};

/// Tries, harmlessly, what a bot in a sandbox might
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What to try it at
    targets: Vec<String>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    match bots::attempt_all(&args.targets, out) {
        Some(said) => said.map(|()| Exit::Done).map_err(Failure::from),
        None => Err(Failure::wrong("a probe is started by other commands; see `pitmaster doctor`")),
    }
}
