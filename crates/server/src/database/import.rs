//! Import of people: turns a list into accounts, groups and invitations in one transaction.

use pitmaster_season::course::{CourseId, GroupId, Role, Utc};

use super::audit::NewAuditEntry;
use super::columns::Text;
use super::connection::Tx;
use super::courses::Course;
use super::error::Done;
use super::groups::{self, memberships, set_member};
use super::people::{self, NewPerson, Person};
use super::{Act, Answer, AuditAction, Database, InviteCode, NewInvite, Refusal, Target, invites};

/// Maximum number of rows of an import.
pub const MAX_IMPORT_ROWS: usize = 2_000;

/// Row of a list of students.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImportRow {
    /// Student number, which identifies the person across imports.
    pub student_no: String,
    /// Name.
    pub name: String,
    /// Mail address; may be empty.
    pub mail: String,
    /// Name of the group, which is created if it does not exist. May be empty.
    pub group: String,
}

/// Result of a row.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The row.
    pub row: ImportRow,
    /// Invitation code; `None` for a person who has an account with a passphrase.
    pub code: Option<InviteCode>,
}

/// Slug of a group, derived from its name.
fn slug_of(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let slug: String = name.trim().chars().map(plain).take(40).collect();
    slug.trim_matches('-').to_owned()
}

fn group(tx: &Tx<'_>, act: &Act, course: CourseId, name: &str) -> Done<Option<GroupId>> {
    if name.trim().is_empty() {
        return Ok(None);
    }
    let slug = slug_of(name);
    let sql = "SELECT id FROM grp WHERE course = ?1 AND slug = ?2 AND removed IS NULL";
    let found = tx.one(sql, (Text(course), &slug), |row| super::columns::text(row, "id"))?;
    if found.is_some() {
        return Ok(found);
    }
    let (id, entry) = groups::insert(tx, course, &slug, name, act.at)?;
    entry.write(tx, act)?;
    Ok(Some(id))
}

impl ImportRow {
    /// Finds the person of the row by the student number, or adds a new one.
    fn person(&self, tx: &Tx<'_>, act: &Act, course: CourseId) -> Done<Person> {
        let number = self.student_no.trim();
        let sql = "SELECT * FROM person WHERE student_no = ?1";
        if let Some(person) = tx.one(sql, (number,), Person::read)? {
            return Ok(person);
        }
        let some = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let new = NewPerson {
            name: self.name.clone(),
            student_no: some(number),
            mail: some(&self.mail),
            ..NewPerson::default()
        };
        let id = people::insert(tx, new, act.at)?;
        NewAuditEntry::new(AuditAction::AddPerson, Target::Person(id), course).write(tx, act)?;
        Person::require(tx, id)
    }

    fn import(
        &self,
        tx: &Tx<'_>,
        act: &Act,
        course: CourseId,
        expires: Utc,
    ) -> Done<Option<InviteCode>> {
        if self.student_no.trim().is_empty() {
            return Err(invalid("has no student number"));
        }
        let person = self.person(tx, act, course)?;
        let group = group(tx, act, course, &self.group)?;
        let old = memberships(tx, person.id)?.into_iter().find(|member| member.course == course);
        // A list of students must not demote the staff.
        if old.is_some_and(|member| member.role != Role::Student) || person.is_admin {
            return Err(invalid("is somebody of the staff"));
        }
        let group = group.or(old.and_then(|member| member.group));
        set_member(tx, person.id, course, Role::Student, group, act.at)?.write(tx, act)?;
        // A code sets a new passphrase, so people with a passphrase get none: it would give others
        // access to the account.
        if person.has_passphrase {
            return Ok(None);
        }
        let (role, person) = (Role::Student, Some(person.id));
        let invite = NewInvite { course, role, group, person, expires };
        let (code, entry) = invites::insert(tx, &invite, act.at)?;
        entry.write(tx, act)?;
        Ok(Some(code))
    }
}

fn invalid(why: &str) -> super::error::Failure {
    Refusal::Invalid { what: "row", why: why.to_owned() }.into()
}

impl Database {
    /// Imports students of a course, and creates an invitation code for each without a passphrase.
    ///
    /// # Errors
    /// The course does not exist, there are too many rows, or a row is refused. Nothing is imported
    /// then, and the error contains the number of the row.
    pub fn import(
        &self,
        act: Act,
        course: CourseId,
        rows: Vec<ImportRow>,
        expires: Utc,
    ) -> Answer<Vec<Imported>> {
        self.act(act, move |tx| {
            Course::require(tx, course)?;
            if rows.len() > MAX_IMPORT_ROWS {
                let limit = MAX_IMPORT_ROWS as u32;
                return Err(Refusal::TooMany { what: "people in a list", limit }.into());
            }
            let mut imported = Vec::new();
            for (n, row) in rows.into_iter().enumerate() {
                let code =
                    row.import(tx, &act, course, expires).map_err(|error| in_row(n, error))?;
                imported.push(Imported { row, code });
            }
            let entry = NewAuditEntry::new(AuditAction::Invite, Target::Course(course), course);
            let entry = entry.after(imported.len());
            Ok((imported, entry))
        })
    }
}

/// Adds the number of the row to an error.
fn in_row(n: usize, error: super::error::Failure) -> super::error::Failure {
    match error {
        super::error::Failure::Refused(refusal) => {
            let why = format!("number {} is refused: {refusal}", n + 1);
            Refusal::Invalid { what: "row", why }.into()
        }
        error => error,
    }
}
