//! Permissions of actors on objects, decided in one place.
//!
//! [`Action::row`] is the table. An actor's [`Standing`] towards an object is a column of it.

mod actor;
mod guarded;
mod object;
mod table;
#[cfg(test)]
mod tests;

pub use actor::{Actor, Membership, Role, Scope};
pub use guarded::Guarded;
pub use object::{CourseFacts, CourseState, Facts, Object, Visibility};
pub use table::Action;

use table::Cell;

/// Refusal of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The actor is not logged in. The answer is the same for objects that do not exist.
    LogIn,
    /// The object is hidden from the actor. The answer is the same as for missing objects.
    Hidden,
    /// The actor may see the object but not do this.
    No(Why),
}

/// Reasons that may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It requires another role.
    Role,
    /// It belongs to another group.
    NotYourGroup,
    /// It belongs to another person.
    NotYours,
    /// The token lacks this scope.
    NeedsScope(Scope),
    /// It requires a session, not a token.
    NeedsSession,
    /// The state of the course does not permit it.
    Course(CourseState),
    /// The course lets only members do this.
    MembersOnly,
}

/// Decides whether an actor may do this with an object.
///
/// # Errors
/// The refusal, with as much of the reason as may be shown.
pub fn may(actor: &Actor, action: Action, facts: &Facts<'_>) -> Result<(), Refusal> {
    if facts.is_deleted {
        return Err(actor.refused_what_is_absent());
    }
    let standing = actor.standing(facts);
    let hidden = Err(actor.refused_what_is_absent());
    if let Some(course) = facts.course
        && !course.is_visible(standing)
    {
        return hidden;
    }
    let row = action.row();
    match row.cell(standing) {
        Cell::Yes => {}
        Cell::Own if actor.owns(facts) => {}
        Cell::Own if facts.person.is_some() => return Err(Refusal::No(Why::NotYours)),
        Cell::Own => return Err(Refusal::No(Why::NotYourGroup)),
        Cell::GuestsIfAllowed if facts.course.is_some_and(|course| course.guests_play) => {}
        Cell::GuestsIfAllowed => return Err(Refusal::No(Why::MembersOnly)),
        Cell::Hidden => return hidden,
        Cell::No(why) => return Err(Refusal::No(why)),
    }
    actor.has(row.scope).map_err(Refusal::No)?;
    match facts.course {
        Some(course) if !row.states.contains(&course.state) => {
            Err(Refusal::No(Why::Course(course.state)))
        }
        _ => Ok(()),
    }
}
