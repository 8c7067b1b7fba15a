//! Finals: tournament files of the versions that are frozen at a deadline, in the folder
//! `finals/COURSE` of a course's folder. `pitmaster run` plays them and stores the results next to
//! the file.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pitmaster_core::{BotHash, BotName};
use pitmaster_season::course::{Action, DeadlineId};
use pitmaster_session::practice::{FinalSettings, LadderPath, final_file};
use pitmaster_session::{Contest, PUBLIC_PAGE, Results, Silent};
use pitmaster_store::{Readers, create_file, make_folder};

use crate::database::{Act, Course, Database, DatabaseError, DeadlineRow, Refusal};
use crate::kgp::OPEN_LADDER;
use crate::player::{ladder_folder, relative_ladder_folder, server};

/// Path of the snapshots, relative to a final's file.
const BOTS: &str = "../../bots";

/// Maximum number of finals of one deadline.
const MAX_FINALS: u32 = 99;

/// Reason why a final cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum FinalError {
    /// The course has no deadline of this name.
    #[error("the course has no deadline {asked:?}; {}", list_names(known))]
    NoDeadline {
        /// Name that was requested.
        asked: String,
        /// Names of the course's deadlines.
        known: Vec<String>,
    },
    /// Fewer than two versions are frozen.
    #[error("a final needs the frozen versions of at least two groups")]
    TooFew,
    /// The database fails or refuses the request.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The ladder's tournament file or a bot is invalid.
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

fn list_names(names: &[String]) -> String {
    if names.is_empty() {
        return "the staff sets deadlines on the page Administration".to_owned();
    }
    let names: Vec<_> = names.iter().map(|name| format!("{name:?}")).collect();
    format!("it has {}", names.join(", "))
}

impl From<Refusal> for FinalError {
    fn from(refusal: Refusal) -> Self {
        Self::Database(refusal.into())
    }
}

/// Final of a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Final {
    /// Tournament file.
    pub file: PathBuf,
    /// Whether results exist next to the file.
    pub has_results: bool,
}

impl Final {
    /// Shell command that plays the final or resumes it.
    pub fn command(&self) -> String {
        let out = self.file.parent().unwrap_or(Path::new("."));
        format!("pitmaster run {} --out {}", quoted(&self.file), quoted(out))
    }
}

/// Path, quoted for a shell.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"/._-+".contains(&b);
    if text.bytes().all(is_plain) {
        text.into()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// Path of the tournament file of a final.
pub fn file(folder: &Path, course: &str, name: &str) -> PathBuf {
    finals_folder(folder, course).join(format!("{name}.toml"))
}

/// Whether a course has a final of this name.
pub fn exists(folder: &Path, course: &str, name: &str) -> bool {
    is_name(name) && file(folder, course, name).is_file()
}

fn finals_folder(folder: &Path, course: &str) -> PathBuf {
    folder.join("finals").join(course)
}

/// Finals of a deadline, oldest first.
pub fn of_deadline(folder: &Path, course: &Course, deadline: &DeadlineRow) -> Vec<Final> {
    let finals = finals_folder(folder, &course.slug);
    let stem = stem(&deadline.settings.name);
    let files =
        (1..=MAX_FINALS).map(|number| finals.join(format!("{}.toml", numbered(&stem, number))));
    let there = files.filter(|file| file.is_file());
    there.map(|file| Final { has_results: file.with_extension("").is_dir(), file }).collect()
}

/// Largest page that is served, in bytes. Games beyond 24 MB are in files next to the page.
const MAX_PAGE: u64 = 64 << 20;

impl Final {
    /// Name in URLs: the stem of the file name.
    pub fn name(&self) -> String {
        self.file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Whether the public page exists.
    pub fn is_published(&self) -> bool {
        self.file.with_extension("").join(PUBLIC_PAGE).is_file()
    }
}

/// Writes the public results page of a final.
///
/// # Errors
/// The final has no results, or the page cannot be written.
pub fn publish(folder: &Path, course: &Course, name: &str) -> Result<(), FinalError> {
    let results = Results::open(&file(folder, &course.slug, name).with_extension(""))?;
    results.publish(course.settings.language, &Silent)?;
    Ok(())
}

/// Names of the finals of a course with published results, in order.
pub fn published(folder: &Path, course: &str) -> Vec<String> {
    let entries = fs::read_dir(finals_folder(folder, course)).into_iter().flatten().flatten();
    let is_published = |path: &PathBuf| path.join(PUBLIC_PAGE).is_file();
    let folders = entries.map(|entry| entry.path()).filter(is_published);
    let names = folders.filter_map(|path| path.file_name()?.to_str().map(str::to_owned));
    let mut names: Vec<_> = names.filter(|name| is_name(name)).collect();
    names.sort();
    names
}

/// Public page of a final; `None` if its results are not published or the name is invalid.
pub fn public_page(folder: &Path, course: &str, name: &str) -> Option<Vec<u8>> {
    let path = finals_folder(folder, course).join(name).join(PUBLIC_PAGE);
    let size = is_name(name).then(|| fs::metadata(&path).ok())??.len();
    (size <= MAX_PAGE).then(|| fs::read(path).ok())?
}

/// Whether this is a valid name of a final in a URL.
fn is_name(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_".contains(&b))
        && name.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric)
}

/// Whether the final of this name belongs to a deadline.
pub(crate) fn belongs_to(name: &str, deadline: &DeadlineRow) -> bool {
    name.split('_').next() == Some(&stem(&deadline.settings.name))
}

/// Whether this is the name of a deadline or the stem of its file name.
pub(crate) fn has_name(deadline: &DeadlineRow, name: &str) -> bool {
    let own = &deadline.settings.name;
    own == name || stem(own) == name
}

/// Default settings of a final. The title is that of the course and the deadline. The seed is
/// random, so that nobody can prepare for the openings.
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
/// deadline, in the game of the deadline's ladder. Another final of the same deadline gets another
/// file.
///
/// # Errors
/// Fewer than two versions are frozen, no ladder of the course was ever opened, or the file cannot
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
    let ladder = LadderPath { folder: &ladder, relative: &relative_ladder_folder(&ladder) };
    let text = final_file(ladder, &versions, BOTS, settings, &Silent)?;
    let finals = finals_folder(database.folder(), &course.slug);
    let written = new_file(&finals, &stem(&deadline.settings.name), &text);
    let file = written.map_err(|error| FinalError::Write { folder: finals, error })?;
    // Validated here, where the user sees the error, rather than by a later `run`.
    if let Err(error) = Contest::read(&file, &Silent) {
        let _ = fs::remove_file(&file);
        return Err(error.into());
    }
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if let Err(error) = database.log_final(act, deadline.id, name).wait() {
        // Without its line in the audit log, the file must not exist.
        let _ = fs::remove_file(&file);
        return Err(error.into());
    }
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

/// Folder of the deadline's ladder, by default the first ladder of the course.
fn ladder_of(
    database: &Database,
    course: &Course,
    deadline: &DeadlineRow,
) -> Result<PathBuf, FinalError> {
    let ladders = database.ladders(course.facts.id).wait()?.into_iter();
    let ladders = ladders.filter_map(|it| it.open(&server(), Action::ViewResults).ok());
    // Nobody knows which machine plays for a remote entrant.
    let mut ladders = ladders.filter(|ladder| ladder.slug != OPEN_LADDER);
    let ladder = ladders.find(|it| deadline.settings.ladder.is_none_or(|asked| asked == it.id));
    let ladder = ladder.ok_or(Refusal::Absent("ladder"))?;
    Ok(ladder_folder(database.folder(), &course.slug, &ladder.slug))
}

/// Stem of the file name of a deadline's finals.
fn stem(name: &str) -> String {
    let tamed = BotName::tamed(name).as_str().replace(['.', '_'], "-");
    tamed.trim_matches('-').to_owned()
}

/// File name of a further final. No stem contains the separator before the number.
fn numbered(stem: &str, number: u32) -> String {
    if number == 1 { stem.to_owned() } else { format!("{stem}_{number}") }
}

/// Writes a file atomically, under the first free name.
fn new_file(finals: &Path, stem: &str, text: &str) -> io::Result<PathBuf> {
    /// A double click would otherwise write two texts into one incomplete file. The lock of the
    /// database excludes other processes.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    make_folder(finals.parent().unwrap_or(finals), Readers::Owner)?;
    make_folder(finals, Readers::Owner)?;
    let part = finals.join(format!("{stem}.toml.new"));
    // A file that a crash left may be a hard link to a final, which must not be overwritten.
    match fs::remove_file(&part) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut out = create_file(&part)?;
    out.write_all(text.as_bytes())?;
    out.sync_all()?;
    let named = (1..=MAX_FINALS).find_map(|number| {
        let file = finals.join(format!("{}.toml", numbered(stem, number)));
        // Unlike renaming, a hard link never replaces an existing final.
        match fs::hard_link(&part, &file) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
            linked => Some(linked.map(|()| file)),
        }
    });
    fs::remove_file(&part)?;
    File::open(finals)?.sync_all()?;
    named.unwrap_or_else(|| {
        Err(io::Error::other(format!("there are {MAX_FINALS} finals of {stem}")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_final_never_replaces_another() {
        let folder = tempfile::tempdir().unwrap();
        let finals = folder.path().join("finals/awale");
        let name = |path: PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        let files = ["one", "two"].map(|text| new_file(&finals, "project-1", text).unwrap());
        assert_eq!(files.clone().map(name), ["project-1.toml", "project-1_2.toml"]);
        assert_eq!(files.map(|file| fs::read_to_string(file).unwrap()), ["one", "two"]);
        assert_eq!(fs::read_dir(&finals).unwrap().count(), 2);
    }

    #[test]
    fn a_final_with_two_names_after_a_crash_is_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let finals = folder.path().join("finals/awale");
        let first = new_file(&finals, "project-1", "one").unwrap();
        fs::hard_link(&first, finals.join("project-1.toml.new")).unwrap();
        let second = new_file(&finals, "project-1", "two").unwrap();
        assert_eq!([first, second].map(|file| fs::read_to_string(file).unwrap()), ["one", "two"]);
    }

    #[test]
    fn concurrently_written_finals_are_whole() {
        let folder = tempfile::tempdir().unwrap();
        let finals = folder.path().join("finals/awale");
        let texts: Vec<_> = ('a'..='h').map(|letter| letter.to_string().repeat(9_000)).collect();
        let mut written: Vec<_> = std::thread::scope(|scope| {
            let finals = &finals;
            let write = |text: &str| new_file(finals, "project-1", text).unwrap();
            let threads: Vec<_> =
                texts.iter().map(|text| scope.spawn(move || write(text))).collect();
            threads.into_iter().map(|it| fs::read_to_string(it.join().unwrap()).unwrap()).collect()
        });
        written.sort();
        assert_eq!(written, texts);
    }

    #[test]
    fn write_errors_have_advice() {
        let folder = tempfile::tempdir().unwrap();
        let finals = folder.path().join("finals");
        fs::write(&finals, "in the way").unwrap();
        let error = new_file(&finals.join("awale"), "project-1", "one").unwrap_err();
        let message = FinalError::Write { folder: finals, error }.to_string();
        assert!(message.contains("see who may write there"), "{message}");
    }

    #[test]
    fn deadlines_name_files_and_commands_quote_paths() {
        for (name, file) in [("Project 1", "project-1"), ("Zwischenstand_2.b", "zwischenstand-2-b")]
        {
            assert_eq!(stem(name), file);
        }
        let command = |file: &str| Final { file: file.into(), has_results: false }.command();
        let plain = "pitmaster run school/finals/a/p.toml --out school/finals/a";
        assert_eq!(command("school/finals/a/p.toml"), plain);
        assert_eq!(command("it's/p.toml"), r"pitmaster run 'it'\''s/p.toml' --out 'it'\''s'");
    }
}
