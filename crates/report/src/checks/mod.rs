//! Findings of a check, as text, tables and annotations.

mod csv;
mod github;
mod json;
mod letter;
mod markdown;
mod table;
mod text;

use pitmaster_bots::submission::shown_path;
use pitmaster_check::{Checked, Checks};
use pitmaster_core::i18n::Message;

use crate::busy_note;

pub use self::csv::{help as csv_help, write as write_csv};
pub use self::github::write as write_github;
pub use self::json::{HELP as JSON_HELP, write as write_json};
pub use self::letter::letter;
pub use self::markdown::write as write_markdown;
pub use self::text::{Style, write as write_text};

/// Note that the machine was busy when the check began, if it was.
fn load_note(checks: &Checks) -> Option<Message> {
    checks.busy.is_much().then(|| busy_note(checks.busy.stalled))
}

/// Path of a bot, escaped.
fn path_of(bot: &Checked) -> String {
    shown_path(&bot.path)
}
