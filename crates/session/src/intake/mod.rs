//! Intake: converts an export of a learning platform into a class folder with one bot per person.
//!
//! No submitted file is executed, and no archive can write outside its person's folder. An
//! unreadable submission affects only its own author.

mod export;
mod find;
mod folder;

use std::path::{Path, PathBuf};

use jiff::civil::DateTime;
use pitmaster_bots::submission::archive::{Contents, Limits};
use pitmaster_bots::submission::shown_path;
use pitmaster_core::BotName;
use pitmaster_season::platform::{Platform, Submission};
use pitmaster_season::{Class, ClassSettings, Member, State, lateness, roster, submission_time};

use self::export::Export;
use self::folder::Folder;
use crate::log::{self, Deed, Draft};
use crate::observer::Steps;
use crate::{Error, Observer, Task};

pub(crate) use self::folder::{lock_class, write_class};
pub use self::folder::{read_class, read_settings};

/// Options of an intake.
#[derive(Debug, Clone, Default)]
pub struct IntakeOptions {
    /// Exports: archives and folders. If empty, only the fixes are reapplied.
    pub hand_ins: Vec<PathBuf>,
    /// Folder of the class. It is created if necessary.
    pub class: PathBuf,
    /// A list of all people, such as Moodle's grading worksheet.
    pub worksheet: Option<PathBuf>,
    /// The platform; `None` to recognize it.
    pub platform: Option<Platform>,
    /// Settings of the class, which are stored in it.
    pub settings: ClassSettings,
}

/// Result of an intake.
#[derive(Debug)]
pub struct Intake {
    /// The updated class.
    pub class: Class,
    /// The exports with their platforms, in the order of the options.
    pub platforms: Vec<(PathBuf, Platform)>,
    /// Members whose submission is new or has changed.
    pub changed: Vec<BotName>,
}

/// Reads exports into the folder of a class. Unchanged submissions are kept. Earlier versions of a
/// submission are kept in `earlier/`, and what the teacher puts into `fix/` is applied over every
/// version.
///
/// # Errors
/// An export cannot be read as a whole, the class list is malformed, or the folder cannot be written.
pub fn intake(options: &IntakeOptions, observer: &dyn Observer) -> Result<Intake, Error> {
    let folder = Folder::open(&options.class)?;
    let mut class = folder.class()?;
    let settings = folder.settings(options.settings.clone())?;
    let people = options.worksheet.as_deref().map(people_of).transpose()?.unwrap_or_default();
    let mut intake = Intake { class: Class::default(), platforms: Vec::new(), changed: Vec::new() };
    for path in &options.hand_ins {
        let mut export = Export::open(path)?;
        let platform = options.platform.unwrap_or_else(|| export.platform());
        intake.platforms.push((path.clone(), platform));
        let submissions = export.submissions(platform);
        if submissions.is_empty() {
            return Err(Error::invalid(format!(
                "{}: no submission was found in the form of {}; name the platform with --as",
                shown_path(path),
                platform.name()
            )));
        }
        for submission in &submissions {
            add(&mut class, submission);
        }
        let steps = Steps::new(observer, Task::Unpack, submissions.len() as u64);
        for (submission, unpacked) in export.unpack(&submissions, &folder)? {
            let name = take(&mut class, submission, unpacked, &folder)?;
            if let Some(member) = class.members.iter_mut().find(|it| it.id == submission.id) {
                member.origin = export.origin(submission);
            }
            steps.step(name.as_ref().map_or("", |name| name.as_str()));
            intake.changed.extend(name);
        }
    }
    for person in people {
        add_person(&mut class, person);
    }
    for member in &mut class.members {
        judge_time(member, settings.deadline);
        folder.apply_fix(member)?;
    }
    class.members.sort_by(|a, b| a.key.cmp(&b.key));
    folder.write(&class, settings.language.unwrap_or_default())?;
    log::append(&options.class, Draft::new(Deed::Intake, log::names(&options.hand_ins)))?;
    intake.class = class;
    Ok(intake)
}

/// Submission of a person: the contents of an unpacked folder, or the reason for its refusal.
type Unpacked = Result<(PathBuf, Contents, String), String>;

/// Adds a submission to the class. Returns the member's key if it is new or changed.
fn take(
    class: &mut Class,
    submission: &Submission,
    unpacked: Unpacked,
    folder: &Folder,
) -> Result<Option<BotName>, Error> {
    let position = class.members.iter().position(|member| member.id == submission.id);
    let Some(member) = position.map(|at| &mut class.members[at]) else { return Ok(None) };
    member.file = names_of(submission);
    let (place, contents, hash) = match unpacked {
        Ok(unpacked) => unpacked,
        Err(why) => {
            let is_same = member.state == State::Refused && member.why == why;
            (member.state, member.why, member.hash) = (State::Refused, why, String::new());
            folder.set_aside(member, None)?;
            return Ok((!is_same).then(|| member.key.clone()));
        }
    };
    let is_same = member.hash == hash && folder.has(member);
    // The time may be missing here but known from a worksheet of an earlier intake.
    if !is_same || submission.is_late || !submission.handed_in.is_empty() {
        member.handed_in.clone_from(&submission.handed_in);
        member.late = if submission.is_late { "late".into() } else { String::new() };
    }
    if is_same {
        folder.discard(&place)?;
        return Ok(None);
    }
    folder.set_aside(member, Some(&place))?;
    member.hash = hash;
    (member.state, member.why) = find::state_of(&place, &contents);
    folder.keep(&place, member)?;
    Ok(Some(member.key.clone()))
}

/// Adds the data of a roster about a person. It contains the full name with all characters.
fn add_person(class: &mut Class, person: roster::Person) {
    // People who submitted together are one member, whose id contains theirs.
    let has =
        |member: &Member| member.id.contains('+') && member.id.split('+').any(|id| id == person.id);
    if class.members.iter().any(has) {
        return;
    }
    let submission = Submission { id: person.id, name: person.name, ..Submission::default() };
    let key = add(class, &submission);
    let Some(member) = class.members.iter_mut().find(|member| member.key == key) else { return };
    let fill = |known: &mut String, new: String| {
        if !new.is_empty() {
            *known = new;
        }
    };
    fill(&mut member.name, submission.name);
    fill(&mut member.email, person.email);
    if member.state != State::Missing {
        fill(&mut member.handed_in, person.handed_in);
    }
}

/// Whether and how late a submission is. Without a deadline or a time, the platform's word counts.
fn judge_time(member: &mut Member, deadline: Option<DateTime>) {
    let time = submission_time(&member.handed_in);
    if let (Some(time), Some(deadline)) = (time, deadline) {
        member.late = lateness(time, deadline).unwrap_or_default();
    }
}

fn names_of(submission: &Submission) -> String {
    const SHOWN: usize = 4;
    let mut names: Vec<_> = submission.files.iter().map(|file| file.path.as_str()).collect();
    let more = names.len().saturating_sub(SHOWN);
    names.truncate(SHOWN);
    let names = names.join(", ");
    if more == 0 { names } else { format!("{names} and {more} more") }
}

/// Adds a member unless the id is known; returns the key.
fn add(class: &mut Class, submission: &Submission) -> BotName {
    if let Some(member) = class.members.iter_mut().find(|member| member.id == submission.id) {
        if member.name.is_empty() {
            member.name.clone_from(&submission.name);
        }
        return member.key.clone();
    }
    let key = free_key(class, &submission.id);
    class.members.push(Member {
        key: key.clone(),
        id: submission.id.clone(),
        name: submission.name.clone(),
        email: submission.email.clone(),
        group: submission.group.clone(),
        file: String::new(),
        origin: String::new(),
        hash: String::new(),
        handed_in: String::new(),
        late: String::new(),
        state: State::Missing,
        why: "nothing was submitted".into(),
    });
    key
}

/// Unused key of a member. It depends only on the id, unless two ids collide.
fn free_key(class: &Class, id: &str) -> BotName {
    let plain = BotName::tamed(id);
    let is_exact = plain.as_str() == id.to_lowercase();
    let digest = &blake3::hash(id.as_bytes()).to_hex()[..8];
    let short: String = plain.as_str().chars().take(BotName::MAX - 9).collect();
    let hashed = BotName::tamed(&format!("{short}-{digest}"));
    if is_exact && class.member(&plain).is_none() { plain } else { hashed }
}

fn people_of(path: &Path) -> Result<Vec<roster::Person>, Error> {
    let bytes = std::fs::read(path)
        .map_err(|error| Error::invalid(format!("cannot read {}: {error}", shown_path(path))))?;
    let people = roster::people(&bytes);
    if people.is_empty() {
        let what = "has no people: a CSV with an id in the first column is needed";
        return Err(Error::invalid(format!("{} {what}", shown_path(path))));
    }
    Ok(people)
}

/// Limits of one person's submission.
fn limits() -> Limits {
    Limits::default()
}
