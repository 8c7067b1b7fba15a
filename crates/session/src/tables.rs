//! Endgame tables on disk: made on demand, kept in a folder, never downloaded.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pitmaster_bots::house::load_table;
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

/// Largest number of entries of a folder that are looked at.
const MOST_FILES: usize = 1000;

/// Table to make.
#[derive(Debug, Clone)]
pub struct TableOptions {
    /// Game.
    pub game: GameSpec,
    /// Memory of the table in bytes; it goes up to as many seeds as fit.
    pub memory: u64,
    /// Largest number of seeds; `None`: as many as fit.
    pub seeds: Option<u32>,
    /// File of the table.
    pub file: TablePath,
    /// Number of threads.
    pub threads: usize,
    /// Number of random positions to search without the table.
    pub verify: u64,
}

/// Where a table is written.
#[derive(Debug, Clone)]
pub enum TablePath {
    /// This file.
    File(PathBuf),
    /// A file in this folder, named after the game.
    Folder(PathBuf),
}

/// Table that was made or found.
#[derive(Debug)]
pub struct Table {
    /// Its file.
    pub path: PathBuf,
    /// Whether it was there already.
    pub found: bool,
    /// The table.
    pub table: Arc<EndgameTable>,
    /// Result of the verification, if one was requested.
    pub verified: Option<Verified>,
}

/// Makes an endgame table, unless its file holds the same one already.
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

/// The table in a file, if it is the one that would be made.
fn existing(
    spec: &GameSpec,
    path: &Path,
    most: u32,
    observer: &dyn Observer,
) -> Option<Arc<EndgameTable>> {
    if !path.is_file() {
        return None;
    }
    match load_table(spec, path) {
        Ok(table) if table.most() == most => Some(table),
        Ok(_) => None,
        Err(why) => {
            observer.warn(&format!("{why}; making it anew"));
            None
        }
    }
}

fn make(
    rules: &TwoRow,
    most: u32,
    path: &Path,
    observer: &dyn Observer,
) -> Result<EndgameTable, Error> {
    // Created first, so that no work is wasted on a path that cannot be written.
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let file = NewFile::create(path.parent().unwrap_or(Path::new("")), &name, Ok);
    let file = file.map_err(|error| {
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
    file.finish(|mut out| table.write(&mut out))?;
    Ok(table)
}

fn verify(table: &EndgameTable, count: u64, observer: &dyn Observer) -> Verified {
    let steps = Steps::new(observer, Task::VerifyTable, count);
    table.verify(count, Seed(1), || steps.step(""))
}

/// Finds the table of a game that goes up to the most seeds in a folder. Files that cannot be used
/// are remarked on and left out.
pub fn find_table(
    spec: &GameSpec,
    folder: &Path,
    observer: &dyn Observer,
) -> Option<Arc<EndgameTable>> {
    let AnyRules::TwoRow(rules) = look_up(spec).ok()?.rules else { return None };
    let entries = fs::read_dir(folder).ok()?.take(MOST_FILES).flatten();
    let paths = entries.map(|entry| entry.path());
    let tables = paths.filter(|path| path.extension().is_some_and(|ending| ending == ENDING));
    let most_in = |path: &PathBuf| {
        let mut file = BufReader::new(File::open(path).ok()?);
        EndgameTable::read_most(&rules, &mut file).ok()
    };
    let (_, path) = tables.filter_map(|path| Some((most_in(&path)?, path))).max()?;
    match load_table(spec, &path) {
        Ok(table) => Some(table),
        Err(why) => {
            observer.warn(&format!("{why}; it is left out"));
            None
        }
    }
}
