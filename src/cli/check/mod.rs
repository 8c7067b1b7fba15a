//! `pitmaster check`: examines bots before they are handed in.
use std::io::Write;
use std::path::PathBuf;
use super::{Exit, Outcome};

/// Examines bots
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    bots: Vec<PathBuf>,
}
pub(super) fn run(_: &Args, _: &mut dyn Write) -> Outcome { Ok(Exit::Done) }
