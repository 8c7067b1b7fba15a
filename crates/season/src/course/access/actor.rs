//! Actors, and their standing towards an object.

use super::{Facts, Refusal, Why};
use crate::course::{CourseId, GroupId, PersonId};

/// Role of a person in a course.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Is responsible for the course.
    Teacher,
    /// Helps: supervises groups and their submissions.
    Assistant,
    /// Submits bots.
    Student,
}

/// Scope of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Submit, choose and withdraw versions, and request games.
    Upload,
    /// Read.
    Read,
    /// Connect a program that plays remotely.
    Kgp,
    /// Staff actions.
    Admin,
}

/// Names of the values of an enum, in databases and in the API.
macro_rules! names {
    ($type:ident, $what:literal: $($value:ident $name:literal),*) => {
        impl $type {
            /// All values.
            pub const ALL: &'static [Self] = &[$(Self::$value),*];

            /// Name in databases and in the API.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$value => $name),* }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                let found = Self::ALL.iter().copied().find(|value| value.name() == text);
                found.ok_or_else(|| format!(concat!("unknown ", $what, " {:?}"), text))
            }
        }
    };
}
pub(super) use names;

names!(Role, "role": Teacher "teacher", Assistant "assistant", Student "student");
names!(Scope, "scope": Upload "upload", Read "read", Kgp "kgp", Admin "admin");

/// Membership of a person in a course.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Membership {
    /// The course.
    pub course: CourseId,
    /// The role there.
    pub role: Role,
    /// The group there, if the person is in one.
    pub group: Option<GroupId>,
}

/// Actor: a guest, a person with a session, or a token of a person.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Actor {
    /// The person; `None` for a guest.
    pub person: Option<PersonId>,
    /// Whether the person runs the server.
    pub is_admin: bool,
    /// Courses that the person is a member of. A token has only its own.
    pub memberships: Vec<Membership>,
    /// Scopes of the token; `None` for a session, which has all.
    pub scopes: Option<Vec<Scope>>,
}

/// Standing of an actor towards an object: a column of the permission table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    Admin,
    Teacher,
    Assistant,
    /// A student, and the object is the student's or of the student's group.
    Owner,
    /// A student of the course.
    Student,
    /// Somebody without a role in the course, logged in or not.
    Guest,
}

impl Actor {
    /// A visitor who is not logged in.
    pub fn guest() -> Self {
        Self::default()
    }

    pub(super) fn standing(&self, facts: &Facts<'_>) -> Standing {
        if self.is_admin {
            return Standing::Admin;
        }
        let is_owner = self.owns(facts);
        match self.membership(facts).map(|member| member.role) {
            Some(Role::Teacher) => Standing::Teacher,
            Some(Role::Assistant) => Standing::Assistant,
            // An account belongs to no course but has an owner too.
            Some(Role::Student) | None if is_owner => Standing::Owner,
            Some(Role::Student) => Standing::Student,
            None => Standing::Guest,
        }
    }

    /// Whether the object is the actor's, or of the actor's group.
    pub(super) fn owns(&self, facts: &Facts<'_>) -> bool {
        let group = self.membership(facts).and_then(|member| member.group);
        group.is_some_and(|group| facts.groups.contains(&group))
            || (self.person.is_some() && self.person == facts.person)
    }

    /// Checks the scope, if this is a token.
    pub(super) fn has(&self, needed: Option<Scope>) -> Result<(), Why> {
        match (&self.scopes, needed) {
            (None, _) => Ok(()),
            (Some(_), None) => Err(Why::NeedsSession),
            (Some(scopes), Some(needed)) if scopes.contains(&needed) => Ok(()),
            (Some(_), Some(needed)) => Err(Why::NeedsScope(needed)),
        }
    }

    /// Answer about a missing or hidden object, the same for all objects.
    pub(super) fn refused_what_is_absent(&self) -> Refusal {
        if self.person.is_none() { Refusal::LogIn } else { Refusal::Hidden }
    }

    fn membership(&self, facts: &Facts<'_>) -> Option<&Membership> {
        let course = facts.course?.id;
        self.memberships.iter().find(|member| member.course == course)
    }
}
