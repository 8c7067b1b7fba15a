//! Objects: what a permission depends on.

use super::actor::{Standing, names};
use crate::course::{CourseId, GroupId, PersonId};

/// State of a course.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CourseState {
    /// Only its staff see it.
    Draft,
    /// Groups hand in, and bots play.
    Open,
    /// Groups hand in nothing for now.
    Paused,
    /// A deadline has passed; the final is prepared or played.
    Frozen,
    /// It is over and can be read.
    Closed,
}

names!(CourseState, "state of a course": Draft "draft", Open "open", Paused "paused",
    Frozen "frozen", Closed "closed");

/// Who sees the ladder, the games and the replays of a course.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Its members.
    Members,
    /// Everybody.
    World,
}

names!(Visibility, "visibility": Members "members", World "world");

/// What permissions depend on in a course.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CourseFacts {
    /// The course.
    pub id: CourseId,
    /// Its state.
    pub state: CourseState,
    /// Who sees it.
    pub visibility: Visibility,
    /// Whether guests who see it may play against its bots.
    pub guests_play: bool,
}

impl CourseFacts {
    /// Whether somebody of this standing may know that the course exists.
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

/// What permissions depend on in an object.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts<'a> {
    /// Its course; `None` for what belongs to the server, such as an account.
    pub course: Option<&'a CourseFacts>,
    /// The groups that it belongs to: two for the games that two groups' bots played. What is said
    /// about only one side of a game belongs to the group of that side.
    pub groups: &'a [GroupId],
    /// The person it belongs to.
    pub person: Option<PersonId>,
    /// Whether it was deleted.
    pub is_deleted: bool,
}

/// Something that is kept behind permissions.
pub trait Object {
    /// What permissions depend on.
    fn facts(&self) -> Facts<'_>;
}
