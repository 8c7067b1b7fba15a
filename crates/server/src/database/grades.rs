//! Published grades of a course's students.

use pitmaster_season::course::{CourseFacts, CourseId, Facts, Guarded, Object, PersonId, Utc};
use pitmaster_season::grading::ShownGrade;
use pitmaster_store::Json;
use rusqlite::Row;
use serde_json::json;

use super::audit::NewAuditEntry;
use super::columns::{Text, instant, json as json_column, text};
use super::courses::{COURSE_FACTS, Course, course_facts};
use super::people::Person;
use super::{Act, Answer, AuditAction, Database, Refusal, Target, field};

/// Published grade, as the student may read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedGrade {
    /// Course of the grade.
    pub course: CourseFacts,
    /// Student.
    pub person: PersonId,
    /// Name of the final.
    pub final_name: String,
    /// Points with their reasons.
    pub grade: ShownGrade,
    /// Time of the publication.
    pub published: Utc,
}

impl Object for PublishedGrade {
    fn facts(&self) -> Facts<'_> {
        Facts { course: Some(&self.course), person: Some(self.person), ..Facts::default() }
    }
}

impl PublishedGrade {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            course: course_facts(row)?,
            person: text(row, "person")?,
            final_name: row.get("final")?,
            grade: json_column(row, "shown")?,
            published: instant(row, "published")?,
        })
    }
}

/// Published grades of a course, in summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publication {
    /// Name of the final.
    pub final_name: String,
    /// Time of the publication.
    pub published: Utc,
    /// Number of students with a grade.
    pub people: u32,
}

impl Publication {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let final_name = row.get("final")?;
        Ok(Self { final_name, published: instant(row, "published")?, people: row.get("people")? })
    }
}

impl Database {
    /// Publishes grades to students, replacing the published ones. `digest` is the hash of the
    /// table of grades, by which the audit log identifies it.
    ///
    /// # Errors
    /// The course does not exist, or the name of the final is invalid.
    pub fn publish_grades(
        &self,
        act: Act,
        course: CourseId,
        final_name: &str,
        grades: Vec<(PersonId, ShownGrade)>,
        digest: String,
    ) -> Answer<()> {
        let final_name = final_name.to_owned();
        self.act(act, move |tx| {
            Course::require(tx, course)?;
            let final_name = field::line("final", &final_name, 100)?;
            tx.execute("DELETE FROM grade WHERE course = ?1", (Text(course),))?;
            let mut people = 0;
            for (person, grade) in grades {
                // People who were erased since the grades were computed get none.
                if Person::find(tx, person)?.is_none_or(|person| person.erased.is_some()) {
                    continue;
                }
                let row = (Text(course), Text(person), &final_name, Json(&grade), act.at.0);
                tx.execute("INSERT INTO grade VALUES (?1, ?2, ?3, ?4, ?5)", row)?;
                people += 1;
            }
            let entry =
                NewAuditEntry::new(AuditAction::PublishGrades, Target::Course(course), course);
            let logged = json!({"final": final_name, "people": people, "table": digest});
            Ok(((), entry.after(logged)))
        })
    }

    /// Withdraws the published grades of a course.
    ///
    /// # Errors
    /// No grades are published.
    pub fn withdraw_grades(&self, act: Act, course: CourseId) -> Answer<()> {
        self.act(act, move |tx| {
            if tx.execute("DELETE FROM grade WHERE course = ?1", (Text(course),))? == 0 {
                return Err(Refusal::Conflict("no grades are published").into());
            }
            Ok((
                (),
                NewAuditEntry::new(AuditAction::WithdrawGrades, Target::Course(course), course),
            ))
        })
    }

    /// The published grade of a person in a course.
    pub fn published_grade(
        &self,
        course: CourseId,
        person: PersonId,
    ) -> Answer<Guarded<PublishedGrade>> {
        self.read(move |view| {
            let sql = format!(
                "SELECT grade.*, {COURSE_FACTS} FROM grade JOIN course ON course.id = grade.course
                 WHERE grade.course = ?1 AND grade.person = ?2"
            );
            view.one(&sql, (Text(course), Text(person)), PublishedGrade::read).map(Guarded::new)
        })
    }

    /// Summary of the published grades of a course; `None` if there are none.
    pub fn publication(&self, course: CourseId) -> Answer<Option<Publication>> {
        self.read(move |view| {
            let sql = "SELECT final, published, count(*) AS people FROM grade WHERE course = ?1
                       GROUP BY final, published";
            view.one(sql, (Text(course),), Publication::read)
        })
    }
}
