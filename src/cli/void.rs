//! `pitmaster void`: games of a bad machine, or with damaged records, are taken out, and can be
//! played again.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::shown_path;
use pitmaster_core::Untrusted;
use pitmaster_session as session;
use pitmaster_store::{Damage, Reader};

use super::watcher::Watcher;
use super::{Exit, Failure, Outcome, lang, terminal_width};

const EXAMPLES: &str = "\
Examples:
  pitmaster standings results/cup --workers     which machines are there, is one suspect?
  pitmaster void results/cup --worker pc-7 --dry-run
  pitmaster void results/cup --worker pc-7 --reason 'was swapping all night'
  pitmaster void results/cup --damaged          records that are not what was written

Nothing is deleted: the games stay in tournament.db as void, with the reason. They count no more,
and the next `pitmaster run` of the tournament plays them again, and only them.";

/// Takes the games of one machine, or damaged ones, out of the count
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The results' folder
    results: PathBuf,
    /// The machine, as `standings --workers` names it
    #[arg(long, value_name = "NAME", required_unless_present = "damaged")]
    worker: Option<String>,
    /// Games whose records are not what was written
    #[arg(long, conflicts_with = "worker")]
    damaged: bool,
    /// Why; kept with the games
    #[arg(long, value_name = "TEXT", required_unless_present_any = ["dry_run", "damaged"],
          value_parser = reason)]
    reason: Option<String>,
    /// Only say how many there are
    #[arg(long)]
    dry_run: bool,
}

fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("say why, so that it can be understood next year".into());
    }
    Ok(text.to_owned())
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    match &args.worker {
        Some(worker) => void_worker(args, worker, out),
        None => void_damaged(args, out),
    }
}

fn void_worker(args: &Args, worker: &str, out: &mut dyn Write) -> Outcome {
    let folder = shown_path(&args.results);
    let hosts = Hosts::read(&args.results)?;
    let games = hosts.games_of(worker).ok_or_else(|| {
        let (worker, there) = (shown(worker), format!("there are {hosts}"));
        let there = if hosts.0.is_empty() { "no game counts there".to_owned() } else { there };
        Failure::wrong(format!("{worker} has played no game that counts in {folder}; {there}"))
    })?;
    let (name, worker, all) = (worker, shown(worker), hosts.games());
    let Some(reason) = args.reason.as_ref().filter(|_| !args.dry_run) else {
        writeln!(out, "{games} of {all} games were played by {worker} and would be taken out")?;
        return Ok(Exit::Done);
    };
    let (lang, watcher) = (lang::of_environment(), Watcher::people());
    let summary = session::void_worker(&args.results, name, reason, lang, &watcher)?;
    writeln!(out, "{games} of {all} games were played by {worker} and are taken out, but kept")?;
    writeln!(out, "To have them played again, give the command again that played them\n")?;
    write!(out, "{}", summary.table(terminal_width()))?;
    Ok(Exit::Done)
}

fn void_damaged(args: &Args, out: &mut dyn Write) -> Outcome {
    let damaged = Reader::open(&args.results)?.damaged()?;
    for Damage { game, .. } in &damaged {
        writeln!(out, "game {game}: its record is not what was written")?;
    }
    let count = match damaged.len() {
        0 => {
            writeln!(out, "All records are what was written")?;
            return Ok(Exit::Done);
        }
        1 => "1 record is".to_owned(),
        count => format!("{count} records are"),
    };
    if args.dry_run {
        writeln!(out, "{count} damaged and would be taken out")?;
        return Ok(Exit::Done);
    }
    let reason = args.reason.as_deref().unwrap_or("its record was damaged");
    let (lang, watcher) = (lang::of_environment(), Watcher::people());
    let summary = session::void_damaged(&args.results, reason, lang, &watcher)?;
    writeln!(out, "{count} taken out, but kept as found")?;
    writeln!(out, "To have them played again, give the command again that played them\n")?;
    write!(out, "{}", summary.table(terminal_width()))?;
    Ok(Exit::Done)
}

/// A machine's name on the screen; it came from elsewhere.
fn shown(worker: &str) -> String {
    Untrusted::new(worker).shown(80)
}

/// Who played how many of the games that count.
struct Hosts(Vec<(String, u64)>);

impl Hosts {
    fn read(folder: &Path) -> Result<Self, Failure> {
        Ok(Self(Reader::open(folder)?.hosts_of_valid()?))
    }

    fn games_of(&self, worker: &str) -> Option<u64> {
        self.0.iter().find(|(host, _)| host == worker).map(|(_, games)| *games)
    }

    fn games(&self) -> u64 {
        self.0.iter().map(|(_, games)| games).sum()
    }
}

/// `pc-1 (120 games), pc-7 (80 games)`.
impl fmt::Display for Hosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = self.0.iter().map(|(host, games)| format!("{} ({games} games)", shown(host)));
        f.write_str(&told.collect::<Vec<_>>().join(", "))
    }
}
