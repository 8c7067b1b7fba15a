//! Reminder of a class folder to remove personal data.

use std::path::Path;

use jiff::Zoned;
use pitmaster_core::i18n::Message;

use crate::Error;
use crate::intake::read_settings;

/// Reminder to remove the personal data of a class, if the date in its settings has passed.
///
/// # Errors
/// The settings are malformed.
pub fn reminder(class: &Path) -> Result<Option<Message>, Error> {
    Ok(read_settings(class)?.reminder(Zoned::now().date()))
}
