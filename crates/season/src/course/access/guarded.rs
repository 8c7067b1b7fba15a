//! Objects that cannot be accessed without a permission.

use super::{Action, Actor, Object, Refusal, may};

/// An optional object that is inaccessible without a permission check.
///
/// A lookup in a database returns this type. Missing, deleted and hidden objects give the same
/// answer.
#[derive(Debug, Clone)]
pub struct Guarded<T>(Option<T>);

impl<T: Object> Guarded<T> {
    /// Wraps the result of a lookup.
    pub fn new(found: Option<T>) -> Self {
        Self(found)
    }

    /// The object, if this actor may do this with it.
    ///
    /// # Errors
    /// The refusal.
    pub fn open(self, actor: &Actor, action: Action) -> Result<T, Refusal> {
        let Some(object) = self.0 else { return Err(actor.refused_what_is_absent()) };
        may(actor, action, &object.facts()).map(|()| object)
    }
}
