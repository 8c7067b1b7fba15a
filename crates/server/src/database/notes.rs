//! Notifications of people about their versions and games, in order.

use pitmaster_season::course::{GroupId, PersonId, Utc};
use rusqlite::{Row, named_params};
use serde_json::Value;

use super::columns::{Text, instant, json, maybe_instant};
use super::connection::Tx;
use super::error::Done;
use super::{Answer, Database};

/// Notification of a person.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// Sequence number per person, from 1. A feed resumes after the last one that it sent.
    pub seq: i64,
    /// Creation time.
    pub made: Utc,
    /// Kind, such as `version`.
    pub kind: String,
    /// Data of the kind.
    pub data: Value,
    /// Time at which the person saw it.
    pub seen: Option<Utc>,
}

impl Note {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            seq: row.get("seq")?,
            made: instant(row, "made")?,
            kind: row.get("kind")?,
            data: json(row, "data")?,
            seen: maybe_instant(row, "seen")?,
        })
    }
}

/// Writes a note to every member of a group.
pub(super) fn notify_group(
    tx: &Tx<'_>,
    group: GroupId,
    kind: &str,
    data: &Value,
    at: Utc,
) -> Done<()> {
    tx.execute(
        "INSERT INTO note (person, seq, made, kind, data)
         SELECT person, (SELECT coalesce(max(seq), 0) + 1 FROM note WHERE note.person = m.person),
                :made, :kind, :data
         FROM member AS m WHERE grp = :grp AND ended IS NULL",
        named_params! {
            ":grp": Text(group),
            ":made": at.0,
            ":kind": kind,
            ":data": data.to_string(),
        },
    )?;
    Ok(())
}

impl Database {
    /// Notes of a person with a sequence number above `after`, oldest first.
    pub fn notes(&self, person: PersonId, after: i64, limit: u32) -> Answer<Vec<Note>> {
        self.read(move |view| {
            let sql = "SELECT * FROM note WHERE person = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3";
            view.all(sql, (Text(person), after, limit), Note::read)
        })
    }

    /// Last notes of a person, newest first.
    pub fn last_notes(&self, person: PersonId, limit: u32) -> Answer<Vec<Note>> {
        self.read(move |view| {
            let sql = "SELECT * FROM note WHERE person = ?1 ORDER BY seq DESC LIMIT ?2";
            view.all(sql, (Text(person), limit), Note::read)
        })
    }

    /// Marks a person's notes up to a number as seen. Returns the number of newly seen ones.
    pub fn mark_notes_seen(&self, person: PersonId, up_to: i64, now: Utc) -> Answer<usize> {
        self.write_unaudited(move |tx| {
            let sql = "UPDATE note SET seen = ?3 WHERE person = ?1 AND seq <= ?2 AND seen IS NULL";
            tx.execute(sql, (Text(person), up_to, now.0))
        })
    }
}
