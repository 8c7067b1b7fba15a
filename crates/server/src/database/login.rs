//! Login, and change of passphrase.

use std::net::IpAddr;

use pitmaster_season::course::{PersonId, SessionId, Utc};

use super::audit::NewAuditEntry;
use super::columns::{Text, text};
use super::connection::{Tx, View};
use super::error::Done;
use super::people::Person;
use super::sessions::{self, Origin};
use super::throttle::{self, AccountKey};
use super::{
    Act, Answer, AuditAction, By, Database, DatabaseError, FREE_ATTEMPTS, Passphrase, Refusal,
    SessionSecret, Target, field,
};

/// Result of a login attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Login {
    /// The person is logged in.
    In {
        /// The person.
        person: PersonId,
        /// The new session.
        session: SessionId,
        /// Secret of the session.
        secret: SessionSecret,
    },
    /// The login is unknown or the passphrase is wrong. The caller cannot distinguish them.
    Wrong,
    /// Too many attempts failed.
    Blocked {
        /// Time from which the next attempt is accepted.
        until: Utc,
    },
}

/// Person and passphrase hash of a login, if it exists and has a passphrase.
type Account = Option<(PersonId, String)>;

fn account(view: &View<'_>, login: &str) -> Done<Account> {
    let sql = "SELECT id, pass_hash FROM person WHERE login = ?1 AND pass_hash IS NOT NULL";
    let login = field::login(login).unwrap_or_default();
    view.one(sql, (login,), |row| Ok((text(row, "id")?, row.get("pass_hash")?)))
}

/// Stores the hash of an accepted passphrase.
pub(super) fn store_hash(tx: &Tx<'_>, person: PersonId, hash: &str) -> Done<()> {
    let set = (Text(person), hash);
    tx.execute("UPDATE person SET pass_hash = ?2 WHERE id = ?1", set).map(drop)
}

impl Database {
    /// Attempts to log in. On success, opens a session and ends the browser's previous one, if any.
    /// An unknown login takes as long as a wrong passphrase.
    ///
    /// # Errors
    /// [`DatabaseError::Busy`] if the queue of passphrases to verify is full.
    pub async fn log_in(
        &self,
        login: &str,
        passphrase: Passphrase,
        now: Utc,
        address: Option<IpAddr>,
        agent: Option<String>,
        before: Option<SessionSecret>,
    ) -> Result<Login, DatabaseError> {
        let key = AccountKey::of(login);
        let (account, failures) = match self.begin_attempt(login, now).await? {
            Ok(counted) => counted,
            Err(until) => return Ok(Login::Blocked { until }),
        };
        let hash = account.as_ref().map(|(_, hash)| hash.clone());
        if !self.verify_attempt(key, passphrase, hash).await? {
            self.log_block(account, failures, now, address).await?;
            return Ok(Login::Wrong);
        }
        let Some((person, hash)) = account else { return Ok(Login::Wrong) };
        let origin = Origin { address, agent };
        let opened = self.open_after_login(key, person, hash, origin, now, before).await?;
        Ok(opened.map_or(Login::Wrong, |(session, secret)| Login::In { person, session, secret }))
    }

    /// Counts an attempt, and returns the account or the end of its block.
    fn begin_attempt(&self, login: &str, now: Utc) -> Answer<Result<(Account, u32), Utc>> {
        let login = login.to_owned();
        self.write_unaudited(move |tx| {
            let account = account(tx, &login)?;
            let counted = throttle::begin_attempt(tx, AccountKey::of(&login), now)?;
            Ok(counted.map(|failures| (account, failures)))
        })
    }

    /// Logs that attempts at an existing account are blocked from now on.
    async fn log_block(
        &self,
        account: Account,
        failures: u32,
        at: Utc,
        address: Option<IpAddr>,
    ) -> Result<(), DatabaseError> {
        let Some((person, _)) = account.filter(|_| failures == FREE_ATTEMPTS) else {
            return Ok(());
        };
        let act = Act { by: By::Server, at, address };
        let entry = NewAuditEntry::new(AuditAction::BlockLogin, Target::Person(person), None);
        self.act(act, move |_| Ok(((), entry))).await
    }

    /// Verifies the passphrase of a counted attempt. If that is impossible now, the attempt is
    /// uncounted.
    async fn verify_attempt(
        &self,
        key: AccountKey,
        passphrase: Passphrase,
        hash: Option<String>,
    ) -> Result<bool, DatabaseError> {
        match self.0.hashers.verify(passphrase, hash) {
            Ok(answer) => answer.await,
            Err(error) => {
                self.write_unaudited(move |tx| throttle::uncount_attempt(tx, key)).await?;
                Err(error)
            }
        }
    }

    /// Opens the session after a correct passphrase, unless the passphrase was changed in the
    /// meantime.
    async fn open_after_login(
        &self,
        key: AccountKey,
        person: PersonId,
        hash: String,
        origin: Origin,
        now: Utc,
        before: Option<SessionSecret>,
    ) -> Result<Option<(SessionId, SessionSecret)>, DatabaseError> {
        let act = Act { by: By::Person(person), at: now, address: origin.address };
        let opened = self.act(act, move |tx| {
            let same = "SELECT 1 FROM person WHERE id = ?1 AND pass_hash = ?2";
            if !tx.is_there(same, (Text(person), hash))? {
                return Err(Refusal::Absent("account").into());
            }
            throttle::reset_attempts(tx, key)?;
            if let Some(before) = before {
                tx.execute("DELETE FROM session WHERE hash = ?1", (before.hash(),))?;
            }
            let opened = sessions::open(tx, person, &origin, now)?;
            let entry = NewAuditEntry::new(AuditAction::LogIn, Target::Session(opened.0), None);
            Ok((opened, entry))
        });
        match opened.await {
            Ok(opened) => Ok(Some(opened)),
            Err(DatabaseError::Refused(Refusal::Absent(_))) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Changes a person's passphrase and ends the person's other sessions. The old passphrase is
    /// verified like a login attempt, with the same results.
    ///
    /// # Errors
    /// The new passphrase is too weak, the person does not exist, or the queue is full.
    pub async fn change_passphrase(
        &self,
        act: Act,
        person: PersonId,
        session: SessionId,
        old: Passphrase,
        new: Passphrase,
    ) -> Result<Login, DatabaseError> {
        let known = self.read(move |view| Person::require(view, person)).await?.known;
        let login = known.login.ok_or(Refusal::Absent("login"))?;
        new.check(&[&login, &known.name]).map_err(Refusal::from)?;
        let key = AccountKey::of(&login);
        let (account, failures) = match self.begin_attempt(&login, act.at).await? {
            Ok(counted) => counted,
            Err(until) => return Ok(Login::Blocked { until }),
        };
        let hash = account.as_ref().map(|(_, hash)| hash.clone());
        if !self.verify_attempt(key, old, hash.clone()).await? {
            self.log_block(account, failures, act.at, act.address).await?;
            return Ok(Login::Wrong);
        }
        let new = self.0.hashers.hash(new)?.await?;
        self.replace_hash(act, person, session, key, hash, new).await.map(|secret| Login::In {
            person,
            session: secret.0,
            secret: secret.1,
        })
    }

    /// Replaces the verified hash by a new one, and opens a new session.
    fn replace_hash(
        &self,
        act: Act,
        person: PersonId,
        session: SessionId,
        key: AccountKey,
        old: Option<String>,
        new: String,
    ) -> Answer<(SessionId, SessionSecret)> {
        self.act(act, move |tx| {
            let same = "SELECT 1 FROM person WHERE id = ?1 AND pass_hash = ?2";
            if !tx.is_there(same, (Text(person), old))? {
                return Err(Refusal::Conflict("the passphrase was changed meanwhile").into());
            }
            throttle::reset_attempts(tx, key)?;
            store_hash(tx, person, &new)?;
            let sql = "SELECT agent FROM session WHERE id = ?1";
            let agent = tx.one(sql, (Text(session),), |row| row.get(0))?.flatten();
            sessions::end_others(tx, person, None)?;
            let opened =
                sessions::open(tx, person, &Origin { address: act.address, agent }, act.at)?;
            Ok((
                opened,
                NewAuditEntry::new(AuditAction::SetPassphrase, Target::Person(person), None),
            ))
        })
    }
}
