//! Erasure of people, and removal of expired data.
//!
//! Existing backups still contain an erased person until they are pruned.
//! [`restore`](super::restore) repeats the erasures that the replaced database had.

use std::time::Duration;

use data_encoding::BASE32_DNSSEC;
use pitmaster_season::course::{CourseId, PersonId, Utc};

use super::audit::NewAuditEntry;
use super::columns::{Text, text};
use super::connection::Tx;
use super::error::Done;
use super::people::Person;
use super::throttle::AccountKey;
use super::{Act, Answer, AuditAction, Database, Refusal, Target, sessions, throttle};

/// Retention time of seen notes.
const NOTE_RETENTION: Duration = Duration::from_hours(2160);

/// Erases a person's data except the id, and replaces the name by a pseudonym.
fn erase(tx: &Tx<'_>, person: &Person, at: Utc) -> Done<()> {
    if let Some(login) = &person.known.login {
        throttle::reset_attempts(tx, AccountKey::of(login))?;
    }
    let id = Text(person.id);
    // Random rather than derived from the person, so that neither reveals the other.
    let pseudonym = BASE32_DNSSEC.encode(&super::secret::random::<5>()?);
    tx.execute(
        "UPDATE person SET name = ?2, login = NULL, student_no = NULL, mail = NULL,
             pass_hash = NULL, is_admin = 0, lang = NULL, erased = ?3
         WHERE id = ?1",
        (id, format!("person {pseudonym}"), at.0),
    )?;
    tx.execute("UPDATE member SET ended = coalesce(ended, ?2) WHERE person = ?1", (id, at.0))?;
    tx.execute("UPDATE audit SET address = NULL WHERE who = ?1", (id,))?;
    tx.execute("UPDATE version SET note = '' WHERE uploaded_by = ?1", (id,))?;
    for table in ["session", "token", "note", "grade"] {
        tx.execute(&format!("DELETE FROM {table} WHERE person = ?1"), (id,))?;
    }
    let sql = "DELETE FROM invite WHERE person = ?1 AND used_at IS NULL";
    tx.execute(sql, (id,)).map(drop)
}

impl Database {
    /// Erases a person: name, student number, mail, login, passphrase, sessions, tokens, unused
    /// invitations, notes, published grades, notes on uploads and IP addresses. The audit log,
    /// versions and games keep the id; the person's name becomes a pseudonym.
    ///
    /// # Errors
    /// The person does not exist, or nobody else runs the server.
    pub async fn erase_person(&self, act: Act, id: PersonId) -> Result<(), super::DatabaseError> {
        let erased = self.act(act, move |tx| {
            let person = Person::require(tx, id)?;
            let others = "SELECT 1 FROM person WHERE is_admin = 1 AND id <> ?1";
            if person.is_admin && !tx.is_there(others, (Text(id),))? {
                return Err(Refusal::Conflict("somebody must run the server").into());
            }
            erase(tx, &person, act.at)?;
            Ok(((), NewAuditEntry::new(AuditAction::ErasePerson, Target::Person(id), None)))
        });
        erased.await?;
        // The write-ahead log still contains the overwritten pages until it is truncated.
        self.0.writer.checkpoint_log().await
    }

    /// Members of a course who were in no other course that closed after an instant, for rules such
    /// as «erase a year after the course». Excludes administrators.
    pub fn members_to_erase(&self, course: CourseId, closed: Utc) -> Answer<Vec<PersonId>> {
        self.read(move |view| {
            let sql = "SELECT person.id FROM person
                       JOIN member ON member.person = person.id AND member.course = ?1
                       JOIN course ON course.id = ?1 AND course.closes <= ?2
                       WHERE erased IS NULL AND is_admin = 0 AND NOT EXISTS (
                           SELECT 1 FROM member AS m JOIN course AS c ON c.id = m.course
                           WHERE m.person = person.id AND c.closes > ?2)
                       ORDER BY person.id";
            view.all(sql, (Text(course), closed.0), |row| text(row, "id"))
        })
    }

    /// Repeats erasures after a restore, for those people of a list who exist.
    pub(super) fn erase_again(&self, act: Act, people: Vec<PersonId>) -> Answer<usize> {
        self.act(act, move |tx| {
            let mut erased = 0;
            for id in people {
                let found = Person::find(tx, id)?.filter(|person| person.erased.is_none());
                if let Some(person) = found {
                    erase(tx, &person, act.at)?;
                    erased += 1;
                }
            }
            let entry = NewAuditEntry::new(AuditAction::Restore, Target::Server, None);
            Ok((erased, entry.after(serde_json::json!({"erased_again": erased}))))
        })
    }

    /// Removes ended sessions, expired login attempts and old seen notes. Returns the number of
    /// rows. Meant to run every night.
    pub fn tidy(&self, now: Utc) -> Answer<usize> {
        self.write_unaudited(move |tx| {
            let removed = sessions::tidy(tx, now)? + throttle::tidy(tx, now)?;
            // The last note is kept, because the next one continues its numbering.
            let sql = "DELETE FROM note WHERE seen < ?1 AND seq < (
                           SELECT max(seq) FROM note AS other WHERE other.person = note.person)";
            Ok(removed + tx.execute(sql, (now.minus(NOTE_RETENTION).0,))?)
        })
    }
}
