//! Audit log of a results or class folder: who did what, when and why, in `log.jsonl`.
//!
//! Lines are only appended, and each contains the hash of the previous line. The end of the log is
//! also stored elsewhere: in the database of results, in `.log-end` of a class. Only this file
//! contains times, so all other files are identical for identical games.

mod chain;
mod digest;
mod user;

use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use jiff::{Timestamp, Unit};
use pitmaster_bots::submission::shown_path;
use pitmaster_store::{self as store, LogEnd, Reader};

pub use self::chain::{Entry, Games};
pub(crate) use self::chain::{Parsed, hash_of, parse};
pub(crate) use self::digest::Digest;
use crate::results::NewFile;
use crate::{Error, Observer};

/// Name of the log in a folder.
pub(crate) const FILE: &str = "log.jsonl";
/// Version of the format.
const VERSION: u32 = 1;
/// End of the log of a folder without a database.
const END: &str = ".log-end";

/// Kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    RunStarted,
    RunResumed,
    RunEnded,
    /// Games of bots that were replaced or removed no longer count.
    BotsRemoved,
    Void,
    Merge,
    Verify,
    Intake,
    Grade,
    Forget,
}

impl Deed {
    fn name(self) -> &'static str {
        match self {
            Self::RunStarted => "run-started",
            Self::RunResumed => "run-resumed",
            Self::RunEnded => "run-ended",
            Self::BotsRemoved => "bots-removed",
            Self::Void => "void",
            Self::Merge => "merge",
            Self::Verify => "verify",
            Self::Intake => "intake",
            Self::Grade => "grade",
            Self::Forget => "forget",
        }
    }
}

/// An entry to be logged. Time, person and hashes are added.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    what: Deed,
    about: String,
    reason: String,
    games: Option<Games>,
}

impl Draft {
    /// Creates a draft with its subject.
    pub(crate) fn new(what: Deed, about: impl Into<String>) -> Self {
        Self { what, about: about.into(), reason: String::new(), games: None }
    }

    pub(crate) fn reason(self, reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), ..self }
    }

    pub(crate) fn games(self, games: Games) -> Self {
        Self { games: Some(games), ..self }
    }

    /// The entry after lines with these hashes. `lost` describes their errors.
    fn entry(self, hashes: &[String], lost: String) -> Entry {
        let now = Timestamp::now().round(Unit::Second).unwrap_or(Timestamp::UNIX_EPOCH);
        Entry {
            version: VERSION,
            number: hashes.len() as u64 + 1,
            at: now.to_string(),
            who: user::name(),
            what: self.what.name().into(),
            about: self.about,
            reason: self.reason,
            games: self.games,
            lost,
            previous: hashes.last().cloned().unwrap_or_default(),
        }
    }
}

/// The log of a folder, with its errors.
#[derive(Debug)]
pub struct Log {
    /// Readable entries.
    pub entries: Vec<Entry>,
    /// Removed or changed lines. Empty if the log is intact.
    pub findings: Vec<String>,
}

/// Reads the log of a results or class folder.
///
/// # Errors
/// The folder has no log, or a file cannot be read.
pub fn read_log(folder: &Path) -> Result<Log, Error> {
    let end = known_end(folder)?;
    let path = folder.join(FILE);
    if !path.exists() && end.is_none() {
        let shown = shown_path(folder);
        return Err(Error::invalid(format!(
            "{shown} has no {FILE}: it is no results or class folder, or it was made before there \
             were logs"
        )));
    }
    let text = if path.exists() { fs::read(&path)? } else { Vec::new() };
    let Parsed { entries, mut findings, hashes } = parse(&text);
    findings.extend(end.and_then(|end| missing_end(&hashes, &end)));
    Ok(Log { entries, findings })
}

/// Appends a line to the log of a folder.
///
/// # Errors
/// The log or the stored end cannot be written.
pub(crate) fn append(folder: &Path, draft: Draft) -> Result<(), Error> {
    let mut file = open(folder)?;
    // Released when the file is closed.
    file.lock()?;
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    let parsed = parse(&text);
    let end = known_end(folder)?;
    let lost = end.and_then(|end| missing_end(&parsed.hashes, &end));
    let entry = draft.entry(&parsed.hashes, lost.unwrap_or_default());
    let line = entry.to_line()?;
    let torn = !text.is_empty() && !text.ends_with(b"\n");
    let newline: &[u8] = if torn { b"\n" } else { b"" };
    file.write_all(&[newline, line.as_bytes(), b"\n"].concat())?;
    file.sync_data()?;
    put_end(folder, &LogEnd { line: entry.number, hash: hash_of(line.as_bytes()) })
}

/// Appends a line, or reports the error to the observer. For read-only operations.
pub(crate) fn try_append(folder: &Path, draft: Draft, observer: &dyn Observer) {
    if let Err(error) = append(folder, draft) {
        observer.note(&format!("not logged in {}: {error}", shown_path(folder)));
    }
}

/// Replaces the whole log, with `change` applied to each line, and appends a line that records
/// earlier errors. Hashes are computed anew.
///
/// # Errors
/// A file cannot be written.
pub(crate) fn rewrite(
    folder: &Path,
    change: impl Fn(Entry) -> Entry,
    draft: Draft,
) -> Result<(), Error> {
    let lock = open(folder)?;
    lock.lock()?;
    let Parsed { entries, mut findings, hashes } = parse(&fs::read(folder.join(FILE))?);
    findings.extend(known_end(folder)?.and_then(|end| missing_end(&hashes, &end)));
    let (mut written, mut hashes) = (String::new(), Vec::<String>::new());
    let mut write = |entry: Entry, hashes: &mut Vec<String>| {
        let line = entry.to_line()?;
        hashes.push(hash_of(line.as_bytes()));
        written += &line;
        written.push('\n');
        Ok::<_, Error>(())
    };
    for entry in entries {
        let previous = hashes.last().cloned().unwrap_or_default();
        let number = hashes.len() as u64 + 1;
        write(Entry { number, previous, ..change(entry) }, &mut hashes)?;
    }
    let entry = draft.entry(&hashes, findings.join("; "));
    write(entry, &mut hashes)?;
    let file = NewFile::create(folder, FILE, Ok)?;
    file.finish(|mut out| out.write_all(written.as_bytes()).and_then(|()| out.flush()))?;
    let hash = hashes.last().cloned().unwrap_or_default();
    put_end(folder, &LogEnd { line: hashes.len() as u64, hash })
}

fn open(folder: &Path) -> Result<File, Error> {
    let path = folder.join(FILE);
    let mut options = OpenOptions::new();
    let file = store::open_as_folder(&path, options.read(true).append(true).create(true));
    file.map_err(|error| {
        Error::stopped(format!("cannot write {}: {error}; check the folder", shown_path(&path)))
    })
}

fn known_end(folder: &Path) -> Result<Option<LogEnd>, Error> {
    if store::exists(folder) {
        return Ok(Reader::open(folder)?.log_end()?);
    }
    let Ok(text) = fs::read_to_string(folder.join(END)) else { return Ok(None) };
    let end = text.trim().split_once(' ');
    Ok(end
        .and_then(|(line, hash)| Some(LogEnd { line: line.parse().ok()?, hash: hash.to_owned() })))
}

fn put_end(folder: &Path, end: &LogEnd) -> Result<(), Error> {
    if store::exists(folder) {
        return Ok(store::put_log_end(folder, end)?);
    }
    let file = NewFile::create(folder, END, Ok)?;
    file.finish(|mut out| writeln!(out, "{} {}", end.line, end.hash).and_then(|()| out.flush()))
}

/// File names, as the subject of an entry.
pub(crate) fn names(paths: &[PathBuf]) -> String {
    let name = |path: &PathBuf| shown_path(Path::new(path.file_name().unwrap_or_default()));
    paths.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// Description of a missing last line, if the log is truncated.
fn missing_end(hashes: &[String], end: &LogEnd) -> Option<String> {
    let at = usize::try_from(end.line).ok()?.checked_sub(1)?;
    match hashes.get(at) {
        Some(hash) if *hash == end.hash => None,
        Some(_) => Some(format!("line {}: it is not the one that was written last", end.line)),
        None => Some(format!(
            "the log has {} lines, but {} were written: its end was removed",
            hashes.len(),
            end.line
        )),
    }
}

#[cfg(test)]
mod tests;
