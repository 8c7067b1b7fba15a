//! Objects that cannot be reached without a permission.

use super::{Action, Actor, Object, Refusal, may};

/// An object that may be there, and that nobody sees before a permission is asked for.
///
/// A lookup in a database returns this type. An object that is absent, one that was deleted and one
/// that must not be known give the same answer.
#[derive(Debug, Clone)]
pub struct Guarded<T>(Option<T>);

impl<T: Object> Guarded<T> {
    /// What a lookup found.
    pub fn new(found: Option<T>) -> Self {
        Self(found)
    }

    /// The object, if this actor may do this with it.
    ///
    /// # Errors
    /// Why not.
    pub fn open(self, actor: &Actor, action: Action) -> Result<T, Refusal> {
        let Some(object) = self.0 else { return Err(actor.refused_what_is_absent()) };
        may(actor, action, &object.facts()).map(|()| object)
    }
}
