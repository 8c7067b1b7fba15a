//! `pitmaster tables`: makes endgame tables for `house:expert` and `analyze`.

use std::io::Write;
use std::path::PathBuf;

use pitmaster_bots::submission::shown_path;
use pitmaster_core::units::parse_size;
use pitmaster_games::GameSpec;
use pitmaster_players::Verified;
use pitmaster_session::{Table, TableOptions, TablePath, make_table};
use pitmaster_store::{Readers, make_folder};

use super::watcher::Watcher;
use super::{Exit, Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster tables oware                          as many seeds as fit into 256 MiB
  pitmaster tables kalah --memory 1GiB --threads 2
  pitmaster tables oware --seeds 12 --out oware.table --verify 1000
  pitmaster match house:expert,tables=oware.table house:expert --game oware

A table holds the value of every position with up to so many seeds on the board: what the side to
move will capture more than the opponent if both play their best. It takes two bytes per position.
Tables are made on this machine and never downloaded. `analyze` and `report --analyze` find those in
the default folder; bots use the table that they name.

Exit code 1 means that --verify has found a wrong value.";

/// Makes an endgame table of a two-row game such as Oware or Kalah
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Game, as a name or a file, with options: oware or kalah,holes=7
    game: GameSpec,
    /// Memory of the table, in KiB, MiB or GiB
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "256MiB")]
    memory: u64,
    /// Largest number of seeds [default: as many as fit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=127))]
    seeds: Option<u32>,
    /// Output file [default: one in pitmaster/tables in the cache folder, named after the game]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Also search N random positions without the table, and compare
    #[arg(long, value_name = "N", default_value_t = 0)]
    verify: u64,
}

fn size(text: &str) -> Result<u64, String> {
    parse_size(text).filter(|size| *size > 0).ok_or_else(|| "expected a size like 256MiB".into())
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let file = match &args.out {
        Some(path) => TablePath::File(path.clone()),
        None => TablePath::Folder(made_folder()?),
    };
    let options = TableOptions {
        game: args.game.clone(),
        memory: args.memory,
        seeds: args.seeds,
        file,
        threads: args.threads.into(),
        verify: args.verify,
    };
    let made = make_table(&options, &Watcher::people())?;
    show(&made, out)?;
    let Some(Verified { wrong, .. }) = made.verified.filter(|verified| !verified.wrong.is_empty())
    else {
        return Ok(Exit::Done);
    };
    let lines: Vec<_> = wrong.iter().map(|line| format!("wrong value: {line}")).collect();
    Err(Failure { exit: Exit::Findings, message: lines.join("\n") })
}

fn show(made: &Table, out: &mut dyn Write) -> std::io::Result<()> {
    let Table { path, found, table, verified } = made;
    let was = if *found { ", made before" } else { "" };
    writeln!(out, "{}{was}", shown_path(path))?;
    let [exact, bounds] = table.counts();
    let (most, mib) = (table.most(), (2 * table.positions()).div_ceil(1 << 20));
    writeln!(out, "{} positions with up to {most} seeds, {mib} MiB", table.positions())?;
    let other = table.positions() - exact - bounds;
    writeln!(out, "{exact} exact values, {bounds} bounds, {other} unreachable positions")?;
    if let Some(Verified { positions, proven, wrong }) = verified {
        writeln!(
            out,
            "{positions} random positions searched without the table: {proven} values proven, \
             {} within the bounds that the search found, {} wrong",
            positions - proven - wrong.len() as u64,
            wrong.len()
        )?;
    }
    Ok(())
}

/// Default folder of tables; `None` if the environment has no home.
pub(super) fn folder() -> Option<PathBuf> {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let usual = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home);
    let usual = usual.filter(|folder| folder.is_absolute());
    Some(usual?.join("pitmaster").join("tables"))
}

/// The default folder, created if it is missing.
fn made_folder() -> Result<PathBuf, Failure> {
    let folder =
        folder().ok_or_else(|| Failure::wrong("HOME is not set; name a file with --out"))?;
    make_folder(&folder, Readers::ByUmask).map_err(|error| {
        let shown = shown_path(&folder);
        Failure::wrong(format!("cannot create {shown}: {error}; name a file with --out"))
    })?;
    Ok(folder)
}
