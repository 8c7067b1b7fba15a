//! Groups of a course, and memberships.

use pitmaster_season::course::{
    Actor, CourseFacts, CourseId, Facts, GroupId, Guarded, Membership, Object, PersonId, Role, Utc,
};
use rusqlite::{Row, named_params};
use serde_json::json;

use super::audit::NewAuditEntry;
use super::columns::{Text, instant, maybe, maybe_instant, text};
use super::connection::{Tx, View};
use super::courses::{COURSE_FACTS, Course, course_facts};
use super::error::Done;
use super::people::Person;
use super::secret::random;
use super::{Act, Answer, AuditAction, Database, Refusal, Target, field};

/// Group of students. A student who works alone has a group too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Id of the group.
    pub id: GroupId,
    /// Course of the group.
    pub course: CourseFacts,
    /// Slug of the group in URLs and in the names of its bots.
    pub slug: String,
    /// Name of the group.
    pub name: String,
    /// Time of the removal.
    pub removed: Option<Utc>,
}

impl Object for Group {
    fn facts(&self) -> Facts<'_> {
        Facts {
            course: Some(&self.course),
            groups: std::slice::from_ref(&self.id),
            is_deleted: self.removed.is_some(),
            ..Facts::default()
        }
    }
}

impl Group {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: text(row, "id")?,
            course: course_facts(row)?,
            slug: row.get("slug")?,
            name: row.get("name")?,
            removed: maybe_instant(row, "removed")?,
        })
    }

    fn find(view: &View<'_>, id: GroupId) -> Done<Option<Self>> {
        let sql = format!(
            "SELECT grp.*, {COURSE_FACTS} FROM grp JOIN course ON course.id = grp.course
             WHERE grp.id = ?1"
        );
        view.one(&sql, (Text(id),), Self::read)
    }

    /// Returns a group that must exist and must not be removed.
    pub(super) fn require(view: &View<'_>, id: GroupId) -> Done<Self> {
        let found = Self::find(view, id)?.filter(|group| group.removed.is_none());
        Ok(found.ok_or(Refusal::Absent("group"))?)
    }

    /// Returns a group that must belong to a course.
    pub(super) fn require_in(view: &View<'_>, id: GroupId, course: CourseId) -> Done<Self> {
        let found = Self::require(view, id)?;
        if found.course.id == course { Ok(found) } else { Err(Refusal::Absent("group").into()) }
    }
}

/// A member of a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Person.
    pub person: Person,
    /// Role in the course.
    pub role: Role,
    /// Group of a student, if there is one.
    pub group: Option<GroupId>,
    /// Start of the membership.
    pub since: Utc,
    /// End of the membership.
    pub ended: Option<Utc>,
}

/// Makes a person a member of a course, replacing an earlier role and group there.
pub(super) fn set_member(
    tx: &Tx<'_>,
    person: PersonId,
    course: CourseId,
    role: Role,
    group: Option<GroupId>,
    at: Utc,
) -> Done<NewAuditEntry> {
    Course::require(tx, course)?;
    if let Some(group) = group {
        if role != Role::Student {
            return Err(Refusal::Conflict("only students are in groups").into());
        }
        Group::require_in(tx, group, course)?;
    }
    let old = membership(tx, person, course)?;
    tx.execute(
        "INSERT INTO member VALUES (:course, :person, :role, :grp, :made, NULL)
         ON CONFLICT (course, person) DO UPDATE SET role = :role, grp = :grp, ended = NULL",
        named_params! {
            ":course": Text(course),
            ":person": Text(person),
            ":role": role.name(),
            ":grp": group.map(Text),
            ":made": at.0,
        },
    )?;
    let shown = |role: Role, group: Option<GroupId>| json!({"role": role.name(), "group": group.map(|group| group.to_string())});
    let entry = NewAuditEntry::new(AuditAction::SetMember, Target::Person(person), course);
    let entry = match old {
        Some(old) => entry.before(shown(old.role, old.group)),
        None => entry,
    };
    Ok(entry.after(shown(role, group)))
}

fn membership(view: &View<'_>, person: PersonId, course: CourseId) -> Done<Option<Membership>> {
    Ok(memberships(view, person)?.into_iter().find(|member| member.course == course))
}

/// Memberships of a person.
pub(super) fn memberships(view: &View<'_>, person: PersonId) -> Done<Vec<Membership>> {
    let sql = "SELECT course, role, grp FROM member WHERE person = ?1 AND ended IS NULL";
    view.all(sql, (Text(person),), |row| {
        Ok(Membership {
            course: text(row, "course")?,
            role: text(row, "role")?,
            group: maybe(row, "grp")?,
        })
    })
}

/// Actor for a person with a session.
pub(super) fn actor(view: &View<'_>, person: &Person) -> Done<Actor> {
    Ok(Actor {
        person: Some(person.id),
        is_admin: person.is_admin,
        memberships: memberships(view, person.id)?,
        scopes: None,
    })
}

/// Inserts a group.
pub(super) fn insert(
    tx: &Tx<'_>,
    course: CourseId,
    slug: &str,
    name: &str,
    at: Utc,
) -> Done<(GroupId, NewAuditEntry)> {
    let (slug, name) = (field::slug("group", slug)?, field::line("name", name, 200)?);
    Course::require(tx, course)?;
    let taken = "SELECT 1 FROM grp WHERE course = ?1 AND slug = ?2";
    if tx.is_there(taken, (Text(course), &slug))? {
        return Err(Refusal::Exists("group").into());
    }
    let id = GroupId::of(random()?);
    let row = (Text(id), Text(course), &slug, name, at.0);
    tx.execute("INSERT INTO grp VALUES (?1, ?2, ?3, ?4, ?5, NULL)", row)?;
    let entry = NewAuditEntry::new(AuditAction::AddGroup, Target::Group(id), course);
    Ok((id, entry.after(json!({"slug": slug}))))
}

impl Database {
    /// Creates a group.
    ///
    /// # Errors
    /// The course does not exist, the slug is taken, or a text is invalid.
    pub fn add_group(&self, act: Act, course: CourseId, slug: &str, name: &str) -> Answer<GroupId> {
        let (slug, name) = (slug.to_owned(), name.to_owned());
        self.act(act, move |tx| insert(tx, course, &slug, &name, act.at))
    }

    /// Renames a group. Its slug is unchanged.
    ///
    /// # Errors
    /// The group does not exist, or the name is invalid.
    pub fn rename_group(&self, act: Act, id: GroupId, name: &str) -> Answer<()> {
        let name = name.to_owned();
        self.act(act, move |tx| {
            let (group, name) = (Group::require(tx, id)?, field::line("name", &name, 200)?);
            tx.execute("UPDATE grp SET name = ?2 WHERE id = ?1", (Text(id), name))?;
            Ok(((), NewAuditEntry::new(AuditAction::EditGroup, Target::Group(id), group.course.id)))
        })
    }

    /// Removes a group without members. Its versions and games are kept.
    ///
    /// # Errors
    /// The group does not exist, or it has members.
    pub fn remove_group(&self, act: Act, id: GroupId) -> Answer<()> {
        self.act(act, move |tx| {
            let group = Group::require(tx, id)?;
            let members = "SELECT 1 FROM member WHERE grp = ?1 AND ended IS NULL";
            if tx.is_there(members, (Text(id),))? {
                return Err(Refusal::Conflict("move the members of the group first").into());
            }
            tx.execute("UPDATE grp SET removed = ?2 WHERE id = ?1", (Text(id), act.at.0))?;
            Ok((
                (),
                NewAuditEntry::new(AuditAction::RemoveGroup, Target::Group(id), group.course.id),
            ))
        })
    }

    /// Makes a person a member of a course, replacing an earlier role and group there.
    ///
    /// # Errors
    /// The person, course or group does not exist, or a member of the staff would be in a group.
    pub fn set_member(
        &self,
        act: Act,
        person: PersonId,
        course: CourseId,
        role: Role,
        group: Option<GroupId>,
    ) -> Answer<()> {
        self.act(act, move |tx| {
            Person::require(tx, person)?;
            Ok(((), set_member(tx, person, course, role, group, act.at)?))
        })
    }

    /// Ends a person's membership in a course and revokes unused codes of the person, which would
    /// begin it again. The person's versions and games are kept.
    ///
    /// # Errors
    /// The person is not a member.
    pub fn end_member(&self, act: Act, person: PersonId, course: CourseId) -> Answer<()> {
        self.act(act, move |tx| {
            let sql = "UPDATE member SET ended = ?3
                       WHERE person = ?1 AND course = ?2 AND ended IS NULL";
            if tx.execute(sql, (Text(person), Text(course), act.at.0))? == 0 {
                return Err(Refusal::Absent("member").into());
            }
            super::invites::revoke(tx, person, act.at)?;
            Ok(((), NewAuditEntry::new(AuditAction::EndMember, Target::Person(person), course)))
        })
    }

    /// Looks up a group.
    pub fn group(&self, id: GroupId) -> Answer<Guarded<Group>> {
        self.read(move |view| Group::find(view, id).map(Guarded::new))
    }

    /// Groups of a course by slug, without removed ones.
    pub fn groups(&self, course: CourseId) -> Answer<Vec<Guarded<Group>>> {
        self.read(move |view| {
            let sql = format!(
                "SELECT grp.*, {COURSE_FACTS} FROM grp JOIN course ON course.id = grp.course
                 WHERE grp.course = ?1 AND removed IS NULL ORDER BY grp.slug"
            );
            let groups = view.all(&sql, (Text(course),), Group::read)?;
            Ok(groups.into_iter().map(|group| Guarded::new(Some(group))).collect())
        })
    }

    /// Members of a course by role and name, including former ones. The caller must be allowed to
    /// see people.
    pub fn members(&self, course: CourseId) -> Answer<Vec<Member>> {
        self.read(move |view| {
            let sql = "SELECT person.*, member.role, member.grp, member.made AS since, member.ended
                       FROM member JOIN person ON person.id = member.person
                       WHERE member.course = ?1 ORDER BY role DESC, name, id";
            view.all(sql, (Text(course),), |row| {
                Ok(Member {
                    person: Person::read(row)?,
                    role: text(row, "role")?,
                    group: maybe(row, "grp")?,
                    since: instant(row, "since")?,
                    ended: maybe_instant(row, "ended")?,
                })
            })
        })
    }
}
