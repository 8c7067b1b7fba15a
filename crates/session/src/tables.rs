//! Endgame tables on disk: created on demand, stored in a folder, never downloaded.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pitmaster_bots::house::{PlayerSetupError, TableFileError, load_table, read_table_header};
use pitmaster_bots::submission::shown_path;
use pitmaster_core::Seed;
use pitmaster_games::two_row::TwoRow;
use pitmaster_games::{AnyRules, GameSpec, look_up};
use pitmaster_players::{EndgameError, EndgameTable, Verified};

use crate::observer::Steps;
use crate::results::NewFile;
use crate::{Error, Observer, Task, game};

/// Ending of the names of table files.
const ENDING: &str = "table";

/// Maximum number of folder entries examined.
const MOST_FILES: usize = 1000;

/// Options of table creation.
#[derive(Debug, Clone)]
pub struct TableOptions {
    /// Game.
    pub game: GameSpec,
    /// Memory of the table in bytes, which bounds its number of seeds.
    pub memory: u64,
    /// Maximum number of seeds. `None`: as many as fit.
    pub seeds: Option<u32>,
    /// File of the table.
    pub file: TablePath,
    /// Number of threads.
    pub threads: usize,
    /// Number of random positions to search without the table.
    pub verify: u64,
}

/// Destination of a table.
#[derive(Debug, Clone)]
pub enum TablePath {
    /// This file.
    File(PathBuf),
    /// A file in this folder, named after the game.
    Folder(PathBuf),
}

/// Created or existing table.
#[derive(Debug)]
pub struct Table {
    /// Its file.
    pub path: PathBuf,
    /// Whether it existed already.
    pub found: bool,
    /// The table.
    pub table: Arc<EndgameTable>,
    /// Result of the verification, if one was requested.
    pub verified: Option<Verified>,
}

/// Creates an endgame table, unless its file already contains the same one.
///
/// # Errors
/// Tables do not cover the game, the memory is too small, or the file cannot be written.
pub fn make_table(options: &TableOptions, observer: &dyn Observer) -> Result<Table, Error> {
    let game = game::find(&options.game, observer)?.game;
    let spec: GameSpec = game.spec().parse().map_err(Error::invalid)?;
    let rules = two_row(&spec)?;
    let fits = EndgameTable::fits(&rules, options.memory).map_err(Error::invalid)?;
    let most = options.seeds.map_or(fits, |seeds| seeds.min(fits));
    if options.seeds.is_some_and(|seeds| seeds > fits) {
        let bytes = options.seeds.map_or(0, |seeds| EndgameTable::bytes(&rules, seeds));
        return Err(Error::invalid(format!(
            "a table of that many seeds takes {} MiB; allow more with --memory, or ask for {fits} \
             seeds",
            bytes.div_ceil(1 << 20)
        )));
    }
    let path = options.file.path(&spec, most);
    let before = existing(&spec, &path, most, observer);
    let found = before.is_some();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| Error::stopped(format!("cannot start threads: {error}")))?;
    let table = match before {
        Some(table) => table,
        None => Arc::new(pool.install(|| make(&rules, most, &path, observer))?),
    };
    let verified = (options.verify > 0).then(|| verify(&table, options.verify, observer));
    Ok(Table { path, found, table, verified })
}

/// Rules of a game that may have tables.
fn two_row(spec: &GameSpec) -> Result<TwoRow, Error> {
    match look_up(spec).map_err(Error::invalid)?.rules {
        AnyRules::TwoRow(rules) => Ok(rules),
        AnyRules::ColouredAwale(_) => Err(Error::invalid(EndgameError::Unsuited(
            "coloured-awale ends with fewer than 10 seeds, and with 10 it has 43 billion \
             positions, 5 GiB after symmetry, nearly all of them decided by the score already"
                .into(),
        ))),
        AnyRules::Isholo(_) => {
            Err(Error::invalid(EndgameError::Unsuited("only two-row games have them".into())))
        }
    }
}

impl TablePath {
    fn path(&self, spec: &GameSpec, most: u32) -> PathBuf {
        match self {
            Self::File(path) => path.clone(),
            Self::Folder(folder) => folder.join(file_name(spec, most)),
        }
    }
}

/// `oware-21.table`; characters that a file name should not have become `-`.
fn file_name(spec: &GameSpec, most: u32) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let name: String = spec.to_string().chars().map(plain).take(100).collect();
    format!("{name}-{most}.{ENDING}")
}

/// Checks that a table fits into the available memory.
fn require_memory(bytes: u64, most: u32) -> Result<(), Error> {
    let Some(available) = available_memory().filter(|available| *available < bytes) else {
        return Ok(());
    };
    Err(Error::invalid(format!(
        "a table of {most} seeds takes {} MiB, and this machine has {} MiB of memory available; ask \
         for less with --memory",
        bytes.div_ceil(1 << 20),
        available >> 20
    )))
}

/// Memory in bytes available without swapping. `None` if unknown.
fn available_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1 << 10)
}

/// Reads the table in a file, if it is the requested one.
fn existing(
    spec: &GameSpec,
    path: &Path,
    most: u32,
    observer: &dyn Observer,
) -> Option<Arc<EndgameTable>> {
    if !path.is_file() {
        return None;
    }
    let table = read_table_header(spec, path)
        .and_then(|header| (header.most == most).then(|| load_table(spec, path)).transpose());
    table.unwrap_or_else(|why| {
        observer.warn(&match reason(&why) {
            Some(EndgameError::Damaged) => {
                format!("{}: damaged; making a new one", shown_path(path))
            }
            _ => format!("{why}; replacing the file"),
        });
        None
    })
}

/// Reason why a file is not a table of the game.
fn reason(error: &PlayerSetupError) -> Option<&EndgameError> {
    match error {
        PlayerSetupError::Table(TableFileError::Unusable { why, .. }) => Some(why),
        _ => None,
    }
}

fn make(
    rules: &TwoRow,
    most: u32,
    path: &Path,
    observer: &dyn Observer,
) -> Result<EndgameTable, Error> {
    require_memory(EndgameTable::bytes(rules, most), most)?;
    // Created first, so that an unwritable path or a full disk is detected before the work.
    let file = new_file(path, EndgameTable::bytes(rules, most)).map_err(|error| {
        Error::invalid(format!("{}: {error}; name another file with --out", shown_path(path)))
    })?;
    let total = EndgameTable::bytes(rules, most) / 2;
    let table = {
        let steps = Steps::new(observer, Task::MakeTable, total);
        let made = EndgameTable::build(rules, most, |at| {
            let item = format!("{} seeds, pass {}, {} changed", at.seeds, at.pass, at.changed);
            steps.reach(at.done, &item);
        });
        made.map_err(Error::invalid)?
    };
    file.finish(|mut out| table.write(&mut out)).map_err(|error| {
        Error::stopped(format!("{}: {error}; the table is lost", shown_path(path)))
    })?;
    Ok(table)
}

/// Creates the file of a table and reserves space for it.
fn new_file(path: &Path, bytes: u64) -> Result<NewFile<BufWriter<File>>, Error> {
    let no_name = || Error::invalid("it names no file");
    let name: &OsStr = path.file_name().ok_or_else(no_name)?;
    let file = NewFile::create(path.parent().unwrap_or(Path::new("")), name, Ok)?;
    file.reserve(bytes)?;
    Ok(file)
}

fn verify(table: &EndgameTable, count: u64, observer: &dyn Observer) -> Verified {
    let steps = Steps::new(observer, Task::VerifyTable, count);
    table.verify(count, Seed(1), || steps.step(""))
}

/// Finds the largest table of a game in a folder. Skips tables of other games, and warns about
/// unusable files.
pub fn find_table(
    spec: &GameSpec,
    folder: &Path,
    observer: &dyn Observer,
) -> Option<Arc<EndgameTable>> {
    EndgameTable::open_ended(&two_row(spec).ok()?).ok()?;
    let entries = fs::read_dir(folder).ok()?.take(MOST_FILES).flatten();
    let paths = entries.map(|entry| entry.path());
    let tables = paths.filter(|path| path.extension().is_some_and(|ending| ending == ENDING));
    let most_in =
        |path: &PathBuf| usable(read_table_header(spec, path), observer).map(|header| header.most);
    let mut tables: Vec<_> = tables.filter_map(|path| Some((most_in(&path)?, path))).collect();
    tables.sort();
    tables.iter().rev().find_map(|(_, path)| usable(load_table(spec, path), observer))
}

/// Result of reading a table file. Warns if the file is unusable.
fn usable<T>(read: Result<T, PlayerSetupError>, observer: &dyn Observer) -> Option<T> {
    read.inspect_err(|why| {
        if !matches!(reason(why), Some(EndgameError::OtherGame(_))) {
            observer.warn(&format!("{why}; skipping the file"));
        }
    })
    .ok()
}
