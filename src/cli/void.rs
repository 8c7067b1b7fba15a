//! `pitmaster void`: voids games of a bad machine or with damaged records, so that they can be
//! replayed.

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
  pitmaster standings results/cup --workers     list the machines; is one suspect?
  pitmaster void results/cup --worker pc-7 --dry-run
  pitmaster void results/cup --worker pc-7 --reason 'was swapping all night'
  pitmaster void results/cup --damaged          records that do not match their checksums

Nothing is deleted: void games stay in tournament.db with the reason. They no longer count, and the
next `pitmaster run` of the tournament replays only them.";

/// Voids the games of one machine, or games with damaged records
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Results folder
    results: PathBuf,
    /// Void the games of this machine, as named by `standings --workers`
    #[arg(long, value_name = "NAME", required_unless_present = "damaged")]
    worker: Option<String>,
    /// Void games whose records do not match their checksums
    #[arg(long, conflicts_with = "worker")]
    damaged: bool,
    /// Reason, stored with the games
    #[arg(long, value_name = "TEXT", required_unless_present_any = ["dry_run", "damaged"],
          value_parser = reason)]
    reason: Option<String>,
    /// Only print how many games would be voided
    #[arg(long)]
    dry_run: bool,
}

fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("the reason must not be empty".into());
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
        let (worker, there) = (shown(worker), format!("its machines are {hosts}"));
        let there = if hosts.0.is_empty() { "no game is valid there".to_owned() } else { there };
        Failure::wrong(format!("{worker} has played no valid game in {folder}; {there}"))
    })?;
    let (name, worker, all) = (worker, shown(worker), hosts.games());
    let Some(reason) = args.reason.as_ref().filter(|_| !args.dry_run) else {
        writeln!(out, "would void {games} of {all} games, played by {worker}")?;
        return Ok(Exit::Done);
    };
    let (lang, watcher) = (lang::of_environment(), Watcher::people());
    let summary = session::void_worker(&args.results, name, reason, lang, &watcher)?;
    writeln!(out, "voided {games} of {all} games, played by {worker}; their records are kept")?;
    writeln!(out, "To replay them, repeat the command that played them\n")?;
    write!(out, "{}", summary.table(terminal_width()))?;
    Ok(Exit::Done)
}

fn void_damaged(args: &Args, out: &mut dyn Write) -> Outcome {
    let damaged = Reader::open(&args.results)?.damaged()?;
    for Damage { game, .. } in &damaged {
        writeln!(out, "game {game}: the record does not match its checksum")?;
    }
    let count = match damaged.len() {
        0 => {
            writeln!(out, "all records match their checksums")?;
            return Ok(Exit::Done);
        }
        1 => "1 damaged record".to_owned(),
        count => format!("{count} damaged records"),
    };
    if args.dry_run {
        writeln!(out, "would void {count}")?;
        return Ok(Exit::Done);
    }
    let reason = args.reason.as_deref().unwrap_or("its record was damaged");
    let (lang, watcher) = (lang::of_environment(), Watcher::people());
    let summary = session::void_damaged(&args.results, reason, lang, &watcher)?;
    writeln!(out, "voided {count}; the stored data is kept")?;
    writeln!(out, "To replay them, repeat the command that played them\n")?;
    write!(out, "{}", summary.table(terminal_width()))?;
    Ok(Exit::Done)
}

/// Escapes a machine's name, which is untrusted.
fn shown(worker: &str) -> String {
    Untrusted::new(worker).shown(80)
}

/// Machines with their numbers of valid games.
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
