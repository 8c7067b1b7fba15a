//! Courses.

use pitmaster_core::i18n::Lang;
use pitmaster_season::course::{
    CourseFacts, CourseId, CourseState, Facts, Guarded, Object, Utc, Visibility,
};
use pitmaster_store::Json;
use rusqlite::{Row, named_params};
use serde_json::{Value, json};

use super::audit::NewAuditEntry;
use super::columns::{Text, instant, json as json_column, text};
use super::connection::{Tx, View};
use super::error::Done;
use super::secret::random;
use super::{Act, Answer, AuditAction, Database, Refusal, Target, field};

/// Settings of a course, chosen by its teacher.
#[derive(Debug, Clone, PartialEq)]
pub struct CourseSettings {
    /// Title on the course's pages.
    pub title: String,
    /// Language of the course's pages.
    pub language: Lang,
    /// Start of the course: the first instant at which groups may upload.
    pub opens: Utc,
    /// End of the course.
    pub closes: Utc,
    /// Audience of the ladder, games and replays.
    pub visibility: Visibility,
    /// Whether guests who see the course may play against its bots.
    pub guests_play: bool,
    /// Limits and other settings, which this module does not interpret.
    pub other: Value,
}

/// A course.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// Facts that permissions depend on.
    pub facts: CourseFacts,
    /// Slug of the course in URLs.
    pub slug: String,
    /// Settings of the course.
    pub settings: CourseSettings,
    /// Creation time.
    pub made: Utc,
}

impl Object for Course {
    fn facts(&self) -> Facts<'_> {
        Facts { course: Some(&self.facts), ..Facts::default() }
    }
}

/// Columns of [`course_facts`], for a query that joins `course`.
pub(super) const COURSE_FACTS: &str = "course.id AS course_id, course.state AS course_state, \
     course.visibility AS course_visibility, course.guests_play AS course_guests_play";

/// Facts that permissions depend on, from a row that joins `course`.
pub(super) fn course_facts(row: &Row<'_>) -> rusqlite::Result<CourseFacts> {
    Ok(CourseFacts {
        id: text(row, "course_id")?,
        state: text(row, "course_state")?,
        visibility: text(row, "course_visibility")?,
        guests_play: row.get("course_guests_play")?,
    })
}

impl Course {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            facts: course_facts(row)?,
            slug: row.get("slug")?,
            settings: CourseSettings {
                title: row.get("title")?,
                language: text(row, "lang")?,
                opens: instant(row, "opens")?,
                closes: instant(row, "closes")?,
                visibility: text(row, "visibility")?,
                guests_play: row.get("guests_play")?,
                other: json_column(row, "settings")?,
            },
            made: instant(row, "made")?,
        })
    }

    pub(super) fn find(view: &View<'_>, id: CourseId) -> Done<Option<Self>> {
        let sql = format!("SELECT *, {COURSE_FACTS} FROM course WHERE id = ?1");
        view.one(&sql, (Text(id),), Self::read)
    }

    /// Returns a course that must exist.
    pub(super) fn require(view: &View<'_>, id: CourseId) -> Done<Self> {
        Ok(Self::find(view, id)?.ok_or(Refusal::Absent("course"))?)
    }
}

impl CourseSettings {
    fn checked(mut self) -> Result<Self, Refusal> {
        self.title = field::line("title", &self.title, 200)?;
        if self.opens > self.closes {
            return Err(Refusal::Conflict("a course cannot close before it opens"));
        }
        Ok(self)
    }

    fn logged(&self) -> Value {
        let Self { title, language, opens, closes, visibility, guests_play, other } = self;
        json!({
            "title": title, "lang": language.code(), "opens": opens, "closes": closes,
            "visibility": visibility.name(), "guests_play": guests_play, "settings": other,
        })
    }

    fn write(&self, tx: &Tx<'_>, id: CourseId) -> Done<()> {
        tx.execute(
            "UPDATE course SET title = :title, lang = :lang, opens = :opens, closes = :closes,
                 visibility = :visibility, guests_play = :guests_play, settings = :settings
             WHERE id = :id",
            named_params! {
                ":id": Text(id),
                ":title": self.title,
                ":lang": self.language.code(),
                ":opens": self.opens.0,
                ":closes": self.closes.0,
                ":visibility": self.visibility.name(),
                ":guests_play": self.guests_play,
                ":settings": Json(&self.other),
            },
        )?;
        Ok(())
    }
}

impl Database {
    /// Creates a course in the state draft.
    ///
    /// # Errors
    /// The slug is taken, or a text is invalid.
    pub fn create_course(
        &self,
        act: Act,
        slug: &str,
        settings: CourseSettings,
    ) -> Answer<CourseId> {
        let slug = slug.to_owned();
        self.act(act, move |tx| {
            let (slug, settings) = (field::slug("course", &slug)?, settings.checked()?);
            if tx.is_there("SELECT 1 FROM course WHERE slug = ?1", (&slug,))? {
                return Err(Refusal::Exists("course").into());
            }
            let id = CourseId::of(random()?);
            tx.execute(
                "INSERT INTO course VALUES (?1, ?2, '', 'en', 0, 0, 'draft', 'members', 0, 'null', ?3)",
                (Text(id), &slug, act.at.0),
            )?;
            settings.write(tx, id)?;
            let entry = NewAuditEntry::new(AuditAction::CreateCourse, Target::Course(id), id);
            Ok((id, entry.after(settings.logged())))
        })
    }

    /// Changes the settings of a course.
    ///
    /// # Errors
    /// The course does not exist, or a text is invalid.
    pub fn edit_course(&self, act: Act, id: CourseId, settings: CourseSettings) -> Answer<()> {
        self.act(act, move |tx| {
            let (old, settings) = (Course::require(tx, id)?, settings.checked()?);
            settings.write(tx, id)?;
            let entry = NewAuditEntry::new(AuditAction::EditCourse, Target::Course(id), id);
            Ok(((), entry.before(old.settings.logged()).after(settings.logged())))
        })
    }

    /// Changes the state of a course.
    ///
    /// # Errors
    /// The course does not exist.
    pub fn set_course_state(&self, act: Act, id: CourseId, state: CourseState) -> Answer<()> {
        self.act(act, move |tx| {
            let old = Course::require(tx, id)?.facts.state;
            let set = (Text(id), state.name());
            tx.execute("UPDATE course SET state = ?2 WHERE id = ?1", set)?;
            let entry = NewAuditEntry::new(AuditAction::SetCourseState, Target::Course(id), id);
            Ok(((), entry.before(old.name()).after(state.name())))
        })
    }

    /// Looks up a course by its slug.
    pub fn course_at(&self, slug: &str) -> Answer<Guarded<Course>> {
        let slug = slug.to_owned();
        self.read(move |view| {
            let sql = format!("SELECT *, {COURSE_FACTS} FROM course WHERE slug = ?1");
            view.one(&sql, (slug,), Course::read).map(Guarded::new)
        })
    }

    /// Looks up a course.
    pub fn course(&self, id: CourseId) -> Answer<Guarded<Course>> {
        self.read(move |view| Course::find(view, id).map(Guarded::new))
    }

    /// All courses, newest first. The caller opens each by a permission.
    pub fn courses(&self) -> Answer<Vec<Guarded<Course>>> {
        self.read(|view| {
            let sql = format!("SELECT *, {COURSE_FACTS} FROM course ORDER BY made DESC, id");
            let courses = view.all(&sql, (), Course::read)?;
            Ok(courses.into_iter().map(|course| Guarded::new(Some(course))).collect())
        })
    }
}
