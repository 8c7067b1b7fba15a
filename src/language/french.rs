//! The table of messages: English as the code says it, and its French. Sorted by rooms.

/// English, French. `{}` takes the values in their order, `{2}` the second one.
pub(super) const TABLE: &[(&str, &str)] = &[("{} of {}", "{} sur {}")];
