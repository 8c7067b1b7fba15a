//! `pitmaster verify`: whether results are what was written, and what was played by the rules.

use std::io::Write;
use std::path::PathBuf;

use pitmaster_bots::submission::shown_path;
use pitmaster_session::{self as session, Verified};

use super::watcher::Watcher;
use super::{Exit, Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster verify results/cup                  exit code 1 says that something is wrong
  pitmaster void results/cup --damaged          takes out what is damaged, to be played again
  pitmaster replay results/cup 4a5a             one game, move by move

The file is looked through, the record of every game is compared with its checksum, and every game
is played again by the rules: each move, and the end. Checksums guard against disks and copies, not
against somebody who changes a record and its checksum.";

/// Checks that results are what was written, and that every game was played by the rules
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The results' folder of a tournament
    results: PathBuf,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let folder = shown_path(&args.results);
    let findings = match session::verify(&args.results, &Watcher::people())? {
        Verified::Intact { games } => {
            let are =
                if games == 1 { "1 game is".to_owned() } else { format!("{games} games are") };
            writeln!(out, "{folder}: {are} as written, and by the rules")?;
            return Ok(Exit::Done);
        }
        Verified::DamagedFile(error) => vec![error.to_string()],
        Verified::DamagedRecords(damaged) => {
            let line = |game| format!("game {game}: its record is not what was written");
            let lines = damaged.iter().map(|damage| line(&damage.game));
            let what_to_do = format!(
                "put a copy of {folder}/tournament.db back, or take these records out with \
                 `pitmaster void {folder} --damaged` and play their games again"
            );
            lines.chain([what_to_do]).collect()
        }
        Verified::Differences(differences) => differences,
    };
    Err(Failure { exit: Exit::Findings, message: findings.join("\n") })
}
