//! Audit log. Each entry is written in the same transaction as the change that it describes.
//!
//! [`Database::act`](super::Database) is the only way to write a person's decision. It takes an
//! [`Act`] and a change that returns its [`NewAuditEntry`], so no decision is written without an entry.
//!
//! Entries hold ids rather than names or mail addresses, because they outlive the person.

use std::net::IpAddr;

use pitmaster_season::course::{
    AskId, CourseId, DeadlineId, EntryId, GroupId, LadderId, PersonId, Role, SessionId, TokenId,
    Utc, VersionId,
};
use rusqlite::{Row, named_params};
use serde::Serialize;
use serde_json::Value;

use super::columns::{Text, instant, maybe, maybe_json, text};
use super::connection::Tx;
use super::error::Done;
use super::{Answer, Database};

/// Actor of a change, with the capacity in which it acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// An administrator of the server.
    Admin(PersonId),
    /// A person with a role in the course.
    Member(PersonId, Role),
    /// A person, on their own account or with an invitation.
    Person(PersonId),
    /// The operator, at the command line of the server's machine.
    Operator,
    /// The server itself, following a rule of the course.
    Server,
}

impl By {
    /// The person, if the actor is one.
    pub fn person(self) -> Option<PersonId> {
        match self {
            Self::Admin(person) | Self::Member(person, _) | Self::Person(person) => Some(person),
            Self::Operator | Self::Server => None,
        }
    }

    fn role(self) -> &'static str {
        match self {
            Self::Admin(_) => "admin",
            Self::Member(_, role) => role.name(),
            Self::Person(_) => "person",
            Self::Operator => "operator",
            Self::Server => "server",
        }
    }
}

/// Actor, time and origin of a change. Required for every change by a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Act {
    /// Actor.
    pub by: By,
    /// Time of the change.
    pub at: Utc,
    /// IP address, if the change came over the network.
    pub address: Option<IpAddr>,
}

/// Declares the actions of the audit log.
macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident $text:literal;)*) => {
        /// Action of the audit log.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum AuditAction {
            $($(#[$doc])* $name,)*
        }

        impl AuditAction {
            /// All actions.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Name in the log.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }
        }
    };
}

actions! {
    /// A course was created.
    CreateCourse "course.create";
    /// The settings of a course were changed.
    EditCourse "course.edit";
    /// A course was opened, paused, frozen or closed.
    SetCourseState "course.state";
    /// A person was added or imported.
    AddPerson "person.add";
    /// The data of a person were changed.
    EditPerson "person.edit";
    /// A person became an administrator of the server, or is one no longer.
    SetAdmin "person.admin";
    /// A person was erased.
    ErasePerson "person.erase";
    /// A person set a passphrase.
    SetPassphrase "person.passphrase";
    /// A person logged in.
    LogIn "person.login";
    /// Logins to an account were blocked for a while.
    BlockLogin "person.block";
    /// A session was ended.
    EndSession "session.end";
    /// A person was given a role and a group in a course.
    SetMember "member.set";
    /// A person left a course.
    EndMember "member.end";
    /// A group was created.
    AddGroup "group.add";
    /// A group was renamed.
    EditGroup "group.edit";
    /// A group was removed.
    RemoveGroup "group.remove";
    /// An invitation was created.
    Invite "invite.make";
    /// An invitation was revoked.
    RevokeInvite "invite.revoke";
    /// An invitation was redeemed.
    Redeem "invite.redeem";
    /// A token was created.
    CreateToken "token.create";
    /// A token was revoked.
    RevokeToken "token.revoke";
    /// A bot was added.
    AddBot "bot.add";
    /// Another bot of the group became the ranked one.
    RankBot "bot.rank";
    /// A bot may or may not be played against by people of other groups.
    LetPeoplePlay "bot.people";
    /// A bot was retired.
    RetireBot "bot.retire";
    /// The group pinned a version, or unpinned it.
    PinVersion "bot.pin";
    /// A version was uploaded.
    Upload "version.upload";
    /// A version was chosen to play.
    ChooseVersion "version.choose";
    /// A version was suspended.
    SuspendVersion "version.suspend";
    /// A version was withdrawn.
    WithdrawVersion "version.withdraw";
    /// A version is examined again, after a fault of the server.
    RetryVersion "version.retry";
    /// A deadline was created.
    AddDeadline "deadline.add";
    /// A deadline was changed.
    EditDeadline "deadline.edit";
    /// A deadline was removed.
    RemoveDeadline "deadline.remove";
    /// Versions were frozen.
    Freeze "deadline.freeze";
    /// A frozen version was replaced after a dispute.
    Refreeze "deadline.refreeze";
    /// The tournament file of a final was written.
    WriteFinal "deadline.write-final";
    /// The server was requested to play a final.
    PlayFinal "final.play";
    /// A final that the server played was stopped.
    StopFinal "final.stop";
    /// Another final is shown to the course.
    ShowFinal "deadline.final";
    /// Grades were published to the students.
    PublishGrades "grades.publish";
    /// Published grades were withdrawn.
    WithdrawGrades "grades.withdraw";
    /// A ladder was created.
    AddLadder "ladder.add";
    /// A ladder was opened, paused or closed, or its public view was frozen.
    EditLadder "ladder.edit";
    /// Games were requested.
    GameRequest "ask.make";
    /// Requested games were canceled.
    CancelGameRequest "ask.cancel";
    /// The database was restored from a backup.
    Restore "server.restore";
}

/// Object of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A course.
    Course(CourseId),
    /// A person.
    Person(PersonId),
    /// A group.
    Group(GroupId),
    /// A bot.
    Bot(EntryId),
    /// A version.
    Version(VersionId),
    /// A session.
    Session(SessionId),
    /// A token.
    Token(TokenId),
    /// A deadline.
    Deadline(DeadlineId),
    /// A ladder.
    Ladder(LadderId),
    /// A request for games.
    GameRequest(AskId),
    /// The server.
    Server,
}

impl Target {
    fn kind_and_id(self) -> (&'static str, String) {
        match self {
            Self::Course(id) => ("course", id.to_string()),
            Self::Person(id) => ("person", id.to_string()),
            Self::Group(id) => ("group", id.to_string()),
            Self::Bot(id) => ("bot", id.to_string()),
            Self::Version(id) => ("version", id.to_string()),
            Self::Session(id) => ("session", id.to_string()),
            Self::Token(id) => ("token", id.to_string()),
            Self::Deadline(id) => ("deadline", id.to_string()),
            Self::Ladder(id) => ("ladder", id.to_string()),
            Self::GameRequest(id) => ("ask", id.to_string()),
            Self::Server => ("server", String::new()),
        }
    }
}

/// Entry of a change without its [`Act`].
#[derive(Debug)]
pub(super) struct NewAuditEntry {
    action: AuditAction,
    target: Target,
    course: Option<CourseId>,
    before: Option<Value>,
    after: Option<Value>,
}

impl NewAuditEntry {
    pub(super) fn new(
        action: AuditAction,
        target: Target,
        course: impl Into<Option<CourseId>>,
    ) -> Self {
        Self { action, target, course: course.into(), before: None, after: None }
    }

    /// The same entry for another action.
    pub(super) fn of(self, action: AuditAction) -> Self {
        Self { action, ..self }
    }

    /// Sets the state before the change. No names: see the module.
    pub(super) fn before(self, before: impl Serialize) -> Self {
        Self { before: serde_json::to_value(before).ok(), ..self }
    }

    /// Sets the state after the change. No names: see the module.
    pub(super) fn after(self, after: impl Serialize) -> Self {
        Self { after: serde_json::to_value(after).ok(), ..self }
    }

    /// Writes the entry.
    pub(super) fn write(&self, tx: &Tx<'_>, act: &Act) -> Done<i64> {
        let number: i64 = tx.value("SELECT coalesce(max(n), 0) + 1 FROM audit", ())?;
        let (kind, object) = self.target.kind_and_id();
        tx.execute(
            "INSERT INTO audit (n, at, who, as_role, action, kind, object, course, before, after,
                                address)
             VALUES (:n, :at, :who, :role, :action, :kind, :object, :course, :before, :after,
                     :address)",
            named_params! {
                ":n": number,
                ":at": act.at.0,
                ":who": act.by.person().map(Text),
                ":role": act.by.role(),
                ":action": self.action.name(),
                ":kind": kind,
                ":object": object,
                ":course": self.course.map(Text),
                ":before": self.before.as_ref().map(Value::to_string),
                ":after": self.after.as_ref().map(Value::to_string),
                ":address": act.address.map(Text),
            },
        )?;
        Ok(number)
    }
}

/// Entry of the log, as it is read.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    /// Sequence number, from 1 without gaps.
    pub number: i64,
    /// Time of the change.
    pub at: Utc,
    /// Person who acted; `None` for the server or its operator.
    pub who: Option<PersonId>,
    /// Capacity in which the person acted.
    pub role: String,
    /// Name of the [`AuditAction`].
    pub action: String,
    /// Kind of the object.
    pub kind: String,
    /// Id of the object.
    pub object: String,
    /// The course it belongs to.
    pub course: Option<CourseId>,
    /// State before the change.
    pub before: Option<Value>,
    /// State after the change.
    pub after: Option<Value>,
    /// IP address of the request, unless an erasure cleared it.
    pub address: Option<String>,
}

impl AuditEntry {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            number: row.get("n")?,
            at: instant(row, "at")?,
            who: maybe(row, "who")?,
            role: row.get("as_role")?,
            action: row.get("action")?,
            kind: row.get("kind")?,
            object: text(row, "object")?,
            course: maybe(row, "course")?,
            before: maybe_json(row, "before")?,
            after: maybe_json(row, "after")?,
            address: row.get("address")?,
        })
    }
}

impl Database {
    /// Entries with a sequence number above `after`, oldest first. `None` selects all courses.
    pub fn audit(
        &self,
        course: Option<CourseId>,
        after: i64,
        limit: u32,
    ) -> Answer<Vec<AuditEntry>> {
        self.read(move |view| {
            let sql = "SELECT * FROM audit WHERE n > ?1 AND (?2 IS NULL OR course = ?2)
                       ORDER BY n LIMIT ?3";
            view.all(sql, (after, course.map(Text), limit), AuditEntry::read)
        })
    }
}
