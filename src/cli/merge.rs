//! `pitmaster merge`: merges shards of one tournament that were played separately.

use std::io::Write;
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::shown_path;
use pitmaster_session::{self as session, Merge};
use pitmaster_store::Merged;

use super::contest::readers;
use super::watcher::Watcher;
use super::{Exit, Failure, Outcome, lang, terminal_width};

const EXAMPLES: &str = "\
Examples:
  pitmaster merge results/cup part-1/cup part-2/cup part-3/cup
  pitmaster merge results/cup /media/usb/cup   games played on another machine

Shares are results folders of one tournament, with the same rules, limits, openings, seed, format
and bots. They are only read, and may still be running. Merging again adds new games. `pitmaster
run` with the tournament file plays the games that are still missing, if the folder has the file's
name. Formats that pair by results cannot be played in shares.";

/// Merges results folders that hold shares of one tournament
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Results folder of the whole tournament: a new one, or one created by merge or run
    out: PathBuf,
    /// Make a new results folder readable by others, as the umask permits [default: owner only]
    #[arg(long)]
    shared: bool,
    /// Results folders of the shares
    #[arg(required = true, value_name = "SHARE")]
    shares: Vec<PathBuf>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let lang = lang::of_environment();
    let readers = readers(args.shared);
    let merge = session::merge(&args.out, &args.shares, readers, lang, &Watcher::people())?;
    writeln!(out, "Merged into {}", shown_path(&args.out))?;
    for (shard, merged) in &merge.shards {
        writeln!(out, "  {}: {}", shown_path(shard), summary(*merged))?;
    }
    write!(out, "\n{}", merge.summary.table(terminal_width()))?;
    tell_missing(&merge, &args.out)
}

/// Result of a merge: `12 games` or `0 games, 12 already known, 1 of them with other moves: …`.
fn summary(merged: Merged) -> String {
    let Merged { games, known, otherwise } = merged;
    let games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
    let known = match known {
        0 => String::new(),
        known => format!(", {known} already known"),
    };
    let otherwise = match otherwise {
        0 => String::new(),
        n => format!(", {n} of them with other moves: kept, but the known games count"),
    };
    games + &known + &otherwise
}

fn tell_missing(merge: &Merge, whole: &Path) -> Outcome {
    let Merge { missing, games, .. } = merge;
    if *missing == 0 {
        return Ok(Exit::Done);
    }
    let name = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let parent = whole.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = shown_path(parent.unwrap_or(Path::new(".")));
    Err(Failure::stopped(format!(
        "{missing} of {games} games are missing; merge the shares that hold them, or play them \
         here with `pitmaster run {name}.toml --out {parent}`, where {name}.toml is the tournament \
         file"
    )))
}
