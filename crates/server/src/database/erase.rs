//! Erasure of a person, and what goes by itself after a while.
//!
//! Backups still have an erased person until they are replaced; [`restore`](super::restore) erases
//! again whoever the database in use had erased.

use std::time::Duration;

use data_encoding::BASE32_DNSSEC;
use pitmaster_season::course::{CourseId, PersonId, Utc};

use super::audit::Line;
use super::columns::{Text, text};
use super::connection::Tx;
use super::error::Done;
use super::people::Person;
use super::throttle::AccountKey;
use super::{Act, Answer, Database, Deed, Refusal, Target, sessions, throttle};

/// Time after which a note that was seen is removed.
const NOTES: Duration = Duration::from_hours(2160);

/// Removes everything about a person but the id, and puts a pseudonym in place of the name.
fn erase(tx: &Tx<'_>, person: &Person, at: Utc) -> Done<()> {
    if let Some(login) = &person.known.login {
        throttle::forgive(tx, AccountKey::of(login))?;
    }
    let id = Text(person.id);
    // Not derived from the person: nobody who knows one finds the other.
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
    /// invitations, notes, published grades, remarks on uploads and addresses are gone. The audit log, versions and
    /// games keep the id, whose person has a pseudonym for a name.
    ///
    /// # Errors
    /// There is no such person, or nobody else runs the server.
    pub async fn erase_person(&self, act: Act, id: PersonId) -> Result<(), super::DatabaseError> {
        let erased = self.act(act, move |tx| {
            let person = Person::require(tx, id)?;
            let others = "SELECT 1 FROM person WHERE is_admin = 1 AND id <> ?1";
            if person.is_admin && !tx.is_there(others, (Text(id),))? {
                return Err(Refusal::Conflict("somebody must run the server").into());
            }
            erase(tx, &person, act.at)?;
            Ok(((), Line::new(Deed::ErasePerson, Target::Person(id), None)))
        });
        erased.await?;
        // Pages that were overwritten are still in the log until it is restarted.
        self.0.writer.empty_log().await
    }

    /// People who were members of a course and of no other that closed later than an instant: what
    /// a rule like «erase a year after the course» is about. Nobody who runs the server.
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

    /// Erases again those of a list who are there, after a restore.
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
            let line = Line::new(Deed::Restore, Target::Server, None);
            Ok((erased, line.after(serde_json::json!({"erased_again": erased}))))
        })
    }

    /// Removes sessions that have ended, login tries that are forgotten, and notes that were seen
    /// long ago. Returns the number of rows. To be called every night.
    pub fn tidy(&self, now: Utc) -> Answer<usize> {
        self.keep(move |tx| {
            let gone = sessions::tidy(tx, now)? + throttle::tidy(tx, now)?;
            // The last note stays: the next one goes on from its number.
            let sql = "DELETE FROM note WHERE seen < ?1 AND seq < (
                           SELECT max(seq) FROM note AS other WHERE other.person = note.person)";
            Ok(gone + tx.execute(sql, (now.minus(NOTES).0,))?)
        })
    }
}
