//! Rules of a course with a practice server: permissions, versions of bots, quotas, and deadlines.
//!
//! - [`Actor`], [`Action`] and [`Object`] are the parts of a permission, and [`Guarded`] protects
//!   an object until it is granted.
//! - [`VersionState`] is the state of a submitted version.
//! - [`Quota`] limits the number of actions within a time.
//! - [`Deadline`] selects the version of a group for a final.
//!
//! Instants are passed as [`Utc`]. Every decision that a student could dispute is a function here.

mod access;
mod deadline;
mod id;
mod quota;
mod utc;
mod version;

pub use access::{
    Action, Actor, CourseFacts, CourseState, Facts, Guarded, Membership, Object, Refusal, Role,
    Scope, Visibility, Why, may,
};
pub use deadline::{Candidate, Deadline, FreezePolicy, Frozen};
pub use id::{
    AskId, CourseId, DeadlineId, EntryId, GroupId, IdError, JobId, LadderId, PersonId, SessionId,
    TokenId, VersionId,
};
pub use quota::Quota;
pub use utc::Utc;
pub use version::{VersionEvent, VersionState, WrongEvent};
