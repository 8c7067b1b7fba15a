//! A course with a practice server: who may do what, versions of bots, quotas, and deadlines.
//!
//! - [`Actor`], [`Action`] and [`Object`] are the three sides of a permission, and [`Guarded`] keeps
//!   an object back until it is given.
//! - [`VersionState`] is what has become of a version that a group handed in.
//! - [`Quota`] bounds how often something may be done.
//! - [`Deadline`] decides which version of a group is frozen.
//!
//! Instants come in as [`Utc`]. Every decision that a student could dispute is a function here.

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
