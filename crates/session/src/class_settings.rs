//! Settings of a class folder, and the reminder to remove personal data.

use std::fs;
use std::path::Path;

use jiff::Zoned;
use pitmaster_season::ClassSettings;

use crate::Error;

/// Reminder that the personal data of a class is to be removed, if the day that its settings name
/// has passed.
///
/// # Errors
/// The settings cannot be read.
pub fn reminder(class: &Path) -> Result<Option<String>, Error> {
    let path = class.join(ClassSettings::FILE);
    if !path.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(&path)?;
    let settings = ClassSettings::parse(&text)
        .map_err(|diagnostics| Error::TournamentFile { path, diagnostics })?;
    Ok(settings.reminder(&Zoned::now().date().to_string()))
}
