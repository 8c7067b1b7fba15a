//! `pitmaster seed`: secret seeds with a hash to publish.

use std::io::Write;

use pitmaster_core::{Seed, SeedCommitment};
use pitmaster_session as session;

use super::{Exit, Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster seed new                       a secret seed, and its hash to publish
  pitmaster seed check HASH SEED           exit code 1 if the seed does not have the hash

Publish the hash with the assignment. Later write both into the tournament file:

  seed = 4611686018427387904
  seed_commitment = \"…\"

`run` refuses another seed. The standings and the page show both, so that everybody can check that
the openings were not chosen after the bots were known.";

/// Creates a secret seed with a hash to publish, or checks one
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Print a secret seed and its hash
    New,
    /// Check that a seed has a hash
    Check {
        /// The published hash
        hash: SeedCommitment,
        /// The seed
        #[arg(value_parser = clap::value_parser!(u64).range(..=i64::MAX.cast_unsigned()))]
        seed: u64,
    },
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    match &args.command {
        Command::New => {
            let seed = session::secret_seed()?;
            writeln!(out, "seed = {}", seed.0)?;
            writeln!(out, "seed_commitment = \"{}\"", SeedCommitment::of(seed))?;
            Ok(Exit::Done)
        }
        Command::Check { hash, seed } => {
            let actual = SeedCommitment::of(Seed(*seed));
            if actual == *hash {
                writeln!(out, "{seed} is the seed of this hash")?;
                return Ok(Exit::Done);
            }
            let message = format!("{seed} is not the seed of this hash; its hash is {actual}");
            Err(Failure { exit: Exit::Findings, message })
        }
    }
}
