//! Finals: tournament files of what is frozen at a deadline, in the folder `finals/COURSE` of a
//! course's folder. `pitmaster run` plays them, and its results stand beside the file.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use pitmaster_core::{BotHash, BotName};
use pitmaster_season::course::{Action, DeadlineId};
use pitmaster_session::practice::{FinalSettings, final_file};
use pitmaster_session::{Contest, Silent};
use pitmaster_store::{Readers, create_file, make_folder};

use crate::database::{Act, Course, Database, DatabaseError, DeadlineRow, Refusal};
use crate::player::{ladder_folder, server};

/// Path of the snapshots, relative to a final's file.
const BOTS: &str = "../../bots";

/// Number of finals of one deadline, as a bound.
const MOST: u32 = 99;

/// Reason why a final is not written.
#[derive(Debug, thiserror::Error)]
pub enum FinalError {
    /// Nobody would play anybody.
    #[error("a final needs the frozen versions of at least two groups")]
    TooFew,
    /// The database, or what it says.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The ladder's file, or a bot.
    #[error(transparent)]
    Session(#[from] pitmaster_session::Error),
    /// The file cannot be written.
    #[error("cannot write {}: {error}; see who may write there, and whether the disk is full", folder.display())]
    Write {
        /// The folder of the course's finals.
        folder: PathBuf,
        /// The system's error message.
        error: io::Error,
    },
}

impl From<Refusal> for FinalError {
    fn from(refusal: Refusal) -> Self {
        Self::Database(refusal.into())
    }
}

/// A final of a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Final {
    /// Its tournament file.
    pub file: PathBuf,
    /// Whether results stand beside it.
    pub has_results: bool,
}

impl Final {
    /// Command that plays it, or goes on with it.
    pub fn command(&self) -> String {
        let out = self.file.parent().unwrap_or(Path::new("."));
        format!("pitmaster run {} --out {}", quoted(&self.file), quoted(out))
    }
}

/// A path as a shell reads it.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"/._-+".contains(&b);
    if text.bytes().all(is_plain) {
        text.into()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

fn finals_folder(folder: &Path, course: &str) -> PathBuf {
    folder.join("finals").join(course)
}

/// The finals of a deadline, oldest first.
pub fn of_deadline(folder: &Path, course: &Course, deadline: &DeadlineRow) -> Vec<Final> {
    let finals = finals_folder(folder, &course.slug);
    let stem = stem(&deadline.settings.name);
    let files = (1..=MOST).map(|number| finals.join(format!("{}.toml", numbered(&stem, number))));
    let there = files.take_while(|file| file.is_file());
    there.map(|file| Final { has_results: file.with_extension("").is_dir(), file }).collect()
}

/// Settings of a final unless somebody wishes otherwise: the course and the deadline as its title,
/// and a seed that nobody can predict, so that nobody prepares for its openings.
///
/// # Errors
/// The system has no random numbers.
pub fn settings(course: &Course, deadline: &DeadlineRow) -> Result<FinalSettings, FinalError> {
    Ok(FinalSettings {
        title: format!("{}: {}", course.settings.title, deadline.settings.name),
        pairs: FinalSettings::PAIRS,
        per_move: FinalSettings::PER_MOVE,
        seed: pitmaster_session::secret_seed()?,
    })
}

/// Writes the tournament file of a final: a round-robin of the versions that are frozen at a
/// deadline, for the game of its ladder. A further final of the same deadline has a further file.
///
/// # Errors
/// Fewer than two versions are frozen, the course has no ladder that was opened, or the file cannot
/// be written.
pub fn write(
    database: &Database,
    act: Act,
    course: &Course,
    deadline: &DeadlineRow,
    settings: &FinalSettings,
) -> Result<Final, FinalError> {
    let versions = frozen_versions(database, deadline.id)?;
    if versions.len() < 2 {
        return Err(FinalError::TooFew);
    }
    let ladder = ladder_of(database, course, deadline)?;
    let text = final_file(&ladder, &versions, BOTS, settings, &Silent)?;
    let finals = finals_folder(database.folder(), &course.slug);
    let written = new_file(&finals, &stem(&deadline.settings.name), &text);
    let file = written.map_err(|error| FinalError::Write { folder: finals, error })?;
    // What `run` would refuse is refused here, where somebody sees it.
    if let Err(error) = Contest::read(&file, &Silent) {
        let _ = fs::remove_file(&file);
        return Err(error.into());
    }
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    database.log_final(act, deadline.id, name).wait()?;
    Ok(Final { file, has_results: false })
}

fn frozen_versions(
    database: &Database,
    deadline: DeadlineId,
) -> Result<Vec<(BotName, BotHash)>, FinalError> {
    let mut versions = Vec::new();
    for frozen in database.frozen(deadline).wait()? {
        let Some((version, hash)) = frozen.version else { continue };
        let version = database.version(version).wait()?;
        let version = version.open(&server(), Action::ViewResults);
        versions.push((version.map_err(|_| Refusal::Absent("version"))?.name, hash));
    }
    Ok(versions)
}

/// Folder of the ladder that a deadline is about: its own, or the first of the course.
fn ladder_of(
    database: &Database,
    course: &Course,
    deadline: &DeadlineRow,
) -> Result<PathBuf, FinalError> {
    let ladders = database.ladders(course.facts.id).wait()?.into_iter();
    let mut ladders = ladders.filter_map(|it| it.open(&server(), Action::ViewResults).ok());
    let ladder = ladders.find(|it| deadline.settings.ladder.is_none_or(|asked| asked == it.id));
    let ladder = ladder.ok_or(Refusal::Absent("ladder"))?;
    Ok(ladder_folder(database.folder(), &course.slug, &ladder.slug))
}

/// Name of a deadline as the name of a file.
fn stem(name: &str) -> String {
    let tamed = BotName::tamed(name).as_str().replace(['.', '_'], "-");
    tamed.trim_matches('-').to_owned()
}

fn numbered(stem: &str, number: u32) -> String {
    if number == 1 { stem.to_owned() } else { format!("{stem}-{number}") }
}

/// Writes a file under the first free name, whole or not at all.
fn new_file(finals: &Path, stem: &str, text: &str) -> io::Result<PathBuf> {
    make_folder(finals.parent().unwrap_or(finals), Readers::Owner)?;
    make_folder(finals, Readers::Owner)?;
    let part = finals.join(format!("{stem}.toml.new"));
    let mut out = create_file(&part)?;
    out.write_all(text.as_bytes())?;
    out.sync_all()?;
    let named = (1..=MOST).find_map(|number| {
        let file = finals.join(format!("{}.toml", numbered(stem, number)));
        // Unlike renaming, it never replaces a final.
        match fs::hard_link(&part, &file) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
            linked => Some(linked.map(|()| file)),
        }
    });
    fs::remove_file(&part)?;
    File::open(finals)?.sync_all()?;
    named.unwrap_or_else(|| Err(io::Error::other(format!("there are {MOST} finals of {stem}"))))
}
