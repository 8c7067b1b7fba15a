//! `pitmaster log`: prints the audit log of a folder.

use std::io::Write;
use std::path::PathBuf;

use pitmaster_core::Untrusted;
use pitmaster_session::{self as session, Entry, Games};

use super::{Exit, Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster log results/cup        runs, voided games, merges, verifications
  pitmaster log class              intakes, grades, people who were forgotten

Each line of log.jsonl has the hash of the line before, and the folder knows its last line. Exit code
1 means that lines were changed or removed. Somebody who may write to the folder can still replace
the whole log: publish the digest of a run to commit to its games.";

/// Prints who did what with a results or class folder, and why
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Results folder of a tournament, or folder of a class
    #[arg(value_name = "RESULTS|CLASS")]
    folder: PathBuf,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let log = session::read_log(&args.folder)?;
    for entry in &log.entries {
        writeln!(out, "{}", line(entry))?;
    }
    if log.findings.is_empty() {
        return Ok(Exit::Done);
    }
    Err(Failure { exit: Exit::Findings, message: log.findings.join("\n") })
}

fn line(entry: &Entry) -> String {
    let Entry { at, who, what, about, reason, games, .. } = entry;
    let games = games.as_ref().map(summary).unwrap_or_default();
    let parts = [about.clone(), reason.clone(), games];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let line = format!("{at}  {who}  {what}  {}", parts.join("; "));
    Untrusted::new(line.trim_end()).shown(1000)
}

/// Numbers of games, such as `12 games, 2 void, digest 0123…`.
fn summary(games: &Games) -> String {
    let Games { valid, void, surplus, digest } = games;
    let mut summary = vec![format!("{valid} {}", if *valid == 1 { "game" } else { "games" })];
    summary.extend((*void > 0).then(|| format!("{void} void")));
    summary.extend((*surplus > 0).then(|| format!("{surplus} surplus")));
    summary.extend(digest.as_ref().map(|digest| format!("digest {digest}")));
    summary.join(", ")
}
