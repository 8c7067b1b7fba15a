//! Objects: facts that permissions depend on.

use super::actor::{Standing, names};
use crate::course::{CourseId, GroupId, PersonId};

/// State of a course.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CourseState {
    /// Visible to staff only.
    Draft,
    /// Groups submit, and bots play.
    Open,
    /// Submissions are paused.
    Paused,
    /// A deadline has passed; the final is being prepared or played.
    Frozen,
    /// Ended and read-only.
    Closed,
}

names!(CourseState, "state of a course": Draft "draft", Open "open", Paused "paused",
    Frozen "frozen", Closed "closed");

/// Visibility of the ladder, games and replays of a course.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Its members.
    Members,
    /// Everyone.
    World,
}

names!(Visibility, "visibility": Members "members", World "world");

/// Facts of a course that permissions depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CourseFacts {
    /// The course.
    pub id: CourseId,
    /// Its state.
    pub state: CourseState,
    /// Its visibility.
    pub visibility: Visibility,
    /// Whether guests who see it may play against its bots.
    pub guests_play: bool,
}

impl CourseFacts {
    /// Whether an actor of this standing may see the course.
    pub(super) fn is_visible(&self, standing: Standing) -> bool {
        match standing {
            Standing::Admin | Standing::Teacher | Standing::Assistant => true,
            Standing::Owner | Standing::Student => self.state != CourseState::Draft,
            Standing::Guest => {
                self.state != CourseState::Draft && self.visibility == Visibility::World
            }
        }
    }
}

/// Facts of an object that permissions depend on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts<'a> {
    /// Its course; `None` for objects of the server, such as accounts.
    pub course: Option<&'a CourseFacts>,
    /// The groups that it belongs to: two for games between bots of two groups. Facts about one
    /// side of a game belong to the group of that side.
    pub groups: &'a [GroupId],
    /// The person it belongs to.
    pub person: Option<PersonId>,
    /// Whether it was deleted.
    pub is_deleted: bool,
}

/// Object protected by permissions.
pub trait Object {
    /// Facts that permissions depend on.
    fn facts(&self) -> Facts<'_>;
}
