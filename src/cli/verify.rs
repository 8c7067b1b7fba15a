//! `pitmaster verify`: checks stored games against their checksums and the rules.

use std::io::Write;
use std::path::PathBuf;

use pitmaster_bots::submission::shown_path;
use pitmaster_session::{self as session, Verified};

use super::watcher::Watcher;
use super::{Exit, Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster verify results/cup                  exit code 1 means that something is wrong
  pitmaster void results/cup --damaged          void damaged records, to replay their games
  pitmaster replay results/cup 4a5a             show one game, move by move

The database file is checked, the record of every game is compared with its checksum, and every
game is replayed by the rules: each move, and the ending. Checksums detect faulty disks and copies,
not deliberate changes to a record and its checksum.";

/// Verifies that records are intact and that every game follows the rules
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Results folder of a tournament
    results: PathBuf,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let folder = shown_path(&args.results);
    let findings = match session::verify(&args.results, &Watcher::people())? {
        Verified::Intact { games } => {
            let games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
            writeln!(out, "{folder}: {games} verified: intact, and played by the rules")?;
            return Ok(Exit::Done);
        }
        Verified::DamagedFile(error) => vec![error.to_string()],
        Verified::DamagedRecords(damaged) => {
            let line = |game| format!("game {game}: the record does not match its checksum");
            let lines = damaged.iter().map(|damage| line(&damage.game));
            let what_to_do = format!(
                "restore a copy of {folder}/tournament.db, or void these records with `pitmaster \
                 void {folder} --damaged` and replay their games"
            );
            lines.chain([what_to_do]).collect()
        }
        Verified::Differences(differences) => differences,
    };
    Err(Failure { exit: Exit::Findings, message: findings.join("\n") })
}
