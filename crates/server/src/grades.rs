//! Grades of a course, computed from the results of a final, the course's people and groups, and
//! the grading rules in the folder `grades/COURSE` of a course's folder.
//!
//! [`grade`] writes nothing, and the same input gives the same bytes. Students see their grades
//! only after somebody with the permission has [published](publish) them.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use pitmaster_core::i18n::{Lang, Message, said};
use pitmaster_core::{BotHash, BotName};
use pitmaster_season::course::{Action, GroupId, PersonId, Role};
use pitmaster_season::grading::Grade;
use pitmaster_season::worksheet::{grades_csv, gradescope_json, moodle_csv};
use pitmaster_season::{Class, Member, State};
use pitmaster_session::{Error, Results, grade_results};

use crate::database::{self, Act, Course, Database, DatabaseError, DeadlineRow, Group, Person};
use crate::finals::{self, Final};
use crate::player::server;

/// File of the grading rules, in the course's folder of grades.
const RULES: &str = "grading.toml";

/// File of the points given by hand, in the same folder.
const PARTS: &str = "parts.csv";

/// Example of the grading rules, for courses without any.
pub const EXAMPLE: &str = include_str!("service/grading.toml");

/// File names of [`CourseGrades::files`].
pub const FILES: [&str; 3] = ["grades.csv", "moodle.csv", "gradescope.json"];

/// Reason why there are no grades.
#[derive(Debug)]
pub enum GradesError {
    /// The course has no grading rules.
    NoRules {
        /// Expected path of the rules.
        path: PathBuf,
    },
    /// No final has results, or the requested one does not.
    NoFinal {
        /// Name that was requested; `None` for any.
        asked: Option<String>,
        /// Names of the finals that have results.
        known: Vec<String>,
    },
    /// Games of the final are missing.
    Unfinished {
        /// Name of the final.
        name: String,
        /// Number of missing games.
        missing: u64,
    },
    /// Error of the rules, the points given by hand or the results.
    Session(Box<Error>),
    /// Error of the database.
    Database(DatabaseError),
}

impl GradesError {
    /// Message with the cause and what to do.
    pub fn message(&self) -> Message {
        match self {
            Self::NoRules { path } => {
                let path = path.display().to_string();
                said!("There are no rules for grades yet: write them into {}.", path)
            }
            Self::NoFinal { asked: None, .. } => {
                said!("No final has results yet: write one from what is frozen, and play it.")
            }
            Self::NoFinal { asked: Some(asked), known } if known.is_empty() => {
                said!("There is no final {} with results, and no other.", asked)
            }
            Self::NoFinal { asked: Some(asked), known } => {
                said!("There is no final {} with results; there are: {}", asked, known.join(", "))
            }
            Self::Unfinished { name, missing } => said!(
                "{} games of the final {} are missing: play it to its end before you publish.",
                missing.to_string(),
                name
            ),
            Self::Session(error) => said!("There are no grades: {}", error.to_string()),
            Self::Database(error) => said!("There are no grades: {}", error.to_string()),
        }
    }
}

impl fmt::Display for GradesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message().to(Lang::English))
    }
}

impl std::error::Error for GradesError {}

impl From<DatabaseError> for GradesError {
    fn from(error: DatabaseError) -> Self {
        Self::Database(error)
    }
}

impl From<Error> for GradesError {
    fn from(error: Error) -> Self {
        Self::Session(Box::new(error))
    }
}

/// Grades of a course.
#[derive(Debug, Clone, PartialEq)]
pub struct CourseGrades {
    /// Name of the final.
    pub final_name: String,
    /// Row of each student, sorted by group and name.
    pub rows: Vec<GradeRow>,
    /// Number of missing games of the final; `None` if the format of a handwritten tournament file
    /// does not define it.
    pub missing: Option<u64>,
    title: String,
    lang: Lang,
}

/// Grade of a student.
#[derive(Debug, Clone, PartialEq)]
pub struct GradeRow {
    /// The student.
    pub person: PersonId,
    /// Slug of the group; empty for a student without a group.
    pub group: String,
    /// The group's bot in the final.
    pub bot: Option<BotName>,
    /// Grade with its reasons.
    pub grade: Grade,
}

/// Path of the grading rules of a course.
pub fn rules_file(folder: &Path, course: &str) -> PathBuf {
    folder.join("grades").join(course).join(RULES)
}

/// Student of a course, with the group's frozen version.
struct Student {
    person: Person,
    group: Option<Group>,
    entry: Option<Entry>,
}

/// Version that is frozen for a group.
#[derive(Debug, Clone)]
struct Entry {
    bot: BotName,
    hash: BotHash,
    handed_in: String,
    late: String,
}

/// Grades the students of a course by a final. Without a name, the final is the shown or else the
/// newest one of the last deadline that has a final with results.
///
/// # Errors
/// The course has no rules or no results, or [`grade_results`] fails.
pub fn grade(
    database: &Database,
    course: &Course,
    final_name: Option<&str>,
) -> Result<CourseGrades, GradesError> {
    let (deadline, played) = find_final(database, course, final_name)?;
    let rules = rules_file(database.folder(), &course.slug);
    if !rules.is_file() {
        return Err(GradesError::NoRules { path: rules });
    }
    let parts = Some(rules.with_file_name(PARTS)).filter(|path| path.exists());
    let students = students(database, course, &deadline)?;
    let lang = course.settings.language;
    let members = students.iter().map(|student| student.member(lang)).collect();
    let results = Results::open(&played.file.with_extension(""))?;
    let class = Class { members };
    let grades = grade_results(&results, &class, &rules, parts.as_deref(), lang)?;
    let can_tell = !results.tournament().format.depends_on_results();
    let missing = can_tell.then(|| results.missing()).transpose()?.map(|(missing, _)| missing);
    let rows = students.into_iter().zip(grades).map(|(student, grade)| GradeRow {
        person: student.person.id,
        group: student.group.map(|group| group.slug).unwrap_or_default(),
        bot: student.entry.map(|entry| entry.bot),
        grade,
    });
    let (final_name, title) = (played.name(), course.settings.title.clone());
    Ok(CourseGrades { final_name, rows: rows.collect(), missing, title, lang })
}

/// Names of the finals of a course that have results, in the order of their deadlines.
///
/// # Errors
/// The database fails.
pub fn with_results(database: &Database, course: &Course) -> Result<Vec<String>, DatabaseError> {
    let played = played(database, course)?.into_iter();
    Ok(played.flat_map(|(_, finals)| finals).map(|played| played.name()).collect())
}

/// Finals with results, in the order of their deadlines.
fn played(
    database: &Database,
    course: &Course,
) -> Result<Vec<(DeadlineRow, Vec<Final>)>, DatabaseError> {
    let rows = database.deadlines(course.facts.id).wait()?.into_iter();
    let rows = rows.filter_map(|row| row.open(&server(), Action::ViewResults).ok());
    let with_finals = rows.map(|row| {
        let finals = finals::of_deadline(database.folder(), course, &row).into_iter();
        let finals: Vec<_> = finals.filter(|it| it.has_results).collect();
        (row, finals)
    });
    let mut all: Vec<_> = with_finals.filter(|(_, finals)| !finals.is_empty()).collect();
    all.sort_by_key(|(row, _)| (row.settings.rule.at, row.id.to_string()));
    Ok(all)
}

fn find_final(
    database: &Database,
    course: &Course,
    wanted: Option<&str>,
) -> Result<(DeadlineRow, Final), GradesError> {
    let mut all = played(database, course)?;
    if let Some(wanted) = wanted {
        for (row, finals) in &all {
            if let Some(found) = finals.iter().find(|it| it.name() == wanted) {
                return Ok((row.clone(), found.clone()));
            }
        }
    } else if let Some((row, mut finals)) = all.pop() {
        let shown = finals.iter().position(|it| Some(it.name()) == row.shown_final);
        let place = shown.unwrap_or(finals.len() - 1);
        return Ok((row, finals.swap_remove(place)));
    }
    let known = all.iter().flat_map(|(_, finals)| finals).map(Final::name).collect();
    Err(GradesError::NoFinal { asked: wanted.map(str::to_owned), known })
}

/// Students of a course with their frozen versions, sorted by group and name.
fn students(
    database: &Database,
    course: &Course,
    deadline: &DeadlineRow,
) -> Result<Vec<Student>, DatabaseError> {
    let groups = database.groups(course.facts.id).wait()?.into_iter();
    let groups = groups.filter_map(|group| group.open(&server(), Action::ViewResults).ok());
    let groups: BTreeMap<_, _> = groups.map(|group| (group.id, group)).collect();
    let entries = entries(database, deadline)?;
    let members = database.members(course.facts.id).wait()?.into_iter();
    let is_graded = |member: &database::Member| {
        member.role == Role::Student && member.ended.is_none() && member.person.erased.is_none()
    };
    let student = |member: database::Member| {
        let group = member.group.and_then(|group| groups.get(&group)).cloned();
        let entry = member.group.and_then(|group| entries.get(&group)).cloned();
        Student { person: member.person, group, entry }
    };
    let mut students: Vec<_> = members.filter(is_graded).map(student).collect();
    students.sort_by_cached_key(|it| {
        let (group, known) = (it.group.as_ref().map(|it| it.slug.clone()), &it.person.known);
        (group.is_none(), group, known.name.clone(), known.student_no.clone(), it.person.id)
    });
    Ok(students)
}

/// Frozen versions of a deadline, by group.
fn entries(
    database: &Database,
    deadline: &DeadlineRow,
) -> Result<BTreeMap<GroupId, Entry>, DatabaseError> {
    let mut entries = BTreeMap::new();
    for frozen in database.frozen(deadline.id).wait()? {
        let Some((id, hash)) = frozen.version else { continue };
        let version = database.version(id).wait()?.open(&server(), Action::ViewResults);
        let version = version.map_err(|_| database::Refusal::Absent("version"))?;
        let late = deadline.settings.rule.lateness(version.began).unwrap_or_default();
        let handed_in = version.began.to_string();
        entries.insert(frozen.group, Entry { bot: version.name, hash, handed_in, late });
    }
    Ok(entries)
}

impl Student {
    /// Converts the student to a member of a graded class.
    fn member(&self, lang: Lang) -> Member {
        let (known, id) = (&self.person.known, self.person.id.to_string());
        let email = known.mail.clone().unwrap_or_default();
        let mail = || Some(email.clone()).filter(|mail| !mail.is_empty());
        let mut member = Member {
            key: self.key(),
            id: known.student_no.clone().or_else(mail).unwrap_or(id),
            name: known.name.clone(),
            email,
            group: self.group.as_ref().map(|group| group.slug.clone()).unwrap_or_default(),
            file: String::new(),
            origin: String::new(),
            hash: String::new(),
            handed_in: String::new(),
            late: String::new(),
            state: State::Unclear,
            why: String::new(),
        };
        if let Some(entry) = self.entry.clone() {
            member.state = State::Ready;
            (member.handed_in, member.late) = (entry.handed_in, entry.late);
            member.hash = entry.hash.as_str().into();
        } else {
            member.why = match &self.group {
                Some(_) => said!("nothing of the group was in time and valid"),
                None => said!("in no group of the course"),
            }
            .to(lang);
        }
        member
    }

    /// Key of the student's evidence in the final. Names of bots contain a dot, so a group's slug
    /// never equals one.
    fn key(&self) -> BotName {
        let other = || match &self.group {
            Some(group) => BotName::tamed(&group.slug),
            None => BotName::tamed(&self.person.id.to_string()),
        };
        self.entry.as_ref().map_or_else(other, |entry| entry.bot.clone())
    }
}

impl CourseGrades {
    /// Files for learning platforms, with the names of [`FILES`].
    ///
    /// # Errors
    /// None for rows in memory; the error type is that of the writer.
    pub fn files(&self) -> Result<[(&'static str, Vec<u8>); 3], GradesError> {
        let grades: Vec<_> = self.rows.iter().map(|row| row.grade.clone()).collect();
        let written = |table: Result<Vec<u8>, csv::Error>| {
            table.map_err(|error| GradesError::from(Error::Internal(error.to_string())))
        };
        let [plain, moodle, gradescope] = FILES;
        Ok([
            (plain, written(grades_csv(&grades, self.lang))?),
            (moodle, written(moodle_csv(&grades, &self.title, self.lang))?),
            (gradescope, gradescope_json(&grades, self.lang)),
        ])
    }

    /// One of the files by name; `None` for an unknown name.
    ///
    /// # Errors
    /// The same as for [`CourseGrades::files`].
    pub fn file(&self, name: &str) -> Result<Option<Vec<u8>>, GradesError> {
        let found = self.files()?.into_iter().find(|(file, _)| *file == name);
        Ok(found.map(|(_, content)| content))
    }

    /// Whether any student submitted late.
    pub fn has_late(&self) -> bool {
        self.rows.iter().any(|row| !row.grade.member.late.is_empty())
    }
}

/// Shows students their grades, replacing the published ones.
///
/// # Errors
/// Games of the final are missing, or the database fails.
pub fn publish(
    database: &Database,
    act: Act,
    course: &Course,
    grades: &CourseGrades,
) -> Result<(), GradesError> {
    if let Some(missing) = grades.missing.filter(|missing| *missing > 0) {
        return Err(GradesError::Unfinished { name: grades.final_name.clone(), missing });
    }
    let [(_, table), ..] = grades.files()?;
    let digest = blake3::hash(&table).to_hex()[..32].to_owned();
    let shown = grades.rows.iter().map(|row| (row.person, row.grade.shown())).collect();
    database.publish_grades(act, course.facts.id, &grades.final_name, shown, digest).wait()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use pitmaster_season::course::Utc;
    use pitmaster_season::grading::Scheme;

    use super::*;
    use crate::database::{By, HashCost};
    use crate::service::make_course;

    #[test]
    fn grades_by_an_unfinished_final_are_not_published() {
        let folder = tempfile::tempdir().unwrap();
        let (folder, now) = (folder.path(), Utc(1_795_215_540_000));
        make_course(folder, "mancala", "Mancala", Lang::English, now).unwrap();
        let database = Database::open(folder, HashCost::Least, now).unwrap();
        let course = database.course_at("mancala").wait().unwrap();
        let course = course.open(&server(), Action::ViewResults).unwrap();
        let (final_name, title) = ("first".to_owned(), "Mancala".to_owned());
        let rows = Vec::new();
        let lang = Lang::English;
        let grades = CourseGrades { final_name, rows, missing: Some(3), title, lang };
        let act = Act { by: By::Operator, at: now, address: None };
        let refused = publish(&database, act, &course, &grades).unwrap_err().to_string();
        let expected =
            "3 games of the final first are missing: play it to its end before you publish.";
        assert_eq!(refused, expected);
        publish(&database, act, &course, &CourseGrades { missing: Some(0), ..grades }).unwrap();
    }

    #[test]
    fn the_example_of_grading_rules_is_valid_and_in_the_book() {
        let scheme = Scheme::parse(EXAMPLE).expect("it has no errors");
        let ladder = include_str!("service/ladder.toml");
        for milestone in &scheme.milestones {
            assert!(ladder.contains(&format!("house:{}", milestone.against)), "{milestone:?}");
        }
        let book = include_str!("../../../docs/server.md");
        assert!(book.contains(EXAMPLE), "docs/server.md has another example");
    }
}
