//! `pitmaster merge`: merges shards of one tournament that were played apart.

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
  pitmaster merge results/cup /media/usb/cup   what another machine has played

The shares are results' folders of one tournament: the same rules, limits, openings, seed, format
and bots. They are only read, also while they are being played. Merging again takes what is new.
What is missing then is played by `pitmaster run` of the tournament's file, if the folder has its
name. Formats that pair by results cannot be played in shares.";

/// Joins results' folders that hold shares of one tournament
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The results' folder of the whole: a new one, or one that was begun by merge or run
    out: PathBuf,
    /// Let others read the results, as far as the umask does; without this a new folder of results
    /// is for its owner alone
    #[arg(long)]
    shared: bool,
    /// The results' folders of its shares
    #[arg(required = true, value_name = "SHARE")]
    shares: Vec<PathBuf>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let lang = lang::of_environment();
    let readers = readers(args.shared);
    let merge = session::merge(&args.out, &args.shares, readers, lang, &Watcher::people())?;
    writeln!(out, "Merged into {}", shown_path(&args.out))?;
    for (shard, merged) in &merge.shards {
        writeln!(out, "  {}: {}", shown_path(shard), told(*merged))?;
    }
    write!(out, "\n{}", merge.summary.table(terminal_width()))?;
    tell_missing(&merge, &args.out)
}

/// `12 games`, `0 games, 12 were there already, 1 of them played otherwise`.
fn told(merged: Merged) -> String {
    let Merged { games, known, otherwise } = merged;
    let games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
    let known = match known {
        0 => String::new(),
        1 => ", 1 that was there already".into(),
        known => format!(", {known} that were there already"),
    };
    let otherwise = match otherwise {
        0 => String::new(),
        n => format!(", {n} of them played otherwise: kept, but what was there counts"),
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
        "{missing} of {games} games are missing; merge the shares that hold them, or play them: \
         `pitmaster run {name}.toml --out {parent}` goes on here, {name}.toml being the \
         tournament's file"
    )))
}
