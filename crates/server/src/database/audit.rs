//! Audit log: who did what, written in the same transaction as what it tells of.
//!
//! [`Database::act`](super::Database) is the only way to write what people decide, and takes an
//! [`Act`] and a change that returns its [`Line`]: there is no such write without its line.
//!
//! A line holds ids and no names or mail addresses, because it outlives the person.

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

/// Who acts, and as what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// A person who runs the server.
    Admin(PersonId),
    /// A person with a role in the course.
    Member(PersonId, Role),
    /// A person, on the own account or with an invitation.
    Person(PersonId),
    /// Somebody at the command line of the server's machine.
    Operator,
    /// The server by itself, by a rule of the course.
    Server,
}

impl By {
    /// The person, if it was one.
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

/// Occasion of a change: who, when, from where. A change by a person cannot be written without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Act {
    /// Who acts.
    pub by: By,
    /// When.
    pub at: Utc,
    /// From which address, if it came over the network.
    pub address: Option<IpAddr>,
}

/// Declares what the log tells of.
macro_rules! deeds {
    ($($(#[$doc:meta])* $name:ident $text:literal;)*) => {
        /// What was done.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Deed {
            $($(#[$doc])* $name,)*
        }

        impl Deed {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Name in the log.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }
        }
    };
}

deeds! {
    /// A course was made.
    CreateCourse "course.create";
    /// Its settings were changed.
    EditCourse "course.edit";
    /// It was opened, paused, frozen or closed.
    SetCourseState "course.state";
    /// A person was added or imported.
    AddPerson "person.add";
    /// What is known about a person was changed.
    EditPerson "person.edit";
    /// A person may run the server, or no longer.
    SetAdmin "person.admin";
    /// A person was erased.
    ErasePerson "person.erase";
    /// A person set a passphrase.
    SetPassphrase "person.passphrase";
    /// A person logged in.
    LogIn "person.login";
    /// Logins to an account are blocked for a while.
    BlockLogin "person.block";
    /// Somebody ended a session.
    EndSession "session.end";
    /// A person was given a role and a group in a course.
    SetMember "member.set";
    /// A person left a course.
    EndMember "member.end";
    /// A group was made.
    AddGroup "group.add";
    /// A group was renamed.
    EditGroup "group.edit";
    /// A group was removed.
    RemoveGroup "group.remove";
    /// An invitation was made.
    Invite "invite.make";
    /// An invitation was taken back.
    RevokeInvite "invite.revoke";
    /// An invitation was redeemed.
    Redeem "invite.redeem";
    /// A token was made.
    CreateToken "token.create";
    /// A token was revoked.
    RevokeToken "token.revoke";
    /// A bot was added.
    AddBot "bot.add";
    /// Another bot of the group is in rank.
    RankBot "bot.rank";
    /// A bot was retired.
    RetireBot "bot.retire";
    /// The group chose a version for good, or takes the newest again.
    PinVersion "bot.pin";
    /// A version was handed in.
    Upload "version.upload";
    /// A version was chosen to play.
    ChooseVersion "version.choose";
    /// A version was stopped.
    SuspendVersion "version.suspend";
    /// A version was taken back.
    WithdrawVersion "version.withdraw";
    /// A version is examined again, because a fault of the server stopped it.
    RetryVersion "version.retry";
    /// A deadline was set.
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
    /// The server was asked to play a final.
    PlayFinal "final.play";
    /// A final that the server played was stopped.
    StopFinal "final.stop";
    /// Another final is shown.
    ShowFinal "deadline.final";
    /// Students were shown their grades.
    PublishGrades "grades.publish";
    /// The grades that students saw were hidden.
    WithdrawGrades "grades.withdraw";
    /// A ladder was made.
    AddLadder "ladder.add";
    /// A ladder was opened, paused or closed, or its view was frozen.
    EditLadder "ladder.edit";
    /// Games were asked for.
    Ask "ask.make";
    /// Games that were asked for were canceled.
    CancelAsk "ask.cancel";
    /// The database was restored from a backup.
    Restore "server.restore";
}

/// What something was done to.
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
    /// Games that were asked for.
    Ask(AskId),
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
            Self::Ask(id) => ("ask", id.to_string()),
            Self::Server => ("server", String::new()),
        }
    }
}

/// What a change tells the log: everything but who, when and from where.
#[derive(Debug)]
pub(super) struct Line {
    deed: Deed,
    target: Target,
    course: Option<CourseId>,
    before: Option<Value>,
    after: Option<Value>,
}

impl Line {
    pub(super) fn new(deed: Deed, target: Target, course: impl Into<Option<CourseId>>) -> Self {
        Self { deed, target, course: course.into(), before: None, after: None }
    }

    /// The same line about another deed.
    pub(super) fn of(self, deed: Deed) -> Self {
        Self { deed, ..self }
    }

    /// Adds what was there before. No names: see the module.
    pub(super) fn before(self, before: impl Serialize) -> Self {
        Self { before: serde_json::to_value(before).ok(), ..self }
    }

    /// Adds what is there now. No names: see the module.
    pub(super) fn after(self, after: impl Serialize) -> Self {
        Self { after: serde_json::to_value(after).ok(), ..self }
    }

    /// Writes the line.
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
                ":action": self.deed.name(),
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

/// A line of the log, as it is read.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditLine {
    /// Number, from 1 without gaps.
    pub number: i64,
    /// When.
    pub at: Utc,
    /// Who; `None`: the server, or somebody at its command line.
    pub who: Option<PersonId>,
    /// As what.
    pub role: String,
    /// Name of the [`Deed`].
    pub action: String,
    /// Kind of the object.
    pub kind: String,
    /// Id of the object.
    pub object: String,
    /// The course it belongs to.
    pub course: Option<CourseId>,
    /// What was there before.
    pub before: Option<Value>,
    /// What was there afterwards.
    pub after: Option<Value>,
    /// Address that it came from, unless an erasure cleared it.
    pub address: Option<String>,
}

impl AuditLine {
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
    /// Lines of the log after a number, oldest first: of a course, or of everything.
    pub fn audit(
        &self,
        course: Option<CourseId>,
        after: i64,
        limit: u32,
    ) -> Answer<Vec<AuditLine>> {
        self.read(move |view| {
            let sql = "SELECT * FROM audit WHERE n > ?1 AND (?2 IS NULL OR course = ?2)
                       ORDER BY n LIMIT ?3";
            view.all(sql, (after, course.map(Text), limit), AuditLine::read)
        })
    }
}
