//! `pitmaster forget`: removes a person from a class and from results.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::shown_path;
use pitmaster_session::{self as session, ForgetOptions, Forgotten};

use super::watcher::Watcher;
use super::{Exit, Failure, Outcome, class, lang};

const EXAMPLES: &str = "\
Examples:
  pitmaster forget class 4200101 results/cup --dry-run    list what would be removed
  pitmaster forget class 4200101 results/cup results/test
  pitmaster forget class ana@univ.example results/cup

Removed: the submission with its earlier versions and fix, the row of class.csv, pages, rows of
tables in the class folder, feedback archives (grade writes them again), the copy of the bot among
the results, what the bot wrote, and all names in the database, which is rewritten.

Kept: moves and results of the games, under a pseudonym, so that the standings of others stay as they
are. Do not run the tournament again: without the bot its games would no longer count.

Not found by this command: files elsewhere, such as grades that were written to another folder, bots
that were built in results/check and results/twins, exports of the platform, copies and backups.";

/// Removes a person from a class and from results, and keeps the games under a pseudonym
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Folder of the class
    class: PathBuf,
    /// Key, id, address or full name of the person
    person: String,
    /// Results folders in which the person's bot played
    results: Vec<PathBuf>,
    /// Only print what would be removed
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let watcher = Watcher::people();
    class::remind(&args.class, &watcher)?;
    let options = ForgetOptions {
        class: args.class.clone(),
        person: args.person.clone(),
        results: args.results.clone(),
        lang: lang::of_environment(),
        dry_run: args.dry_run,
    };
    let forgotten = session::forget(&options, &watcher)?;
    show(&forgotten, args.dry_run, out)?;
    if forgotten.left.is_empty() {
        return Ok(Exit::Done);
    }
    let left: Vec<_> = forgotten.left.iter().map(|path| shown_path(path)).collect();
    let message = format!("these files still name the person; remove them: {}", left.join(", "));
    Err(Failure { exit: Exit::Findings, message })
}

fn show(forgotten: &Forgotten, dry_run: bool, out: &mut dyn Write) -> io::Result<()> {
    let removed = if dry_run { "would remove" } else { "removed" };
    let line = |path: &Path| shown_path(path);
    for path in &forgotten.removed {
        writeln!(out, "{removed} {}", line(path))?;
    }
    for path in &forgotten.changed {
        writeln!(out, "changed {}", line(path))?;
    }
    for (folder, games) in &forgotten.games {
        let (folder, games) =
            (line(folder), if *games == 1 { "1 game".into() } else { format!("{games} games") });
        if dry_run {
            writeln!(out, "would keep {games} in {folder} under a pseudonym")?;
        } else {
            writeln!(out, "kept {games} in {folder} as {}", forgotten.pseudonym)?;
        }
    }
    Ok(())
}
