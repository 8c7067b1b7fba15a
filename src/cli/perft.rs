//! `pitmaster perft`

use std::io::Write;

use super::{Exit, Outcome};

/// To be written
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_: &Args, _: &mut dyn Write) -> Outcome {
    Ok(Exit::Done)
}
