//! Code shared by commands about a class.

use std::path::Path;

use pitmaster_session::{self as session, Observer as _};

use super::watcher::Watcher;
use super::{Failure, lang};

/// Prints the reminder to remove personal data, if it is due.
pub(super) fn remind(class: &Path, watcher: &Watcher) -> Result<(), Failure> {
    if let Some(reminder) = session::reminder(class)? {
        watcher.note(&reminder.to(lang::of_environment()));
    }
    Ok(())
}
