//! Ladders and their states.

use std::sync::Arc;

use pitmaster_season::course::{
    Action, Actor, CourseFacts, CourseId, Facts, Guarded, LadderId, Object, Utc, may,
};
use rusqlite::Row;
use serde_json::{Value, json};

use super::audit::NewAuditEntry;
use super::columns::{Text, json as json_column, maybe_instant, text};
use super::connection::View;
use super::courses::{COURSE_FACTS, Course, course_facts};
use super::error::Done;
use super::secret::random;
use super::{Act, Answer, AuditAction, Database, Refusal, Target, field};
use crate::standings::{LadderTable, Standings};

/// State of a ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LadderState {
    /// Bots play.
    Open,
    /// Pairing is paused.
    Paused,
    /// The ladder is finished.
    Closed,
}

impl LadderState {
    /// All states.
    pub const ALL: [Self; 3] = [Self::Open, Self::Paused, Self::Closed];

    /// Name in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Paused => "paused",
            Self::Closed => "closed",
        }
    }
}

impl std::str::FromStr for LadderState {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|state| state.name() == text);
        found.ok_or_else(|| format!("unknown state of a ladder {text:?}"))
    }
}

/// Ladder of a course. Its games are in its own folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Ladder {
    /// Id of the ladder.
    pub id: LadderId,
    /// Course of the ladder.
    pub course: CourseFacts,
    /// Slug of the ladder in URLs and folder names.
    pub slug: String,
    /// Text of the tournament file.
    pub tournament_file: String,
    /// House bots with fixed ratings.
    pub anchors: Value,
    /// State of the ladder.
    pub state: LadderState,
    /// Instant at which the public table is frozen.
    pub frozen_view_at: Option<Utc>,
}

impl Object for Ladder {
    fn facts(&self) -> Facts<'_> {
        Facts { course: Some(&self.course), ..Facts::default() }
    }
}

impl Ladder {
    /// Table that an actor sees now. Staff sees the latest one, others see the frozen one once the
    /// public view is frozen.
    pub(crate) fn table(
        &self,
        standings: &Standings,
        actor: &Actor,
        now: Utc,
    ) -> Option<Arc<LadderTable>> {
        let is_staff = may(actor, Action::ViewPeople, &self.facts()).is_ok();
        match self.frozen_view_at.filter(|&at| at <= now && !is_staff) {
            Some(at) => standings.as_of(self.id, at),
            None => standings.of(self.id),
        }
    }

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: text(row, "id")?,
            course: course_facts(row)?,
            slug: row.get("slug")?,
            tournament_file: row.get("tournament_file")?,
            anchors: json_column(row, "anchors")?,
            state: text(row, "state")?,
            frozen_view_at: maybe_instant(row, "frozen_view_at")?,
        })
    }

    fn select(condition: &str) -> String {
        format!(
            "SELECT ladder.*, {COURSE_FACTS} FROM ladder JOIN course ON course.id = ladder.course
             WHERE {condition}"
        )
    }

    pub(super) fn require(view: &View<'_>, id: LadderId) -> Done<Self> {
        let found = view.one(&Self::select("ladder.id = ?1"), (Text(id),), Self::read)?;
        Ok(found.ok_or(Refusal::Absent("ladder"))?)
    }
}

impl Database {
    /// Creates a ladder.
    ///
    /// # Errors
    /// The course does not exist, or the slug is invalid or taken.
    pub fn add_ladder(
        &self,
        act: Act,
        course: CourseId,
        slug: &str,
        tournament_file: String,
        anchors: Value,
    ) -> Answer<LadderId> {
        let slug = slug.to_owned();
        self.act(act, move |tx| {
            let slug = field::slug("ladder", &slug)?;
            Course::require(tx, course)?;
            let taken = "SELECT 1 FROM ladder WHERE course = ?1 AND slug = ?2";
            if tx.is_there(taken, (Text(course), &slug))? {
                return Err(Refusal::Exists("ladder").into());
            }
            let id = LadderId::of(random()?);
            tx.execute(
                "INSERT INTO ladder VALUES (?1, ?2, ?3, ?4, ?5, 'open', NULL, ?6)",
                (Text(id), Text(course), &slug, tournament_file, anchors.to_string(), act.at.0),
            )?;
            let entry = NewAuditEntry::new(AuditAction::AddLadder, Target::Ladder(id), course);
            Ok((id, entry.after(json!({"slug": slug}))))
        })
    }

    /// Sets the state of a ladder and the instant at which its public table is frozen.
    ///
    /// # Errors
    /// The ladder does not exist.
    pub fn edit_ladder(
        &self,
        act: Act,
        id: LadderId,
        state: LadderState,
        frozen_view_at: Option<Utc>,
    ) -> Answer<()> {
        self.act(act, move |tx| {
            let old = Ladder::require(tx, id)?;
            let set = (Text(id), state.name(), frozen_view_at.map(|at| at.0));
            tx.execute("UPDATE ladder SET state = ?2, frozen_view_at = ?3 WHERE id = ?1", set)?;
            let shown = |state: LadderState, at: Option<Utc>| {
                json!({"state": state.name(), "frozen_view_at": at})
            };
            let entry = NewAuditEntry::new(AuditAction::EditLadder, Target::Ladder(id), old.course.id);
            let entry = entry.before(shown(old.state, old.frozen_view_at));
            Ok(((), entry.after(shown(state, frozen_view_at))))
        })
    }

    /// Ladders of a course, oldest first.
    pub fn ladders(&self, course: CourseId) -> Answer<Vec<Guarded<Ladder>>> {
        self.read(move |view| {
            let select = Ladder::select("ladder.course = ?1 ORDER BY ladder.made, ladder.slug");
            let ladders = view.all(&select, (Text(course),), Ladder::read)?;
            Ok(ladders.into_iter().map(|ladder| Guarded::new(Some(ladder))).collect())
        })
    }

    /// Looks up a ladder of a course by its slug.
    pub fn ladder_at(&self, course: CourseId, slug: &str) -> Answer<Guarded<Ladder>> {
        let slug = slug.to_owned();
        self.read(move |view| {
            let select = Ladder::select("ladder.course = ?1 AND ladder.slug = ?2");
            view.one(&select, (Text(course), slug), Ladder::read).map(Guarded::new)
        })
    }
}
