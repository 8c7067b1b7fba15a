//! Finals that the server plays, with their states.

use pitmaster_season::course::{CourseId, Utc};
use rusqlite::Row;

use super::audit::NewAuditEntry;
use super::columns::{Text, instant, maybe_instant, text};
use super::connection::Tx;
use super::courses::Course;
use super::error::Done;
use super::{Act, Answer, AuditAction, Database, Refusal, Target, field};

/// State of a final that the server plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FinalState {
    /// The final is being played, or begins as soon as the lanes are free.
    Requested,
    /// The staff stopped the final. Finished games are kept.
    Stopped,
    /// All games were played.
    Played,
    /// The final failed and needs intervention.
    Failed,
}

impl FinalState {
    /// All states.
    pub const ALL: [Self; 4] = [Self::Requested, Self::Stopped, Self::Played, Self::Failed];

    /// Name in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Requested => "asked",
            Self::Stopped => "stopped",
            Self::Played => "played",
            Self::Failed => "failed",
        }
    }
}

impl std::str::FromStr for FinalState {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|state| state.name() == text);
        found.ok_or_else(|| format!("unknown state of a final {text:?}"))
    }
}

/// Final that the server plays or has played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinalRun {
    /// Course of the final.
    pub course: CourseId,
    /// Stem of the tournament file's name.
    pub name: String,
    /// State of the final.
    pub state: FinalState,
    /// Reason of the failure.
    pub why: Option<String>,
    /// Time of the last request.
    pub asked: Utc,
    /// Time of the end.
    pub ended: Option<Utc>,
}

impl FinalRun {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            course: text(row, "course")?,
            name: row.get("name")?,
            state: text(row, "state")?,
            why: row.get("why")?,
            asked: instant(row, "asked")?,
            ended: maybe_instant(row, "ended")?,
        })
    }
}

/// Ends a requested final. Returns whether it was requested.
fn end(
    tx: &Tx<'_>,
    course: CourseId,
    name: &str,
    state: FinalState,
    why: Option<&str>,
    now: Utc,
) -> Done<bool> {
    let sql = "UPDATE final_run SET state = ?3, why = ?4, ended = ?5
               WHERE course = ?1 AND name = ?2 AND state = 'asked'";
    Ok(tx.execute(sql, (Text(course), name, state.name(), why, now.0))? > 0)
}

impl Database {
    /// Requests a final. The server plays it, or resumes it, once its lanes are free.
    ///
    /// # Errors
    /// The course does not exist, or the final is already requested.
    pub fn play_final(&self, act: Act, course: CourseId, name: &str) -> Answer<()> {
        let name = name.to_owned();
        self.act(act, move |tx| {
            Course::require(tx, course)?;
            let name = field::line("final", &name, 100)?;
            let running = "SELECT 1 FROM final_run WHERE course = ?1 AND name = ?2 AND state = 'asked'";
            if tx.is_there(running, (Text(course), &name))? {
                return Err(Refusal::Conflict("this final is being played").into());
            }
            let sql = "INSERT INTO final_run VALUES (?1, ?2, 'asked', NULL, ?3, NULL)
                       ON CONFLICT DO UPDATE SET state = 'asked', why = NULL, asked = ?3, ended = NULL";
            tx.execute(sql, (Text(course), &name, act.at.0))?;
            Ok(((), NewAuditEntry::new(AuditAction::PlayFinal, Target::Course(course), course).after(name)))
        })
    }

    /// Stops a requested final. Running games finish, and finished games are kept.
    ///
    /// # Errors
    /// The final is not requested.
    pub fn stop_final(&self, act: Act, course: CourseId, name: &str) -> Answer<()> {
        let name = name.to_owned();
        self.act(act, move |tx| {
            if !end(tx, course, &name, FinalState::Stopped, None, act.at)? {
                return Err(Refusal::Conflict("this final is not being played").into());
            }
            Ok((
                (),
                NewAuditEntry::new(AuditAction::StopFinal, Target::Course(course), course)
                    .after(name),
            ))
        })
    }

    /// Records the end of a final, unless the staff has stopped it.
    pub fn end_final(
        &self,
        course: CourseId,
        name: &str,
        state: FinalState,
        why: Option<String>,
        now: Utc,
    ) -> Answer<()> {
        let name = name.to_owned();
        self.write_unaudited(move |tx| end(tx, course, &name, state, why.as_deref(), now).map(drop))
    }

    /// The next requested final, if there is one.
    pub fn next_final(&self) -> Answer<Option<FinalRun>> {
        self.read(|view| {
            let sql = "SELECT * FROM final_run WHERE state = 'asked' ORDER BY asked, name LIMIT 1";
            view.one(sql, (), FinalRun::read)
        })
    }

    /// Finals of a course that the server plays or has played, by name.
    pub fn final_runs(&self, course: CourseId) -> Answer<Vec<FinalRun>> {
        self.read(move |view| {
            let sql = "SELECT * FROM final_run WHERE course = ?1 ORDER BY name";
            view.all(sql, (Text(course),), FinalRun::read)
        })
    }
}
