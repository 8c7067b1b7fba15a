//! Sessions of logged-in people.

use std::net::IpAddr;
use std::time::Duration;

use pitmaster_season::course::{Actor, PersonId, SessionId, Utc};
use rusqlite::{Row, named_params};

use super::audit::NewAuditEntry;
use super::columns::{Text, instant, text};
use super::connection::{Tx, View};
use super::error::Done;
use super::groups::actor;
use super::people::Person;
use super::secret::random;
use super::{Act, Answer, AuditAction, Database, DatabaseError, Refusal, SessionSecret, Target};

/// Idle timeout of a session.
pub const SESSION_IDLE: Duration = Duration::from_hours(12);

/// Absolute timeout of a session.
pub const SESSION_ABSOLUTE: Duration = Duration::from_hours(720);

/// Resolution of the last use of a session, so that not every request writes.
const LAST_USE_RESOLUTION: Duration = Duration::from_mins(1);

/// A session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Id, to end the session from a list. It gives no access.
    pub id: SessionId,
    /// Person.
    pub person: PersonId,
    /// Time of the login.
    pub made: Utc,
    /// Last use, to a minute.
    pub seen: Utc,
    /// Absolute end.
    pub expires: Utc,
    /// IP address of the login.
    pub address: Option<String>,
    /// `User-Agent` of the login.
    pub agent: Option<String>,
}

impl Session {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: text(row, "id")?,
            person: text(row, "person")?,
            made: instant(row, "made")?,
            seen: instant(row, "seen")?,
            expires: instant(row, "expires")?,
            address: row.get("address")?,
            agent: row.get("agent")?,
        })
    }

    fn is_alive(&self, now: Utc) -> bool {
        now < self.expires && now < self.seen.plus(SESSION_IDLE)
    }
}

/// Origin of a login.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) address: Option<IpAddr>,
    pub(super) agent: Option<String>,
}

/// Opens a session and returns its secret.
pub(super) fn open(
    tx: &Tx<'_>,
    person: PersonId,
    origin: &Origin,
    now: Utc,
) -> Done<(SessionId, SessionSecret)> {
    let id = SessionId::of(random()?);
    let secret = SessionSecret::new()?;
    let agent = origin.agent.as_ref().map(|agent| agent.chars().take(300).collect::<String>());
    tx.execute(
        "INSERT INTO session VALUES (:id, :hash, :person, :now, :now, :expires, :address, :agent)",
        named_params! {
            ":id": Text(id),
            ":hash": secret.hash(),
            ":person": Text(person),
            ":now": now.0,
            ":expires": now.plus(SESSION_ABSOLUTE).0,
            ":address": origin.address.map(Text),
            ":agent": agent,
        },
    )?;
    Ok((id, secret))
}

/// Ends all sessions of a person except one.
pub(super) fn end_others(tx: &Tx<'_>, person: PersonId, but: Option<SessionId>) -> Done<usize> {
    let sql = "DELETE FROM session WHERE person = ?1 AND id IS NOT ?2";
    tx.execute(sql, (Text(person), but.map(Text)))
}

/// Removes ended sessions.
pub(super) fn tidy(tx: &Tx<'_>, now: Utc) -> Done<usize> {
    let sql = "DELETE FROM session WHERE expires <= ?1 OR seen <= ?2";
    tx.execute(sql, (now.0, now.minus(SESSION_IDLE).0))
}

fn find(view: &View<'_>, secret: &SessionSecret) -> Done<Option<Session>> {
    view.one("SELECT * FROM session WHERE hash = ?1", (secret.hash(),), Session::read)
}

impl Database {
    /// Opens a session without a passphrase, for a person who is authenticated by the school's
    /// proxy.
    ///
    /// # Errors
    /// The person does not exist.
    pub fn open_session(
        &self,
        act: Act,
        person: PersonId,
        agent: Option<String>,
    ) -> Answer<SessionSecret> {
        self.act(act, move |tx| {
            Person::require(tx, person)?;
            let origin = Origin { address: act.address, agent };
            let (id, secret) = open(tx, person, &origin, act.at)?;
            Ok((secret, NewAuditEntry::new(AuditAction::LogIn, Target::Session(id), None)))
        })
    }

    /// Looks up the session of a secret, with its person and permissions; `None` if it has ended.
    /// Records the use of the session.
    ///
    /// # Errors
    /// The database fails.
    /// The database fails.
    pub async fn session(
        &self,
        secret: SessionSecret,
        now: Utc,
    ) -> Result<Option<(Session, Person, Actor)>, DatabaseError> {
        let found = self.session_without_use(secret, now).await?;
        if let Some((session, ..)) = &found
            && now.since(session.seen) >= LAST_USE_RESOLUTION
        {
            let id = session.id;
            // Not awaited: a crash loses at most a minute of the session's last use.
            drop(self.write_unaudited(move |tx| {
                let sql = "UPDATE session SET seen = max(seen, ?2) WHERE id = ?1";
                tx.execute(sql, (Text(id), now.0))
            }));
        }
        Ok(found)
    }

    /// Like [`Database::session`], for a request that no person triggered. It does not extend the
    /// session.
    ///
    /// # Errors
    /// The database fails.
    pub async fn session_without_use(
        &self,
        secret: SessionSecret,
        now: Utc,
    ) -> Result<Option<(Session, Person, Actor)>, DatabaseError> {
        let found = self.read(move |view| {
            let alive = find(view, &secret)?.filter(|session| session.is_alive(now));
            let Some(session) = alive else { return Ok(None) };
            let Some(person) = Person::find(view, session.person)? else { return Ok(None) };
            let actor = actor(view, &person)?;
            Ok(Some((session, person, actor)))
        });
        found.await
    }

    /// Active sessions of a person, newest first.
    pub fn sessions(&self, person: PersonId, now: Utc) -> Answer<Vec<Session>> {
        self.read(move |view| {
            let sql = "SELECT * FROM session WHERE person = ?1 ORDER BY made DESC, id";
            let sessions = view.all(sql, (Text(person),), Session::read)?;
            Ok(sessions.into_iter().filter(|session| session.is_alive(now)).collect())
        })
    }

    /// Ends a session of a person.
    ///
    /// # Errors
    /// The person has no such session.
    pub fn end_session(&self, act: Act, person: PersonId, id: SessionId) -> Answer<()> {
        self.act(act, move |tx| {
            let sql = "DELETE FROM session WHERE id = ?1 AND person = ?2";
            if tx.execute(sql, (Text(id), Text(person)))? == 0 {
                return Err(Refusal::Absent("session").into());
            }
            Ok(((), NewAuditEntry::new(AuditAction::EndSession, Target::Session(id), None)))
        })
    }

    /// Ends all sessions of a person except one. Returns their number.
    pub fn end_sessions(
        &self,
        act: Act,
        person: PersonId,
        but: Option<SessionId>,
    ) -> Answer<usize> {
        self.act(act, move |tx| {
            let ended = end_others(tx, person, but)?;
            let entry = NewAuditEntry::new(AuditAction::EndSession, Target::Person(person), None);
            Ok((ended, entry.after(ended)))
        })
    }
}
