//! Administrative tasks for the command line: new courses, invitations, backups, finals, grades and
//! erasure.

use std::path::{Path, PathBuf};
use std::time::Duration;

use pitmaster_core::i18n::Lang;
use pitmaster_core::{BotName, Seed};
use pitmaster_season::course::{CourseId, CourseState, GroupId, Role, Utc, Visibility};
use pitmaster_session::practice::FinalSettings;
use serde_json::json;

use crate::database::{
    Act, By, Course, CourseSettings, Database, DatabaseError, DeadlineRow, HashCost, ImportRow,
    Imported, InviteCode, NewInvite, NewPerson, Person, Refusal,
};
use crate::finals::{self, Final, FinalError};
use crate::grades::{self, CourseGrades, GradesError};

/// Slug of the ladder of a new course.
pub const LADDER: &str = "practice";

/// Tournament file of the ladder of a new course.
const TOURNAMENT: &str = include_str!("ladder.toml");

/// Time after which an invitation expires.
const INVITATION_VALIDITY: Duration = Duration::from_hours(30 * 24);

/// Default duration of a course.
const COURSE_DURATION: Duration = Duration::from_hours(180 * 24);

/// Creates a course in a folder: its database, an open course with a practice ladder of house bots,
/// and an administrator. Returns the invitation code with which the administrator becomes its
/// teacher.
///
/// # Errors
/// [`DatabaseError`], also if a process has the folder's database open.
pub fn make_course(
    folder: &Path,
    slug: &str,
    title: &str,
    language: Lang,
    now: Utc,
) -> Result<InviteCode, DatabaseError> {
    let act = Act { by: By::Operator, at: now, address: None };
    let database = Database::open(folder, HashCost::Recommended, now)?;
    let settings = CourseSettings {
        title: title.to_owned(),
        language,
        opens: now,
        closes: now.plus(COURSE_DURATION),
        visibility: Visibility::Members,
        guests_play: false,
        other: json!({}),
    };
    let course = database.create_course(act, slug, settings).wait()?;
    database.add_ladder(act, course, LADDER, TOURNAMENT.to_owned(), json!([])).wait()?;
    database.set_course_state(act, course, CourseState::Open).wait()?;
    let name = "Administrator".to_owned();
    let person = database.add_person(act, NewPerson { name, ..NewPerson::default() }).wait()?;
    database.set_admin(act, person, true).wait()?;
    let expires = now.plus(INVITATION_VALIDITY);
    let (role, group, person) = (Role::Teacher, None, Some(person));
    database.invite(act, NewInvite { course, role, group, person, expires }).wait()
}

/// Invitations to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invited {
    /// Slug of the course; `None` for the newest one.
    pub course: Option<String>,
    /// Role of the invited people.
    pub role: Role,
    /// Slug of a student's group; the group is created if it does not exist.
    pub group: Option<String>,
    /// Number of invitations.
    pub count: u32,
}

/// Creates invitations to a course, for new people. Returns their codes, which are stored nowhere.
///
/// # Errors
/// The course does not exist, or the database fails.
pub fn invite(
    folder: &Path,
    invited: &Invited,
    now: Utc,
) -> Result<Vec<InviteCode>, DatabaseError> {
    let act = Act { by: By::Operator, at: now, address: None };
    let database = open_existing(folder, now)?;
    let course = find_course(&database, invited.course.as_deref())?.facts.id;
    let group = match &invited.group {
        Some(slug) => Some(find_or_make_group(&database, act, course, slug)?),
        None => None,
    };
    let (role, person, expires) = (invited.role, None, now.plus(INVITATION_VALIDITY));
    let invite = NewInvite { course, role, group, person, expires };
    (0..invited.count).map(|_| database.invite(act, invite).wait()).collect()
}

/// Creates a code with which a member of a course, staff too, chooses a new passphrase. The person is
/// named by login, student number, mail address or id.
///
/// # Errors
/// The course or person does not exist or the name is ambiguous, the person is not a member, or the
/// database fails.
pub fn renew_code(
    folder: &Path,
    course: Option<&str>,
    name: &str,
    now: Utc,
) -> Result<InviteCode, DatabaseError> {
    let act = Act { by: By::Operator, at: now, address: None };
    let database = open_existing(folder, now)?;
    let course = find_course(&database, course)?.facts.id;
    let person = find_person(&database, name)?.id;
    database.renew_code(act, course, person, now.plus(INVITATION_VALIDITY)).wait()
}

/// Imports the students of a course from a list. Returns invitation codes for students without an
/// account.
///
/// # Errors
/// The course does not exist, a row is refused, or the database fails. Nothing is imported in these
/// cases.
pub fn import(
    folder: &Path,
    course: Option<&str>,
    rows: Vec<ImportRow>,
    now: Utc,
) -> Result<Vec<Imported>, DatabaseError> {
    let act = Act { by: By::Operator, at: now, address: None };
    let database = open_existing(folder, now)?;
    let course = find_course(&database, course)?.facts.id;
    database.import(act, course, rows, now.plus(INVITATION_VALIDITY)).wait()
}

/// Backs up the database of a folder. Returns the path of the copy, which is verified.
///
/// # Errors
/// The backup cannot be written or verified.
pub fn back_up(folder: &Path, now: Utc) -> Result<PathBuf, DatabaseError> {
    open_existing(folder, now)?.back_up(now).wait()
}

/// Settings of a final's tournament file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedFinal {
    /// Slug of the course; `None` for the newest one.
    pub course: Option<String>,
    /// Name of the deadline, or stem of its file name.
    pub deadline: String,
    /// Pairs of games between every two bots.
    pub pairs: u32,
    /// Time limit of a move.
    pub per_move: Duration,
    /// Seed of all randomness; `None` for a random one.
    pub seed: Option<Seed>,
}

/// Freezes the versions that count at a deadline that has passed, unless they are frozen already,
/// and writes the tournament file of its final.
///
/// # Errors
/// The course or deadline does not exist, the deadline has not passed, a version that was in time
/// is still being examined, or [`finals::write`] fails.
pub fn write_final(folder: &Path, wanted: &WantedFinal, now: Utc) -> Result<Final, FinalError> {
    let act = Act { by: By::Operator, at: now, address: None };
    let database = open_existing(folder, now)?;
    let course = find_course(&database, wanted.course.as_deref())?;
    let deadline = &find_deadline(&database, &course, &wanted.deadline)?;
    if !database.freeze(act, deadline.id).wait()?.is_empty() {
        return Err(Refusal::Conflict(
            "a version that was in time is still examined; serve the course until it is",
        )
        .into());
    }
    let usual = finals::settings(&course, deadline)?;
    let (pairs, per_move) = (wanted.pairs, wanted.per_move);
    let seed = wanted.seed.unwrap_or(usual.seed);
    let settings = FinalSettings { pairs, per_move, seed, ..usual };
    finals::write(&database, act, &course, deadline, &settings)
}

fn find_deadline(
    database: &Database,
    course: &Course,
    name: &str,
) -> Result<DeadlineRow, FinalError> {
    let actor = crate::player::server();
    let see = pitmaster_season::course::Action::ViewResults;
    let all = database.deadlines(course.facts.id).wait()?.into_iter();
    let mut all: Vec<_> = all.filter_map(|row| row.open(&actor, see).ok()).collect();
    match all.iter().position(|row| finals::has_name(row, name)) {
        Some(place) => Ok(all.swap_remove(place)),
        None => {
            let known = all.into_iter().map(|row| row.settings.name).collect();
            Err(FinalError::NoDeadline { asked: name.to_owned(), known })
        }
    }
}

/// Result of [`freeze`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrozenGroups {
    /// Number of groups whose version is decided.
    pub groups: usize,
    /// Number of groups that have a version that counts.
    pub versions: usize,
    /// Slugs of the groups whose version is still being examined.
    pub waiting: Vec<String>,
}

/// Freezes the versions that count at a deadline that has passed, for groups without a frozen
/// version.
///
/// # Errors
/// The course or deadline does not exist, or the deadline has not passed.
pub fn freeze(
    folder: &Path,
    course: Option<&str>,
    deadline: &str,
    now: Utc,
) -> Result<FrozenGroups, FinalError> {
    let act = Act { by: By::Operator, at: now, address: None };
    let database = open_existing(folder, now)?;
    let course = find_course(&database, course)?;
    let deadline = find_deadline(&database, &course, deadline)?.id;
    let waiting = database.freeze(act, deadline).wait()?;
    let actor = crate::player::server();
    let see = pitmaster_season::course::Action::ViewResults;
    let slug = |group: GroupId| -> Result<String, DatabaseError> {
        let found = database.group(group).wait()?.open(&actor, see);
        Ok(found.map(|group| group.slug).unwrap_or_default())
    };
    let waiting = waiting.into_iter().map(slug).collect::<Result<_, _>>()?;
    let frozen = database.frozen(deadline).wait()?;
    let versions = frozen.iter().filter(|frozen| frozen.version.is_some()).count();
    Ok(FrozenGroups { groups: frozen.len(), versions, waiting })
}

/// Computes the grades of a course from a final, by default the latest one. `publish` shows them to
/// the students.
///
/// # Errors
/// The course does not exist, or [`grades::grade`] or [`grades::publish`] fails.
pub fn grade(
    folder: &Path,
    course: Option<&str>,
    final_name: Option<&str>,
    publish: bool,
    now: Utc,
) -> Result<CourseGrades, GradesError> {
    let database = open_existing(folder, now)?;
    let course = find_course(&database, course)?;
    let graded = grades::grade(&database, &course, final_name)?;
    if publish {
        let act = Act { by: By::Operator, at: now, address: None };
        grades::publish(&database, act, &course, &graded)?;
    }
    Ok(graded)
}

/// Retention time: time from the end of a course until its people are due for erasure.
const RETENTION: Duration = Duration::from_hours(365 * 24);

/// Selection of people to erase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToErase {
    /// People with these logins, student numbers, mail addresses or ids.
    People(Vec<String>),
    /// Everybody whose last course closed a year ago.
    Due,
}

/// Returns the selected people, and erases them if `sure` is set.
///
/// # Errors
/// A name is unknown or ambiguous, or nobody else runs the server. Nobody is erased for an unknown
/// or ambiguous name.
pub fn erase(
    folder: &Path,
    selection: &ToErase,
    sure: bool,
    now: Utc,
) -> Result<Vec<Person>, DatabaseError> {
    let database = open_existing(folder, now)?;
    let people = match selection {
        ToErase::People(names) => {
            names.iter().map(|name| find_person(&database, name)).collect::<Result<_, _>>()?
        }
        ToErase::Due => people_due(&database, now)?,
    };
    if sure {
        let act = Act { by: By::Operator, at: now, address: None };
        for person in &people {
            crate::database::wait(database.erase_person(act, person.id))?;
        }
    }
    Ok(people)
}

fn find_person(database: &Database, name: &str) -> Result<Person, DatabaseError> {
    let mut found = database.find_people(name).wait()?;
    match found.len() {
        0 => Err(Refusal::Absent("person").into()),
        1 => Ok(found.remove(0)),
        _ => Err(Refusal::Conflict(
            "several people have this mail address; name one by login or student number",
        )
        .into()),
    }
}

fn people_due(database: &Database, now: Utc) -> Result<Vec<Person>, DatabaseError> {
    let actor = crate::player::server();
    let see = pitmaster_season::course::Action::ViewResults;
    let mut people: Vec<Person> = Vec::new();
    for course in database.courses().wait()?.into_iter().filter_map(|it| it.open(&actor, see).ok())
    {
        for id in database.members_to_erase(course.facts.id, now.minus(RETENTION)).wait()? {
            let found = database.find_people(&id.to_string()).wait()?.into_iter();
            people.extend(found.filter(|it| it.id == id));
        }
    }
    people.sort_by_key(|person| person.id);
    people.dedup_by_key(|person| person.id);
    Ok(people)
}

/// Opens the database of a folder, which must have one.
fn open_existing(folder: &Path, now: Utc) -> Result<Database, DatabaseError> {
    if !crate::database::database_path(folder).exists() {
        let error = "it has no season.db; `pitmaster new course` creates one".to_owned();
        return Err(DatabaseError::Folder { folder: folder.to_owned(), error });
    }
    Database::open(folder, HashCost::Recommended, now)
}

fn find_course(database: &Database, slug: Option<&str>) -> Result<Course, DatabaseError> {
    let actor = crate::player::server();
    let see = pitmaster_season::course::Action::ViewResults;
    let found = match slug {
        Some(slug) => database.course_at(slug).wait()?.open(&actor, see).ok(),
        None => {
            let mut all = database.courses().wait()?.into_iter();
            all.find_map(|course| course.open(&actor, see).ok())
        }
    };
    Ok(found.ok_or(Refusal::Absent("course"))?)
}

fn find_or_make_group(
    database: &Database,
    act: Act,
    course: CourseId,
    slug: &str,
) -> Result<GroupId, DatabaseError> {
    let actor = crate::player::server();
    let see = pitmaster_season::course::Action::ViewResults;
    let groups = database.groups(course).wait()?.into_iter();
    let mut groups = groups.filter_map(|group| group.open(&actor, see).ok());
    match groups.find(|group| group.slug == slug) {
        Some(group) => Ok(group.id),
        None => database.add_group(act, course, slug, slug).wait(),
    }
}

/// Slug of a course, derived from the name of its folder.
pub fn slug_of(folder: &Path) -> String {
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let name = absolute.file_name().unwrap_or_default().to_string_lossy();
    let tamed = BotName::tamed(&name).as_str().replace(['.', '_'], "-");
    tamed.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Utc = Utc(1_795_215_540_000);

    #[test]
    fn the_ladder_of_a_new_course_is_a_tournament() {
        let read = pitmaster_tournament::read(TOURNAMENT);
        let tournament = read.expect("it has no errors");
        assert_eq!(tournament.format.stages[0].kind.name(), "practice");
        assert!(tournament.bots.entries.len() >= 3);
    }

    #[test]
    fn a_new_course_has_an_invited_teacher_and_an_open_ladder() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let code = make_course(folder, "mancala", "Mancala", Lang::English, NOW).unwrap();
        let database = Database::open(folder, HashCost::Least, NOW).unwrap();
        let invitation = database.invitation(code, NOW).wait().unwrap();
        assert_eq!(invitation.offer.role, Role::Teacher);
        assert!(invitation.offer.person.is_some());
        let actor = crate::player::server();
        let see = pitmaster_season::course::Action::ViewResults;
        let course = database.course_at("mancala").wait().unwrap().open(&actor, see).unwrap();
        assert_eq!(course.facts.state, CourseState::Open);
        let ladders = database.ladders(course.facts.id).wait().unwrap();
        let ladder = ladders.into_iter().next().unwrap().open(&actor, see).unwrap();
        assert_eq!(ladder.slug, LADDER);
    }

    #[test]
    fn invitations_make_the_group_once() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        make_course(folder, "mancala", "Mancala", Lang::English, NOW).unwrap();
        let group = Some("g1".to_owned());
        let invited = Invited { course: None, role: Role::Student, group, count: 2 };
        let codes = invite(folder, &invited, NOW).unwrap();
        let more = invite(folder, &invited, NOW).unwrap();
        let database = Database::open(folder, HashCost::Least, NOW).unwrap();
        let group =
            |code: &InviteCode| database.invitation(code.clone(), NOW).wait().unwrap().offer.group;
        assert!(group(&codes[0]).is_some());
        assert_eq!(group(&codes[0]), group(&codes[1]));
        assert_eq!(group(&codes[0]), group(&more[0]));
        drop(database);
        let other = Invited { course: Some("chess".into()), ..invited };
        let refused = invite(folder, &other, NOW).unwrap_err();
        assert_eq!(refused, Refusal::Absent("course").into());
        let empty = tempfile::tempdir().unwrap();
        assert!(invite(empty.path(), &other, NOW).unwrap_err().to_string().contains("new course"));
    }

    #[test]
    fn a_course_is_named_after_its_folder() {
        for (folder, slug) in
            [("my-school", "my-school"), ("a/My School_26/", "my-school-26"), ("été", "t")]
        {
            assert_eq!(slug_of(Path::new(folder)), slug, "{folder}");
        }
    }
}
