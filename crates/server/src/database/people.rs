//! People with accounts.

use pitmaster_core::i18n::Lang;
use pitmaster_season::course::{Facts, Guarded, Object, PersonId, Utc};
use rusqlite::{Row, named_params};
use serde_json::json;

use super::audit::NewAuditEntry;
use super::columns::{Text, instant, maybe, maybe_instant, text};
use super::connection::{Tx, View};
use super::error::Done;
use super::secret::random;
use super::{Act, Answer, AuditAction, Database, Refusal, Target, field};

/// Data of a person.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewPerson {
    /// Name.
    pub name: String,
    /// Student number, unique.
    pub student_no: Option<String>,
    /// Mail address.
    pub mail: Option<String>,
    /// Login, unique. `None` until the person chooses one with an invitation.
    pub login: Option<String>,
    /// Language of the pages; `None` for that of the browser.
    pub language: Option<Lang>,
}

/// A person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Id, which is also the pseudonym in the audit log.
    pub id: PersonId,
    /// Data of the person. After an erasure, only a pseudonym as the name remains.
    pub known: NewPerson,
    /// Whether the person administers the server.
    pub is_admin: bool,
    /// Whether the person has set a passphrase.
    pub has_passphrase: bool,
    /// Creation time.
    pub made: Utc,
    /// Time of the erasure.
    pub erased: Option<Utc>,
}

impl Object for Person {
    fn facts(&self) -> Facts<'_> {
        Facts { person: Some(self.id), is_deleted: self.erased.is_some(), ..Facts::default() }
    }
}

impl Person {
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: text(row, "id")?,
            known: NewPerson {
                name: row.get("name")?,
                student_no: row.get("student_no")?,
                mail: row.get("mail")?,
                login: row.get("login")?,
                language: maybe(row, "lang")?,
            },
            is_admin: row.get("is_admin")?,
            has_passphrase: row.get::<_, Option<String>>("pass_hash")?.is_some(),
            made: instant(row, "made")?,
            erased: maybe_instant(row, "erased")?,
        })
    }

    pub(super) fn find(view: &View<'_>, id: PersonId) -> Done<Option<Self>> {
        view.one("SELECT * FROM person WHERE id = ?1", (Text(id),), Self::read)
    }

    /// Returns a person who must exist and must not be erased.
    pub(super) fn require(view: &View<'_>, id: PersonId) -> Done<Self> {
        let found = Self::find(view, id)?.filter(|person| person.erased.is_none());
        Ok(found.ok_or(Refusal::Absent("person"))?)
    }
}

impl NewPerson {
    fn checked(self) -> Result<Self, Refusal> {
        let entry =
            |what, text: Option<String>| text.map(|text| field::line(what, &text, 200)).transpose();
        Ok(Self {
            name: field::line("name", &self.name, 200)?,
            student_no: entry("student number", self.student_no)?,
            mail: entry("mail address", self.mail)?,
            login: self.login.map(|login| field::login(&login)).transpose()?,
            language: self.language,
        })
    }

    /// Refuses a login or student number of another person.
    fn require_unique(&self, view: &View<'_>, id: PersonId) -> Done<()> {
        let id = Text(id);
        if view.is_there("SELECT 1 FROM person WHERE login = ?1 AND id <> ?2", (&self.login, id))? {
            return Err(Refusal::Exists("login").into());
        }
        let sql = "SELECT 1 FROM person WHERE student_no = ?1 AND id <> ?2";
        if view.is_there(sql, (&self.student_no, id))? {
            return Err(Refusal::Exists("student number").into());
        }
        Ok(())
    }

    fn write(&self, tx: &Tx<'_>, id: PersonId) -> Done<()> {
        self.require_unique(tx, id)?;
        tx.execute(
            "UPDATE person SET name = :name, student_no = :student_no, mail = :mail,
                 login = :login, lang = :lang
             WHERE id = :id",
            named_params! {
                ":id": Text(id),
                ":name": self.name,
                ":student_no": self.student_no,
                ":mail": self.mail,
                ":login": self.login,
                ":lang": self.language.map(Text),
            },
        )?;
        Ok(())
    }
}

/// Inserts a person with unvalidated texts.
pub(super) fn insert(tx: &Tx<'_>, person: NewPerson, at: Utc) -> Done<PersonId> {
    let person = person.checked()?;
    let id = PersonId::of(random()?);
    let row = (Text(id), &person.name, at.0);
    tx.execute("INSERT INTO person (id, name, made) VALUES (?1, ?2, ?3)", row)?;
    person.write(tx, id)?;
    Ok(id)
}

impl Database {
    /// People with this login, student number, mail address or id. The caller must be an
    /// administrator.
    pub fn find_people(&self, text: &str) -> Answer<Vec<Person>> {
        let text = text.to_owned();
        self.read(move |view| {
            let sql = "SELECT * FROM person WHERE erased IS NULL
                       AND (login = ?1 OR student_no = ?1 OR mail = ?1 OR id = ?1) ORDER BY id";
            view.all(sql, (&text,), Person::read)
        })
    }

    /// Adds a person.
    ///
    /// # Errors
    /// The login or the student number is taken, or a text is invalid.
    pub fn add_person(&self, act: Act, person: NewPerson) -> Answer<PersonId> {
        self.act(act, move |tx| {
            let id = insert(tx, person, act.at)?;
            Ok((id, NewAuditEntry::new(AuditAction::AddPerson, Target::Person(id), None)))
        })
    }

    /// Changes the data of a person. The audit log records which fields changed, not their values.
    ///
    /// # Errors
    /// The person does not exist, the login or the student number is taken, or a text is invalid. A
    /// person with a passphrase must keep a login.
    pub fn edit_person(&self, act: Act, id: PersonId, person: NewPerson) -> Answer<()> {
        self.act(act, move |tx| {
            let (old, new) = (Person::require(tx, id)?, person.checked()?);
            if old.has_passphrase && new.login.is_none() {
                return Err(Refusal::Conflict("a person with a passphrase needs a login").into());
            }
            new.write(tx, id)?;
            let old = old.known;
            let changed = json!({
                "name": old.name != new.name, "student_no": old.student_no != new.student_no,
                "mail": old.mail != new.mail, "login": old.login != new.login,
                "lang": old.language != new.language,
            });
            Ok((
                (),
                NewAuditEntry::new(AuditAction::EditPerson, Target::Person(id), None)
                    .after(changed),
            ))
        })
    }

    /// Makes a person an administrator of the server, or revokes that. The last administrator
    /// cannot be revoked.
    ///
    /// # Errors
    /// The person does not exist, or nobody else runs the server.
    pub fn set_admin(&self, act: Act, id: PersonId, is_admin: bool) -> Answer<()> {
        self.act(act, move |tx| {
            let old = Person::require(tx, id)?.is_admin;
            let others = "SELECT 1 FROM person WHERE is_admin = 1 AND id <> ?1";
            if old && !is_admin && !tx.is_there(others, (Text(id),))? {
                return Err(Refusal::Conflict("somebody must run the server").into());
            }
            tx.execute("UPDATE person SET is_admin = ?2 WHERE id = ?1", (Text(id), is_admin))?;
            let entry = NewAuditEntry::new(AuditAction::SetAdmin, Target::Person(id), None);
            Ok(((), entry.before(old).after(is_admin)))
        })
    }

    /// Looks up a person.
    pub fn person(&self, id: PersonId) -> Answer<Guarded<Person>> {
        self.read(move |view| Person::find(view, id).map(Guarded::new))
    }

    /// Looks up a person by the student number, for repeated imports.
    pub fn person_with_number(&self, student_no: &str) -> Answer<Guarded<Person>> {
        let number = student_no.trim().to_owned();
        self.read(move |view| {
            let sql = "SELECT * FROM person WHERE student_no = ?1";
            view.one(sql, (number,), Person::read).map(Guarded::new)
        })
    }
}
