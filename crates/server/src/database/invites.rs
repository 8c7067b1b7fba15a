//! Invitations: one-time codes for an account and a membership in a course.

use std::net::IpAddr;

use pitmaster_season::course::{CourseId, GroupId, Membership, PersonId, Role, Utc};
use rusqlite::{Row, named_params};

use super::audit::NewAuditEntry;
use super::columns::{Text, instant, maybe, text};
use super::connection::{Tx, View};
use super::courses::Course;
use super::error::Done;
use super::groups::{memberships, set_member};
use super::login::store_hash;
use super::people::{self, NewPerson, Person};
use super::sessions::{self, Origin};
use super::throttle::{self, AccountKey};
use super::{
    Act, Answer, AuditAction, By, Database, DatabaseError, InviteCode, Passphrase, Refusal,
    SessionSecret, Target, field,
};

/// Data of a new invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewInvite {
    /// The course.
    pub course: CourseId,
    /// Role in the course.
    pub role: Role,
    /// Group of a student.
    pub group: Option<GroupId>,
    /// Person it is for, who sets a new passphrase with it. `None` creates a new person.
    pub person: Option<PersonId>,
    /// Expiration time.
    pub expires: Utc,
}

/// Content of an invitation, for the holder of its code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// Offered membership.
    pub offer: NewInvite,
    /// Login of the person, if there is one already.
    pub login: Option<String>,
}

/// Row of an invitation.
#[derive(Debug)]
struct Stored {
    offer: NewInvite,
    is_revoked: bool,
    is_used: bool,
}

impl Stored {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            offer: NewInvite {
                course: text(row, "course")?,
                role: text(row, "role")?,
                group: maybe(row, "grp")?,
                person: maybe(row, "person")?,
                expires: instant(row, "expires")?,
            },
            is_revoked: row.get::<_, Option<i64>>("revoked")?.is_some(),
            is_used: row.get::<_, Option<i64>>("used_at")?.is_some(),
        })
    }
}

/// Returns the offer of a code that is valid now.
fn require(view: &View<'_>, code: &InviteCode, now: Utc) -> Done<NewInvite> {
    let found = view.one("SELECT * FROM invite WHERE hash = ?1", (code.hash(),), Stored::read)?;
    match found {
        None => Err(Refusal::UnknownInvite.into()),
        Some(invite) if invite.is_revoked => Err(Refusal::UnknownInvite.into()),
        Some(invite) if invite.is_used => Err(Refusal::UsedInvite.into()),
        Some(invite) if invite.offer.expires <= now => Err(Refusal::ExpiredInvite.into()),
        Some(invite) => Ok(invite.offer),
    }
}

/// Marks a code as used and makes the person a member. A member stays in the role and the group of
/// today, which may be others than when the code was made. Returns the entry for the audit log.
fn redeem(
    tx: &Tx<'_>,
    code: &InviteCode,
    offer: &NewInvite,
    person: PersonId,
    now: Utc,
) -> Done<NewAuditEntry> {
    let set = (code.hash(), Text(person), now.0);
    tx.execute("UPDATE invite SET used_by = ?2, used_at = ?3 WHERE hash = ?1", set)?;
    if memberships(tx, person)?.iter().any(|member| member.course == offer.course) {
        return Ok(NewAuditEntry::new(AuditAction::Redeem, Target::Person(person), offer.course));
    }
    let entry = set_member(tx, person, offer.course, offer.role, offer.group, now)?;
    Ok(entry.of(AuditAction::Redeem))
}

/// Account for an offer with this login: the invited person's, or a new one.
fn account(tx: &Tx<'_>, offer: &NewInvite, name: &str, login: &str, now: Utc) -> Done<PersonId> {
    let Some(person) = offer.person else {
        let person = NewPerson {
            name: name.to_owned(),
            login: Some(login.to_owned()),
            ..NewPerson::default()
        };
        return people::insert(tx, person, now);
    };
    // An existing login is unchanged.
    if Person::require(tx, person)?.known.login.is_none() {
        if tx.is_there("SELECT 1 FROM person WHERE login = ?1", (login,))? {
            return Err(Refusal::Exists("login").into());
        }
        tx.execute("UPDATE person SET login = ?2 WHERE id = ?1", (Text(person), login))?;
    }
    Ok(person)
}

/// Data of a person who redeems a code.
#[derive(Debug, Clone)]
pub struct Newcomer {
    /// The code.
    pub code: InviteCode,
    /// Name of a new person; ignored if the invitation is for an existing one.
    pub name: String,
    /// Login; ignored if the person has one.
    pub login: String,
    /// New passphrase.
    pub passphrase: Passphrase,
    /// `User-Agent` of the browser.
    pub agent: Option<String>,
}

/// Revokes all unused invitations for a person. Returns their number.
pub(super) fn revoke(tx: &Tx<'_>, person: PersonId, at: Utc) -> Done<usize> {
    let sql = "UPDATE invite SET revoked = ?2
               WHERE person = ?1 AND used_at IS NULL AND revoked IS NULL";
    tx.execute(sql, (Text(person), at.0))
}

/// Inserts an invitation.
pub(super) fn insert(
    tx: &Tx<'_>,
    invite: &NewInvite,
    at: Utc,
) -> Done<(InviteCode, NewAuditEntry)> {
    Course::require(tx, invite.course)?;
    if let Some(person) = invite.person {
        Person::require(tx, person)?;
    }
    if invite.group.is_some() && invite.role != Role::Student {
        return Err(Refusal::Conflict("only students are in groups").into());
    }
    if let Some(group) = invite.group {
        super::Group::require_in(tx, group, invite.course)?;
    }
    let code = InviteCode::new()?;
    tx.execute(
        "INSERT INTO invite (hash, course, role, grp, person, made, expires)
         VALUES (:hash, :course, :role, :grp, :person, :made, :expires)",
        named_params! {
            ":hash": code.hash(),
            ":course": Text(invite.course),
            ":role": invite.role.name(),
            ":grp": invite.group.map(Text),
            ":person": invite.person.map(Text),
            ":made": at.0,
            ":expires": invite.expires.0,
        },
    )?;
    let target = invite.person.map_or(Target::Course(invite.course), Target::Person);
    let entry = NewAuditEntry::new(AuditAction::Invite, target, invite.course);
    Ok((code, entry.after(invite.role.name())))
}

impl Database {
    /// Creates an invitation. Its code is returned here and never again.
    ///
    /// # Errors
    /// The course, group or person does not exist, or a member of the staff would be in a group.
    pub fn invite(&self, act: Act, invite: NewInvite) -> Answer<InviteCode> {
        self.act(act, move |tx| insert(tx, &invite, act.at))
    }

    /// Creates a code with which a member of a course chooses a new passphrase. The member's earlier
    /// codes are revoked.
    ///
    /// # Errors
    /// The person is not a member of the course. A code is access to the account, so only the
    /// operator can create one for staff of this course or another one.
    pub fn renew_code(
        &self,
        act: Act,
        course: CourseId,
        person: PersonId,
        expires: Utc,
    ) -> Answer<InviteCode> {
        self.act(act, move |tx| {
            let all = memberships(tx, person)?;
            let member = all.iter().find(|member| member.course == course);
            let Some(Membership { role, group, .. }) = member.copied() else {
                return Err(Refusal::Absent("member").into());
            };
            let is_staff = Person::require(tx, person)?.is_admin
                || all.iter().any(|member| member.role != Role::Student);
            if is_staff && act.by != By::Operator {
                return Err(Refusal::Conflict("codes are for students").into());
            }
            revoke(tx, person, act.at)?;
            insert(tx, &NewInvite { course, role, group, person: Some(person), expires }, act.at)
        })
    }

    /// Revokes all unused invitations for a person. Returns their number.
    pub fn revoke_invites(&self, act: Act, person: PersonId) -> Answer<usize> {
        self.act(act, move |tx| {
            let revoked = revoke(tx, person, act.at)?;
            let entry = NewAuditEntry::new(AuditAction::RevokeInvite, Target::Person(person), None);
            Ok((revoked, entry.after(revoked)))
        })
    }

    /// Looks up the offer of a code.
    ///
    /// # Errors
    /// The code is unknown, used or expired.
    pub fn invitation(&self, code: InviteCode, now: Utc) -> Answer<Invitation> {
        self.read(move |view| {
            let offer = require(view, &code, now)?;
            let person = offer.person.map(|person| Person::require(view, person)).transpose()?;
            Ok(Invitation { offer, login: person.and_then(|person| person.known.login) })
        })
    }

    /// Redeems a code: sets the login and passphrase of its person or of a new one, makes the
    /// person a member, ends earlier sessions and opens a new one.
    ///
    /// # Errors
    /// The code is unknown, used or expired, the login is taken, the passphrase is too weak, a text
    /// is invalid, or the queue of passphrases to hash is full.
    pub async fn redeem(
        &self,
        newcomer: Newcomer,
        now: Utc,
        address: Option<IpAddr>,
    ) -> Result<(PersonId, SessionSecret), DatabaseError> {
        let Newcomer { code, name, login, passphrase, agent } = newcomer;
        let invitation = self.invitation(code.clone(), now).await?;
        let login = match invitation.login {
            Some(login) => login,
            None => field::login(&login)?,
        };
        passphrase.check(&[&login, &name]).map_err(Refusal::from)?;
        let hash = self.0.hashers.hash(passphrase)?.await?;
        let origin = Origin { address, agent };
        let redeemed = self.act_by(now, address, move |tx| {
            let offer = require(tx, &code, now)?;
            let person = account(tx, &offer, &name, &login, now)?;
            store_hash(tx, person, &hash)?;
            throttle::reset_attempts(tx, AccountKey::of(&login))?;
            sessions::end_others(tx, person, None)?;
            let (_, secret) = sessions::open(tx, person, &origin, now)?;
            let entry = redeem(tx, &code, &offer, person, now)?;
            Ok(((person, secret), By::Person(person), entry))
        });
        redeemed.await
    }

    /// Redeems a code for a logged-in person who joins another course.
    ///
    /// # Errors
    /// The code is unknown, used, expired or for somebody else, or the person is already a member.
    pub fn redeem_as(&self, act: Act, person: PersonId, code: InviteCode) -> Answer<CourseId> {
        self.act(act, move |tx| {
            let offer = require(tx, &code, act.at)?;
            if offer.person.is_some_and(|wanted| wanted != person) {
                return Err(Refusal::UnknownInvite.into());
            }
            let person = Person::require(tx, person)?.id;
            if memberships(tx, person)?.iter().any(|member| member.course == offer.course) {
                return Err(Refusal::Conflict("you are a member of this course already").into());
            }
            let entry = redeem(tx, &code, &offer, person, act.at)?;
            Ok((offer.course, entry))
        })
    }
}
